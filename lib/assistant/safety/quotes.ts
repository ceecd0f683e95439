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
