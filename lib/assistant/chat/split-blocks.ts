/** A longer block is cut: what is held back must stay small, and a reader waits for it. */
const MAX_BLOCK = 4_000;

const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/**
 * Where the first block of a text ends: at an empty line that no fence encloses and that is followed by a line which does
 * not belong to the block (an indented one goes on with a list). -1 while it may go on.
 */
function endOfBlock(text: string): number {
  let fence: string | null = null;
  let start = 0;
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', start)) {
    const line = text.slice(start, end);
    const mark = FENCE.exec(line)?.[1];
    if (mark !== undefined) {
      if (fence === null) fence = mark;
      else if (mark.startsWith(fence) && line.trim() === mark) fence = null;
    }
    const follows = text[end + 1];
    if (fence === null && line.trim() === '' && start > 0 && follows !== undefined && !/\s/.test(follows))
      return end + 1;
    start = end + 1;
  }
  return -1;
}

function endOfCut(text: string): number {
  const space = text.slice(0, MAX_BLOCK).search(/\s\S*$/);
  return space <= 0 ? MAX_BLOCK : space;
}

/** Gives a text that comes in pieces as whole blocks of Markdown, each as soon as it is known to be whole. */
export async function* splitBlocks(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    rest += piece;
    for (;;) {
      const end = endOfBlock(rest);
      const cut = end === -1 && rest.length > MAX_BLOCK ? endOfCut(rest) : end;
      if (cut === -1) break;
      const block = rest.slice(0, cut);
      rest = rest.slice(cut);
      if (block.trim() !== '') yield block;
    }
  }
  if (rest.trim() !== '') yield rest;
}
