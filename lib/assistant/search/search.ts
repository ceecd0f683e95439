import { readFile } from 'node:fs/promises';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { ERROR_STATUS, ERROR_TITLE, type ErrorCode, PlatformError } from '#lib/base/errors.ts';
import { functionWords, languageOf } from '../built-in/language.ts';
import { speakerOf } from './lexicon.ts';
import operations from './operations.json' with { type: 'json' };
import { excerptOf, type Passage, passagesOf, snippetOf } from './sections.ts';
import { KEYWORDS, type Said, saidIn, stem, termsOf } from './vocabulary.ts';

/** The guides, whom each is for, and where the reference page tells of the same things. */
export const GUIDES = {
  investing: { file: 'docs/investing.md', anchor: 'investments', audience: 'investor' },
  access: { file: 'docs/access.md', anchor: 'api-keys', audience: 'developer' },
  webhooks: { file: 'docs/webhooks.md', anchor: 'webhooks', audience: 'developer' },
  api: { file: 'docs/api.md', anchor: 'problems', audience: 'developer' },
  'platform-id': { file: 'docs/platform-id.md', anchor: 'platform-id', audience: 'developer' },
  holders: { file: 'docs/holders.md', anchor: 'projects', audience: 'developer' },
  assistant: { file: 'docs/assistant.md', anchor: 'assistant', audience: 'developer' },
  verification: { file: 'docs/verification.md', anchor: 'projects', audience: 'developer' },
  security: { file: 'docs/security.md', anchor: 'credentials', audience: 'operator' },
  deploying: { file: 'docs/deploying.md', anchor: 'operations', audience: 'operator' },
  operations: { file: 'docs/operations.md', anchor: 'operations', audience: 'operator' },
  'operator-console': { file: 'docs/operator-console.md', anchor: 'operations', audience: 'operator' },
  runbook: { file: 'docs/runbook.md', anchor: 'operations', audience: 'operator' },
  cost: { file: 'docs/cost.md', anchor: 'operations', audience: 'operator' },
  README: { file: 'README.md', anchor: 'operations', audience: 'operator' },
} as const satisfies Record<string, { file: string; anchor: string; audience: string }>;

/** Each row of the table of errors is a page of its own: one code, and what to do about it. */
function problemPages(api: readonly Passage[]): Passage[] {
  const rows = api.flatMap(({ text }) => [...text.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)]);
  return rows.map(([, status = '', code = '', whatToDo = '']) => ({
    id: `problem#${code}`,
    page: 'api',
    anchor: 'errors',
    pageTitle: 'Errors',
    heading: `${status} ${code}`,
    path: 'Errors',
    text: `**${ERROR_TITLE[code as ErrorCode] ?? code}** (${status} \`${code}\`): ${whatToDo}.`,
  }));
}

const operationPages = (): Passage[] =>
  operations.map((line) => {
    const [id = '', method = '', at = '', credential = '', summary = ''] = line.split(' | ');
    return {
      id: `operation#${id}`,
      page: 'reference',
      anchor: id,
      pageTitle: 'API reference',
      heading: `${method} ${at}`,
      path: 'API reference',
      text: `\`${method} ${at}\`: ${summary.replace(/\.$/, '')}. Credential: ${credential}.`,
    };
  });

async function readPassages(): Promise<Passage[]> {
  const pages = await Promise.all(
    Object.entries(GUIDES).map(async ([page, { file }]) =>
      // Traced by name (next.config.ts): followed, it would lead to every file there is.
      passagesOf(
        page,
        await readFile(/*turbopackIgnore: true*/ path.join(/*turbopackIgnore: true*/ process.cwd(), file), 'utf8'),
      ),
    ),
  );
  const guides = pages.flat();
  return [...guides, ...problemPages(guides.filter(({ page }) => page === 'api')), ...operationPages()];
}

/** The stems of a passage's parts, in their order. */
interface Stems {
  heading: readonly string[];
  keywords: readonly string[];
  path: readonly string[];
  text: readonly string[];
}
const headOf = ({ path, heading, keywords }: Stems): string[] => [...path, ...heading, ...keywords];

