import { sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import { actions, depositAccounts, investments, payments, projects } from '#drizzle/schema/sale.ts';
import { env } from '#lib/base/env.ts';
import { nextBucket } from '#lib/base/job-rows.ts';
import type { Ctx } from '#lib/ctx.ts';
import { isPayoutDueWithin, isQueueLong } from '#lib/payouts/load.ts';
import { CONTINUE_PATH, publish } from './engine.ts';

export const PROCESS_PAYMENTS = 'process-payments';
export const FOLLOW_LEDGER = 'follow-ledger';

/** Wakes within so many seconds are one. */
const WAKE_SECONDS = 1;

/** While a worker follows the ledger, a beat so often looks whether it still does: it may die at any moment of its life. */
const WATCH_SECONDS = 15;

/** A payout that is looked at later than this is left to the minutely cron: a holder without a trust line may wait for weeks. */
const CRON_REACH_SECONDS = 30;

const selling = sql`exists (select from ${projects}
  where status = 'active' and coalesce(starts_at, now()) <= now() + interval '1 minute')`;

/**
 * Whether there is work at each ledger: a sale takes payments, now or before the minutely cron comes again, or payouts queue for
 * the next ledgers.
 */
export async function isWorthFollowing({ db }: Ctx): Promise<boolean> {
  const { rows } = await db.execute<{ selling: boolean }>(sql`select ${selling} as selling`);
  return rows[0]?.selling === true || (await isQueueLong(db));
}

interface DueWork extends Record<string, unknown> {
  /** A worker follows the ledger. */
  followed: boolean;
  due: boolean;
}

/**
 * `due` while a sale runs, a transaction waits for the ledger or for confirmation, a payout is due, a cancelled sale is not
 * refunded, or what a completed one owes is not planned. The last two wait while their account is halted.
 */
export async function readDueWork(ctx: Ctx): Promise<DueWork> {
  const result = await ctx.db.execute<DueWork>(sql`
    select exists (select from ${leases} where name = ${FOLLOW_LEDGER} and leased_until > now()) as followed,
      exists (select from ${projects} where status in ('active', 'paused'))
      or exists (select from ${actions} where status in ('submitted', 'seen'))
      or exists (select from ${payments} where outcome = 'pending')
      or exists (select from ${projects} as p
        join ${depositAccounts} as d on d.address = p.deposit_address and not d.halted
        where (p.status = 'cancelled' and p.cancellation_completed_at is null) or (p.status = 'completed' and (
          (p.vesting_locked and not p.vesting_locks_owed) or exists (select from ${investments} as i
            where i.project_id = p.id and i.status = 'confirmed' and not i.payouts_planned)))) as due`);
  const [work] = result.rows;
  if (work === undefined) throw new Error('A select without a table gives a row');
  return { ...work, due: work.due || (await isPayoutDueWithin(ctx.db, CRON_REACH_SECONDS)) };
}

/**
 * What comes after a run of process-payments: the next one at once when the time ran out; while there is work at each ledger, a
 * worker that follows it, unless one does; else a run one heartbeat later while work is due, or when another call had a job that
 * this one was to do. Messages share a deduplication id in each bucket of time, so any number of instances keep one chain; the
 * cron restarts it. False when nothing is due, or the queue takes no message.
 */
export async function continueProcessing(
  ctx: Ctx,
  { more, passedOver = false }: { more: boolean; passedOver?: boolean },
): Promise<boolean> {
  if (more) return publish(ctx, { path: CONTINUE_PATH, body: { job: PROCESS_PAYMENTS } });
  const { followed, due } = await readDueWork(ctx);
  if (!passedOver) {
    if (!due) return false;
    if (followed) return publishWatch(ctx);
    if (env().FOLLOW_LEDGER && (await isWorthFollowing(ctx))) return publishFollow(ctx);
  }
  return publishBeat(ctx, 'beat', env().HEARTBEAT_SECONDS);
}

/** What a slice is named that follows the ledger; code that does not know it takes it for a beat. */
export const FOLLOWING = 'follow-';

/** Not twice within a second: a slice that did not fail lasts longer. */
async function publishFollow(ctx: Ctx): Promise<boolean> {
  const slice = `${FOLLOWING}${await nextBucket(ctx.db, WAKE_SECONDS)}`;
  return publish(ctx, {
    path: CONTINUE_PATH,
    body: { job: PROCESS_PAYMENTS, slice },
    deduplicationId: slice,
  });
}

/** A beat that looks later whether a worker still follows the ledger. */
export const publishWatch = (ctx: Ctx): Promise<boolean> =>
  publishBeat(ctx, 'watch', Math.max(WATCH_SECONDS, env().HEARTBEAT_SECONDS));

/**
 * A beat that QStash drops has one of the same bucket before it, which begins once the bucket is over: it sees all that is
 * written by now, and what another call keeps from it has a beat of its own.
 */
async function publishBeat(ctx: Ctx, kind: 'beat' | 'wake' | 'watch', seconds: number): Promise<boolean> {
  const bucket = await nextBucket(ctx.db, seconds);
  return publish(ctx, {
    path: CONTINUE_PATH,
    body: { job: PROCESS_PAYMENTS, slice: `${kind}-${bucket}` },
    delaySeconds: seconds,
    deduplicationId: `${kind}-${seconds}-${bucket}`,
  });
}

/**
 * Does `work`, which leaves something for process-payments to do, and wakes it: with no sale active there are no beats, and
 * the work would wait for the minutely cron. The wake comes after the commit; one that is lost, or whose process dies before
 * it, leaves the work to that cron.
 */
export async function thenWake<T>(ctx: Ctx, work: Promise<T>): Promise<T> {
  const done = await work;
  await publishBeat(ctx, 'wake', WAKE_SECONDS).catch((err) =>
    ctx.log.warn({ err }, 'process-payments could not be woken; the cron will start it'),
  );
  return done;
}
