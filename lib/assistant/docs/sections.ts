/** A part of a page of our documentation: a heading and what stands under it, up to the next heading. */
export interface Section {
  /** `<page>#<anchor>`. */
  id: string;
  page: string;
  pageTitle: string;
  heading: string;
  /** Markdown, relative links turned into their text. */
  text: string;
}

const HEADING = /^(#{1,4})\s+(.*?)\s*$/;
const FENCE = /^\s*(```+|~~~+)/;

/** The anchor that Markdown renderers make of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s+/g, '-');

/** Where a link leads inside the repository means nothing to who reads an answer. */
const withoutLinks = (markdown: string): string => markdown.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1');

/** The sections of a page in their order; headings inside code are code. Pure. */
export function sectionsOf(page: string, markdown: string): Section[] {
  const sections: Section[] = [];
  let pageTitle = page;
  let heading = '';
  let lines: string[] = [];
  let fence: string | null = null;
  const close = () => {
    const text = withoutLinks(lines.join('\n').trim());
    if (heading !== '' && text !== '') {
      sections.push({ id: `${page}#${anchorOf(heading)}`, page, pageTitle, heading, text });
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
  return sections;
}