interface Library {
  passages: ReadonlyMap<string, Passage>;
  stems: ReadonlyMap<string, Stems>;
  /** How many passages hold a term. */
  frequency: ReadonlyMap<string, number>;
  /** Terms of headings and keywords that no guide for investors has. */
  technical: ReadonlySet<string>;
  /** Made for the first question that the guides answer: most of the work of opening the library. */
  index(): MiniSearch;
}

const sectionOf = ({ page, anchor, id }: Passage): string => (id.startsWith('problem#') ? id : `${page}#${anchor}`);

async function openLibrary(): Promise<Library> {
  const passages = await readPassages();
  const frequency = new Map<string, number>();
  const stems = new Map<string, Stems>();
  const counted = new Map<string, Stems>();
  const technical = new Set<string>();
  for (const passage of passages) {
    const { id, heading, path, text, page } = passage;
    const keywords = KEYWORDS[page === 'reference' ? id : sectionOf(passage)] ?? '';
    const one: Stems = {
      heading: termsOf(heading),
      keywords: termsOf(keywords),
      path: termsOf(path),
      text: termsOf(text),
    };
    stems.set(id, one);
    const head = headOf(one);
    for (const term of [...head, ...one.text]) {
      if (counted.get(term) === one) continue;
      counted.set(term, one);
      frequency.set(term, (frequency.get(term) ?? 0) + 1);
    }
    if (page !== 'reference') for (const term of head) technical.add(term);
  }
  for (const [id, one] of stems)
    if (id.startsWith('investing#')) for (const term of [...headOf(one), ...one.text]) technical.delete(term);
  let index: MiniSearch | undefined;
  return {
    passages: new Map(passages.map((one) => [one.id, one])),
    stems,
    frequency,
    technical,
    index: () => {
      index ??= indexOf(stems);
      return index;
    },
  };
}

function indexOf(stems: ReadonlyMap<string, Stems>): MiniSearch {
  const index = new MiniSearch({
    fields: ['heading', 'keywords', 'path', 'text'],
    tokenize: (terms) => terms.split(' '),
    processTerm: (term) => term,
  });
  for (const [id, { heading, keywords, path, text }] of stems)
    index.add({
      id,
      heading: heading.join(' '),
      keywords: keywords.join(' '),
      path: path.join(' '),
      text: text.join(' '),
    });
  return index;
}

let opened: Promise<Library> | undefined;
/** The library of this process; a failure is not kept. */
export function library(): Promise<Library> {
  opened ??= openLibrary().catch((error) => {
    opened = undefined;
    throw error;
  });
  return opened;
}

/** Whether a word stands anywhere in the guides: then it is no misspelling. */
export async function knownWords(): Promise<(word: string) => boolean> {
  const { frequency } = await library();
  return (word) => frequency.has(stem(word));
}

/** The first passage of a section, by `<page>#<anchor>`. Throws `not_found`. */
export async function passage(id: string): Promise<Passage> {
  const found = (await library()).passages.get(id);
  if (found === undefined) throw new PlatformError('not_found', 'The documentation has no such section.');
  return found;
}

export interface Found {
  passage: Passage;
  score: number;
  /** The part of what the question says, rare words weighing more, that the passage holds (0 to 1). */
  covers: number;
  /** The same, of its headings and keywords alone. */
  heads: number;
  /** The question names it: by a code, or by the method and path of an operation. */
  isNamed: boolean;
}

export interface Searched {
  /** The best passages, best first, one a section. */
  found: Found[];
  /** Whether the best one answers the question for all that can be told. */
  isSure: boolean;
}

const LONGEST_QUERY = 24;
const MOST_LOOKED_AT = 40;
/** So many words of developers and operators make a question one of theirs; a single one may be anybody's. */
const TECHNICAL_WORDS = 2;
/** Guides explain; an operation, or what a page begins with, is seldom the answer. */
const OPERATION_BOOST = 0.6;
const INTRODUCTION_BOOST = 0.6;

