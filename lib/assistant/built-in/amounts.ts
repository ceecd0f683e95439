import { formatDrops, MAX_DROPS, parseDecimal, XRP_DECIMALS } from '#lib/base/money.ts';
import { canonical, NUMBER_WORD, shifted, wordsValue } from '../safety/figures.ts';

const SPELLED = new RegExp(
  String.raw`\b(?:(?<half>half\s+(?:a\s+)?(?:hundred|thousand|million|billion))|(?<article>an?\s+(?=hundred|thousand|million|billion))?(?<words>(?:${NUMBER_WORD})(?:(?:\s+and\s+|[\s-]+)(?:${NUMBER_WORD}))*))\b`,
  'gi',
);
/** "One" and its like alone are too often no number ("how do I get one", "one more question"). */
const HARDLY_A_NUMBER = /^(?:one|two|zero)$/i;
const COUNTED = /^\s*(?:xrps?|ripples?|drops?|tokens?|coins?|k\b)/i;
const VAGUE =
  /\b(?:a\s+(?:few|couple(?:\s+of)?)|several|some|many)\s+(?:hundreds?|thousands?|millions?)(?:\s+of)?(?:\s+(?:xrp|tokens))?\b/gi;

/** The text with spelled numbers in digits, and the vague ones that it names. */
export function spelledNumbers(text: string): { text: string; vague: string[] } {
  const vague = text.match(VAGUE) ?? [];
  const certain = text.replace(VAGUE, ' xamount xrp ');
  const written = certain.replace(SPELLED, (whole, ...rest) => {
    const place = rest.findIndex((part) => typeof part === 'number');
    const behind = certain.slice(Number(rest[place]) + whole.length);
    if (HARDLY_A_NUMBER.test(whole) && !COUNTED.test(behind)) return whole;
    // "5 thousand" is read with its digits.
    if (/\d\s*$/.test(certain.slice(0, Number(rest[place])))) return whole;
    const half = whole.replace(/^half\s+(?:a\s+)?/i, '');
    return half === whole ? wordsValue(whole) : String(BigInt(wordsValue(half)) / 2n);
  });
  return { text: written, vague: vague.map((words) => words.trim()) };
}

/** A number that a text names, exact; what it counts where the text says so. */
export type Amount =
  | { kind: 'exact'; text: string; value: string; unit: 'xrp' | 'tokens' | 'other' | null }
  /** It can be read as two different numbers, or is too vague to be one. */
  | { kind: 'ambiguous'; text: string; readings: string[]; unit: 'xrp' | 'tokens' | 'other' | null };

const SCALES: ReadonlyMap<string, number> = new Map([
  ['k', 3],
  ['thousand', 3],
  ['grand', 3],
  ['m', 6],
  ['mio', 6],
  ['mln', 6],
  ['million', 6],
  ['tausend', 3],
  ['mille', 3],
  ['mil', 3],
  ['millones', 6],
  ['milhões', 6],
  ['millionen', 6],
  ['millions', 6],
  ['千', 3],
  ['万', 4],
  ['億', 8],
  ['b', 9],
  ['bn', 9],
  ['billion', 9],
]);

const NUMBER = String.raw`\d+(?:[.,'’ ]\d+)*|\.\d+`;
const SCALE = `(?:k|thousand|grand|tausend|mille|mio|mln|millones|milh[õo]es|millionen|millions?|mil|m|bn|billion|b)(?![a-zà-ÿ])|千|万|億`;
const UNIT = `(?:xrps?|ripples?|drops?|tokens?|coins?|jetons?|fichas?|monedas?|moedas?|m[üu]nzen?|トークン|枚|usdt?|usdc|dollars?|eur|euros?|gbp|pounds?|btc|eth|rlusd|bucks|%|percent|min(?:ute)?s?|h(?:ou)?rs?|days?|weeks?|sec(?:ond)?s?|times?|x)`;
const WRITTEN = new RegExp(
  String.raw`(?<![\w.,])(?<before>xrp\s*|[$€£]\s*|tier\s*#?\s*|[-+]\s*)?(?<number>${NUMBER})\s*(?<scale>${SCALE})?\s*(?:of\s+(?:the|my|your|these|this)\s+)?(?<unit>${UNIT}(?![a-zà-ÿ]))?(?![\w])`,
  'gi',
);

/** What a number counts that is no amount: other things than money or tokens. */
const COUNTS =
  /^ ?(?:(?:more|other|different|of my|of our|separate|new|weitere|verschiedene|otr[ao]s|outr[ao]s|autres|diferentes|differente?s|meiner) )?(?:wallets?|accounts?|addresse?s?|questions?|payments?|transactions?|purchases?|people|persons?|friends?|guys|kids?|investors?|months?|years?|[- ]?years?[- ]old|nights?|keys?|webhooks?|events?|servers?|sales?|tiers?|rounds?|stages?|stars?|steps?|ways?|things?|problems?|tags?|exchanges?|letters?|characters?|decimals?|carteras?|billeteras?|cuentas?|preguntas?|pagos?|personas?|amigos?|meses|años?|d[íi]as?|horas?|veces|konten|konto|fragen?|zahlungen|personen|leute|freunde|monate?n?|jahre?n?|tage?n?|stunden?|mal\b|comptes?|portefeuilles?|paiements?|personnes?|amis?|mois|ans?\b|jours?|heures?|fois|carteiras?|contas?|perguntas?|pagamentos?|pessoas?|vezes|anos?|ウォレット|つ|人|回|日|年|ヶ月|か月|時間)(?![a-zà-ÿ])/i;

