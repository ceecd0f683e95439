/** A part of a page of our documentation that can be found and shown: what stands under a heading, or a part of it. */
export interface Passage {
  /** `<page>#<anchor>`, and a number behind it for the further parts of a long section. */
  id: string;
  page: string;
  anchor: string;
  pageTitle: string;
  heading: string;
  /** The headings that it stands under. */
  path: string;
  /** Markdown, relative links turned into their text. */
  text: string;
}

const HEADING = /^(#{1,4})\s+(.*?)\s*$/;
const FENCE = /^\s*(```+|~~~+)/;
/** A longer section is found and shown in parts. */
const PART_LENGTH = 1_400;

/** The anchor that Markdown renderers make of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

/** Where a link leads inside the repository means nothing to the reader of an answer. */
const withoutLinks = (markdown: string): string => markdown.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');

/** The blocks of a Markdown text: paragraphs, tables, lists; a fence with all that it encloses. */
export function blocksOf(markdown: string): string[] {
  const blocks: string[] = [];
  let lines: string[] = [];
  let fence: string | null = null;
  const close = () => {
    const block = lines.join('\n').trim();
    if (block !== '') blocks.push(block);
    lines = [];
  };
  for (const line of markdown.split('\n')) {
    const mark = FENCE.exec(line)?.[1]?.slice(0, 3);
    if (mark !== undefined && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    if (line.trim() === '' && fence === null) close();
    else lines.push(line);
  }
  close();
  return blocks;
}

/** Whether a block only leads to the next one. */
const isLead = (block: string): boolean => /:\**$/.test(block) && !block.startsWith('|');

/** A section's text in parts of about the given length, cut between blocks; what leads to a block stays with it. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  let before = '';
  for (const block of blocksOf(text)) {
    const last = parts.at(-1);
    if (last !== undefined && (isLead(before) || last.length + block.length <= PART_LENGTH))
      parts[parts.length - 1] = `${last}\n\n${block}`;
    else parts.push(block);
    before = block;
  }
  return parts;
}

/** The passages of a page in their order; headings inside code are code. Pure. */
export function passagesOf(page: string, markdown: string): Passage[] {
  const passages: Passage[] = [];
  /** The headings that hold, by their level. */
  let headings: string[] = [page];
  let lines: string[] = [];
  let fence: string | null = null;
  const close = () => {
    const heading = headings.at(-1) ?? '';
    const anchor = anchorOf(heading);
    const parts = lines.length === 0 ? [] : partsOf(withoutLinks(lines.join('\n')));
    for (const [place, text] of parts.entries()) {
      const id = `${page}#${anchor}${place === 0 ? '' : ` ${place + 1}`}`;
      passages.push({
        id,
        page,
        anchor,
        pageTitle: headings[0] ?? page,
        heading,
        path: headings.slice(0, -1).join(' '),
        text,
      });
    }
    lines = [];
  };
  for (const line of markdown.split('\n')) {
    const opened = FENCE.exec(line)?.[1]?.slice(0, 3);
    if (opened !== undefined && (fence === null || fence === opened)) fence = fence === null ? opened : null;
    const found = fence === null && opened === undefined ? HEADING.exec(line) : null;
    if (found === null) {
      lines.push(line);
      continue;
    }
    close();
    headings = [...headings.slice(0, (found[1]?.length ?? 1) - 1), withoutLinks(found[2] ?? '')];
  }
  close();
  return passages;
}

const WHOLE = 2_400;
const LONG_TABLE = 1_500;

/** Of a long table the rows that say what is asked; all where none does. */
function tableFor(block: string, isMeant: (text: string) => boolean): string {
  if (!block.startsWith('|') || block.length <= LONG_TABLE) return block;
  const lines = block.split('\n');
  const rows = lines.slice(2).filter(isMeant);
  return rows.length === 0 ? block : [...lines.slice(0, 2), ...rows].join('\n');
}

/**
 * What a reader is shown of a section, given as its parts: all of it where it is short. Of a long one its beginning, and then the part
 * that was found; steps are shown from the first one on. `isMeant` tells the rows of long tables that are worth showing.
 */
export function excerptOf(
  parts: readonly string[],
  found: number,
  isMeant: (text: string) => boolean,
): { text: string; isWhole: boolean } {
  const blocks = parts.map((part) => blocksOf(part).map((block) => tableFor(block, isMeant)));
  const all = blocks.flat();
  const whole = all.join('\n\n');
  const isCut = whole.length < parts.join('\n\n').length;
  if (whole.length <= WHOLE) return { text: whole, isWhole: !isCut };
  const hasSteps = all.some((block) => /^1\. /.test(block));
  let shown = hasSteps || found === 0 ? all : [all[0] ?? '', ...(blocks[found] ?? [])];
  while (shown.length > 1 && shown.join('\n\n').length > WHOLE) shown = shown.slice(0, -1);
  while (shown.length > 1 && isLead(shown.at(-1) ?? '')) shown = shown.slice(0, -1);
  return { text: shown.join('\n\n'), isWhole: false };
}

const SNIPPET_LENGTH = 420;

/** A row of a table as a sentence: its first cell, then what stands behind it. */
const ofRow = (row: string): string => {
  const [first = '', ...rest] = row.split('|').flatMap((cell) => cell.trim() || []);
  return rest.length === 0 ? first : `${first}: ${rest.join('; ')}`;
};

/** The paragraph, list item or row of a passage that says most of what is asked, in one line; without code. */
export function snippetOf(text: string, weightOf: (text: string) => number): string {
  const lines = blocksOf(text).flatMap((block) => {
    if (/^\s*(?:```|~~~)/.test(block)) return [];
    if (block.startsWith('|')) return block.split('\n').slice(2).map(ofRow);
    return block
      .split(/\n(?=\s*(?:-|\d+\.) )/)
      .map((item) => item.replace(/^\s*(?:-|\d+\.) /, '').replace(/\s*\n\s*/g, ' '));
  });
  // A long one says many words by the way.
  const perLength = (line: string) => weightOf(line) / (1 + line.length / SNIPPET_LENGTH);
  const [most = ''] = lines.toSorted((a, b) => perLength(b) - perLength(a));
  return most.length <= SNIPPET_LENGTH ? most : `${most.slice(0, most.lastIndexOf(' ', SNIPPET_LENGTH))} …`;
}