const OPERATION = /\b(GET|POST|PATCH|PUT|DELETE)\s+(\/[\w/{}[\]:.-]*)/gi;
/** What only programs write: names with an underscore, paths, JSON. */
const OF_PROGRAM = /[a-z]_[a-z]|\/[a-z]+\/|[{}]|^\W*[1-5]\d\d\b|\.json\b/i;
/** What a delivery of ours was answered with is no error of the API. */
const OF_RECEIVER =
  /\b(?:my|our|the) (?:receiver|endpoint|server|handler)\b|\bsignature|\bdeliver|\b(?:i|we) (?:return|answer|respond)\b|\bwebhooks? (?:fail|get|return|answer|respond)/i;
const OF_API =
  /\b(?:error|status|https?|code|api|get(?:ting|s)?|got|return(?:s|ed|ing)?|respon\w+|answers?|post|patch|put|delete|mean\w*|why|receiv\w+)\b|^\W*[45]\d\d\b(?!\s*(?:xrp|tokens?)\b)/i;
const pathOf = (path: string): string =>
  path
    .replace(/^\/api(?=\/)/, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]|:\w+/g, '*')
    .replace(/\/$/, '');

/** The passages that a question names outright: codes, statuses of the API, operations by method and path. */
function namedIn(query: string, passages: ReadonlyMap<string, Passage>): Passage[] {
  const codes = query.toLowerCase().match(/[a-z]+(?:_[a-z]+)+/g) ?? [];
  const statuses =
    OF_RECEIVER.test(query) || !OF_API.test(query)
      ? []
      : (query.match(/(?<![\d.,$€£]|[$€£] )[45]\d\d(?![\d.,]*\s*(?:xrp|tokens?|\d))/gi) ?? []);
  const called = [...query.matchAll(OPERATION)].map(
    ([, method = '', path = '']) => `${method.toUpperCase()} ${pathOf(path)}`,
  );
  const all = [...passages.values()];
  const isCode = (code: string) => Object.hasOwn(ERROR_STATUS, code);
  // A code says more than its status.
  const ofStatuses = codes.some(isCode) ? [] : statuses.flatMap((status) => headingsOf(status, query));
  const isTold = ({ page, heading, id }: Passage): boolean => {
    if (page === 'reference') {
      const [method = '', path = ''] = heading.split(' ');
      return called.includes(`${method} ${pathOf(path)}`);
    }
    if (id.startsWith('problem#'))
      return codes.some((code) => heading.endsWith(` ${code}`)) || ofStatuses.includes(heading);
    return codes.some((code) => heading === `\`${code}\``) && !/ \d+$/.test(id);
  };
  return all.filter(isTold).toSorted((a, b) => Number(a.page === 'reference') - Number(b.page === 'reference'));
}

/** The problems of a status, as headings: those that the question says more of, else the first. */
function headingsOf(status: string, query: string): string[] {
  const said = new Set(termsOf(query));
  const codes = Object.entries(ERROR_STATUS).flatMap(([code, known]) => (String(known) === status ? [code] : []));
  const meant = codes.filter((code) => termsOf(code.replaceAll('_', ' ')).some((term) => said.has(term)));
  const isIdempotency = meant.some((code) => code.startsWith('idempotency'));
  return (
    meant.length > 0 ? meant.filter((code) => !isIdempotency || code.startsWith('idempotency')) : codes.slice(0, 1)
  ).map((code) => `${status} ${code}`);
}

/** A term of the guides for a word that they do not have: the nearest spelling, or the two words that it is made of. */
function spelt(term: string, { index, frequency }: Library): string[] {
  if (frequency.has(term) || term.length < 5 || /\d/.test(term)) return [term];
  for (let at = 3; at <= term.length - 3; at += 1) {
    const parts = [term.slice(0, at), term.slice(at)].map(stem);
    if (parts.every((part) => (frequency.get(part) ?? 0) > 1)) return parts;
  }
  const [nearest] = index().search(term, { fuzzy: 0.25, filter: ({ terms }) => terms[0]?.[0] === term[0] });
  return [nearest?.terms[0] ?? term];
}