/** A plural behind a number is what it counts: "4000 installs". */
const PLURAL =
  /^ ?(?!(?:buys|gets|costs|gives|makes|brings|plus|minus|this|thus|was|does|has|pays|nous|vous|mais|dans|sans|das|was|als|les|des)(?![a-zà-ÿ]))[a-zà-ÿ]{3,}s(?![a-zà-ÿ])/i;

/**
 * The numbers that a written one may be, as plain decimals: one where its form leaves no doubt, two for "1.000", none for
 * what is no number. A comma before three digits parts thousands, as in the language of the answers.
 */
export function readings(written: string): string[] {
  const text = written.replace(/[’ ]/g, "'");
  if (/^\d+$/.test(text)) return [canonical(text)];
  if (/^\d{1,3}(?:'\d{3})+(?:[.,]\d+)?$/.test(text)) return [canonical(text.replaceAll("'", '').replace(',', '.'))];
  if (text.includes("'")) return [];
  if (/^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text) && !text.startsWith('0'))
    return [canonical(text.replaceAll(',', ''))];
  if (/^\d{1,3}(?:\.\d{3})+,\d+$/.test(text) || /^\d{1,3}(?:\.\d{3}){2,}$/.test(text)) {
    return [canonical(text.replaceAll('.', '').replace(',', '.'))];
  }
  if (/^[1-9]\d{0,2}\.\d{3}$/.test(text)) return [canonical(text), canonical(text.replace('.', ''))];
  return /^\d*[.,]\d+$/.test(text) ? [canonical(text.replace(',', '.'))] : [];
}

function unitOf(before: string, unit: string): { unit: 'xrp' | 'tokens' | 'other' | null; places: number } {
  if (/^[$€£]/.test(before)) return { unit: 'other', places: 0 };
  if (/^xrp/i.test(before) || /^(xrp|ripple)/i.test(unit)) return { unit: 'xrp', places: 0 };
  if (/^drop/i.test(unit)) return { unit: 'xrp', places: -XRP_DECIMALS };
  if (/^(token|coin|jeton|ficha|moneda|moeda|m[üu]nze|トークン|枚)/i.test(unit)) return { unit: 'tokens', places: 0 };
  return { unit: unit === '' ? null : 'other', places: 0 };
}

function amountOf({ 0: text, groups = {}, index, input }: RegExpExecArray): Amount[] {
  const { before = '', number = '', scale = '', unit: named = '' } = groups;
  if (/^tier/i.test(before)) return [];
  const { unit, places } = unitOf(before, named);
  const behind = input.slice(index + text.trimEnd().length);
  if (unit === null && (COUNTS.test(behind) || PLURAL.test(behind))) return [];
  const zeros = SCALES.get(scale.toLowerCase()) ?? 0;
  const values = readings(number).map((value) => shifted(value, zeros));
  // With a word for thousands behind it, "1.500" has a decimal point.
  const certain = zeros > 0 ? values.slice(0, 1) : values;
  // A thousand in Spanish and Portuguese, a million in English.
  if (/^mil$/i.test(scale)) certain.push(...certain.map((value) => shifted(value, 3)));
  const inUnit = certain.map((value) => (places < 0 ? formatDrops(parseDecimal(value, 0) ?? 0n) : value));
  const [value] = inUnit;
  if (value === undefined) return [];
  const shown = text.trim();
  if (inUnit.length > 1) return [{ kind: 'ambiguous', text: shown, readings: inUnit, unit }];
  return [{ kind: 'exact', text: shown, value: canonical(value), unit }];
}

/** Wide digits, "X R P" as it is dictated, a slip of the pen, and 1万2千, as what they stand for. */
const plainly = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/(?<![\p{L}\d])(?:x\s+r\s+p|xpr)(?!\p{L})/giu, 'XRP')
    .replace(/(?<=\d)xpr(?!\p{L})/giu, ' XRP')
    .replace(/(\d+)万(?:(\d+)千)?/g, (_, tens: string, thousands: string | undefined) =>
      String(BigInt(tens) * 10_000n + BigInt(thousands ?? 0) * 1_000n),
    );

/** Every amount in a text, in its order, however it is written. Nothing is guessed: what can be read in two ways says so. */
export function amountsIn(text: string): Amount[] {
  const spelled = spelledNumbers(plainly(text));
  return [...spelled.text.matchAll(WRITTEN)].flatMap(amountOf).concat(
    spelled.vague.map((words) => ({
      kind: 'ambiguous' as const,
      text: words,
      readings: [],
      unit: 'xrp' as const,
    })),
  );
}

/** Why an amount of XRP cannot be quoted; null when it can. */
export function xrpFault(value: string): 'zero' | 'too_fine' | 'too_much' | null {
  const [, fraction = ''] = value.split('.');
  if (fraction.length > XRP_DECIMALS) return 'too_fine';
  const drops = parseDecimal(value, XRP_DECIMALS);
  if (drops === null || drops > MAX_DROPS) return 'too_much';
  return drops === 0n ? 'zero' : null;
}
