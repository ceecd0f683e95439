import { NUMBER_WORD, wordsValue } from '../safety/number-forms.ts';

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
