import { z } from 'zod';
import type { SyncReport, syncHoldersContract } from '#lib/accounts/holders/contracts.ts';
import { pruneBalances } from '#lib/accounts/holders/prune-balances.ts';
import { failedReport, MOST_RESTARTS, syncToken, toReport } from '#lib/accounts/holders/sync-token.ts';
import { type TrackedToken, trackedTokens } from '#lib/accounts/holders/tokens.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { tokenName } from '#lib/xrpl/token.ts';
import { defineJob, runJobs } from './engine.ts';

type SyncResult = z.output<(typeof syncHoldersContract)['responses'][200]>;

/** A ledger that does not answer now may do so later in the same run. */
const LATER = { afterSeconds: 30 };

/** What a run has read by then stands in `holder_syncs`. */
const cursor = z.strictObject({
  /** Position of the token that is next; null when all are done and only old balances are left to remove. */
  next: z.string().nullable(),
  /** The synchronisation of that token to go on with; null begins one. */
  sync: z.string().nullable(),
  /** How often it was begun anew in this run. */
  restarts: z.int().min(0),
});
type Cursor = z.output<typeof cursor>;
const START: Cursor = { next: '', sync: null, restarts: 0 };

/** Synchronises the holders of every token. */
export const holderSync = defineJob({
  name: 'sync-holders',
  schedule: 'every cron call',
  budgetMs: 20_000,
  leaseSeconds: 120,
  cursor,
  async run(ctx, { cursor: from, deadlineMs }) {
    const synced = await syncTokens(ctx, from ?? START, deadlineMs);
    const { syncs, faults, next } = synced;
    ctx.log.info({ syncs, faults, continued: next !== null }, 'a slice of the holder synchronisation has ended');
    return synced;
  },
});

/**
 * The first slice of a run that synchronises the holders of every token; the queue brings the others. Throws `conflict`
 * while another run is under way.
 */
export async function syncHolders(ctx: Ctx): Promise<SyncResult> {
  const startedAtMs = ctx.clock.nowMs();
  const synced = (await runJobs(ctx, { jobs: [holderSync], isScheduled: true })).orThrow(holderSync);
  if (synced === null) throw new PlatformError('conflict', 'A synchronisation is under way. Wait until it has ended.');
  const { syncs, faults } = synced.done;
  const [first] = syncs;
  const none = { sync_id: null, token: null, ledger_index: null, holders: 0, added: null, removed: null, pages: 0 };
  return {
    ...(first ?? { ...none, status: 'none' }),
    syncs,
    faults,
    continued: synced.goesOn,
    duration_ms: ctx.clock.nowMs() - startedAtMs,
  };
}

interface TokensSynced {
  syncs: SyncReport[];
  faults: string[];
  /** Where the next slice begins. */
  next: { cursor: Cursor; afterSeconds?: number } | null;
}

/**
 * Synchronises tokens from a position on until the deadline, then removes balances that are read no longer. A token that
 * fails keeps no other one from its turn; while the ledger does not answer, the run waits.
 */
async function syncTokens(ctx: Ctx, from: Cursor, deadlineMs: number): Promise<TokensSynced> {
  const syncs: SyncReport[] = [];
  const faults: string[] = [];
  const { next } = from;
  const waiting = next === null ? [] : (await trackedTokens(ctx.db)).filter(({ position }) => position >= next);
  for (const wanted of waiting) {
    const { sync: resume, restarts } = wanted.position === next ? from : { sync: null, restarts: 0 };
    const position = { next: wanted.position, sync: resume, restarts };
    if (syncs.length > 0 && ctx.clock.nowMs() >= deadlineMs) return { syncs, faults, next: { cursor: position } };
    try {
      const { sync, restarts: used, later } = await syncToken(ctx, { wanted, resume, restarts, deadlineMs });
      syncs.push(toReport(sync));
      if (sync.status === 'complete') continue;
      return {
        syncs,
        faults,
        next: { cursor: { ...position, sync: sync.id, restarts: used }, ...(later ? LATER : {}) },
      };
    } catch (error) {
      faults.push(faultOf(ctx, wanted, error));
      syncs.push(failedReport(tokenName(wanted.token)));
      const mayPass = error instanceof PlatformError && error.code === 'ledger_unavailable';
      if (mayPass && restarts < MOST_RESTARTS) {
        return { syncs, faults, next: { cursor: { ...position, restarts: restarts + 1 }, ...LATER } };
      }
    }
  }
  const left = await pruneBalances(ctx, deadlineMs);
  return { syncs, faults, next: left ? { cursor: { next: null, sync: null, restarts: 0 } } : null };
}

function faultOf(ctx: Ctx, { token }: TrackedToken, error: unknown): string {
  const name = tokenName(token);
  ctx.log.error({ err: error, token: name }, 'the holders of a token could not be synchronised');
  return `${name}: ${error instanceof PlatformError ? error.detail : 'failed; the log says why'}`;
}
