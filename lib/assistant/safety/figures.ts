import { NUMBER_WORD, numberForms, wordsValue } from './number-forms.ts';

/** A figure in a reply. It is good when any of its forms stands in what was looked up. */
export interface Figure {
  text: string;
  forms: readonly string[];
}

/** Hashes, addresses, ids and other names made of letters and digits: they must be exactly what was looked up. */
const NAME =
  /(?<![0-9A-Za-z])(?:[0-9A-Fa-f]{64}|(?=[A-Za-z_-]*\d)(?:[rXT][1-9A-HJ-NP-Za-km-z]{24,60}|[0-9A-Za-z]+_[0-9A-Za-z]{8,}|[A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{4}|(?=(?:\w*\d){4})[0-9A-Za-z]{14,}))(?![0-9A-Za-z])/g;
/** Names without a digit are addresses only by their length and letters. */
const LETTERS_ADDRESS = /(?<![0-9A-Za-z])r[1-9A-HJ-NP-Za-km-z]{24,34}(?![0-9A-Za-z])/g;

const MONEY = 'XRP|RLUSD|USD|EUR|GBP|BTC|ETH|drops?|dollars?|euros?|tokens?|percent|per cent';
const NUMBER =
  /(?<![\p{L}\p{N}_]|\p{L}-)(?:(?<=^|[^\p{L}])(?:XRP|USD|EUR))?(\d{1,3}(?:[ \u00a0\u202f'’]\d{3})+(?![\d])(?:[.,]\d+)?|\d+(?:[.,_]\d+)*)(?:(k|mn?|mio|bn)(?![\p{L}])|\s+(thousand|tausend|millions?|millionen|billion|trillion)\b)?/giu;
const WORDS = new RegExp(
  `\\b((?:${NUMBER_WORD})(?:(?:[\\s-]+and)?[\\s-]+(?:${NUMBER_WORD}))*)\\s+(?:\\w+\\s+)?(?:${MONEY})\\b`,
  'gi',
);

/** Counting to twelve needs no source, unless it counts money or names something. */
const MAX_COUNT = 12;
const MEANS_MONEY_AFTER = new RegExp(`^\\s*(?:%|[$€£]|(?:${MONEY})\\b|[A-Z]{3,}\\b)`, 'i');
const NAMES_BEFORE = /(?:\btiers?|\btags?|\bledgers?|[$€£#])\s*(?:no\.?|number)?\s*[:#]?\s*$/i;
/** Digits of other scripts say the same to their readers, and nothing looked up has them. */
const OTHER_DIGITS = /(?=\D)\p{Nd}+/gu;
/** What always holds: drops in an XRP. */
const CONSTANT = new Set(['1000000']);

const isCount = (text: string, before: string, after: string): boolean =>
  /^\d{1,2}$/.test(text) && Number(text) <= MAX_COUNT && !MEANS_MONEY_AFTER.test(after) && !NAMES_BEFORE.test(before);

const foldedName = (name: string): string => (/^[0-9A-Fa-f]{64}$/.test(name) ? name.toUpperCase() : name);

/** The figures of a text as its reader sees it: amounts, percentages, tags, dates, hashes, addresses, ids. */
export function figuresIn(given: string): Figure[] {
  const figures: Figure[] = [];
  const take = (text: string, forms: readonly string[]) => {
    figures.push({ text, forms });
    return ' '.repeat(text.length);
  };
  const takeName = (name: string) => take(name, [foldedName(name)]);
  const rest = given.normalize('NFKC').replace(NAME, takeName).replace(LETTERS_ADDRESS, takeName);
  for (const [text] of rest.matchAll(OTHER_DIGITS)) take(text, []);
  for (const { 0: text, 1: words = '' } of rest.matchAll(WORDS)) take(text, [wordsValue(words)]);
  for (const { 0: text, 1: digits = '', 2: attached, 3: word, index } of rest.matchAll(NUMBER)) {
    const [before, after] = [rest.slice(Math.max(0, index - 20), index), rest.slice(index + text.length)];
    const forms = numberForms(digits, attached ?? word);
    if (isCount(text, before, after) || forms.some((form) => CONSTANT.has(form))) continue;
    take(text, forms);
  }
  return figures;
}

const DIGITS = /\d+(?:[.,]\d+)*/g;

/** The forms of every figure in what was looked up or said: generously, as it only permits. */
export function* knownForms(given: string): Iterable<string> {
  const names: string[] = [];
  const takeName = (name: string) => {
    names.push(foldedName(name));
    return ' ';
  };
  const rest = given.normalize('NFKC').replace(NAME, takeName).replace(LETTERS_ADDRESS, takeName);
  yield* names;
  for (const [number] of rest.matchAll(DIGITS)) yield* numberForms(number);
  for (const figure of figuresIn(rest)) yield* figure.forms;
}
