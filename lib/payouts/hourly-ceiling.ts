import { type SQL, sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { env } from '#lib/platform/env.ts';
import type { Drops } from '#lib/platform/money.ts';
import { ceilingReached } from './alerts.ts';
import { isDueNow, isOwed } from './load.ts';
import { lockedPayouts } from './lock-payouts.ts';
import { payoutsAsP } from './next-check.ts';
import type { Payout, PayoutCounts } from './types.ts';

const DROPS_PER_XRP = 1_000_000n;
/** Put off by one statement; more are put off by the next slice. */
const MAX_QUEUED_AT_ONCE = 10_000;

/** What an account may still pay within the rolling hour (design section 4). */
export interface Allowance {
  payouts: number;
  /** Null when no limit is set. */
  drops: Drops | null;
  limitPayouts: number;
  limitDrops: Drops | null;
}

/** What counts: signed within the hour by the database's clock, and may have paid. */
export const countedBy = (account: string): SQL => sql`${payoutAttempts} as a where a.account = ${account}
  and a.status in ('open', 'validated') and a.created_at > now() - interval '1 hour'`;

/** What is left of the hour's allowance. One range of an index, however much was paid before. */
export async function readAllowance(ctx: Ctx, account: string): Promise<Allowance> {
  const limitPayouts = env().PAYOUT_HOURLY_LIMIT;
  const limitDrops = env().PAYOUT_HOURLY_XRP === 0 ? null : BigInt(env().PAYOUT_HOURLY_XRP) * DROPS_PER_XRP;
  const paidDrops = sql`(select coalesce(sum(p.amount), 0) from ${payouts} as p
    where p.kind <> 'distribution' and p.id in (select a.payout_id from ${countedBy(account)}))`;
  const result = await ctx.db.execute<{ payouts: number; drops: string }>(sql`
    select count(*)::int as payouts, ${limitDrops === null ? sql`'0'` : sql`${paidDrops}::text`} as drops
    from ${countedBy(account)}`);
  const used = result.rows[0];
  if (used === undefined) throw new Error('An aggregate gives one row');
  return {
    payouts: Math.max(0, limitPayouts - used.payouts),
    drops: limitDrops === null ? null : limitDrops - BigInt(used.drops),
    limitPayouts,
    limitDrops,
  };
}

export interface Admission<Item> {
  admitted: Item[];
  /** Above the hour's XRP all by themselves: no waiting helps. */
  tooLarge: Item[];
  /** Some XRP did not fit, and what comes after it was not asked: a large payout is not overtaken by small ones. */
  xrpIsUsedUp: boolean;
}

/** Which of these fit into what is left of the hour's XRP, in the order given; tokens always do. Pure. */
export function admit<Item extends { payout: Payout }>(
  items: readonly Item[],
  { drops, limitDrops }: Pick<Allowance, 'drops' | 'limitDrops'>,
): Admission<Item> {
  const admission: Admission<Item> = { admitted: [], tooLarge: [], xrpIsUsedUp: false };
  let left = drops;
  for (const item of items) {
    const { asset, amount } = item.payout;
    if (asset.kind !== 'xrp' || left === null || limitDrops === null) admission.admitted.push(item);
    else if (amount > limitDrops) admission.tooLarge.push(item);
    else if (admission.xrpIsUsedUp || amount > left) admission.xrpIsUsedUp = true;
    else {
      left -= amount;
      admission.admitted.push(item);
    }
  }
  return admission;
}

/** Takes what was handed to the ledger off the allowance. */
export function spend(allowance: Allowance, paid: readonly Payout[]): void {
  allowance.payouts -= paid.length;
  for (const { asset, amount } of paid) {
    if (asset.kind === 'xrp' && allowance.drops !== null) allowance.drops -= amount;
  }
}

/**
 * Lets the account's due payouts (`xrp`: only refunds and releases) wait with the reason `hourly_ceiling` until the hour
 * has room: one behind the other at the pace of the ceiling, where their number is what exceeds it behind those that wait
 * already, so that none is looked at again in vain. Raises the alert of this hour. Adds to `counts`.
 */
export async function queueForAllowance(
  ctx: Ctx,
  account: string,
  input: { ledgerTime: Date; allowance: Allowance; which: 'all' | 'xrp' },
  counts: PayoutCounts,
): Promise<void> {
  const { ledgerTime, allowance, which } = input;
  const { limitPayouts, limitDrops } = allowance;
  // XRP is looked at with the first room there is: behind smaller amounts a large one would never find enough.
  const endOfLine: SQL =
    which === 'xrp'
      ? sql`null::timestamptz`
      : sql`(select max(w.next_check_at) from ${payouts} as w
          where w.account = ${account} and w.status = 'ready' and w.reason = 'hourly_ceiling')`;
  const chosen: SQL = which === 'all' ? sql`true` : sql`${payouts.kind} <> 'distribution'`;
  const waiting = await ctx.db.transaction(async (tx) => {
    const queued = await tx.execute<{ waiting: number; hour: string }>(sql`
      with line as (
        select ${payouts.id} as id, row_number() over (order by ${payouts.nextCheckAt}, ${payouts.id}) as place
        from ${payouts} left join ${projects} on ${projects.id} = ${payouts.projectId}
        where ${payouts.account} = ${account} and ${isOwed()} and ${isDueNow(ledgerTime)} and ${chosen}
        order by place limit ${MAX_QUEUED_AT_ONCE}),
      room(begins_at) as (
        select greatest(now() + interval '30 seconds', (
          select min(a.created_at) + interval '1 hour' from ${countedBy(account)}), ${endOfLine})),
      queued as (
        update ${payoutsAsP}
        set status = 'ready', reason = 'hourly_ceiling',
          next_check_at = room.begins_at + (line.place - 1) * interval '1 hour' / ${limitPayouts}
        from line, room
        where p.id = line.id and p.id = any (${lockedPayouts(
          sql`${payouts.id} in (select id from line) and ${payouts.status} in ('scheduled', 'waiting_holder', 'ready')`,
        )})
        returning p.id)
      select count(*)::int as waiting, date_trunc('hour', now())::text as hour from queued`);
    const { waiting = 0, hour = '' } = queued.rows[0] ?? {};
    if (waiting === 0) return 0;
    const found = { account, hour: new Date(hour), limitPayouts, limitDrops, waiting };
    await appendEvents(tx, [ceilingReached(found, ctx.clock.nowMs())]);
    return waiting;
  });
  if (waiting === 0) return;
  counts.waiting += waiting;
  ctx.log.warn({ account, waiting }, 'the hourly payout ceiling is reached');
}
