import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ERROR_STATUS, PlatformError } from '#lib/base/errors.ts';
import { once } from '#lib/base/once.ts';
import { LANGUAGES, type Language, languageOf } from '../built-in/language.ts';
import { tellsToPay } from '../safety/tells-to-pay.ts';
import type { SaleState } from '../tools/sale-facts.ts';
import { type FaqEntry, parseFaq } from './faq.ts';
import operations from './operations.json' with { type: 'json' };
import { type Index, indexOf, knows, rank } from './ranking.ts';
import { type Passage, passagesOf } from './sections.ts';
import { termsOf } from './terms.ts';

/** The guides in docs/ that questions are answered from. */
const GUIDES = [
  'investing',
  'quickstart',
  'api',
  'errors',
  'access',
  'webhooks',
  'verification',
  'platform-id',
  'holders',
  'assistant',
  'operations',
  'operator-console',
  'runbook',
  'sandbox',
  'deploying',
  'cost',
  'security',
] as const;

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
  const pages = await Promise.all(GUIDES.map(async (page) => passagesOf(page, await read(`docs/${page}.md`))));
  return [...pages.flat(), ...operationPages()];
}

/** The pages of docs/faq: an entry is found by its questions, and answers them. */
export const FAQ_PAGES = ['investors', 'platform', 'developers', 'operators'] as const;

/** Reads a file that is traced by name (next.config.ts): followed, its path would lead to every file there is. */
const read = (file: string): Promise<string> =>
  readFile(/*turbopackIgnore: true*/ path.join(/*turbopackIgnore: true*/ process.cwd(), file), 'utf8');

/** The entries of docs/faq, which most questions are answered by. */
export const faqEntries = once(async () =>
  (await Promise.all(FAQ_PAGES.map(async (page) => parseFaq(page, await read(`docs/faq/${page}.md`))))).flat(),
);
const faqIndexIn = (languages: ReadonlySet<Language>): (() => Promise<Index>) =>
  once(async () =>
    indexOf(
      (await faqEntries()).map(({ variants }) => ({
        asks: variants.filter(({ language }) => languages.has(language)).flatMap(({ asks }) => asks),
        text: '',
      })),
    ),
  );
const wholeFaqIndex = faqIndexIn(new Set(LANGUAGES));
/** Of each language an index of its own, with English: few questions need more, and the first answer comes sooner. */
const faqIndexes = new Map(LANGUAGES.map((language) => [language, faqIndexIn(new Set(['en', language]))]));

const FEW_WORDS = 4;
/** A few words may be in another language than they seem to be: those that are not known are looked for in all of them. */
async function faqIndexFor(text: string): Promise<Index> {
  const index = await (faqIndexes.get(languageOf(text)) ?? wholeFaqIndex)();
  return text.trim().split(/\s+/).length > FEW_WORDS || knows(index, text) ? index : wholeFaqIndex();
}

/** The guides, by the ids of their passages; read for the first question that they are needed for. */
export const guides = once(async () => new Map((await readPassages()).map((one) => [one.id, one])));
const guideIndex = once(async () =>
  indexOf(
    [...(await guides()).values()].map(({ path: above, heading, text }) => ({
      asks: [`${above} ${heading}`],
      text,
    })),
  ),
);

/** Builds what the first question would wait for. Where that fails, the question says why. */
export const warmUp = (): void => {
  setImmediate(() => void Promise.all([faqIndexFor('token price'), guideIndex()]).catch(() => undefined));
};

/** The first passage of a section, by `<page>#<anchor>`. Throws `not_found`. */
export async function passage(id: string): Promise<Passage> {
  const found = (await guides()).get(id);
  if (found === undefined) throw new PlatformError('not_found', 'The documentation has no such section.');
  return found;
}

/** On the page of a sale, how much more likely an entry is than its words say, by the page that it stands on. */
const PRIOR_ON_SALE: Readonly<Record<string, number>> = { investors: 2.5, platform: 1, developers: -1, operators: -1 };
/** How much more likely an entry is in the states of a sale that it names. */
const PRIOR_IN_STATE = 1.5;
/** The score of the answer that is not there: what docs/faq does not speak of scores less. */
const NO_ANSWER = 6.5;
/** How likely the nearest entry is the one asked for, from where on it is taken for it. */
const SURE = { likelihood: 0.82, covers: 0.6, sum: 1.64 };
const LIKELY = { likelihood: 0.3, covers: 0.25, sum: 0 };
/** An entry that shares less with a question is not near it. */
const NEAR = 0.004;
/** From where on a section of the guides is shown beside the nearest entries: how much of what is asked it has to hold. */
const TELLS = { score: 5, terms: 2, share: 0.6 };
/** On a sale's page the guides of those who run or build something are not searched. */
const GUIDES_FOR_INVESTORS: ReadonlySet<string> = new Set(['investing', 'holders', 'platform-id', 'verification']);

