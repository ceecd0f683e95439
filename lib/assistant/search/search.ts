import { readFile } from 'node:fs/promises';
import path from 'node:path';
import MiniSearch from 'minisearch';
import { ERROR_STATUS, ERROR_TITLE, type ErrorCode, PlatformError } from '#lib/base/errors.ts';
import { STOP_WORDS, understand, wordsOf } from './lexicon.ts';
import operations from './operations.json' with { type: 'json' };
import { blocksOf, type Passage, passagesOf } from './sections.ts';

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

/** How else people say what the guides have a word for; the guides' words stand behind the colon. */
const SYNONYMS = `
leak leaked compromised exposed stolen hacked: leaked rotate revoke stolen
rotate: rotate replaced
roll renew regenerate: rotate replaced
idempotency idempotent: idempotency again
duplicate duplicates twice dedupe: event_id duplicates again
missed missing: replay again send
timeout timeouts: within ten seconds answer
spec specification swagger: openapi
restore recover: restore restored
replay: send again replay
ports port: targets ports
redirect redirects: retries redirect
ordering order: receive later
locally localhost: sandbox test
admin admins: administrators
firma signatur assinatura: signature verify
fields field schema: events catalogue
keep kept store stored retain: retention kept
audit: who did audit
changed: who did
export csv jsonl: export csv
paginate pagination paging pages: pages cursor limit next_cursor
throttle throttled quota ratelimit: limits rate_limited
401 unauthorised: unauthorized
403: forbidden
409: conflict
410: gone
413: payload_too_large
415: unsupported_media_type
422: idempotency_key_reused
429: rate_limited
500: internal_error
503: service_unavailable
cors browser frontend javascript: other sites origin
redeliver redelivery resend: send again resend
backoff: retries
attempts: retries
disabled deactivated inactive: deactivation inactive
hmac: signature verify
ping: test
install host hosting selfhost: deploying
config configuration configure env: settings
login signin: signing administrators
outage incident: health
broken error errors: troubleshooting errors
permissions permission: scopes
delete remove: revoke delete
dashboard: console
payout payouts: payouts
`;
const FURTHER = new Map(
  SYNONYMS.trim()
    .split('\n')
    .flatMap((line) => {
      const [said = '', meant = ''] = line.split(':');
      return said.split(' ').map((word) => [word, meant.trim().split(' ')] as const);
    }),
);
/** What a concept of the lexicon is called in the guides, for questions in other languages. */
const CALLED: Readonly<Record<string, string>> = {
  tag: 'destination tag',
  trustline: 'trust line',
  apikey: 'api key',
  softcap: 'soft cap',
  platformid: 'platform id',
  mypayment: 'payment',
  receive: 'tokens',
  refund: 'refund',
  allowlist: 'allowlist',
  exchange: 'exchange',
  webhook: 'webhook',
  issuer: 'issuer',
  vesting: 'vesting',
};

/** A rough English stem, the same for all forms of most words. */
export function stem(word: string): string {
  if (word.length <= 3 || /[\d_/]/.test(word)) return word;
  const singular = word
    .replace(/(?<=[^s])ie[sd]$/, 'y')
    .replace(/(?<=ss|sh|ch|x|z)es$/, '')
    .replace(/(?<=[^su])s$/, '');
  const bare = singular.length > 5 ? singular.replace(/(?:ation|ing|ed|ly|able|ible)$/, '') : singular;
  return bare.replace(/(?<=[b-df-hj-np-tv-z])e$/, '').replace(/([b-df-hj-kmnp-rtv-z])\1$/, '$1');
}

const tokenize = (text: string): string[] =>
  wordsOf(text.replace(/[./-](?=\s|$)/g, ' '))
    .trim()
    .split(/[ /.-]+/);
const processTerm = (word: string): string | null => (word === '' || STOP_WORDS.has(word) ? null : stem(word));

const termsOf = (text: string): string[] => tokenize(text).flatMap((word) => processTerm(word) ?? []);

