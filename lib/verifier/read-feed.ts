import { type FeedEntry, rippleSecondsToMs, toFeedEntry } from '@tranche/rules/feed-entry.ts';
import * as z from 'zod';
import { ledgerUnavailable, ReadError } from './errors.ts';

/** One ledger server. `request` gives the `result` of an answer of API version 2, and throws what the server refuses. */
export interface LedgerServer {
  url: string;
  request(command: { command: string; [parameter: string]: unknown }): Promise<unknown>;
}

/** Which validated ledgers one server holds. */
export interface LedgerHistory {
  validatedIndex: number;
  /** Ranges the server holds, inclusive, ascending. */
  completeLedgers: [from: number, to: number][];
}

/** A validated ledger's identity and close time (milliseconds since the Unix epoch). */
export interface LedgerHead {
  hash: string;
  closedAtMs: number;
}

export interface FeedRequest {
  account: string;
  afterLedger: number;
  afterHash: string | null;
  throughLedger: number;
  maxEntries: number;
}

export interface FeedPage {
  entries: FeedEntry[];
  /** Every ledger up to here has been read whole; may be less than asked. */
  readThrough: number;
  /** Hash of the ledger `readThrough`. */
  readThroughHash: string;
}

const info = z.lazy(() =>
  z.object({
    info: z.object({
      complete_ledgers: z.string(),
      network_id: z.int().default(0),
      validated_ledger: z.object({ seq: z.int(), hash: z.string() }).optional(),
    }),
  }),
);

/** "2-138,140" as ranges, ascending; "empty" as none. */
export function parseLedgerRanges(text: string): [from: number, to: number][] {
  return [...text.matchAll(/(\d+)(?:-(\d+))?/g)]
    .map((match): [number, number] => [Number(match[1]), Number(match[2] ?? match[1])])
    .sort((a, b) => a[0] - b[0]);
}

/**
 * The last validated ledger of the unbroken stretch that begins at `from`; null when the server lacks `from` itself
 * (docs/ledger-facts.md, 5: history can be fragmented).
 */
export function heldThrough(history: LedgerHistory, from: number): number | null {
  const range = history.completeLedgers.find(([first, last]) => first <= from && from <= last);
  if (range === undefined || from > history.validatedIndex) return null;
  return Math.min(range[1], history.validatedIndex);
}

/**
 * What the server holds, by `server_info`: through Clio, `server_state` describes another machine than the one that
 * answers look-ups.
 */
export async function readHistory(
  server: LedgerServer,
): Promise<LedgerHistory & { networkId: number; validatedHash: string }> {
  const parsed = info.parse(await server.request({ command: 'server_info' })).info;
  if (parsed.validated_ledger === undefined) throw ledgerUnavailable('The ledger server has no validated ledger yet');
  return {
    networkId: parsed.network_id,
    validatedIndex: parsed.validated_ledger.seq,
    validatedHash: parsed.validated_ledger.hash,
    completeLedgers: parseLedgerRanges(parsed.complete_ledgers),
  };
}

const head = z.lazy(() =>
  z.object({
    ledger_hash: z.string(),
    validated: z.literal(true),
    ledger: z.object({ close_time: z.int() }),
  }),
);

/** Hash and close time of a validated ledger. Fails on a server that does not hold it, or holds it not validated. */
export async function readLedgerHead(server: Pick<LedgerServer, 'request'>, ledgerIndex: number): Promise<LedgerHead> {
  const answer = head.parse(await server.request({ command: 'ledger', ledger_index: ledgerIndex }));
  return { hash: answer.ledger_hash, closedAtMs: rippleSecondsToMs(answer.ledger.close_time) };
}

/** The most a public server gives in one page (docs/ledger-facts.md, 33). */
const PAGE_LIMIT = 200;

const page = z.lazy(() =>
  z.object({
    ledger_index_min: z.int(),
    ledger_index_max: z.int(),
    marker: z.unknown().optional(),
    transactions: z.array(z.unknown()),
  }),
);

const inLedgerOrder = (a: FeedEntry, b: FeedEntry): number =>
  a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex;

const lastLedgerOf = (entries: readonly FeedEntry[]): number =>
  entries.reduce((last, entry) => Math.max(last, entry.ledgerIndex), 0);

/**
 * Cuts what was read to whole ledgers of about `maxEntries`. `readThrough` is where reading ended, null when it was
 * stopped in the middle of the last ledger seen. The first ledger is kept whole however large it is.
 */
export function cutToWholeLedgers(
  sorted: readonly FeedEntry[],
  readThrough: number | null,
  maxEntries: number,
): { entries: FeedEntry[]; readThrough: number } {
  const last = lastLedgerOf(sorted);
  const whole = readThrough === null ? sorted.filter((entry) => entry.ledgerIndex < last) : [...sorted];
  const through = readThrough ?? last - 1;
  if (whole.length <= maxEntries) return { entries: whole, readThrough: through };
  const first = whole[0]?.ledgerIndex ?? 0;
  const overflow = Math.max(whole[maxEntries]?.ledgerIndex ?? 0, first + 1);
  const kept = whole.filter((entry) => entry.ledgerIndex < overflow);
  const next = whole[kept.length]?.ledgerIndex;
  return { entries: kept, readThrough: next === undefined ? through : next - 1 };
}

