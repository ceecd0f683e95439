const UNITS =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES: ReadonlyMap<string, bigint> = new Map([
  ['thousand', 1_000n],
  ['million', 1_000_000n],
  ['billion', 1_000_000_000n],
]);
const SMALL: ReadonlyMap<string, bigint> = new Map([
  ...UNITS.map((word, value) => [word, BigInt(value)] as const),
  ...TENS.map((word, place) => [word, BigInt(20 + 10 * place)] as const),
]);

const WORD = [...SMALL.keys(), 'hundred', ...SCALES.keys()].sort((a, b) => b.length - a.length).join('|');
const SPELLED = new RegExp(
  String.raw`\b(?:(?<half>half\s+(?:a\s+)?(?:hundred|thousand|million|billion))|(?<article>an?\s+(?=hundred|thousand|million|billion))?(?<words>(?:${WORD})(?:(?:\s+and\s+|[\s-]+)(?:${WORD}))*))\b`,
  'gi',
);
/** "One" and its like alone are too often no number ("how do I get one", "one more question"). */
const HARDLY_A_NUMBER = /^(?:one|two|zero)$/i;
const COUNTED = /^\s*(?:xrps?|ripples?|drops?|tokens?|coins?|k\b)/i;
const VAGUE =
  /\b(?:a\s+(?:few|couple(?:\s+of)?)|several|some|many)\s+(?:hundreds?|thousands?|millions?)(?:\s+of)?(?:\s+(?:xrp|tokens))?\b/gi;

/** A number in English words, below a trillion; null for what is none. */
function numberInWords(text: string): bigint | null {
  let total = 0n;
  let group = 0n;
  for (const word of text.toLowerCase().split(/[\s-]+/)) {
    const small = SMALL.get(word);
    const scale = SCALES.get(word);
    if (word === 'and' || word === 'a' || word === 'an') continue;
    if (small !== undefined) group += small;
    else if (word === 'hundred') group = (group === 0n ? 1n : group) * 100n;
    else if (scale !== undefined) {
      total += (group === 0n ? 1n : group) * scale;
      group = 0n;
    } else return null;
  }
  return total + group;
}

function halfOf(text: string): string {
  const whole = numberInWords(text.replace(/^half\s+/i, ''));
  return whole === null ? text : String(whole / 2n);
}

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
    if (/^half/i.test(whole)) return halfOf(whole);
    return String(numberInWords(whole) ?? whole);
  });
  return { text: written, vague: vague.map((words) => words.trim()) };
}
