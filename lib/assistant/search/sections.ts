/** A part of a page of our documentation that can be found and shown: what stands under a heading, or a part of it. */
export interface Passage {
  /** `<page>#<anchor>`, and a number behind it for the further parts of a long section. */
  id: string;
  page: string;
  anchor: string;
  pageTitle: string;
  heading: string;
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

/** A section's text in parts of about the given length, cut between blocks. */
function partsOf(text: string): string[] {
  const parts: string[] = [];
  for (const block of blocksOf(text)) {
    const last = parts.at(-1);
    if (last !== undefined && last.length + block.length <= PART_LENGTH)
      parts[parts.length - 1] = `${last}\n\n${block}`;
    else parts.push(block);
  }
  return parts;
}

/** The passages of a page in their order; headings inside code are code. Pure. */
export function passagesOf(page: string, markdown: string): Passage[] {
  const passages: Passage[] = [];
  let [pageTitle, heading] = [page, ''];
  let lines: string[] = [];
  let fence: string | null = null;
  const close = () => {
    const anchor = anchorOf(heading);
    const parts = heading === '' ? [] : partsOf(withoutLinks(lines.join('\n')));
    for (const [place, text] of parts.entries()) {
      const id = `${page}#${anchor}${place === 0 ? '' : ` ${place + 1}`}`;
      passages.push({ id, page, anchor, pageTitle, heading, text });
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
    heading = withoutLinks(found[2] ?? '');
    if (found[1] === '#') pageTitle = heading;
  }
  close();
  return passages;
}
