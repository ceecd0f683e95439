import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { PlatformError } from '#lib/base/errors.ts';
import { once } from '#lib/base/once.ts';
import type { Audience } from '../answerer.ts';
import type { Language } from '../built-in/language.ts';
import { tellsToPay } from '../safety/tells-to-pay.ts';
import type { SaleState } from '../tools/sale-facts.ts';
import { type FaqEntry, parseFaq } from './faq.ts';
import operations from './operations.json' with { type: 'json' };
import { indexOf, type Ranked, rank, scoresOf } from './ranking.ts';
import { isCode, type Passage, passagesOf } from './sections.ts';
import { isJapanese, termsOf } from './terms.ts';

/** The guides in docs/ that questions are answered from. */
const GUIDES = [
  'investing',
  'quickstart',
  'api',
  'errors',
  'access',
  'owners',
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

/** The passages of each guide, read when they are needed. */
const passagesOfGuides: ReadonlyMap<string, () => Promise<Passage[]>> = new Map(
  GUIDES.map((page) => [page, once(async () => passagesOf(page, await read(`docs/${page}.md`)))]),
);

async function readPassages(): Promise<Passage[]> {
  const pages = await Promise.all([...passagesOfGuides.values()].map((passages) => passages()));
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
    [...(await guides()).values()].map(({ page, path: above, heading, text }) => ({
      // An error is asked for by its status, with which its section begins.
      asks: [`${above} ${heading} ${page === 'errors' ? text.slice(0, text.indexOf('.')) : ''}`],
      text,
    })),
    TOLD.byGuides,
  ),
);

/** By then the answer that is being made has left. */
const WARM_UP_AFTER_MS = 100;

/** Builds what the first question would wait for, and nothing else that is asked now. Where that fails, the question says why. */
export const warmUp = (): void => {
  const build = () => void Promise.all([faqIndex.others(), guideIndex()]).catch(() => undefined);
  setTimeout(build, WARM_UP_AFTER_MS).unref();
};

/** The first passage of a section, by `<page>#<anchor>`. Throws `not_found`. */
export async function passage(id: string): Promise<Passage> {
  const [page = ''] = id.split('#', 1);
  const found = ((await passagesOfGuides.get(page)?.()) ?? operationPages()).find((one) => one.id === id);
  if (found === undefined) throw new PlatformError('not_found', 'The documentation has no such section.');
  return found;
}

/** By who asks, how much more likely an entry is than its words say, by the page of docs/faq that it stands on. */
const PRIOR: Readonly<Record<Audience | 'anybody', Readonly<Record<string, number>>>> = {
  anybody: { platform: 0.4 },
  investor: { investors: 2.5, platform: 0.5, developers: -3 },
  developer: { developers: 2, operators: 0.5, investors: -1 },
  operator: { operators: 2.5, developers: 0.5, investors: -1 },
};
/** How much more likely an entry is in the states of a sale that it names. */
const PRIOR_IN_STATE = 1.8;
/** The score of the answer that is not there: what docs/faq does not speak of scores less. */
const NO_ANSWER = 6.5;
/** An entry that is less likely is not near a question. */
const NEAR = 0.004;
/** On a sale's page, one that is for those who run or build something. */
const NEAR_FOR_OTHERS = 0.03;
/** A question is as good as literally an entry's own from where on. */
const LITERAL = { likelihood: 0.8, likeness: 0.8 };
/** The same of one that holds nearly all that a short question says: a long one tells of a case of its own. */
const WHOLLY = { likelihood: 0.95, covers: 0.9, letters: 30 };
/** Where an entry is likelier, no section of a guide is needed. */
const PLAIN = 0.97;
/** From where on a section of the guides says something of what is asked. */
const TELLS = { score: 4, covers: 0.3 };
/** To investors the guides of those who run or build something are not shown. */
const GUIDES_FOR_INVESTORS: ReadonlySet<string> = new Set(['investing', 'holders', 'platform-id']);

interface Candidate extends Pick<Ranked, 'covers' | 'likeness'> {
  entry: FaqEntry;
  likelihood: number;
}

