import { sql } from 'drizzle-orm';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { memoize } from '#lib/base/memoize.ts';
import { type LoggedPart, recordAnswer, recordFailure } from '#lib/base/outage-log.ts';
import { ResponseCache } from '#lib/base/response-cache.ts';
import type { Ctx } from '#lib/ctx.ts';
import { ledgersApart } from '#lib/xrpl/lazy.ts';
import type { Ledger, ServerState } from '#lib/xrpl/types.ts';
import { type CheckResult, check } from './check.ts';
import type { SystemStatus } from './contracts.ts';
import { findCauses, overallStatus } from './judge.ts';
import { readMetrics, UNKNOWN_INVARIANTS } from './read-figures.ts';
import { platformVersion } from './version.ts';

/** Networks by network id: the public ones as rippled's `network_id` numbers them, and the sandbox's own. */
const NAMES: ReadonlyMap<number, string> = new Map([
  [0, 'mainnet'],
  [1, 'testnet'],
  [2, 'devnet'],
  [1000, 'sandbox'],
]);

/** The usual name of a network; one without a name is called by its number. */
export const networkName = (networkId: number): string => NAMES.get(networkId) ?? `network-${networkId}`;

type LedgerServer = SystemStatus['ledger']['servers'][number];

/** What a single server may take; a second one that hangs must not hold the whole answer up. */
const SERVER_TIMEOUT_MS = 2_500;

/** Hash of a validated ledger on one server; null when it does not show that ledger. */
async function hashAt(ledger: Ledger, state: ServerState | null, ledgerIndex: number): Promise<string | null> {
  if (state === null) return null;
  if (state.validatedIndex === ledgerIndex) return state.validatedHash;
  const { value } = await check(SERVER_TIMEOUT_MS, () => ledger.head(ledgerIndex));
  return value?.hash ?? null;
}

/**
 * How several servers stand to each other: how far each is behind the newest ledger that any of them shows, and whether it
 * has the same chain as the first one that answers, compared at the newest ledger that all of them have. Nothing for a
 * single server, which has nothing to be compared with. Never throws.
 */
export async function compareServers(ledgers: readonly Ledger[]): Promise<LedgerServer[]> {
  if (ledgers.length < 2) return [];
  const states = await Promise.all(ledgers.map((ledger) => check(SERVER_TIMEOUT_MS, () => ledger.serverState())));
  const indexes = states.flatMap(({ value }) => value?.validatedIndex ?? []);
  const newest = Math.max(...indexes);
  const common = Math.min(...indexes);
  const hashes = await Promise.all(
    ledgers.map((ledger, index) => hashAt(ledger, states[index]?.value ?? null, common)),
  );
  const known = hashes.filter((hash) => hash !== null);
  return states.map((state, index) => toServer(state, index, newest, agreement(hashes[index] ?? null, known)));
}

const agreement = (hash: string | null, known: readonly string[]): boolean | null =>
  hash === null || known.length < 2 ? null : hash === known[0];

function toServer(
  { status, latencyMs, value }: CheckResult<ServerState>,
  index: number,
  newest: number,
  agrees: boolean | null,
): LedgerServer {
  return {
    server: index + 1,
    status,
    latency_ms: latencyMs,
    validated_index: value?.validatedIndex ?? null,
    behind: value === null ? null : newest - value.validatedIndex,
    agrees,
  };
}

const DATABASE_TIMEOUT_MS = 2_000;
/** In a process that has just started, the first statement finds a name, shakes hands and logs in, while code is loaded. */
const FIRST_ANSWER_TIMEOUT_MS = 10_000;
/** A database that has not answered by then is away, however new the process is. */
const COLD_START_MS = 30_000;
const CACHE_TIMEOUT_MS = 1_500;
const QUEUE_TIMEOUT_MS = 2_000;
/** The first one after a cold start connects. */
const LEDGER_TIMEOUT_MS = 4_000;

/** When each database was asked for the first time by this process; null once it has answered. */
const coldSince = new WeakMap<Db, number | null>();

/** How long a statement is waited for: an open connection answers at once, the first one has to come into being. */
function databaseTimeoutMs(db: Db): number {
  if (!coldSince.has(db)) coldSince.set(db, performance.now());
  const since = coldSince.get(db) ?? null;
  return since !== null && performance.now() - since < COLD_START_MS ? FIRST_ANSWER_TIMEOUT_MS : DATABASE_TIMEOUT_MS;
}

