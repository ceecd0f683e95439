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

const OTHERS_WORDS = 'description';

/** What was said and looked up in one conversation: the figures that a reply may name. */
export class Evidence {
  readonly #forms = new Set<string>();

  /** Adds every text, number and name inside a JSON value but descriptions: projects write those, and may write anything. Without recursion, because tools decide the depth. */
  add(value: unknown): void {
    const rest: unknown[] = [value];
    while (rest.length > 0) {
      const next = rest.pop();
      if (typeof next === 'string') for (const form of knownForms(next)) this.#forms.add(form);
      else if (typeof next === 'number') for (const form of knownForms(String(Math.abs(next)))) this.#forms.add(form);
      else if (typeof next === 'object' && next !== null) {
        for (const [name, part] of Object.entries(next)) if (name !== OTHERS_WORDS) rest.push(name, part);
      }
    }
  }

  /** The figures of a text that stand nowhere in it. */
  missing(text: string): Figure[] {
    return figuresIn(text).filter(({ forms }) => !forms.some((form) => this.#forms.has(form)));
  }
}

/** So many words after each other are no accident. */
const RUN = 12;

const wordsOf = (text: string): string[] =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? [];

function runsOf(text: string): string[] {
  const words = wordsOf(text);
  return words.slice(RUN - 1).map((_, start) => words.slice(start, start + RUN).join(' '));
}

/** A test for texts that repeat twelve or more words in a row of the given one. */
export function quoting(secret: string): (text: string) => boolean {
  const runs = new Set(runsOf(secret));
  return (text) => runsOf(text).some((run) => runs.has(run));
}