interface Candidate {
  entry: FaqEntry;
  likelihood: number;
  covers: number;
}

/** The entries by how likely each is the one that a text asks for, the likeliest first. */
export async function candidates(text: string, { isOnSale, state }: Place): Promise<Candidate[]> {
  const [entries, index] = await Promise.all([faqEntries(), faqIndexFor(text)]);
  const scored = rank(text, index).flatMap(({ place, score, covers }) => {
    const entry = entries[place];
    if (entry === undefined) return [];
    const ofPage = isOnSale ? (PRIOR_ON_SALE[pageOf(entry)] ?? 0) : 0;
    const ofState = state !== null && entry.when.includes(state) ? PRIOR_IN_STATE : 0;
    return [{ entry, score: score + ofPage + ofState, covers }];
  });
  const sum = scored.reduce((rest, { score }) => rest + Math.exp(score), Math.exp(NO_ANSWER));
  return scored
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry, score, covers }) => ({ entry, likelihood: Math.exp(score) / sum, covers }));
}

const pageOf = ({ id }: FaqEntry): string => id.split('#')[0] ?? '';

const reaches = (bound: typeof SURE, best: Candidate): boolean =>
  best.likelihood >= bound.likelihood && best.covers >= bound.covers && best.likelihood + best.covers >= bound.sum;

const MOST_SENTENCES = 8;
const MOST_ANSWERS = 2;
const NEAREST = 2;

/** Where a question is asked. */
export interface Place {
  isOnSale: boolean;
  /** Of the sale that is meant; null where none is, or it cannot be told which. */
  state: SaleState | null;
}
const ANYWHERE: Place = { isOnSale: false, state: null };

/**
 * What a message asks for. `sure`: the entries answer it. `likely`: the one entry is what it most likely asks for, and the
 * nearest are others that it may. `unsure`: nothing but the nearest is known, and of what nothing here speaks not even that.
 * `passage` is the section of a guide that says most of what is asked, where it is not sure.
 */
export interface Understood {
  certainty: 'sure' | 'likely' | 'unsure';
  entries: FaqEntry[];
  nearest: FaqEntry[];
  passage: Passage | null;
}

/** The section of the guides that says most of what a text asks for; null where none says enough of it. */
async function passageFor(text: string, { isOnSale }: Place): Promise<Passage | null> {
  const [passages, index] = await Promise.all([guides(), guideIndex()]);
  const all = [...passages.values()];
  const asked = new Set(termsOf(text));
  const holds = ({ path: above, heading, text: told }: Passage): number =>
    asked.intersection(new Set(termsOf(`${above} ${heading} ${told}`))).size;
  for (const { place, score } of rank(text, index)) {
    const one = all[place];
    if (one === undefined || score < TELLS.score) return null;
    // Where to pay is told by the pay card alone, which knows whether a payment would buy something.
    if ((isOnSale && !GUIDES_FOR_INVESTORS.has(one.page)) || one.text.split('\n').some(tellsToPay)) continue;
    const count = holds(one);
    if (count >= TELLS.terms && count >= TELLS.share * asked.size) return one;
  }
  return null;
}

const ASKING =
  'when|where|how|what|which|who|why|do|does|did|is|are|can|will|wann|wo|wie|wieviel|ab|was|wer|warum|kann|gibts?|cu[aá]ndo|d[oó]nde|c[oó]mo|cu[aá]nt[oa]s?|qu[eé]|puedo|quand|o[uù]|comment|combien|quel(?:le)?s?|qui|quando|onde|como|quant[oa]s?|posso';
/** Between two questions of one sentence. */
const AND = new RegExp(String.raw`,?\s+(?:and|und|y|et|e)\s+(?=(?:${ASKING})\b)`, 'i');
const IS_QUESTION = new RegExp(String.raw`[??]\s*$|^\W*(?:${ASKING})\b`, 'i');