/** The entries by how likely each is the one that a text asks for, the likeliest first. */
async function candidates(text: string, { audience, state }: Place): Promise<Candidate[]> {
  const [entries, pages, index] = await Promise.all([faqEntries(), faqPages(), faqIndexFor(text)]);
  const prior = PRIOR[audience ?? 'anybody'];
  const scored: (Omit<Candidate, 'likelihood'> & { score: number })[] = [];
  for (const { place, score, covers, likeness } of scoresOf(text, index)) {
    const entry = entries[place];
    if (entry === undefined) continue;
    const ofPage = prior[pages[place] ?? ''] ?? 0;
    const ofState = state !== null && entry.when.includes(state) ? PRIOR_IN_STATE : 0;
    scored.push({ entry, score: score + ofPage + ofState, covers, likeness });
  }
  const sum = scored.reduce((rest, { score }) => rest + Math.exp(score), Math.exp(NO_ANSWER));
  return scored
    .toSorted((a, b) => b.score - a.score)
    .map(({ entry, score, covers, likeness }) => ({ entry, covers, likeness, likelihood: Math.exp(score) / sum }));
}

const pageOf = ({ id }: FaqEntry): string => id.split('#')[0] ?? '';
/** Of each entry, for every question looks at the page of each. */
const faqPages = once(async () => (await faqEntries()).map(pageOf));

/** Where a question is asked. */
export interface Place {
  audience: Audience | null;
  /** Of the sale that is meant; null where none is, or it cannot be told which. */
  state: SaleState | null;
}
const ANYWHERE: Place = { audience: null, state: null };

/** What a search finds: an entry of docs/faq, or a section of a guide. */
export type Result = FaqEntry | Passage;
export const isEntry = (one: Result): one is FaqEntry => 'variants' in one;

export interface Results {
  /** The best first; of each question of a message the best is among them. */
  results: Result[];
  /** Entries that are nearest behind them. */
  further: FaqEntry[];
  /** So many of them, from the first on, are what is most likely asked for; the others are near it. */
  asked: number;
  /** The first is asked for as good as literally, or named outright. */
  isIt: boolean;
  /** How likely the first entry is the one asked for, 0 to 1. */
  likelihood: number;
}

/** The section of the guides that says most of what a text asks for, and no shown entry leads to; null where none says enough. */
async function sectionFor(text: string, { audience }: Place, shown: readonly FaqEntry[], least: number) {
  const [passages, index] = await Promise.all([guides(), guideIndex()]);
  const all = [...passages.values()];
  for (const { place, score, covers } of rank(text, index)) {
    const one = all[place];
    if (one === undefined || score < TELLS.score) return null;
    // Where to pay is told by the pay card alone, which knows whether a payment would buy something.
    if ((audience === 'investor' && !GUIDES_FOR_INVESTORS.has(one.page)) || one.text.split('\n').some(tellsToPay))
      continue;
    if (isCode(one.text) || shown.some(({ more }) => more === `${one.page}#${one.anchor}`)) continue;
    return covers > least ? one : null;
  }
  return null;
}

/** How people begin and go on, which asks for nothing. */
const GREETING =
  /^(?:(?:hi|hello|hey|good (?:morning|evening|afternoon|day)|hola|buen[oa]s (?:d[ií]as|tardes|noches)|buenas|qu[eé] tal|hallo|guten (?:tag|morgen|abend)|moin|servus|bonjour|bonsoir|salut|oi|ol[aá]|bom dia|boa (?:tarde|noite)|tudo bem|e a[ií]|こんにちは|こんばんは|すみません|(?:and|but|und|aber|y|pero|et|mais|e|mas)(?= \p{L}))[\s,.!?;:、。!?-]*)+/iu;
const withoutGreeting = (message: string): string => {
  const rest = message.replace(GREETING, '');
  return rest.trim().length > SHORTEST_QUESTION ? rest : message;
};
const SHORTEST_QUESTION = 8;

/** Between two questions: the end of a sentence, a comma, or a word that joins. */
const JOIN =
  /(?<=[?!。?!])\s*|(?<=\.)\s+|\n+|\s*(?:,(?!\d)|[;、])\s*|\s+[-–—]\s+|,?\s+(?:and|plus|but|also|und|aber|sowie|y|pero|adem[aá]s|et|mais|puis|aussi|e|mas|tamb[eé]m)\s+/i;