/** Each row of the table of errors is a page of its own: one code, and what to do about it. */
function problemPages(api: readonly Passage[]): Passage[] {
  const rows = api.flatMap(({ text }) => [...text.matchAll(/^\| (\d{3}) \| `(\w+)` \| (.+) \|$/gm)]);
  return rows.map(([, status = '', code = '', whatToDo = '']) => ({
    id: `problem#${code}`,
    page: 'api',
    anchor: 'errors',
    pageTitle: 'Errors',
    heading: `${status} ${code}`,
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
      text: `\`${method} ${at}\`: ${summary}. Credential: ${credential}.`,
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

interface Library {
  passages: ReadonlyMap<string, Passage>;
  index: MiniSearch<Passage>;
  /** How many passages hold a term. */
  frequency: ReadonlyMap<string, number>;
}

async function openLibrary(): Promise<Library> {
  const passages = await readPassages();
  const frequency = new Map<string, number>();
  let counted = new Set<string>();
  const index = new MiniSearch<Passage>({
    fields: ['heading', 'pageTitle', 'text'],
    tokenize,
    processTerm(word) {
      const term = processTerm(word);
      if (term !== null) counted.add(term);
      return term;
    },
    searchOptions: { processTerm },
  });
  for (const passage of passages) {
    counted = new Set();
    index.add(passage);
    for (const term of counted) frequency.set(term, (frequency.get(term) ?? 0) + 1);
  }
  return { passages: new Map(passages.map((passage) => [passage.id, passage])), index, frequency };
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
/** Set with questions of our own: what answered them covers as much, and what did not lies below one of both. */
const SURE_COVERS = 0.6;
/** So much of what the question says must stand in the heading: a text that only mentions it all is seldom its answer. */
const SURE_HEADING = 0.3;
/** A question that says the whole heading may say more besides. */
const SURE_COVERS_HEADED = 0.3;
/** What covers less is no answer at all. */
const KNOWN_COVERS = 0.25;
const SURE_MARGIN = 1.12;

/** Guides explain; an operation, or what a page begins with, is seldom the answer. */
const OPERATION_BOOST = 0.6;
const INTRODUCTION_BOOST = 0.6;

const OPERATION = /\b(GET|POST|PATCH|PUT|DELETE)\s+(\/[\w/{}[\]:.-]*)/gi;
/** What a delivery of ours was answered with is no error of the API. */
const OF_RECEIVER =
  /\b(?:my|our|the) (?:receiver|endpoint|server|handler)\b|\bsignature|\bdeliver|\bwebhooks? (?:fail|get|return|answer|respond)/i;
const OF_API =
  /\b(?:error|status|https?|code|api|get(?:ting|s)?|got|return(?:s|ed|ing)?|respon\w+|answers?|post|patch|put|delete|mean\w*|why|receiv\w+)\b|^\W*[45]\d\d\W*$/i;
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
  const ofStatuses = statuses.flatMap((status) => headingsOf(status, query));
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

/** The passages that fit a question best, in English or in the other languages of the lexicon. */
export async function search(query: string, limit: number): Promise<Searched> {
  const { index, passages, frequency } = await library();
  const known = (word: string) => frequency.has(stem(word));
  const { concepts } = understand(query, known);
  const words = [...new Set(tokenize(query))].filter((word) => processTerm(word) !== null).slice(0, LONGEST_QUERY);
  const groups = words.map((word) => ({ word, also: FURTHER.get(word) ?? [] }));
  for (const concept of concepts) {
    const called = CALLED[concept];
    if (called !== undefined && !groups.some(({ word }) => called.includes(word)))
      groups.push({ word: called, also: [] });
  }
  const isKnown = ({ word, also }: (typeof groups)[number]) => also.length > 0 || tokenize(word).some(known);
  const isForeign = groups.some((group) => !isKnown(group)) && concepts.size > 0;
  const audience: string = concepts.has('operator')
    ? 'operator'
    : concepts.has('developer') || concepts.has('webhook')
      ? 'developer'
      : 'investor';
  const results = index.search(
    {
      combineWith: 'OR',
      queries: groups.map(({ word, also }) => ({
        combineWith: 'OR',
        queries: [word, also.join(' ')].filter((text) => text !== ''),
      })),
    },
    {
      boost: { heading: 3.5, pageTitle: 1.6 },
      fuzzy: (term) => (term.length > 4 && !/\d/.test(term) && !frequency.has(term) ? 0.25 : false),
      prefix: (term) => term.length > 4,
      weights: { fuzzy: 0.5, prefix: 0.4 },
      boostDocument: (id) => {
        const one = passages.get(String(id));
        if (one === undefined || one.page === 'reference' || one.id.startsWith('problem#')) return OPERATION_BOOST;
        const isIntroduction = one.heading === one.pageTitle;
        const of = GUIDES[one.page as keyof typeof GUIDES]?.audience;
        const isSpecial =
          of === 'operator' || one.page === 'verification' || one.page === 'assistant' || one.page === 'cost';
        const forThem = of === audience && one.page !== 'cost' ? 1.25 : isSpecial ? 0.75 : 1;
        return forThem * (isIntroduction ? INTRODUCTION_BOOST : 1);
      },
    },
  );
  const weight = (term: string) => Math.log(1 + passages.size / (1 + (frequency.get(term) ?? 0)));
  const weights = groups.map(({ word, also }) => {
    const terms = termsOf(`${word} ${also.join(' ')}`);
    const own = Math.max(...termsOf(word).map(weight), 0);
    return { terms: new Set(terms), weight: isForeign && !isKnown({ word, also }) ? 0 : own };
  });
  const total = weights.reduce((sum, { weight: own }) => sum + own, 0);
  const seen = new Set<string>();
  const found: Found[] = namedIn(query, passages)
    .slice(0, limit)
    .map((one) => ({ passage: one, score: Number.POSITIVE_INFINITY, covers: 1, isNamed: true }));
  if (found.length >= limit) return { found, isSure: true };
  for (const { passage: one } of found) seen.add(`${one.page}#${one.anchor}`);
  for (const { id, score, queryTerms } of results) {
    const one = passages.get(String(id));
    if (one === undefined) continue;
    const section = `${one.page}#${one.anchor}`;
    if (seen.has(section) && one.page !== 'api') continue;
    seen.add(section);
    const held = new Set(queryTerms);
    const covered = weights.reduce(
      (sum, { terms, weight: own }) => sum + ([...terms].some((term) => held.has(term)) ? own : 0),
      0,
    );
    found.push({ passage: one, score, covers: total === 0 ? 0 : covered / total, isNamed: false });
    if (found.length >= limit) break;
  }
  const [best, next] = found;
  if (best !== undefined && best.covers < KNOWN_COVERS) return { found: [], isSure: false };
  if (best === undefined) return { found, isSure: false };
  const headingTerms = new Set(
    termsOf(`${best.passage.pageTitle} ${best.passage.heading} ${best.passage.heading.replaceAll('_', ' ')}`),
  );
  const inHeading = weights.reduce(
    (sum, { terms, weight: own }) => sum + ([...terms].some((term) => headingTerms.has(term)) ? own : 0),
    0,
  );
  const saidTerms = new Set(weights.flatMap(({ terms }) => [...terms]));
  const isHeaded = termsOf(best.passage.heading).every((term) => saidTerms.has(term));
  const isAhead =
    best.score >= SURE_MARGIN * (next?.score ?? 0) || best.passage.page === next?.passage.page || best.covers >= 0.99;
  const of = GUIDES[best.passage.page as keyof typeof GUIDES]?.audience;
  const isForThem = isHeaded || (best.passage.page !== 'cost' && (audience !== 'investor' || of === 'investor'));
  const isSaid = weights.filter(({ weight: own }) => own > 0).length > (isHeaded ? 0 : 1);
  const isSure =
    best.isNamed ||
    (isForThem && isAhead && isSaid && best.covers >= SURE_COVERS && inHeading >= SURE_HEADING * total) ||
    (isForThem && isAhead && isHeaded && best.covers >= SURE_COVERS_HEADED);
  return { found, isSure };
}

const LONGEST_EXCERPT = 1_000;

/** The part of a passage that a reader needs first: from the first block that says what is asked, whole; of a long table the rows that do. */
export function excerptOf({ text }: Passage, query: string): string {
  const terms = new Set(termsOf(query));
  for (const word of tokenize(query)) for (const also of FURTHER.get(word) ?? []) terms.add(stem(also));
  const isMeant = (part: string) => termsOf(part).some((term) => terms.has(term));
  const blocks = blocksOf(text);
  const from = Math.max(0, blocks.findIndex(isMeant));
  let shown = '';
  for (const block of blocks.slice(from)) {
    const lines = block.split('\n');
    const isLong = block.startsWith('|') && block.length > LONGEST_EXCERPT;
    const cut = isLong
      ? lines
          .filter((line, place) => place < 2 || isMeant(line))
          .slice(0, 14)
          .join('\n')
      : block;
    if (shown !== '' && shown.length + cut.length > LONGEST_EXCERPT) break;
    shown = shown === '' ? cut : `${shown}\n\n${cut}`;
  }
  return shown;
}