/**
 * Asks the database, and once more before it counts as away: a connection that was cut says nothing of the next one, and
 * a process that had too much to do to read the answer in time has it by then.
 */
async function checkDatabase<T>(db: Db, ask: () => Promise<T>): Promise<CheckResult<T>> {
  const timeoutMs = databaseTimeoutMs(db);
  const first = await check(timeoutMs, ask);
  const found = first.status === 'up' ? first : await check(Math.min(timeoutMs, DATABASE_TIMEOUT_MS), ask);
  if (found.status === 'up') coldSince.set(db, null);
  return found === first ? found : { ...found, latencyMs: first.latencyMs + found.latencyMs };
}

const shown = ({ status, latencyMs }: CheckResult<unknown>) => ({ status, latency_ms: latencyMs });

/**
 * Asks every part, all at once and each under a time-out of its own, and judges what they answer. Costs the database two
 * statements; four when it does not answer. Never throws for a part that is away.
 */
export async function readStatus(ctx: Ctx): Promise<SystemStatus> {
  const [database, figures, cache, ledger, queue, servers] = await Promise.all([
    checkDatabase(ctx.db, () => ctx.db.execute(sql`select 1`)),
    checkDatabase(ctx.db, () => readMetrics(ctx.db)),
    check(CACHE_TIMEOUT_MS, () => ctx.redis.ping()),
    check(LEDGER_TIMEOUT_MS, () => ctx.ledger.serverState()),
    check(QUEUE_TIMEOUT_MS, () => ctx.queue.ping()),
    compareServers(env().XRPL_URLS.length > 1 ? ledgersApart() : []),
  ]);
  for (const [part, { failure }] of Object.entries({ database, figures, cache, ledger, queue })) {
    if (failure === null) recordAnswer(ctx, part as LoggedPart);
    // The figures fail with the database: that is one outage.
    else if (part !== 'figures' || database.failure === null) recordFailure(ctx, part as LoggedPart, { err: failure });
  }
  const nowMs = ctx.clock.nowMs();
  const validatedIndex = ledger.value?.validatedIndex ?? null;
  const processedIndex = figures.value?.processedIndex ?? null;
  const reading = {
    checks: { database: shown(database), cache: shown(cache), ledger: shown(ledger), queue: shown(queue) },
    ledger: {
      validated_index: validatedIndex,
      // Close times are rounded and may lie a little ahead of this machine's clock.
      age_seconds: ledger.value === null ? null : Math.max(0, Math.round((nowMs - ledger.value.validatedAtMs) / 1000)),
      processed_index: processedIndex,
      lag: validatedIndex === null || processedIndex === null ? null : Math.max(0, validatedIndex - processedIndex),
      servers,
    },
    metrics: figures.value?.metrics ?? null,
    invariants: figures.value?.invariants ?? UNKNOWN_INVARIANTS,
  };
  const causes = findCauses(reading);
  const { XRPL_NETWORK_ID: networkId, VERCEL_GIT_COMMIT_SHA: commit } = env();
  return {
    status: overallStatus(causes),
    causes,
    version: platformVersion(),
    commit: commit ?? null,
    network: networkName(networkId),
    network_id: networkId,
    time: new Date(nowMs).toISOString(),
    ...reading,
    maintenance: figures.value?.maintenance ?? null,
  };
}

// Nothing is kept while the platform is down: recovery shows at once, and requests that come meanwhile share one reading.
const cache = memoize(
  () => {
    const { POSTGRES_URL, KV_REST_API_URL, QSTASH_URL, SIGNING_KEYS, VERCEL_GIT_COMMIT_SHA } = env();
    const { XRPL_URLS, XRPL_NETWORK_ID } = env();
    return [POSTGRES_URL, KV_REST_API_URL, QSTASH_URL, SIGNING_KEYS, VERCEL_GIT_COMMIT_SHA, XRPL_URLS, XRPL_NETWORK_ID];
  },
  () =>
    new ResponseCache<SystemStatus>({
      maxAgeMs: 3_000,
      keeps: ({ status }) => status !== 'down',
      sharesSlowAnswers: true,
    }),
);

/** System health, at most three seconds old in one process. Never throws for a part that is away: it says so. */
export const getStatus = (ctx: Ctx): Promise<SystemStatus> =>
  cache.get().get('status', ctx.clock.nowMs(), () => readStatus(ctx));