/** The questions of a message, sentence by sentence; one in two parts counts twice. */
function partsOf(message: string): string[] {
  const said = message.split(/(?<=[?!。?!])\s*|(?<=\.)\s+|\n+/);
  const questions = said.length === 1 ? said : said.filter((text) => /[??]\s*$/.test(text));
  return questions.flatMap((text) => (IS_QUESTION.test(text) ? text.split(AND) : [text]));
}

/** What of docs/faq a message asks for: question by question where it has several and each is plain, else as a whole. */
export async function questionsIn(message: string, place: Place = ANYWHERE): Promise<Understood> {
  const sentences = partsOf(message);
  if (sentences.length > 1 && sentences.length <= MOST_SENTENCES) {
    const each = await Promise.all(sentences.map((text) => candidates(text, place)));
    const answered = each.flatMap(([best]) => (best !== undefined && reaches(SURE, best) ? [best.entry] : []));
    if (answered.length === each.length)
      return { certainty: 'sure', entries: [...new Set(answered)].slice(0, MOST_ANSWERS), nearest: [], passage: null };
  }
  const near = (await candidates(message, place)).filter(({ likelihood }) => likelihood >= NEAR);
  const [best, ...others] = near;
  const nearest = (some: readonly Candidate[]) => some.slice(0, NEAREST).map(({ entry }) => entry);
  if (best !== undefined && reaches(SURE, best))
    return { certainty: 'sure', entries: [best.entry], nearest: [], passage: null };
  const told = await passageFor(message, place);
  // Of a section that an entry leads to, the entry tells what is asked.
  const passage = near.slice(0, NEAREST).some(({ entry }) => told?.id.startsWith(entry.more ?? ' ')) ? null : told;
  return best !== undefined && reaches(LIKELY, best)
    ? { certainty: 'likely', entries: [best.entry], nearest: nearest(others), passage }
    : { certainty: 'unsure', entries: [], nearest: nearest(near), passage };
}

export interface Found {
  faq: FaqEntry[];
  passages: Passage[];
}

/** The best entries of docs/faq and the best sections of the guides for a query, best first. */
export async function search(query: string, limit: number): Promise<Found> {
  const [entries, passages, index, named] = await Promise.all([
    candidates(query, ANYWHERE),
    guides(),
    guideIndex(),
    namedIn(query),
  ]);
  const sections = [...passages.values()];
  const found = rank(query, index).flatMap(({ place }) => sections[place] ?? []);
  return {
    faq: entries.slice(0, limit).map(({ entry }) => entry),
    passages: [...new Set([...named, ...found])].slice(0, limit),
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
      : (query.match(/(?<![\d.,$€£]|[$€£] )[45]\d\d(?![\d.,]*\s*(?:xrp|tokens?|m?s(?:ec\w*)?\b|min\w*|kib?\b|\d))/gi) ??
        []);
  const called = [...query.matchAll(OPERATION)].map(
    ([, method = '', path = '']) => `${method.toUpperCase()} ${pathOf(path)}`,
  );
  const all = [...passages.values()];
  const isCode = (code: string) => Object.hasOwn(ERROR_STATUS, code);
  // A code says more than its status.
  const ofStatuses = codes.some(isCode) ? [] : statuses.flatMap((status) => codesOf(status, query));
  const isTold = ({ page, heading, id }: Passage): boolean => {
    if (page === 'reference') {
      const [method = '', path = ''] = heading.split(' ');
      return called.includes(`${method} ${pathOf(path)}`);
    }
    if (page === 'errors') return (codes as string[]).includes(heading) || ofStatuses.includes(heading);
    return codes.some((code) => heading === `\`${code}\``) && !/ \d+$/.test(id);
  };
  return all.filter(isTold).toSorted((a, b) => Number(a.page === 'reference') - Number(b.page === 'reference'));
}

/** The error codes of a status: those that the question says more of, else the first. */
function codesOf(status: string, query: string): string[] {
  const said = new Set(termsOf(query));
  const codes = Object.entries(ERROR_STATUS).flatMap(([code, known]) => (String(known) === status ? [code] : []));
  const meant = codes.filter((code) => termsOf(code.replaceAll('_', ' ')).some((term) => said.has(term)));
  const isIdempotency = meant.some((code) => code.startsWith('idempotency'));
  return meant.length > 0
    ? meant.filter((code) => !isIdempotency || code.startsWith('idempotency'))
    : codes.slice(0, 1);
}