/**
 * All pages from `from` to `through`, or until `maxEntries` and one whole ledger are exceeded. Markers live and die in
 * this call (docs/ledger-facts.md, 7). The server makes the next page while one is looked at. Throws when it holds less at
 * the lower end than asked.
 */
async function readPages(server: LedgerServer, request: FeedRequest, from: number, through: number) {
  const seen = new Map<string, FeedEntry>();
  let reached = through;
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  const ask = (marker: unknown): Promise<unknown> =>
    server.request({
      command: 'account_tx',
      account: request.account,
      ledger_index_min: from,
      ledger_index_max: through,
      binary: false,
      forward: true,
      limit: PAGE_LIMIT,
      ...(marker === undefined ? {} : { marker }),
    });
  for (let coming: Promise<unknown> | null = ask(undefined); coming !== null; ) {
    const answer = page.parse(await coming);
    const { marker, transactions } = answer;
    const isEnough = seen.size + transactions.length > request.maxEntries;
    coming = marker === undefined || isEnough ? null : ask(marker);
    // Its error is thrown where it is waited for, if it is.
    coming?.catch(() => undefined);
    // A server may narrow the range without an error (docs/ledger-facts.md, 5).
    if (answer.ledger_index_min > from) throw ledgerUnavailable(`The ledger server lacks ledgers from ${from}`);
    reached = Math.min(reached, answer.ledger_index_max);
    const before = last;
    for (const raw of transactions) {
      const entry = toFeedEntry(request.account, raw);
      // Cutting at a ledger's end relies on pages that go forward; inside a page any order will do
      // (docs/ledger-facts.md, 4).
      if (entry.ledgerIndex < before) throw ledgerUnavailable('The ledger server sent its pages out of order');
      if (entry.ledgerIndex < from || entry.ledgerIndex > through) {
        throw ledgerUnavailable('The ledger server sent a transaction from outside the range asked for');
      }
      seen.set(entry.hash, entry);
      first = Math.min(first, entry.ledgerIndex);
      last = Math.max(last, entry.ledgerIndex);
    }
    if (marker === undefined || coming !== null) continue;
    if (seen.size > request.maxEntries && first < last) return { entries: [...seen.values()], reached: null };
    coming = ask(marker);
  }
  return { entries: [...seen.values()], reached };
}

/**
 * The feed of one account over (afterLedger, throughLedger], whole ledgers only, in ledger order; see Ledger.readFeed.
 * Throws ReadError `service_unavailable` when the server's history is another than the one read so far.
 */
export async function readFeed(server: LedgerServer, request: FeedRequest): Promise<FeedPage> {
  const [history, { hash: hashBefore }] = await Promise.all([
    readHistory(server),
    readLedgerHead(server, request.afterLedger),
  ]);
  if (request.afterHash !== null && request.afterHash !== hashBefore) {
    throw new ReadError(
      'service_unavailable',
      `The ledger's history differs from what was read before: ledger ${request.afterLedger} has another hash`,
      { cause: { server: server.url, expected: request.afterHash, found: hashBefore } },
    );
  }
  const from = request.afterLedger + 1;
  const nothing = { entries: [], readThrough: request.afterLedger, readThroughHash: hashBefore };
  if (Math.min(request.throughLedger, history.validatedIndex) < from) return nothing;
  const held = heldThrough(history, from);
  if (held === null) throw ledgerUnavailable(`The ledger server does not hold ledger ${from}`);
  const { entries, reached } = await readPages(server, request, from, Math.min(request.throughLedger, held));
  if (reached !== null && reached < from) return nothing;
  const cut = cutToWholeLedgers(
    entries.toSorted(inLedgerOrder).filter((entry) => reached === null || entry.ledgerIndex <= reached),
    reached,
    request.maxEntries,
  );
  return { ...cut, readThroughHash: (await readLedgerHead(server, cut.readThrough)).hash };
}

/** Which ledgers of [from, through] a server does not hold, as inclusive ranges in order. Pure. */
export function missingLedgers(
  history: LedgerHistory,
  from: number,
  through: number,
): [from: number, through: number][] {
  const missing: [number, number][] = [];
  let next = from;
  for (const [first, last] of history.completeLedgers) {
    const end = Math.min(last, history.validatedIndex);
    if (end < next) continue;
    if (first > through) break;
    if (first > next) missing.push([next, first - 1]);
    next = Math.max(next, end + 1);
  }
  if (next <= through) missing.push([next, through]);
  return missing;
}
