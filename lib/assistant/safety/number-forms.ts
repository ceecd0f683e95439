/** Words that multiply the number before them; the short forms only where they are attached. */
const MULTIPLIER: Readonly<Record<string, number>> = {
  k: 3,
  m: 6,
  mn: 6,
  mio: 6,
  bn: 9,
  thousand: 3,
  tausend: 3,
  million: 6,
  millions: 6,
  millionen: 6,
  billion: 9,
  trillion: 12,
};

/** Decimal text without what does not change its value. */
export function canonical(text: string): string {
  const [whole = '', fraction = ''] = text.split('.');
  const end = fraction.replace(/0+$/, '');
  return (whole.replace(/^0+(?=\d)/, '') || '0') + (end === '' ? '' : `.${end}`);
}

/** A decimal multiplied by so many powers of ten. */
export function shifted(text: string, places: number): string {
  const [whole = '', fraction = ''] = text.split('.');
  const digits = fraction.padEnd(places, '0');
  return canonical(`${whole}${digits.slice(0, places)}.${digits.slice(places)}`);
}

/** Every value that a number may stand for, as canonical decimals: commas and points separate thousands here and fractions there. */
export function numberForms(text: string, multiplier = ''): string[] {
  const digits = text.replace(/[\s\u00a0\u202f'’_]/g, '');
  const forms = new Set<string>();
  const [commas, points] = [digits.split(',').length - 1, digits.split('.').length - 1];
  if (commas > 0 && points > 0) {
    const isPointLast = digits.lastIndexOf('.') > digits.lastIndexOf(',');
    forms.add(isPointLast ? digits.replaceAll(',', '') : digits.replaceAll('.', '').replace(',', '.'));
  } else if (commas > 0) {
    if (/^\d{1,3}(?:,\d{3})+$/.test(digits)) forms.add(digits.replaceAll(',', ''));
    if (commas === 1) forms.add(digits.replace(',', '.'));
  } else if (points > 1) {
    forms.add(digits.replaceAll('.', ''));
  } else {
    forms.add(digits);
  }
  const places = MULTIPLIER[multiplier.toLowerCase()];
  return [...forms].map((form) => (places === undefined ? canonical(form) : shifted(form, places)));
}

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen';
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety';
const VALUE_OF: ReadonlyMap<string, bigint> = new Map([
  ...SMALL.split(' ').map((word, value) => [word, BigInt(value)] as const),
  ...TENS.split(' ').map((word, index) => [word, BigInt(10 * (index + 2))] as const),
]);
const SCALE_OF: ReadonlyMap<string, bigint> = new Map([
  ['thousand', 1_000n],
  ['million', 1_000_000n],
  ['billion', 1_000_000_000n],
]);

/** Words of numbers, for a pattern. */
export const NUMBER_WORD = [...VALUE_OF.keys(), 'hundred', ...SCALE_OF.keys()]
  .toSorted((a, b) => b.length - a.length)
  .join('|');

/** What number words say: `five hundred and ten` is 510. */
export function wordsValue(words: string): string {
  let [total, part] = [0n, 0n];
  for (const word of words.toLowerCase().split(/[\s-]+/)) {
    const scale = SCALE_OF.get(word);
    if (scale !== undefined) {
      total += (part || 1n) * scale;
      part = 0n;
    } else if (word === 'hundred') part = (part || 1n) * 100n;
    else part += VALUE_OF.get(word) ?? 0n;
  }
  return String(total + part);
}