const piecesOf = (message: string): string[] => message.split(JOIN).filter((text) => lettersIn(text) > 0);
/** Beyond so many a message is asked by its first ones and a rest. */
const MOST_PIECES = 8;
/** What a further part has to add to what is understood of a message, so that one question is not taken apart. */
const OF_PART = 0.04;
/** So many of the nearest entries of a whole message may be what a part of it asks for. */
const OF_WHOLE = 16;
/** What a part most likely asks for, from where on. */
const OF_QUESTION = 0.5;

/** What people ask of anything at all. */
const OF_ANYTHING = new Set(
  termsOf(
    'what happens happened now next should need do tell know say help thanks correct right true possible mean yes no how como faco fazer hago hacer tun machen faire comment wie jetzt nun ahora agora maintenant',
  ),
);
/** Who tells the own address asks nothing with it. */
const OWN_ADDRESS =
  /^\W*(?:my|mine|meine?|mi|mon|ma|minha|meu|私の)[^?]{0,30}(?<![0-9A-Za-z])r[1-9A-HJ-NP-Za-km-z]{20,60}\W*$/iu;
/** A word by itself names a subject and asks nothing, and “what now” names none: neither is a question of its own. */
const asksNothing = (text: string): boolean =>
  (!isJapanese(text) && !/[\p{L}\p{N}]\P{L}+\p{L}|\?/u.test(text)) ||
  OWN_ADDRESS.test(text) ||
  termsOf(text).every((term) => OF_ANYTHING.has(term));
const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/**
 * The questions of a message with the nearest entries of each: of all ways to part it where its words join, the one of which
 * the nearest entries tell most. A message that asks one thing stays whole.
 */
