import { readFile } from 'node:fs/promises';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { ERROR_STATUS, ERROR_TITLE, type ErrorCode, PlatformError } from '#lib/base/errors.ts';
import { LANGUAGES, type Language, languageOf } from '../built-in/language.ts';
import { type FaqEntry, parseFaq } from './faq.ts';
import operations from './operations.json' with { type: 'json' };
import { type Passage, passagesOf } from './sections.ts';
import { termsOf } from './terms.ts';

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
    Object.entries(GUIDES).map(async ([page, { file }]) => passagesOf(page, await read(file))),
  );
  const guides = pages.flat();
  return [...guides, ...problemPages(guides.filter(({ page }) => page === 'api')), ...operationPages()];
}

/** The pages of docs/faq: an entry is found by its questions, and answers them. */
export const FAQ_PAGES = ['investors', 'platform', 'developers', 'operators'] as const;

/** What can be found: an entry of docs/faq, or a section of the guides, the errors and the operations. */
export type Topic = { faq: FaqEntry; passage?: never } | { passage: Passage; faq?: never };

/** A line of what a topic is found by: a question, a heading, or (`isText`) what it says. */
interface Line {
  topic: number;
  language: Language;
  terms: ReadonlySet<string>;
  isText: boolean;
  /** The weights of its terms together. */
  weight: number;
}

interface Shelf {
  topics: readonly Topic[];
  lines: readonly Line[];
  /** What a term says: a word of many questions of a language says little. */
  weights: ReadonlyMap<string, number>;
  /** The lines that have a term. */
  postings: ReadonlyMap<string, readonly number[]>;
  /** The nearest known term to one that is not known; its index is made for the first of these. */
  spelt(term: string): string | undefined;
}

/** Reads a file that is traced by name (next.config.ts): followed, its path would lead to every file there is. */
const read = (file: string): Promise<string> =>
  readFile(/*turbopackIgnore: true*/ path.join(/*turbopackIgnore: true*/ process.cwd(), file), 'utf8');

/** What is read once by a process; a failure is not kept. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
  let opened: Promise<T> | undefined;
  return () => {
    opened ??= open().catch((error) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
}

function shelfOf(topics: readonly Topic[], languages: ReadonlySet<Language>): Shelf {
  const lines = topics.flatMap((topic, place) => linesOf(topic, place, languages));
  const weights = weightsOf(lines);
  const postings = new Map<string, number[]>();
  for (const [id, line] of lines.entries()) {
    line.weight = weightOf(line.terms, weights);
    for (const term of line.terms) {
      const ids = postings.get(term);
      if (ids === undefined) postings.set(term, [id]);
      else ids.push(id);
    }
  }
  let index: MiniSearch<{ id: string }> | undefined;
  return {
    topics,
    lines,
    weights,
    postings,
    spelt(term) {
      if (!/^[a-z]+$/.test(term) || term.length < SPELLING.least) return undefined;
      index ??= indexOf(postings.keys());
      const isLikeIt = ({ id }: { id: string }) => id[0] === term[0];
      return index.search(term, { fuzzy: SPELLING.fuzzy, prefix: true, filter: isLikeIt as never })[0]?.id;
    },
  };
}

function indexOf(terms: Iterable<string>): MiniSearch<{ id: string }> {
  const index = new MiniSearch<{ id: string }>({
    fields: ['id'],
    tokenize: (term) => [term],
    processTerm: (term) => term,
  });
  index.addAll([...terms].map((id) => ({ id })));
  return index;
}

/** The entries of docs/faq, which most questions are answered by. */
export const faqEntries = once(async () =>
  (await Promise.all(FAQ_PAGES.map(async (page) => parseFaq(page, await read(`docs/faq/${page}.md`))))).flat(),
);
const shelfIn = (languages: readonly Language[]): (() => Promise<Shelf>) =>
  once(async () =>
    shelfOf(
      (await faqEntries()).map((faq) => ({ faq })),
      new Set(languages),
    ),
  );
