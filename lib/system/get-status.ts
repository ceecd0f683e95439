import { sql } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { env } from '#lib/platform/env.ts';
import { type CheckResult, check } from './check.ts';
import type { SystemStatus } from './contracts.ts';
import { isViolated, readInvariants, UNKNOWN_INVARIANTS } from './invariants.ts';
import { readAnnouncement } from './maintenance/read-announcement.ts';
import { networkName } from './network-name.ts';
import { remember } from './single-flight.ts';
import { platformVersion } from './version.ts';

const DATABASE_TIMEOUT_MS = 2_000;
const CACHE_TIMEOUT_MS = 1_500;
const QUEUE_TIMEOUT_MS = 2_000;
/** The first one after a cold start connects. */
const LEDGER_TIMEOUT_MS = 4_000;
/** A healthy network closes a ledger every few seconds; after this it, or the server we read, has stopped. */
const STALE_LEDGER_SECONDS = 60;
const MAX_AGE_MS = 2_000;

type Parts = Pick<Ctx, 'db' | 'redis' | 'queue' | 'ledger' | 'clock' | 'log'>;

/** The slowest deposit account's cursor: every payment up to that ledger is recorded. Null before the first account. */
async function readProcessedIndex(ctx: Parts): Promise<number | null> {
  const [row] = await ctx.db
    .select({ index: sql<number | null>`min(${depositAccounts.cursorLedger})::float8` })
    .from(depositAccounts)
    .where(sql`not ${depositAccounts.halted}`);
  return row?.index ?? null;
}

async function readLedger(ctx: Parts): Promise<{ validatedIndex: number; closedAtMs: number }> {
  const { validatedIndex } = await ctx.ledger.serverState();
  return { validatedIndex, closedAtMs: await ctx.ledger.closedAtMs(validatedIndex) };
}

const shown = ({ status, latencyMs }: CheckResult<unknown>) => ({ status, latency_ms: latencyMs });

/**
 * Down without the database, because nothing works then; degraded while any other part fails or the ledger stands
 * still, because payments are then only late: the ledger keeps them. A violated invariant degrades too: all parts work,
 * and yet something is wrong.
 */
export function overallStatus(
  checks: SystemStatus['checks'],
  ledgerAgeSeconds: number | null,
  invariants: SystemStatus['invariants'],
): SystemStatus['status'] {
  if (checks.database.status === 'down') return 'down';
  const allUp = Object.values(checks).every((one) => one.status === 'up');
  const isFresh = ledgerAgeSeconds !== null && ledgerAgeSeconds <= STALE_LEDGER_SECONDS;
  return allUp && isFresh && !isViolated(invariants) ? 'operational' : 'degraded';
}

async function readStatus(ctx: Parts): Promise<SystemStatus> {
  const [database, cache, ledger, queue, invariants, maintenance] = await Promise.all([
    check(DATABASE_TIMEOUT_MS, () => readProcessedIndex(ctx)),
    check(CACHE_TIMEOUT_MS, () => ctx.redis.ping()),
    check(LEDGER_TIMEOUT_MS, () => readLedger(ctx)),
    check(QUEUE_TIMEOUT_MS, () => ctx.queue.ping()),
    check(DATABASE_TIMEOUT_MS, () => readInvariants(ctx)),
    check(DATABASE_TIMEOUT_MS, () => readAnnouncement(ctx.db)),
  ]);
  for (const [part, { failure }] of Object.entries({ database, cache, ledger, queue, invariants, maintenance })) {
    if (failure !== null) ctx.log.warn({ err: failure, part }, 'health check failed');
  }
  const checks = { database: shown(database), cache: shown(cache), ledger: shown(ledger), queue: shown(queue) };
  const nowMs = ctx.clock.nowMs();
  const validatedIndex = ledger.value?.validatedIndex ?? null;
  const processedIndex = database.value;
  // Close times are rounded and may lie a little ahead of this machine's clock.
  const ageSeconds = ledger.value === null ? null : Math.max(0, Math.round((nowMs - ledger.value.closedAtMs) / 1000));
  const held = invariants.value ?? UNKNOWN_INVARIANTS;
  const networkId = env().XRPL_NETWORK_ID;
  return {
    status: overallStatus(checks, ageSeconds, held),
    version: platformVersion(),
    network: networkName(networkId),
    network_id: networkId,
    time: new Date(nowMs).toISOString(),
    checks,
    ledger: {
      validated_index: validatedIndex,
      age_seconds: ageSeconds,
      processed_index: processedIndex,
      lag: validatedIndex === null || processedIndex === null ? null : Math.max(0, validatedIndex - processedIndex),
    },
    invariants: held,
    maintenance: maintenance.value,
  };
}

// A failure is not kept: recovery shows at once, and single flight still bounds what a crowd of callers can cost.
const rememberedStatus = remember(MAX_AGE_MS, (status: SystemStatus) => status.status !== 'down', readStatus);

/** System health, at most two seconds old in one process. Never throws for a part that is away: it says so. */
export const getStatus = (ctx: Parts): Promise<SystemStatus> => rememberedStatus(ctx, ctx.clock.nowMs());
