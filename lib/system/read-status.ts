import { sql } from 'drizzle-orm';
import type { Ctx } from '#lib/ctx.ts';
import { ledgersApart } from '#lib/ledger/lazy.ts';
import { env } from '#lib/platform/env.ts';
import { findCauses, overallStatus } from './causes.ts';
import { type CheckResult, check } from './check.ts';
import type { SystemStatus } from './contracts.ts';
import { readFigures } from './figures/read-figures.ts';
import { UNKNOWN_INVARIANTS } from './invariants.ts';
import { compareServers } from './ledger-servers.ts';
import { networkName } from './network-name.ts';
import { platformVersion } from './version.ts';

const DATABASE_TIMEOUT_MS = 2_000;
const CACHE_TIMEOUT_MS = 1_500;
const QUEUE_TIMEOUT_MS = 2_000;
/** The first one after a cold start connects. */
const LEDGER_TIMEOUT_MS = 4_000;

async function readLedger({ ledger }: Ctx): Promise<{ validatedIndex: number; closedAtMs: number }> {
  const { validatedIndex } = await ledger.serverState();
  return { validatedIndex, closedAtMs: await ledger.closedAtMs(validatedIndex) };
}

const shown = ({ status, latencyMs }: CheckResult<unknown>) => ({ status, latency_ms: latencyMs });

/**
 * Asks every part, all at once and each under a time-out of its own, and judges what they answer. Costs the database two
 * statements. Never throws for a part that is away.
 */
export async function readStatus(ctx: Ctx): Promise<SystemStatus> {
  const [database, figures, cache, ledger, queue, servers] = await Promise.all([
    check(DATABASE_TIMEOUT_MS, () => ctx.db.execute(sql`select 1`)),
    check(DATABASE_TIMEOUT_MS, () => readFigures(ctx.db)),
    check(CACHE_TIMEOUT_MS, () => ctx.redis.ping()),
    check(LEDGER_TIMEOUT_MS, () => readLedger(ctx)),
    check(QUEUE_TIMEOUT_MS, () => ctx.queue.ping()),
    compareServers(env().XRPL_URLS.length > 1 ? ledgersApart() : []),
  ]);
  for (const [part, { failure }] of Object.entries({ database, figures, cache, ledger, queue })) {
    if (failure !== null) ctx.log.warn({ err: failure, part }, 'health check failed');
  }
  const nowMs = ctx.clock.nowMs();
  const validatedIndex = ledger.value?.validatedIndex ?? null;
  const processedIndex = figures.value?.processedIndex ?? null;
  const reading = {
    checks: { database: shown(database), cache: shown(cache), ledger: shown(ledger), queue: shown(queue) },
    ledger: {
      validated_index: validatedIndex,
      // Close times are rounded and may lie a little ahead of this machine's clock.
      age_seconds: ledger.value === null ? null : Math.max(0, Math.round((nowMs - ledger.value.closedAtMs) / 1000)),
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