const wholeShelf = shelfIn(LANGUAGES);
/** Of each language a shelf of its own, with English: few questions need more, and the first answer comes sooner. */
const shelves = new Map(LANGUAGES.map((language) => [language, shelfIn(['en', language])]));

/** The guides, by the ids of their passages; read for the first question that they are needed for. */
export const guides = once(async () => new Map((await readPassages()).map((one) => [one.id, one])));
const guideShelf = once(async () =>
  shelfOf(
    [...(await guides()).values()].map((passage) => ({ passage })),
    new Set(['en']),
  ),
);

function linesOf({ faq, passage }: Topic, topic: number, languages: ReadonlySet<Language>): Line[] {
  const line = (text: string, language: Language, isText: boolean): Line => ({
    topic,
    language,
    terms: new Set(termsOf(text)),
    isText,
    weight: 0,
  });
  if (passage !== undefined)
    return [line(`${passage.path} ${passage.heading}`, 'en', false), line(passage.text, 'en', true)];
  return faq.variants
    .filter(({ language }) => languages.has(language))
    .flatMap(({ language, asks, text }) => [
      ...asks.map((ask) => line(ask, language, false)),
      ...(text === '' ? [] : [line(text, language, true)]),
    ]);
}

const LEAST_WEIGHT = 0.05;
/** A word that nothing here has weighs as much as one of a few topics; in other languages most such words are grammar. */
const UNKNOWN_WEIGHT: Readonly<Record<Language, number>> = { en: 2.5, es: 1.2, de: 1.2, fr: 1.2, pt: 1.2, ja: 1 };

/** Of each term, how rare it is among the topics of the language that has it most: words of grammar come out light. */
function weightsOf(lines: readonly Line[]): Map<string, number> {
  const topicsOf = new Map<string, Map<Language, Set<number>>>();
  const all = new Map<Language, Set<number>>();
  const put = <K>(map: Map<K, Set<number>>, key: K, topic: number) => {
    const set = map.get(key);
    if (set === undefined) map.set(key, new Set([topic]));
    else set.add(topic);
  };
  for (const { topic, language, terms, isText } of lines) {
    put(all, language, topic);
    for (const term of terms) {
      let languages = topicsOf.get(term);
      if (languages === undefined) {
        languages = new Map();
        topicsOf.set(term, languages);
      }
      // What only an answer says still is a known word.
      if (!isText) put(languages, language, topic);
    }
  }
  const rarity = ([language, topics]: [Language, Set<number>]) =>
    Math.log(((all.get(language)?.size ?? 0) + 1) / (topics.size + 0.5));
  return new Map(
    [...topicsOf].map(([term, languages]) => [
      term,
      languages.size === 0 ? UNKNOWN_WEIGHT.en : Math.max(LEAST_WEIGHT, Math.min(...[...languages].map(rarity))),
    ]),
  );
}

const weightOf = (terms: Iterable<string>, weights: ReadonlyMap<string, number>): number =>
  [...terms].reduce((sum, term) => sum + (weights.get(term) ?? 0), 0);

/** The first passage of a section, by `<page>#<anchor>`. Throws `not_found`. */
export async function passage(id: string): Promise<Passage> {
  const found = (await guides()).get(id);
  if (found === undefined) throw new PlatformError('not_found', 'The documentation has no such section.');
  return found;
}

export interface Match {
  topic: Topic;
  /** The language of the question of docs/faq that fits best. */
  language: Language;
  /** How well it fits, 0 to about 1. */
  score: number;
  /** How like the question is to the nearest one of the topic, 0 to 1. */
  likeness: number;
  /** The part of what the question says that the topic holds, 0 to 1. */
  covers: number;
  /** It holds the rarest of what the question says. */
  isKeyHeld: boolean;
  /** It is not said of it by the way alone. */
  isSubject: boolean;
}

const SPELLING = { least: 5, fuzzy: 0.2, certainty: 0.75 };