async function partsOf(message: string, whole: Candidate[], place: Place): Promise<Candidate[][]> {
  const pieces = piecesOf(message);
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

const isLiteral = ({ likelihood, likeness, covers }: Candidate, message: string): boolean =>
  (likelihood >= LITERAL.likelihood && likeness >= LITERAL.likeness) ||
  (likelihood >= WHOLLY.likelihood &&
    covers >= WHOLLY.covers &&
    lettersIn(message) <= WHOLLY.letters &&
    piecesOf(message).length === 1);

const MOST_RESULTS = 3;
/** Behind the results so many entries are named: no answer is the only one, and of what is hardly likely there are fewer. */
const FURTHER = { least: 2, most: 3, likelihood: 0.001 };
const MOST_NAMED = 2;

/** What only who builds something on a sale speaks of. */
const OF_DEVELOPERS = new Set(
  'api json @webhook @endpoint @event @sdk @docs @poll @pagination @idempotency @ratelimit @delivery_log'.split(' '),
);
/** How operators name themselves. */
const OPERATOR =
  /\bas (?:an?|the) (?:operator|admin\w*)\b|\b(?:operator|admin) here\b|\bi(?:['’]?m| am) (?:an|the) operator\b|\bals (?:betreiber|operator)\w*|\bcomo operador\w*|\bsoy (?:el |la )?operador|\bsou (?:o |a )?operador|\ben tant qu[’']op[ée]rat|運営者(?:として|です)/i;
/** Who asks: those who say so, else who the page is for; on that of a sale an investor, unless the words are a developer's. */
function askedBy(message: string, { audience }: Place): Audience | null {
  if (audience !== 'developer' && OPERATOR.test(message)) return 'operator';
  return audience === 'investor' && termsOf(message).some((term) => OF_DEVELOPERS.has(term)) ? 'developer' : audience;
}

/**
 * What a message asks for, as the results of a search over docs/faq and the guides: the nearest of the whole message, the nearest
 * of each of its questions, and what else is near. What is named outright, an error's code or an operation, comes first.
 */
export async function resultsFor(given: string, at: Place = ANYWHERE): Promise<Results> {
  const message = withoutGreeting(given);
  const place = { ...at, audience: askedBy(message, at) };
  const whole = await candidates(message, place);
  const isForOthers = (entry: FaqEntry) =>
    place.audience === 'investor' && ['operators', 'developers'].includes(pageOf(entry));
  const near = whole.filter(({ entry, likelihood }) => likelihood >= (isForOthers(entry) ? NEAR_FOR_OTHERS : NEAR));
  const [first] = near;
  const likelihood = first?.likelihood ?? 0;
  const parts = await partsOf(message, whole, place);
  // Of a part alone, an entry that the whole message is not near to at all is a guess: "does everything stop?" names nothing.
  const ofWhole = new Set(whole.slice(0, OF_WHOLE).map(({ entry }) => entry));
  const ofParts =
    parts.length > 1
      ? parts.flatMap(([one]) =>
          one !== undefined && one.likelihood >= OF_QUESTION && ofWhole.has(one.entry) ? [one] : [],
        )
      : [];
  const entries = [...new Set([...near.slice(0, 1), ...ofParts, ...near].map(({ entry }) => entry))];
  // To investors no guide of developers is shown.
  const named = place.audience === 'investor' ? [] : (await namedIn(message)).slice(0, MOST_NAMED);
  if (named.length > 0) {
    const beside = isOperation(message) ? [] : entries;
    const results = [...named, ...beside].slice(0, MOST_RESULTS);
    return { results, further: [], asked: named.length, isIt: true, likelihood: 1 };
  }
  const isIt = parts.length < 2 && first !== undefined && isLiteral(first, message);
  const furtherThan = (shown: readonly Result[]) =>
    whole
      .filter(
        ({ entry, likelihood }) => !shown.includes(entry) && !(isForOthers(entry) && likelihood < NEAR_FOR_OTHERS),
      )
      .filter((one, at) => at < FURTHER.least || one.likelihood >= FURTHER.likelihood)
      .slice(0, FURTHER.most)
      .map(({ entry }) => entry);
  if (isIt) {
    const results = entries.slice(0, 1);
    return { results, further: furtherThan(results), asked: 1, isIt, likelihood };
  }
  const asked = Math.min(new Set([...near.slice(0, 1), ...ofParts].map(({ entry }) => entry)).size, MOST_RESULTS);
  const shown: Result[] = entries.slice(0, MOST_RESULTS);
  const third = near.find(({ entry }) => entry === shown[MOST_RESULTS - 1]);
  const section =
    first !== undefined && likelihood < PLAIN && asked < MOST_RESULTS
      ? await sectionFor(message, place, shown.filter(isEntry), Math.max(third?.covers ?? 0, TELLS.covers))
      : null;
  if (section !== null) shown.splice(MOST_RESULTS - 1, 1, section);
  return { results: shown, further: furtherThan(shown), asked, isIt, likelihood };
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
  const found = rank(query, index)
    .flatMap(({ place }) => sections[place] ?? [])
    .filter(({ text }) => !isCode(text));
  return {
    faq: entries.slice(0, limit).map(({ entry }) => entry),
    passages: [...new Set([...named, ...found])].slice(0, limit),
  };
}

const OPERATION = /\b(GET|POST|PATCH|PUT|DELETE)\s+(\/[\w/{}[\]:.-]*)/gi;
const pathOf = (path: string): string =>
  path
    .replace(/^\/api(?=\/)/, '')
    .replace(/\{[^}]*\}|\[[^\]]*\]|:\w+/g, '*')
    .replace(/\/$/, '');

/** Whether a question is an operation by method and path, and nothing beside. */
const isOperation = (query: string): boolean => !/[\p{L}\p{N}]/u.test(query.replace(OPERATION, ''));

/** The passages that a question names outright: errors and causes by their codes, operations by method and path. */
export async function namedIn(query: string): Promise<Passage[]> {
  const codes = new Set(query.toLowerCase().match(/[a-z]+(?:_[a-z]+)+/g));
  const called = [...query.matchAll(OPERATION)].map(
    ([, method = '', path = '']) => `${method.toUpperCase()} ${pathOf(path)}`,
  );
  const isTold = ({ page, heading, id }: Passage): boolean => {
    if (page === 'errors') return codes.has(heading);
    if (page !== 'reference') return /^`\w+`$/.test(heading) && codes.has(heading.slice(1, -1)) && !/ \d+$/.test(id);
    if (called.length === 0) return false;
    const [method = '', path = ''] = heading.split(' ');
    return called.includes(`${method} ${pathOf(path)}`);
  };
  return [...(await guides()).values()]
    .filter(isTold)
    .toSorted((a, b) => Number(a.page === 'reference') - Number(b.page === 'reference'));
}
