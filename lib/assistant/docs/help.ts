import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type MiniSearch from 'minisearch';
import { PlatformError } from '#lib/platform/errors.ts';
import { searchTerm } from '../words.ts';
import { type Section, sectionsOf } from './sections.ts';

/**
 * The pages that help people who ask, and where the reference page tells of the same things. What only operators and
 * maintainers need is left out.
 */
export const HELP_PAGES = {
  investing: { file: 'docs/investing.md', anchor: 'investments' },
  access: { file: 'docs/access.md', anchor: 'api-keys' },
  webhooks: { file: 'docs/webhooks.md', anchor: 'webhooks' },
  api: { file: 'docs/api.md', anchor: 'problems' },
  'platform-id': { file: 'docs/platform-id.md', anchor: 'platform-id' },
  holders: { file: 'docs/holders.md', anchor: 'projects' },
  assistant: { file: 'docs/assistant.md', anchor: 'assistant' },
  verification: { file: 'docs/verification.md', anchor: 'projects' },
  security: { file: 'docs/security.md', anchor: 'credentials' },
  README: { file: 'README.md', anchor: 'operations' },
} as const satisfies Record<string, { file: string; anchor: string }>;
type HelpPage = keyof typeof HELP_PAGES;

/** Makes something once a process, when it is first needed; a failure is not kept. */
function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}

const readSections = once(async (): Promise<ReadonlyMap<string, Section>> => {
  const pages = await Promise.all(
    Object.entries(HELP_PAGES).map(async ([page, { file }]) =>
      // Traced by name (next.config.ts): followed, it would lead to every file there is.
      sectionsOf(
        page,
        await readFile(/*turbopackIgnore: true*/ path.join(/*turbopackIgnore: true*/ process.cwd(), file), 'utf8'),
      ),
    ),
  );
  return new Map(pages.flat().map((section) => [section.id, section]));
});

/** Only who searches waits for the index. */
const readIndex = once(async (): Promise<MiniSearch<Section>> => {
  const { default: Index } = await import('minisearch');
  const sections = await readSections();
  const index = new Index<Section>({
    fields: ['heading', 'pageTitle', 'text'],
    processTerm: searchTerm,
    searchOptions: { boost: { heading: 3, pageTitle: 1.5 }, fuzzy: (term) => (term.length > 4 ? 0.2 : false) },
  });
  index.addAll([...sections.values()]);
  return index;
});

/** A section by its id. Throws `not_found`. */
export async function helpSection(id: string): Promise<Section> {
  const section = (await readSections()).get(id);
  if (section === undefined) throw new PlatformError('not_found', 'The documentation has no such section.');
  return section;
}

/** The sections that fit best, best first, each with the part of the question's words that it holds (0 to 1). */
export async function searchHelp(query: string, limit: number): Promise<{ section: Section; covers: number }[]> {
  const [sections, index] = [await readSections(), await readIndex()];
  const words = new Set(query.split(/[^\p{L}\p{N}]+/u).flatMap((word) => searchTerm(word) ?? []));
  return index
    .search(query)
    .flatMap(({ id, queryTerms }) => {
      const section = sections.get(String(id));
      return section === undefined ? [] : [{ section, covers: new Set(queryTerms).size / Math.max(1, words.size) }];
    })
    .slice(0, limit);
}

export const helpAnchor = (page: string): string => HELP_PAGES[page as HelpPage]?.anchor ?? 'operations';
