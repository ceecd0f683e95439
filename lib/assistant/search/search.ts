import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { ERROR_STATUS, PlatformError } from '#lib/base/errors.ts';
import { once } from '#lib/base/once.ts';
import type { Audience } from '../answerer.ts';
import type { Language } from '../built-in/language.ts';
import { tellsToPay } from '../safety/tells-to-pay.ts';
import type { SaleState } from '../tools/sale-facts.ts';
import { type FaqEntry, parseFaq } from './faq.ts';
import operations from './operations.json' with { type: 'json' };
import { indexOf, rank } from './ranking.ts';
import { type Passage, passagesOf } from './sections.ts';
import { isJapanese, termsOf } from './terms.ts';

/** The guides in docs/ that questions are answered from. */
const GUIDES = [
  'investing',
  'quickstart',
  'api',
  'errors',
  'access',
  'webhooks',
  'verification',
  'custody',
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
/** How much a text says of what is asked, beside the questions of docs/faq and the headings of guides. */
const TOLD = { byAnswers: 0.4, byGuides: 1 };
/** Of all languages in one; what the answers say counts in English alone, which says the same. */
const indexOfFaq = async (isAsked: (language: Language) => boolean) =>
  indexOf(
    (await faqEntries()).map(({ variants }) => ({
      asks: variants.filter(({ language }) => isAsked(language)).flatMap(({ asks }) => asks),
      text: variants[0]?.text ?? '',
    })),
    TOLD.byAnswers,
  );
/** Japanese takes long to part into words, and shares none with the other languages: only questions in it wait for that. */
const faqIndex = {
  japanese: once(() => indexOfFaq(() => true)),
  others: once(() => indexOfFaq((one) => one !== 'ja')),
};
const faqIndexFor = (text: string) => (isJapanese(text) ? faqIndex.japanese() : faqIndex.others());

/** The guides, by the ids of their passages; read for the first question that they are needed for. */
export const guides = once(async () => new Map((await readPassages()).map((one) => [one.id, one])));
const guideIndex = once(async () =>
  indexOf(
    [...(await guides()).values()].map(({ path: above, heading, text }) => ({
      asks: [`${above} ${heading}`],
      text,
    })),
    TOLD.byGuides,
  ),
);

/** Builds what the first question would wait for. Where that fails, the question says why. */
export const warmUp = (): void => {
  setImmediate(() => void Promise.all([faqIndex.others(), guideIndex()]).catch(() => undefined));
};

/** The first passage of a section, by `<page>#<anchor>`. Throws `not_found`. */
export async function passage(id: string): Promise<Passage> {
  const found = (await guides()).get(id);
  if (found === undefined) throw new PlatformError('not_found', 'The documentation has no such section.');
  return found;
}

/** By who asks, how much more likely an entry is than its words say, by the page of docs/faq that it stands on. */
const PRIOR: Readonly<Record<Audience | 'anybody', Readonly<Record<string, number>>>> = {
  anybody: { investors: 0.8, platform: 0.4 },
  investor: { investors: 2.5, platform: 1, developers: -2, operators: -2 },
  developer: { developers: 2, operators: 0.5, investors: -1 },
  operator: { operators: 2.5, developers: 0.5, investors: -1 },
};
/** How much more likely an entry is in the states of a sale that it names. */
const PRIOR_IN_STATE = 1.8;
/** The score of the answer that is not there: what docs/faq does not speak of scores less. */
const NO_ANSWER = 6.5;
/** How likely the nearest entry is the one asked for, from where on it is taken for it. */
const SURE = { likelihood: 0.88, covers: 0.6, sum: 1.66 };
const LIKELY = { likelihood: 0.3, covers: 0.25, sum: 0 };
/** An entry that shares less with a question is not near it. */
const NEAR = 0.004;
/** From where on a section of the guides is shown beside the nearest entries: how much of what is asked it has to hold. */
const TELLS = { score: 5, terms: 2, share: 0.6 };
/** To investors the guides of those who run or build something are not shown. */
const GUIDES_FOR_INVESTORS: ReadonlySet<string> = new Set([
  'investing',
  'holders',
  'platform-id',
  'verification',
  'custody',
]);

interface Candidate {
  entry: FaqEntry;
  likelihood: number;
  covers: number;
}

/** The entries by how likely each is the one that a text asks for, the likeliest first. */
export async function candidates(text: string, { audience, state }: Place): Promise<Candidate[]> {
  const [entries, index] = await Promise.all([faqEntries(), faqIndexFor(text)]);
  const scored = rank(text, index).flatMap(({ place, score, covers }) => {
    const entry = entries[place];
    if (entry === undefined) return [];
    const ofPage = PRIOR[audience ?? 'anybody'][pageOf(entry)] ?? 0;
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

const MOST_ANSWERS = 2;
/** So many of the nearest entries of a whole message may be what a part of it asks for. */
const OF_WHOLE = 8;
const NEAREST = 3;

/** Where a question is asked. */
export interface Place {
  audience: Audience | null;
  /** Of the sale that is meant; null where none is, or it cannot be told which. */
  state: SaleState | null;
}
const ANYWHERE: Place = { audience: null, state: null };

/**
 * What a message asks for. `sure`: the entries answer it, and the nearest most likely what else it asks. `likely`: the one
 * entry is what it most likely asks for, and the nearest are others that it may. `unsure`: nothing but the nearest is known, and of what nothing here speaks not even that.
 * `passage` is the section of a guide that says most of what is asked, where it is not sure.
 */
export interface Understood {
  certainty: 'sure' | 'likely' | 'unsure';
  entries: FaqEntry[];
  nearest: FaqEntry[];
  passage: Passage | null;
}

/** The section of the guides that says most of what a text asks for; null where none says enough of it. */
async function passageFor(text: string, { audience }: Place): Promise<Passage | null> {
  const [passages, index] = await Promise.all([guides(), guideIndex()]);
  const all = [...passages.values()];
  const asked = new Set(termsOf(text));
  const holds = ({ path: above, heading, text: told }: Passage): number =>
    asked.intersection(new Set(termsOf(`${above} ${heading} ${told}`))).size;
  for (const { place, score } of rank(text, index)) {
    const one = all[place];
    if (one === undefined || score < TELLS.score) return null;
    // Where to pay is told by the pay card alone, which knows whether a payment would buy something.
    if ((audience === 'investor' && !GUIDES_FOR_INVESTORS.has(one.page)) || one.text.split('\n').some(tellsToPay))
      continue;
    const count = holds(one);
    if (count >= TELLS.terms && count >= TELLS.share * asked.size) return one;
  }
  return null;
}

/** How people begin, which asks for nothing. */
const GREETING =
  /^(?:(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|hola|buen[oa]s (?:d[ií]as|tardes|noches)|buenas|qu[eé] tal|hallo|guten (?:tag|morgen|abend)|moin|servus|bonjour|bonsoir|salut|oi|ol[aá]|bom dia|boa (?:tarde|noite)|tudo bem|e a[ií]|こんにちは|こんばんは|すみません)[\s,.!?;:、。!?-]*)+/i;
const withoutGreeting = (message: string): string => {
  const rest = message.replace(GREETING, '');
  return rest.trim().length > SHORTEST_QUESTION ? rest : message;
};
const SHORTEST_QUESTION = 8;

/** From where on what one question of a message most likely asks for is shown before what else the whole is near to. */
const OF_QUESTION = 0.6;

/** The entries that a message is near to as a whole, the likeliest first; behind it what its single questions ask for. */
function nearOf(whole: readonly Candidate[], questions: readonly Candidate[][]): Candidate[] {
  const near = whole.filter(({ likelihood }) => likelihood >= NEAR);
  const asked = questions.flatMap(([one]) => (one !== undefined && one.likelihood >= OF_QUESTION ? [one] : []));
  return [...new Map([...near.slice(0, 1), ...asked, ...near].map((one) => [one.entry, one])).values()];
}

/** Between two questions: the end of a sentence, a comma, or a word that joins. */
const JOIN =
  /(?<=[?!。?!])\s*|(?<=\.)\s+|\n+|\s*(?:,(?!\d)|[;、])\s*|\s+[-–—]\s+|,?\s+(?:and|plus|but|also|und|aber|sowie|y|pero|adem[aá]s|et|mais|puis|aussi|e|mas|tamb[eé]m)\s+/i;
/** Beyond so many a message is asked by its first ones and a rest. */
const MOST_PIECES = 8;
/** What a further part has to add to what is understood of a message, so that one question is not taken apart. */
const OF_PART = 0.08;
/** A part that is understood so far is shown beside another one that is sure. */
const BESIDE = { likelihood: 0.5, covers: 0.5, sum: 0 };

/** What people ask of anything at all. */
const OF_ANYTHING = new Set(
  termsOf(
    'what happens happened now next should need do tell know say help thanks correct right true possible mean yes no',
  ),
);
/** A word by itself names a subject and asks nothing, and “what now” names none: neither is a question of its own. */
const asksNothing = (text: string): boolean =>
  (!isJapanese(text) && !/[\p{L}\p{N}]\P{L}+\p{L}|\?/u.test(text)) ||
  termsOf(text).every((term) => OF_ANYTHING.has(term));
const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/**
 * The questions of a message with the nearest entries of each: of all ways to part it where its words join, the one of which
 * the nearest entries tell most. A message that asks one thing stays whole.
 */
async function partsOf(message: string, whole: Candidate[], place: Place): Promise<Candidate[][]> {
  const pieces = message.split(JOIN).filter((text) => lettersIn(text) > 0);
  const all = [...pieces.slice(0, MOST_PIECES - 1), pieces.slice(MOST_PIECES - 1).join(' ')].filter(
    (text) => text !== '',
  );
  const letters = Math.max(lettersIn(all.join(' ')), 1);
  /** The best way to part what stands before each piece. */
  const best: { told: number; parts: Candidate[][] }[] = [{ told: OF_PART, parts: [] }];
  for (let end = 1; end <= all.length; end++) {
    let most = { told: Number.NEGATIVE_INFINITY, parts: [] as Candidate[][] };
    for (let start = 0; start < end; start++) {
      const before = best[start];
      const text = start === 0 && end === all.length ? message : all.slice(start, end).join(', ');
      if (before === undefined || (text !== message && asksNothing(text))) continue;
      const near = text === message ? whole : await candidates(text, place);
      const [nearest] = near;
      const share = lettersIn(all.slice(start, end).join(' ')) / letters;
      const told = before.told - OF_PART + (nearest === undefined ? 0 : nearest.likelihood * nearest.covers * share);
      if (told > most.told) most = { told, parts: [...before.parts, near] };
    }
    best.push(most);
  }
  return best.at(-1)?.parts ?? [];
}

/** What of docs/faq a message asks for, each of its questions by itself. */
export async function questionsIn(given: string, place: Place = ANYWHERE): Promise<Understood> {
  const message = withoutGreeting(given);
  const whole = await candidates(message, place);
  const parts = await partsOf(message, whole, place);
  const asked = parts.length > 1 ? parts : [whole];
  /** Of a part alone, an entry that the whole message is not near to at all is a guess: "does everything stop?" names nothing. */
  const isOfWhole = (entry: FaqEntry) => whole.slice(0, OF_WHOLE).some((one) => one.entry === entry);
  const nearestOf = (bound: typeof SURE) =>
    asked.flatMap(([best]) =>
      best !== undefined && reaches(bound, best) && isOfWhole(best.entry) ? [best.entry] : [],
    );
  const sure = [...new Set(nearestOf(SURE))].slice(0, MOST_ANSWERS);
  const beside = [...new Set(nearestOf(BESIDE))]
    .filter((entry) => !sure.includes(entry))
    .slice(0, MOST_ANSWERS - sure.length);
  if (sure.length > 0 && (asked.length === 1 || sure.length + beside.length > 1))
    return { certainty: 'sure', entries: sure, nearest: asked.length === 1 ? [] : beside, passage: null };
  const [likeliest] = whole;
  if (likeliest !== undefined && reaches(SURE, likeliest))
    return { certainty: 'sure', entries: [likeliest.entry], nearest: [], passage: null };
  const near = nearOf(whole, asked);
  const [best, ...others] = near;
  const nearest = (some: readonly Candidate[]) => some.slice(0, NEAREST).map(({ entry }) => entry);
  const told = await passageFor(message, place);
  // Of a section that an entry leads to, the entry tells what is asked.
  const passage = near.slice(0, NEAREST).some(({ entry }) => told?.id.startsWith(entry.more ?? ' ')) ? null : told;
  return best !== undefined && reaches(LIKELY, best)
    ? { certainty: 'likely', entries: [best.entry], nearest: nearest(others).slice(0, NEAREST - 1), passage }
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

/** Whether a question names an error's code, or an operation by method and path. */
export const namesCode = (query: string): boolean =>
  codesIn(query).some((code) => Object.hasOwn(ERROR_STATUS, code)) || query.search(OPERATION) !== -1;
/** Whether a question is an operation by method and path, and nothing beside. */
export const isOperation = (query: string): boolean => !/[\p{L}\p{N}]/u.test(query.replace(OPERATION, ''));
const codesIn = (query: string): string[] => query.toLowerCase().match(/[a-z]+(?:_[a-z]+)+/g) ?? [];

/** The passages that a question names outright: codes, statuses of the API, operations by method and path. */
export async function namedIn(query: string): Promise<Passage[]> {
  const passages = await guides();
  const codes = codesIn(query);
  const statuses =
    OF_RECEIVER.test(query) || !OF_API.test(query)
      ? []
      : (query.match(
          /(?<![\d.,$€£]|[$€£] )[45]\d\d(?![\d.,]*\s*(?:xrp|tokens?|ms\b|\s?sec\w*|\ss\b|min\w*|kib?\b|\d))/gi,
        ) ?? []);
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