/** A word that the guides do not know weighs as much as one of theirs that a dozen passages hold. */
const UNKNOWN_WEIGHT = 3.5;
/** In other languages most words that the vocabulary lacks are no more than grammar. */
const UNKNOWN_WEIGHT_ABROAD = 1;
type Weighed = Said & { weight: number };

/** What a question says, each with its weight: rare words weigh more, and what the guides do not know most. */
function weigh(query: string, opened: Library): Weighed[] {
  const { frequency, passages } = opened;
  const language = languageOf(query);
  const weightOf = (term: string) => Math.log(1 + passages.size / (1 + (frequency.get(term) ?? 0)));
  return saidIn(query, functionWords(language))
    .slice(0, LONGEST_QUERY)
    .flatMap(({ own, also }) => {
      const said = { own: own.flatMap((term) => (also.length > 0 ? [term] : spelt(term, opened))), also };
      const known = [...said.own, ...also.flat()].filter((term) => frequency.has(term));
      const unknownWeight = language === 'en' ? UNKNOWN_WEIGHT : UNKNOWN_WEIGHT_ABROAD;
      const weight =
        known.length === 0 ? unknownWeight : known.reduce((sum, term) => sum + weightOf(term), 0) / known.length;
      return [{ ...said, weight }];
    });
}

const partOf = (said: readonly Weighed[], terms: ReadonlySet<string>): number => {
  const share = (list: readonly string[]) => list.filter((term) => terms.has(term)).length / Math.max(1, list.length);
  const total = said.reduce((sum, { weight }) => sum + weight, 0);
  const held = said.reduce((sum, { own, also, weight }) => sum + weight * Math.max(share(own), ...also.map(share)), 0);
  return total === 0 ? 0 : held / total;
};

/** The passages that fit a question best, in English or in the other languages of the vocabulary. */
export async function search(query: string, limit: number): Promise<Searched> {
  const opened = await library();
  const { index, passages, stems, technical } = opened;
  const said = weigh(query, opened);
  const isTechnical = ({ own, also }: Said) => [...own, ...also.flat()].some((term) => technical.has(term));
  const isOfDeveloper = OF_PROGRAM.test(query) || said.filter(isTechnical).length >= TECHNICAL_WORDS;
  const audience = speakerOf(query) ?? (isOfDeveloper ? 'developer' : 'investor');
  const wanted = [...new Set(said.flatMap(({ own, also }) => [...own, ...also.flat()]))];
  const isOwn = new Set(said.flatMap(({ own }) => own));
  const pairs = said.slice(1).map(({ own }, place) => ` ${said[place]?.own.at(-1)} ${own[0]} `);
  const results = index().search(
    { combineWith: 'OR', queries: wanted },
    {
      boost: { heading: 3, keywords: 2.5, path: 1.5 },
      boostTerm: (term) => (term.includes('_') ? 2 : isOwn.has(term) ? 1 : 0.8),
    },
  );
  const boostOf = (one: Passage): number => {
    if (one.page === 'reference' || one.id.startsWith('problem#')) return OPERATION_BOOST;
    const of = GUIDES[one.page as keyof typeof GUIDES]?.audience;
    const isSpecial = of === 'operator' || one.page === 'verification' || one.page === 'assistant';
    const forThem = of === audience ? 1.25 : isSpecial ? 0.75 : 1;
    return forThem * (one.heading === one.pageTitle ? INTRODUCTION_BOOST : 1);
  };
  const judged = results.slice(0, MOST_LOOKED_AT).flatMap(({ id, score }): Found[] => {
    const one = passages.get(String(id));
    const held = stems.get(String(id));
    if (one === undefined || held === undefined) return [];
    const head = headOf(held);
    const all = [...head, ...held.text];
    const covers = partOf(said, new Set(all));
    const heads = partOf(said, new Set(head));
    const run = ` ${all.join(' ')} `;
    const beside = pairs.filter((pair) => run.includes(pair)).length;
    const fits = (0.3 + 0.4 * covers + 0.3 * heads) * (1 + 0.1 * beside);
    return [{ passage: one, score: score * boostOf(one) * fits, covers, heads, isNamed: false }];
  });
  const named = namedIn(query, passages).map((one) => ({
    passage: one,
    score: Number.POSITIVE_INFINITY,
    covers: 1,
    heads: 1,
    isNamed: true,
  }));
  const seen = new Set<string>();
  const found = [...named, ...judged.toSorted((a, b) => b.score - a.score)].filter(({ passage: one }) => {
    const section = sectionOf(one);
    if (seen.has(section)) return false;
    seen.add(section);
    return true;
  });
  const [best, next] = found;
  if (best === undefined || best.covers < KNOWN_COVERS) return { found: [], isSure: false };
  return { found: found.slice(0, limit), isSure: best.isNamed || isSure(best, next, said, audience) };
}