/** What a question says: each term with its weight, the lines that have it, and how certain it is that they do. */
type Said = ReadonlyMap<string, { weight: number; lines: readonly number[]; certainty: number }>;

/** The topics of a shelf that fit a question, the best first. */
function match(question: string, shelf: Shelf): Match[] {
  const unknownWeight = UNKNOWN_WEIGHT[languageOf(question)];
  const said: Said = new Map(
    [...new Set(termsOf(question))].map((term) => {
      const isKnown = shelf.postings.has(term);
      const meant = isKnown ? term : shelf.spelt(term);
      return [
        term,
        meant === undefined
          ? { weight: term.startsWith('#') ? 0 : unknownWeight, lines: [], certainty: 0 }
          : {
              weight: shelf.weights.get(meant) ?? 0,
              lines: shelf.postings.get(meant) ?? [],
              certainty: isKnown ? 1 : SPELLING.certainty,
            },
      ];
    }),
  );
  return ranked(said, shelf);
}

const CONTENT_WEIGHT = 1.5;
const WHOLE_QUESTION = 0.8;

function ranked(said: Said, { lines, topics }: Shelf): Match[] {
  const whole = [...said.values()].reduce((sum, { weight }) => sum + weight, 0);
  const known = [...said]
    .filter(([term, { weight, certainty }]) => certainty > 0 && weight >= CONTENT_WEIGHT && !term.startsWith('#'))
    .toSorted(([, a], [, b]) => b.weight - a.weight)
    .map(([term]) => term);
  const [key] = known;
  // A single word is a subject of a topic only where the topic speaks of it more than once, or where it is the whole question.
  const isSubjectOf = (terms: ReadonlyMap<string, number>, likeness: number): boolean =>
    key === undefined || known.length > 1 || likeness >= WHOLE_QUESTION || (terms.get(key) ?? 0) >= 2;
  const held = new Map<number, number>();
  /** Of each topic, how many of its lines have each term. */
  const counts = new Map<number, Map<string, number>>();
  for (const [term, { weight, lines: ids, certainty }] of said) {
    for (const id of ids) {
      const line = lines[id];
      if (line === undefined) continue;
      if (!line.isText) held.set(id, (held.get(id) ?? 0) + weight * certainty);
      let of = counts.get(line.topic);
      if (of === undefined) {
        of = new Map();
        counts.set(line.topic, of);
      }
      of.set(term, (of.get(term) ?? 0) + certainty * (line.isText ? 0.5 : 1));
    }
  }
  const likest = new Map<number, { likeness: number; second: number; language: Language }>();
  for (const [id, weight] of held) {
    const line = lines[id];
    if (line === undefined) continue;
    const likeness = (2 * weight) / (whole + line.weight);
    const best = likest.get(line.topic);
    if (best === undefined || likeness > best.likeness)
      likest.set(line.topic, { likeness, second: best?.likeness ?? 0, language: line.language });
    else if (likeness > best.second) best.second = likeness;
  }
  return [...counts]
    .flatMap(([place, terms]): Match[] => {
      const topic = topics[place];
      if (topic === undefined) return [];
      const { likeness, second, language } = likest.get(place) ?? { likeness: 0, second: 0, language: 'en' as const };
      let [covers, often] = [0, 0];
      for (const [term, count] of terms) {
        const { weight = 0 } = said.get(term) ?? {};
        covers += weight * Math.min(1, count);
        often += (weight * count) / (count + 1);
      }
      covers /= whole;
      const score = 0.5 * likeness + 0.1 * second + 0.25 * covers + (0.3 * often) / whole;
      return [
        {
          topic,
          language,
          score,
          likeness,
          covers,
          isKeyHeld: key === undefined || terms.has(key),
          isSubject: isSubjectOf(terms, likeness),
        },
      ];
    })
    .toSorted((a, b) => b.score - a.score);
}

