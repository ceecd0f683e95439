import { sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { Db } from '#lib/base/db.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { expectedRecords } from './expected-books.ts';
import type { World } from './world.ts';
import { readWritten, type Written, writtenRecords } from './written-books.ts';

/** The database holds what the reducer says of the feed up to where it has come, each thing once, and its sums agree. */
export async function expectSameRecords(db: Db, world: World, afterSequence: number): Promise<Written> {
  const projectIds = world.projects.map(({ id }) => id);
  await fanOutEvents(testCtx({ db }), Number.POSITIVE_INFINITY);
  const [written, imbalances, undecided] = await Promise.all([
    readWritten(db, world.account, projectIds, afterSequence),
    findImbalances(db, world.account),
    launchesToDecide(db),
  ]);
  expect(writtenRecords(written)).toEqual(expectedRecords(world, written));
  expect(imbalances).toEqual([]);
  // One webhook wants all, and has all but what waits for a launch to be decided.
  expect(written.events.filter(({ event, deliveries }) => deliveries !== (event.fannedOut ? 1 : 0))).toEqual([]);
  const waiting = written.events.filter(({ event }) => !event.fannedOut);
  expect(waiting.filter(({ event }) => !undecided.has(event.projectId ?? ''))).toEqual([]);
  expect(written.position.differenceDrops).toBe(0n);
  expect(toldTooEarly(written)).toEqual([]);
  return written;
}

/** Projects whose launch stands in the feed, further than is confirmed. */
async function launchesToDecide(db: Db): Promise<Set<string>> {
  const { rows } = await db.execute<{ project_id: string }>(sql`
    select m.project_id from actions m join deposit_accounts a on a.address = m.account
    where m.action = 'launch' and m.status = 'seen' and m.ledger_index > a.confirmed_ledger`);
  return new Set(rows.map(({ project_id }) => project_id));
}

/** Investments of which something was told before their `investment.created`. */
function toldTooEarly({ events }: Written): string[] {
  const created = new Set<string>();
  return events.flatMap(({ event }) => {
    if (!event.type.startsWith('investment.')) return [];
    const id: string = JSON.parse(event.body).data.investment_id;
    if (event.type === 'investment.created') created.add(id);
    return created.has(id) ? [] : [id];
  });
}

/** Rows whose sums do not agree: to the drop, and to the unit. */
async function findImbalances(db: Db, account: string): Promise<unknown[]> {
  const found = await db.execute(sql`
    select 'received is not invested + refunded + held' as what, tx_hash as which from payments
      where account = ${account} and outcome <> 'pending' and received_drops <> invested_drops + refunded_drops + held_drops
    union all
    select 'invested is not the sum of its parts', p.tx_hash from payments p left join investments i on i.tx_hash = p.tx_hash
      where p.account = ${account}
        and p.invested_drops <> (select coalesce(sum(amount_drops), 0) from allocations a where a.investment_id = i.id)
    union all
    select 'confirmed is not the sum of the allocations, as the history of the sale takes it', i.id from investments i
      join projects p on p.id = i.project_id
      where p.deposit_address = ${account} and coalesce(i.confirmed_drops, 0) <>
        (select coalesce(sum(amount_drops), 0) from allocations a where a.investment_id = i.id)
    union all
    select 'refunded is not what is owed', p.tx_hash from payments p
      where p.account = ${account} and p.refunded_drops <>
        (select coalesce(sum(amount), 0) from payouts o where o.payment_hash = p.tx_hash and o.kind = 'refund')
    union all
    select 'raised is not the sum of the allocations', p.id from projects p
      where p.deposit_address = ${account}
        and p.raised_drops <> (select coalesce(sum(amount_drops), 0) from allocations a where a.project_id = p.id)
    union all
    select 'investors are not the wallets with an allocation', p.id from projects p
      where p.deposit_address = ${account} and (p.investors_drops <> p.raised_drops or p.investors <>
        (select count(distinct investor_account) from allocations a where a.project_id = p.id))
    union all
    select 'sold or valued otherwise than allocated, or oversold', t.project_id || '/' || t.tier
      from projects p join tiers t on t.project_id = p.id
        left join lateral (select coalesce(sum(units), 0) as units, coalesce(sum(amount_drops), 0) as drops
          from allocations a where a.project_id = t.project_id and a.tier = t.tier) as a on true
      where p.deposit_address = ${account}
        and (t.sold_units <> a.units or t.value_drops <> a.drops or t.sold_units > t.total_units)`);
  return found.rows;
}
