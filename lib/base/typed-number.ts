const GROUPS = /^\d{1,3}(?:[\s'’]\d{3})+(?=$|[.,])/;
/** `1,000` and `1.000`: a thousand to one reader, one to another. */
const READS_TWO_WAYS = /^[1-9]\d{0,2}(?:,\d{3}|\.000)$/;

/**
 * A number as people type it, as a plain decimal: `1,250,000.50`, `1.250.000,50`, `1 250 000` and `0,5` are understood.
 * What can be read in two ways (`1,000`, `1.000`) is returned with its comma, and what is no number as it was typed, for the
 * field to refuse. Any other single point is a decimal point, as everywhere on the site.
 */
export function typedNumber(typed: string): string {
  const text = typed.trim().replace(GROUPS, (groups) => groups.replace(/[\s'’]/g, ''));
  if (READS_TWO_WAYS.test(text)) return text.replace('.', ',');
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) && !text.startsWith('0')) return text.replaceAll(',', '');
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(text)) {
    return text.replaceAll('.', '').replace(',', '.');
  }
  if (/^\d*,\d+$/.test(text)) return text.replace(/^,/, '0,').replace(',', '.');
  return /^\.\d+$/.test(text) ? `0${text}` : text;
}

/** What is wrong with a decimal that was not taken: one with a comma reads two ways; else what the field asks for. */
export const decimalFault = (text: string, otherwise: string): string =>
  text.includes(',')
    ? 'can be read in two ways: write 1000 or 1.5, without a comma or a point between thousands'
    : otherwise;