/**
 * From here on a question is taken for one of docs/faq: how well it fits, and how far that is ahead of the next one. Fitted to
 * questions of strangers, so that hardly one gets the answer to another.
 */
const SURE = { score: 0.4, withoutKey: 0.58, covers: 0.4, ahead: 0.06, sum: 0.64, weightOfAhead: 2 };
const NEAR = 0.2;
const MOST_SENTENCES = 8;
const MOST_ANSWERS = 2;
const NEAREST = 2;

export interface Understood {
  /** The entries of docs/faq that answer a message. */
  entries: FaqEntry[];
  /** Where none answers it: the nearest ones. */
  nearest: FaqEntry[];
}

/** The one entry that a text plainly asks for. */
function plainly([best, next]: readonly Match[]): FaqEntry | null {
  if (best?.topic.faq === undefined) return null;
  const ahead = best.score - (next?.score ?? 0);
  const isSure =
    best.score >= SURE.score &&
    best.covers >= SURE.covers &&
    best.isSubject &&
    (best.isKeyHeld || best.score >= SURE.withoutKey) &&
    ahead >= SURE.ahead &&
    best.score + SURE.weightOfAhead * ahead >= SURE.sum;
  return isSure ? best.topic.faq : null;
}

/**
 * What of docs/faq a message asks for: question by question where it has several and each is plain, else as a whole. A short text
 * may be in another language than it seems to be: what has a word that is not known, or is not plain, is looked for in all of them.
 */
export async function questionsIn(message: string): Promise<Understood> {
  const quick = await (shelves.get(languageOf(message)) ?? wholeShelf)();
  if (termsOf(message).every((term) => quick.postings.has(term) || term.startsWith('#'))) {
    const understood = questionsOn(message, quick);
    if (understood.entries.length > 0) return understood;
  }
  return questionsOn(message, await wholeShelf());
}

function questionsOn(message: string, shelf: Shelf): Understood {
  const sentences = message.split(/(?<=[?!。?!])\s*|(?<=\.)\s+|\n+/).filter((text) => text.trim() !== '');
  const parts = sentences
    .slice(0, sentences.length < 2 ? 0 : MOST_SENTENCES)
    .map((sentence) => ({ isQuestion: /[??]\s*$/.test(sentence), matches: match(sentence, shelf) }));
  const asked = parts.filter(({ isQuestion }) => isQuestion).map(({ matches }) => plainly(matches));
  const answered = [...new Set(asked)].flatMap((entry) => entry ?? []);
  if (asked.length > 1 && !asked.includes(null)) return { entries: answered.slice(0, MOST_ANSWERS), nearest: [] };
  const whole = match(message, shelf);
  const one = plainly(whole);
  if (one !== null) return { entries: [one], nearest: [] };
  const nearest = [...whole, ...parts.flatMap(({ matches }) => matches.slice(0, 1))]
    .filter(({ score }) => score >= NEAR)
    .toSorted((a, b) => b.score - a.score)
    .flatMap(({ topic: { faq } }) => faq ?? []);
  return { entries: [], nearest: [...new Set(nearest)].slice(0, NEAREST) };
}

export interface Found {
  faq: FaqEntry[];
  passages: Passage[];
}

/** The best entries of docs/faq and the best sections of the guides for a query, best first. */
export async function search(query: string, limit: number): Promise<Found> {
  const [faq, passages, named] = [
    match(query, await wholeShelf()),
    match(query, await guideShelf()),
    await namedIn(query),
  ];
  return {
    faq: faq.slice(0, limit).flatMap(({ topic }) => topic.faq ?? []),
    passages: [...new Set([...named, ...passages.flatMap(({ topic }) => topic.passage ?? [])])].slice(0, limit),
  };
}

const OPERATION = /\b(GET|POST|PATCH|PUT|DELETE)\s+(\/[\w/{}[\]:.-]*)/gi;
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
export async function namedIn(query: string): Promise<Passage[]> {
  const passages = await guides();
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
