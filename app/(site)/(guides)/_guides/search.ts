import MiniSearch from 'minisearch';
import { passagesOf } from '#lib/assistant/search/sections.ts';
import { once } from '#lib/base/once.ts';
import { entryUrl, reference } from '../_reference/document.ts';
import { allGuides, type Guide, isFile } from './guides.ts';

/** A section of a guide or an operation of the API, as a result. */
export interface Found {
  url: string;
  /** The page that it stands on, or under which it is listed. */
  page: string;
  heading: string;
  /** Markdown. */
  text: string;
}

const sectionsOf = ({ url, title, markdown }: Guide): Found[] =>
  passagesOf(url, markdown).map(({ anchor, heading, text }) => ({
    url: heading === title ? url : `${url}#${anchor}`,
    page: title,
    heading,
    text,
  }));

const operations = async (): Promise<Found[]> =>
  [...(await reference()).entries.values()].map(({ id, method, path, operation }) => ({
    url: entryUrl(id),
    page: 'API reference',
    heading: method === 'event' ? path : `${method.toUpperCase()} ${path}`,
    text: operation.summary ?? '',
  }));

async function makeIndex(): Promise<MiniSearch<Found & { id: number }>> {
  const guides = [...(await allGuides()).values()].filter(isFile);
  const index = new MiniSearch<Found & { id: number }>({
    fields: ['page', 'heading', 'text'],
    storeFields: ['url', 'page', 'heading', 'text'],
    searchOptions: {
      boost: { heading: 3, page: 2 },
      // A letter or two begin half of all words, and are none of them misspelt.
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 3 ? 0.2 : false),
    },
  });
  index.addAll([...guides.flatMap(sectionsOf), ...(await operations())].map((one, id) => ({ ...one, id })));
  return index;
}

const madeIndex = once(makeIndex);
/** What comes behind is left out: each word costs. */
const MOST_WORDS = 12;
/** Enough to choose from. */
const MOST = 30;

/** The sections and operations that hold the words of a query, best first: all of the words, or else any of them. */
export async function searchGuides(query: string): Promise<Found[]> {
  const made = await madeIndex();
  const words = query
    .split(/[^\p{L}\p{N}_]+/u)
    .filter(Boolean)
    .slice(0, MOST_WORDS)
    .join(' ');
  const whole = made.search(words, { combineWith: 'AND' });
  const found = whole.length > 0 ? whole : made.search(words);
  // The best part of each section stands for it.
  const sections = found.filter(({ url }, at) => found.findIndex((one) => one.url === url) === at);
  return sections.slice(0, MOST).map(({ url, page, heading, text }) => ({ url, page, heading, text }));
}
