import { slug } from 'github-slugger';

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

/** Whether a text is code and nothing else. */
export const isCode = (text: string): boolean => blocksOf(text).every((block) => FENCE.test(block));

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

/** A sentence is not cut shorter. */
const SHORTEST_CUT = 180;
/** The beginning of a sentence, up to a space outside of bold words and code. */
function cut(text: string, longest: number): string {
  if (text.length <= longest) return text;
  let end = longest;
  do end = text.lastIndexOf(' ', end - 1);
  while (end > 0 && [/\*\*/g, /`/g].some((mark) => (text.slice(0, end).match(mark)?.length ?? 0) % 2 === 1));
  return end > 0 ? `${text.slice(0, end)} …` : text;
}

/**
 * What of a text says most of what is asked, by how many of the terms it holds: the best sentence, and beside it what the text
 * says first and further ones, in their order, as long as they fit into the room. Pure.
 */
export function gistOf(
  text: string,
  terms: ReadonlySet<string>,
  termsOf: (text: string) => string[],
  room: number,
): string {
  const sentences = text.replace(/\n\s*(?:- )?/g, ' ').split(/(?<=\D[.!?])\s+|(?<=[。！？])/);
  // What an answer asks leads to its next sentence, and tells nothing.
  const shared = sentences.map((one) =>
    one.endsWith('?') ? 0 : new Set(termsOf(one).filter((term) => terms.has(term))).size,
  );
  const best = [...sentences.keys()].sort((a, b) => (shared[b] ?? 0) - (shared[a] ?? 0));
  const told = new Map<number, string>();
  const longest = Math.max(room / 2, SHORTEST_CUT);
  let left = room;
  for (const at of [...best.slice(0, 1), 0, ...best]) {
    const sentence = cut(sentences[at] ?? '', longest);
    if (told.has(at) || (told.size > 0 && (sentence.length > left || (at !== 0 && shared[at] === 0)))) continue;
    told.set(at, sentence);
    left -= sentence.length;
  }
  return [...sentences.keys()]
    .flatMap((at) => [told.has(at) && at > 0 && told.size > 1 && !told.has(at - 1) ? '…' : '', told.get(at) ?? ''])
    .filter((one) => one !== '')
    .join(' ')
    .replaceAll(/(?<=[。！？]) |(?<=…) …/g, '');
}

const LONGEST_EXCERPT = 600;
const TABLE_HEAD = 2;

/** What of a passage says most of what is asked, by how many of the terms it holds: a block, of a table its rows. Pure. */
export function excerptOf(text: string, terms: ReadonlySet<string>, termsOf: (text: string) => string[]): string {
  const shared = (part: string): number => new Set(termsOf(part).filter((term) => terms.has(term))).size;
  const best = <T>(all: readonly T[], of: (one: T) => number): T | undefined =>
    all.toSorted((a, b) => of(b) - of(a))[0];
  const all = blocksOf(text);
  // What leads to a block says nothing without it.
  const prose = all.filter((block) => !FENCE.test(block) && !isLead(block));
  const blocks = prose.length > 0 ? prose : all;
  const block = best(blocks, shared) ?? '';
  const before = all[all.indexOf(block) - 1] ?? '';
  const lines = block.split('\n');
  const rows = lines.slice(TABLE_HEAD);
  const most = Math.max(...rows.map(shared), 1);
  const shown = block.startsWith('|')
    ? [...lines.slice(0, TABLE_HEAD), ...rows.filter((row) => shared(row) === most)].join('\n')
    : block;
  const whole = isLead(before) ? `${before}\n\n${shown}` : shown;
  if (whole.length <= LONGEST_EXCERPT || /^(?:\||```)/m.test(whole)) return whole;
  return `${whole.slice(0, whole.lastIndexOf(' ', LONGEST_EXCERPT))} …`;
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
    const anchor = slug(heading);
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
