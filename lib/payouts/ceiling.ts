import { type SQL, sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { payments, projects } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import type { Drops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { lockedPayouts, payoutsAsP } from './change-status.ts';
import { ceilingReached } from './events.ts';
import { dropsOf, isInXrp } from './in-xrp.ts';
import { goesBehindUnlocks, isDueNow, isPayable } from './load.ts';
import { MAX_IN_FLIGHT, type Payout, type PayoutCounts } from './types.ts';

const DROPS_PER_XRP = 1_000_000n;
/** A payout worth less is minor: somebody may cause any number of them for next to nothing. */
const MINOR_BELOW_DROPS = DROPS_PER_XRP;
/** Of the hourly limit, what minor payouts may use; the rest is left for all others, also for those still to come. */
const MINOR_SHARE = 2;
/** Of the hourly limit, what is reserved for minor payouts while others would use all of it up: they are paid too. */
const MINOR_RESERVE_SHARE = 10;
/** A destination that was paid so often within the hour, or a thousandth of the limit, is paid as minor from then on. */
const FREQUENT_FROM = 20;
/** Queued by one statement; more are queued by the next slice. */
const MAX_QUEUED_AT_ONCE = 10_000;

/** What an account may still pay within the rolling hour (docs/operations.md#payouts). */
export interface Allowance {
  payouts: number;
  /** Null when no limit is set. */
  drops: Drops | null;
  limitPayouts: number;
  limitDrops: Drops | null;
  /** Of `payouts`, how many may still be minor. */
  minorPayouts: number;
  limitMinorPayouts: number;
  /** Of `payouts`, how many are for minor ones alone as long as any is due. */
  reservedForMinor: number;
  /** Destinations that were paid so often within the hour that what else they are paid counts as minor. */
  frequent: string[];
}

/**
 * True for a payout that must not use up the ceiling for others: its payment (a refund: its amount) is worth less than
 * 1 XRP, or its destination has been paid often within the hour. Never a release, a lock or an unlock. `p` names `payouts` in the statement.
 */
export const isMinor = (frequent: readonly string[], p: SQL = sql`${payouts}`): SQL<boolean> => sql<boolean>`(
  ${p}.kind not in ('release', 'lock', 'unlock') and (${p}.destination = any (${textArray(frequent)}) or ${MINOR_BELOW_DROPS.toString()}::bigint > (
    case ${p}.kind when 'refund' then ${p}.amount
      else (select paid_for.received_drops from ${payments} as paid_for where paid_for.tx_hash = ${p}.payment_hash) end)))`;

/** What counts: signed within the hour by the database's clock, and may have paid. */
export const countedBy = (account: string): SQL => sql`${payoutAttempts} as a where a.account = ${account}
  and a.status in ('open', 'validated') and a.created_at > now() - interval '1 hour'`;

/** What is left of the hour's allowance. One range of an index, however much was paid before. */
export async function readAllowance(ctx: Ctx, account: string): Promise<Allowance> {
  const limitPayouts = env().PAYOUT_HOURLY_LIMIT;
  const limitDrops = env().PAYOUT_HOURLY_XRP === 0 ? null : BigInt(env().PAYOUT_HOURLY_XRP) * DROPS_PER_XRP;
  const frequentFrom = Math.max(FREQUENT_FROM, Math.ceil(limitPayouts / 1_000));
  const { rows } = await ctx.db.execute<{ payouts: number; drops: string; frequent: string[] }>(sql`
    with counted as materialized (select a.payout_id, a.destination, a.drops from ${countedBy(account)}),
    paid as materialized (
      select destination, drops from counted where destination is not null
      -- Attempts signed before both were stored. As an array their payouts are found by one pass through the index.
      union all select p.destination, ${dropsOf(sql`p`)} from ${payouts} as p
      where p.id = any (array(select payout_id from counted where destination is null)))
    select (select count(*)::int from counted) as payouts,
      (select coalesce(sum(drops), 0)::text from paid) as drops,
      array(select destination from paid group by destination having count(*) >= ${frequentFrom}) as frequent`);
  const [used] = rows;
  if (used === undefined) throw new Error('An aggregate gives one row');
  const { frequent } = used;
  const limitMinorPayouts = Math.max(1, Math.floor(limitPayouts / MINOR_SHARE));
  // Which of them were minor is asked only when it may matter to this slice.
  const mayMatter = used.payouts + MAX_IN_FLIGHT > limitMinorPayouts;
  const usedByMinor = mayMatter ? await countMinor(ctx, account, frequent) : used.payouts;
  return {
    payouts: Math.max(0, limitPayouts - used.payouts),
    drops: limitDrops === null ? null : limitDrops - BigInt(used.drops),
    limitPayouts,
    limitDrops,
    minorPayouts: Math.max(0, limitMinorPayouts - usedByMinor),
    limitMinorPayouts,
    reservedForMinor: Math.max(0, Math.floor(limitPayouts / MINOR_RESERVE_SHARE) - usedByMinor),
    frequent,
  };
}

async function countMinor(ctx: Ctx, account: string, frequent: readonly string[]): Promise<number> {
  const { rows } = await ctx.db.execute<{ payouts: number }>(sql`
    select count(*)::int as payouts from ${payouts} as p
    where p.id = any (array(select a.payout_id from ${countedBy(account)})) and ${isMinor(frequent, sql`p`)}`);
  return rows[0]?.payouts ?? 0;
}

/** Of these payouts, which are minor now. */
export async function readMinor(
  db: Db,
  ids: readonly string[],
  { frequent }: Pick<Allowance, 'frequent'>,
): Promise<Set<string>> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select p.id from ${payouts} as p where p.id = any (${textArray(ids)}) and ${isMinor(frequent, sql`p`)}`);
  return new Set(rows.map(({ id }) => id));
}

interface Admission<Item> {
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

/** Takes what was submitted off the allowance; `minorPaid` of them were minor. */
export function spend(allowance: Allowance, paid: readonly Payout[], minorPaid: number): void {
  allowance.payouts -= paid.length;
  allowance.minorPayouts -= minorPaid;
  allowance.reservedForMinor -= minorPaid;
  for (const { asset, amount } of paid) {
    if (asset.kind === 'xrp' && allowance.drops !== null) allowance.drops -= amount;
  }
}

type Which = 'all' | 'minor' | 'xrp';

/** Payouts that wait for the same room within the hour. */
interface Queue {
  isIn: SQL;
  /** When the oldest attempt that takes up this room becomes older than an hour. */
  counted: SQL;
  perHour: number;
  /** Null when each is checked with the first room there is. */
  waitsBehind: SQL | null;
}

/** Minor payouts wait in a queue of their own, so that nobody else waits behind them, however many they are. */
function queuesOf(account: string, which: Which, { limitPayouts, limitMinorPayouts, frequent }: Allowance): Queue[] {
  const counted = sql`select min(a.created_at) + interval '1 hour' from ${countedBy(account)}`;
  // XRP is checked with the first room there is: behind smaller amounts a large one would never find enough.
  if (which === 'xrp') {
    return [{ isIn: isInXrp(), counted, perHour: limitPayouts, waitsBehind: null }];
  }
  const waitsBehind = (condition: SQL) => sql`(select max(w.next_check_at) from ${payouts} as w
    where w.account = ${account} and w.status = 'ready' and w.reason = 'hourly_ceiling' and ${condition})`;
  const minor: Queue = {
    isIn: isMinor(frequent),
    counted: sql`${counted} and exists (
      select from ${payouts} as c where c.id = a.payout_id and ${isMinor(frequent, sql`c`)})`,
    perHour: limitMinorPayouts,
    waitsBehind: waitsBehind(isMinor(frequent, sql`w`)),
  };
  if (which === 'minor') return [minor];
  return [
    {
      isIn: sql`not ${isMinor(frequent)}`,
      counted,
      perHour: limitPayouts,
      waitsBehind: waitsBehind(sql`not ${isMinor(frequent, sql`w`)}`),
    },
    minor,
  ];
}

/**
 * Lets the account's due payouts (`xrp`: only refunds and releases; `minor`: only those) wait with the reason
 * `hourly_ceiling` until the hour has room. Where their number exceeds the ceiling, each has its turn behind those that wait
 * already, at the pace of the ceiling, and is not checked before it. Raises the alert of this hour. Adds to `counts`.
 */
export async function queueForAllowance(
  ctx: Ctx,
  account: string,
  input: { ledgerTime: Date; allowance: Allowance; which: Which },
  counts: PayoutCounts,
): Promise<void> {
  const { ledgerTime, allowance, which } = input;
  const onlyMinor = which === 'minor';
  const waiting = await ctx.db.transaction(async (tx) => {
    let queuedNow = 0;
    let hour = '';
    const queues = queuesOf(account, which, allowance);
    if (queues.length > 1) {
      const due = sql`${payouts.account} = ${account} and ${isDueNow(ledgerTime)}
        and ${payouts.status} in ('scheduled', 'waiting_holder', 'ready')`;
      // Queue after queue would lock in the order of the queues (change-status.ts).
      await tx.execute(sql`select cardinality(${lockedPayouts(due)})`);
    }
    for (const queue of queues) {
      const queued = await writeQueue(tx, account, ledgerTime, queue);
      queuedNow += queued?.waiting ?? 0;
      hour = queued?.hour ?? hour;
    }
    if (queuedNow === 0) return 0;
    const { limitDrops } = allowance;
    const limitPayouts = onlyMinor ? allowance.limitMinorPayouts : allowance.limitPayouts;
    const found = { account, hour: new Date(hour), limitPayouts, limitDrops, waiting: queuedNow, onlyMinor };
    await appendEvents(tx, [ceilingReached(found, ctx.clock.nowMs())]);
    return queuedNow;
  });
  if (waiting === 0) return;
  counts.waiting += waiting;
  ctx.log.warn({ account, waiting, only_minor: onlyMinor }, 'the hourly payout ceiling is reached');
}

/** How many payouts the queue has taken, and the hour by the database's clock. */
async function writeQueue(
  tx: Tx,
  account: string,
  ledgerTime: Date,
  queue: Queue,
): Promise<{ waiting: number; hour: string } | undefined> {
  const { rows } = await tx.execute<{ waiting: number; hour: string }>(sql`
    with line as (
      select ${payouts.id} as id
      from ${payouts} left join ${projects} on ${projects.id} = ${payouts.projectId}
      where ${payouts.account} = ${account} and ${isPayable()} and ${isDueNow(ledgerTime)} and ${queue.isIn}
      order by ${goesBehindUnlocks()}, ${payouts.nextCheckAt}, ${payouts.id} limit ${MAX_QUEUED_AT_ONCE}),
    -- In the order of the ids (change-status.ts), all before the first is written, and as rows: an array of so many, compared
    -- with each row of a join, is work that grows with their square wherever the planner expects few.
    locked as (
      select ${payouts.id} as id, ${payouts.kind} as kind, ${payouts.nextCheckAt} as next_check_at from ${payouts}
      where ${payouts.id} = any (array(select id from line)) and ${payouts.status} in ('scheduled', 'waiting_holder', 'ready')
      order by ${payouts.id} for no key update),
    ranked as (select id, row_number() over (order by ${goesBehindUnlocks(sql`kind`)}, next_check_at, id) as rank from locked),
    room(begins_at) as (
      select greatest(now() + interval '30 seconds', (${queue.counted}), ${queue.waitsBehind ?? sql`null::timestamptz`})),
    queued as (
      update ${payoutsAsP}
      set status = 'ready', reason = 'hourly_ceiling',
        next_check_at = room.begins_at + (ranked.rank - 1) * interval '1 hour' / ${queue.perHour}
      from ranked, room
      where p.id = ranked.id
      returning p.id)
    select count(*)::int as waiting, date_trunc('hour', now())::text as hour from queued`);
  return rows[0];
}
