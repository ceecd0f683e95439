import { sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import type { Db } from '#lib/base/db.ts';
import { Draw } from '#tests/faults/draw.ts';
import type { World } from './worlds.ts';

/** What an account may pay within an hour. */
export interface Ceiling {
  payouts: number;
  xrp: number;
}

/** No refund of the campaign is above so much. */
const LEAST_XRP = 11;
const UNREACHED: Ceiling = { payouts: 20_000, xrp: 1_000_000 };

export const drawCeiling = (world: World, seed: string): Ceiling =>
  world === 'ceiling' ? { payouts: new Draw(`${seed} ceiling`).between(4, 10), xrp: LEAST_XRP } : UNREACHED;

/** Lets an hour pass for all that was paid. */
export const passHour = (db: Db) =>
  db.execute(sql`update ${payoutAttempts} set created_at = created_at - interval '1 hour'`);

/**
 * Whether no account has paid more within this hour than it may. Whoever was stopped between asking and paying, and goes
 * on when another one has taken its place, may pay its batch beyond.
 */
export async function verifyCeiling(db: Db, ceiling: Ceiling, stops: number): Promise<string[]> {
  const { rows } = await db.execute<{ account: string; paid: number; xrp: number }>(sql`
    select a.account, count(*)::int as paid,
      coalesce(sum(p.amount) filter (where p.kind in ('refund', 'release')), 0)::float8 / 1000000 as xrp
    from ${payoutAttempts} as a join ${payouts} as p on p.id = a.payout_id
    where a.status in ('open', 'validated') and a.created_at > now() - interval '1 hour'
    group by a.account`);
  return rows
    .filter(({ paid, xrp }) => paid > ceiling.payouts * (1 + stops) || xrp > ceiling.xrp * (1 + stops))
    .map(({ account, paid, xrp }) => `${account} paid ${paid} payouts and ${xrp} XRP within an hour`);
}