/** What covers less is no answer at all. */
const KNOWN_COVERS = 0.2;
/**
 * How much a passage tells for itself: it holds what is said, in its headings and keywords above all, it scores high, it is ahead of
 * the next section, and it is written for who asks. The weights are a logistic regression over the questions of the tests and others;
 * above `SURE` hardly a passage was a wrong answer.
 */
const WEIGHTS = {
  covers: 1.15,
  heads: 1.45,
  ahead: 0.6,
  score: 0.8,
  technical: 1.3,
  investors: 1.05,
  operation: -0.65,
};
const SURE = 6.75;
/** A question in words of investors is seldom answered by a guide for others. */
const SURE_FOR_OTHERS = 7.3;
const MOST_AHEAD = 30;
const LEAST_AHEAD = 1.2;

/** Whether the best passage answers what is said, for all that can be told. */
function isSure(best: Found, next: Found | undefined, said: readonly Weighed[], audience: string): boolean {
  const isForInvestors = GUIDES[best.passage.page as keyof typeof GUIDES]?.audience === 'investor';
  const isForOthers = audience === 'investor' && !isForInvestors;
  const isOperation = best.passage.page === 'reference';
  const words = new Set(said.flatMap(({ own }) => own)).size;
  if (words < 2 && (isForOthers || (best.heads < 1 && said[0]?.also.length === 0))) return false;
  const ahead = Math.min(MOST_AHEAD, best.score / (next?.score ?? best.score / MOST_AHEAD));
  // Two guides that say it nearly as well: which of them is meant cannot be told.
  if (ahead < LEAST_AHEAD && best.passage.page !== next?.passage.page) return false;
  const confidence =
    WEIGHTS.covers * best.covers +
    WEIGHTS.heads * best.heads +
    WEIGHTS.ahead * Math.log(ahead) +
    WEIGHTS.score * Math.log(best.score) +
    (audience === 'investor' ? 0 : WEIGHTS.technical) +
    (isForInvestors ? WEIGHTS.investors : 0) +
    (isOperation ? WEIGHTS.operation : 0);
  return confidence >= (isForOthers ? SURE_FOR_OTHERS : SURE);
}

/** What a reader is shown of the section of a passage that was found for a question: as its answer, and as a hint in one line. */
export async function shownOf(
  found: Passage,
  query: string,
): Promise<{ text: string; isWhole: boolean; snippet: string }> {
  const { passages, frequency } = await library();
  const parts = [...passages.values()].filter((one) => sectionOf(one) === sectionOf(found));
  const meant = new Set(saidIn(query, new Set()).flatMap(({ own, also }) => [...own, ...also.flat()]));
  const says = (text: string) => [...new Set(termsOf(text))].filter((term) => meant.has(term));
  const weightOf = (text: string) =>
    says(text).reduce((sum, term) => sum + Math.log(1 + passages.size / (1 + (frequency.get(term) ?? 0))), 0);
  const texts = parts.map(({ text }) => text);
  const excerpt = excerptOf(texts, parts.indexOf(found), (text) => says(text).length > 0);
  return { ...excerpt, snippet: snippetOf(texts.join('\n\n'), weightOf) };
}
