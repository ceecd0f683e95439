import type { z } from 'zod';
import type { SyncReport, syncHoldersContract } from '#lib/accounts/holders/contracts.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import { acquireLease, releaseLease } from '#lib/base/lease.ts';
import { giveSliceBack, nextSlice, takeSlice } from '#lib/base/slice.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { holdersSlice } from './contracts.ts';
import { noteFault } from './faults.ts';
import { CONTINUE_PATH, publish } from './heartbeat.ts';
import { type HoldersPlace, syncTokens } from './sync-tokens.ts';

type SyncResult = z.output<(typeof syncHoldersContract)['responses'][200]>;
type HoldersSlice = z.output<typeof holdersSlice>;

const SYNC_HOLDERS = 'sync-holders';
/** A run keeps its lease from slice to slice, and a slice ends well within it. */
const LEASE_SECONDS = 120;
/** A ledger that does not answer now may do so later in the same run. */
const LATER_SECONDS = 30;

/**
 * The first slice of a run that synchronises the holders of every token; the queue brings the others. Throws `conflict`
 * while another run is under way.
 */
export async function syncHolders(ctx: Ctx): Promise<SyncResult> {
  const startedAtMs = ctx.clock.nowMs();
  const run = newId('sync', ctx.random);
  if (!(await acquireLease(ctx.db, SYNC_HOLDERS, run, LEASE_SECONDS))) {
    throw new PlatformError('conflict', 'A synchronisation is under way. Wait until it has ended.');
  }
  try {
    const slice = await nextSlice(ctx, SYNC_HOLDERS);
    const done = await runSlice(ctx, { run, slice, next: '', sync: null, restarts: 0 }, startedAtMs);
    return toResult(done, ctx.clock.nowMs() - startedAtMs);
  } catch (error) {
    await releaseLease(ctx.db, SYNC_HOLDERS, run);
    await noteFault(ctx, SYNC_HOLDERS, error);
    throw error;
  }
}

/**
 * The next slice of a run. A message that comes twice, or after its run has ended, does nothing. When the slice fails its
 * message may come again.
 */
export async function continueSync(ctx: Ctx, message: HoldersSlice): Promise<boolean> {
  const slice = await takeSlice(ctx, { name: SYNC_HOLDERS, holder: message.run, slice: message.slice });
  if (slice === null || !(await acquireLease(ctx.db, SYNC_HOLDERS, message.run, LEASE_SECONDS))) return false;
  try {
    return (await runSlice(ctx, { ...message, slice }, ctx.clock.nowMs())).continued;
  } catch (error) {
    await giveSliceBack(ctx, { name: SYNC_HOLDERS, holder: message.run, slice });
    throw error;
  }
}

type Done = { syncs: SyncReport[]; faults: string[]; continued: boolean };

async function runSlice(ctx: Ctx, { run, slice, ...place }: HoldersSlice, startedAtMs: number): Promise<Done> {
  const { syncs, faults, goesOn } = await syncTokens(ctx, place, startedAtMs + env().SLICE_BUDGET_MS);
  if (faults.length > 0) await noteFault(ctx, SYNC_HOLDERS, faults.join('; '));
  const continued = goesOn !== null && (await publishNext(ctx, { run, slice, ...goesOn.place }, goesOn.later));
  if (!continued) await releaseLease(ctx.db, SYNC_HOLDERS, run);
  ctx.log.info({ syncs, faults, continued }, 'a slice of the holder synchronisation has ended');
  return { syncs, faults, continued };
}

const publishNext = (ctx: Ctx, next: Omit<HoldersSlice, keyof HoldersPlace> & HoldersPlace, later: boolean) =>
  publish(ctx, {
    path: CONTINUE_PATH,
    body: { job: SYNC_HOLDERS, ...next },
    deduplicationId: `${SYNC_HOLDERS}-${next.run}-${next.slice}`,
    ...(later ? { delaySeconds: LATER_SECONDS } : {}),
  });

function toResult({ syncs, ...done }: Done, durationMs: number): SyncResult {
  const [first] = syncs;
  const none = { sync_id: null, token: null, ledger_index: null, holders: 0, added: null, removed: null, pages: 0 };
  return { ...(first ?? { ...none, status: 'none' }), syncs, ...done, duration_ms: durationMs };
}
