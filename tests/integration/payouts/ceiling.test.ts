import { desc, eq, inArray, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { applyEnv } from '#lib/base/env.ts';
import { countedBy, isMinor } from '#lib/payouts/ceiling.ts';
import { loadDue } from '#lib/payouts/load.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { LEDGERS_TO_LIVE } from '#lib/xrpl/transactions.ts';
import { changeRows } from '#tests/support/rows.ts';
import { testCtx } from '../../support/ctx.ts';
import { testEnv } from '../../support/env.ts';
import { NETWORK_ID } from '../xrpl/desk.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.end());

function limitTo(limits: { PAYOUT_HOURLY_LIMIT?: string; PAYOUT_HOURLY_XRP?: string }): void {
  const keys = [world.distributor, world.deposit].map(({ address, seed }) => `${address}=ed25519:${seed}`).join(',');
  applyEnv(
    testEnv({
      XRPL_URLS: world.desk.ledger.wsUrl,
      XRPL_NETWORK_ID: String(NETWORK_ID),
      SIGNING_KEYS: keys,
      ...limits,
    }),
  );
}

async function statuses(): Promise<string[]> {
  const rows = await world.database.db
    .select({ status: payouts.status, reason: payouts.reason })
    .from(payouts)
    .orderBy(payouts.nextCheckAt);
  return rows.map(({ status, reason }) => (reason === null ? status : `${status}:${reason}`)).toSorted();
}

const alerts = async () =>
  (await world.database.db.select({ body: events.body }).from(events).where(eq(events.type, 'system.alert')))
    .map(({ body }) => JSON.parse(body).data)
    .filter(({ kind }) => kind === 'payout_ceiling');

/** Everything that was written is `minutes` older. */
async function letPass(minutes: number): Promise<void> {
  const { db } = world.database;
  const earlier = sql`${minutes} * interval '1 minute'`;
  await db.execute(sql`update ${payoutAttempts} set created_at = created_at - ${earlier}`);
  await db.execute(sql`update ${payouts} set next_check_at = next_check_at - ${earlier}, due_at = due_at - ${earlier}`);
}

describe('the hourly ceiling of an account', () => {
  test('what exceeds it waits with its reason, alarms once, and goes on by itself when the hour has passed', async () => {
    limitTo({ PAYOUT_HOURLY_LIMIT: '3' });
    const [holder] = (await world.holders(1)) as [Wallet];
    for (let i = 0; i < 5; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('3');
    const waiting = Array.from({ length: 2 }, () => 'ready:hourly_ceiling');
    expect(await statuses()).toEqual([...waiting, ...Array.from({ length: 3 }, () => 'validated')]);
    expect(await alerts()).toMatchObject([
      { details: { account: world.distributor.address, limit_payouts: 3, limit_xrp: null, waiting: 2 } },
    ]);

    await letPass(58);
    expect(await world.run()).toMatchObject({ submitted: 0, remaining: false });
    await world.checkAgain();
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('3');
    expect(await alerts()).toHaveLength(1);

    await letPass(60);
    await world.runUntilDone();
    // The second waits one place behind: a third of an hour.
    expect(Number(await world.tokens(holder.address))).toBeGreaterThanOrEqual(4);
    await letPass(30);
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('5');
  });

  test('those that wait are looked at one behind the other, at the pace of the ceiling, newcomers last', async () => {
    limitTo({ PAYOUT_HOURLY_LIMIT: '2' });
    const [holder] = (await world.holders(1)) as [Wallet];
    for (let i = 0; i < 4; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.runUntilDone();
    const late = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.runUntilDone();
    const waiting = await world.database.db
      .select({ id: payouts.id, at: payouts.nextCheckAt })
      .from(payouts)
      .where(eq(payouts.reason, 'hourly_ceiling'))
      .orderBy(payouts.nextCheckAt);
    const [first, second, third] = waiting as [(typeof waiting)[0], (typeof waiting)[0], (typeof waiting)[0]];
    expect(second.at.getTime() - first.at.getTime()).toBe(30 * 60_000);
    expect(third.id).toBe(late);
    const [oldest] = await world.database.db
      .select({ at: sql<string>`min(${payoutAttempts.createdAt})` })
      .from(payoutAttempts);
    expect(first.at.getTime()).toBe(new Date(oldest?.at ?? 0).getTime() + 3_600_000);
  });

  test('a buyer of dust cannot use it up: who pays more than that is paid at once, also after the dust', async () => {
    limitTo({ PAYOUT_HOURLY_LIMIT: '10' });
    const [dust, buyer] = (await world.holders(2)) as [Wallet, Wallet];
    for (let i = 0; i < 40; i++) await world.owe({ to: dust.address, amount: 1n });
    await world.runUntilDone();
    expect(await statuses()).toEqual([
      ...Array.from({ length: 35 }, () => 'ready:hourly_ceiling'),
      ...Array.from({ length: 5 }, () => 'validated'),
    ]);
    expect(await alerts()).toMatchObject([{ details: { limit_payouts: 5, waiting: 35 } }]);

    for (let i = 0; i < 5; i++) await world.owe({ to: buyer.address, amount: 1_000_000n });
    await world.runUntilDone();
    expect(await world.tokens(buyer.address)).toBe('5');
    // The dust goes on at the pace of its share, when the hour has room for it again.
    await letPass(61);
    await world.runUntilDone();
    expect(await world.tokens(dust.address)).not.toBe('0.000005');
  });

  test('who pays more than dust is not put in line behind it when the whole ceiling is reached', async () => {
    limitTo({ PAYOUT_HOURLY_LIMIT: '2' });
    const [dust, buyer] = (await world.holders(2)) as [Wallet, Wallet];
    for (let i = 0; i < 30; i++) await world.owe({ to: dust.address, amount: 999_999n });
    await world.runUntilDone();
    await world.owe({ to: buyer.address, amount: 1_000_000n });
    const late = await world.owe({ to: buyer.address, amount: 1_000_000n });
    await world.runUntilDone();
    expect(await world.payout(late)).toMatchObject({ status: 'ready', reason: 'hourly_ceiling' });
    expect((await world.payout(late)).nextCheckAt.getTime()).toBeLessThan(Date.now() + 61 * 60_000);
    const { rows } = await world.database.db.execute<{ last: string }>(
      sql`select max(next_check_at)::text as last from ${payouts}`,
    );
    expect(new Date(rows[0]?.last ?? 0).getTime()).toBeGreaterThan(Date.now() + 20 * 3_600_000);
  });

  test('dust that was there first is paid last: it takes no place in a batch from others', async () => {
    const [dust, buyer] = (await world.holders(2)) as [Wallet, Wallet];
    for (let i = 0; i < 60; i++) await world.owe({ to: dust.address, amount: 1n });
    const ids = [await world.owe({ to: buyer.address, amount: 5_000_000n })];
    ids.push(await world.owe({ kind: 'refund', to: buyer.address, amount: 5_000_000n }));
    const due = await loadDue(world.database.db, world.distributor.address, new Date(), 50, isMinor([]));
    expect(due[0]).toMatchObject({ id: ids[0], isMinor: false });
    expect(due.slice(1).every((payout) => payout.isMinor)).toBe(true);
    await world.runUntilDone();
    expect(await world.tokens(buyer.address)).toBe('5');
    expect(await world.tokens(dust.address)).toBe('0.00006');
  });

  test('one destination that is paid over and over again does not use it up for others', async () => {
    limitTo({ PAYOUT_HOURLY_LIMIT: '44' });
    const [often, once] = (await world.holders(2)) as [Wallet, Wallet];
    // What is sent without a tag comes back whole: it costs its sender nothing but fees.
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 20; i++) await world.owe({ kind: 'refund', to: often.address, amount: 2_000_000n });
      await world.runUntilDone();
    }
    const frequent = await world.database.db.$count(payouts, eq(payouts.status, 'validated'));
    expect(frequent).toBe(22);
    await world.owe({ kind: 'refund', to: once.address, amount: 2_000_000n });
    await world.runUntilDone();
    expect(await world.database.db.$count(payouts, eq(payouts.status, 'validated'))).toBe(23);
  });

  test('dust has a tenth of it, however much else is always owed: it waits, and is paid', async () => {
    limitTo({ PAYOUT_HOURLY_LIMIT: '20' });
    const [dust, ...buyers] = (await world.holders(3)) as [Wallet, Wallet, Wallet];
    const paid = async () => Number((await world.tokens(dust.address)) ?? 0) * 1_000_000;
    for (let i = 0; i < 5; i++) await world.owe({ to: dust.address, amount: 1n });
    const before = [];
    for (let hour = 0; hour < 4; hour++) {
      for (let i = 0; i < 24; i++) await world.owe({ to: buyers[i % 2]!.address, amount: 1_000_000n });
      await world.runUntilDone();
      before.push(await paid());
      const { rows } = await world.database.db.execute<{ counted: number }>(
        sql`select count(*)::int as counted from ${countedBy(world.distributor.address)}`,
      );
      expect(rows[0]?.counted).toBeLessThanOrEqual(20);
      await letPass(61);
    }
    expect(before[0]).toBe(2);
    expect(before[3]).toBe(5);
  });

  test('dust that nobody can be paid keeps its tenth from nobody else', async () => {
    limitTo({ PAYOUT_HOURLY_LIMIT: '20' });
    const [buyer, another] = (await world.holders(2)) as [Wallet, Wallet];
    const [without] = (await world.desk.accounts(1)) as [Wallet];
    for (let i = 0; i < 60; i++) await world.owe({ to: without.address, amount: 1n });
    for (let i = 0; i < 10; i++) await world.owe({ to: buyer.address, amount: 1_000_000n });
    for (let i = 0; i < 10; i++) await world.owe({ to: another.address, amount: 1_000_000n });
    await world.runUntilDone();
    expect([await world.tokens(buyer.address), await world.tokens(another.address)]).toEqual(['10', '10']);
  });

  test('an attempt that can never succeed does not count', async () => {
    limitTo({ PAYOUT_HOURLY_LIMIT: '1' });
    const [holder] = (await world.holders(1)) as [Wallet];
    await world.desk.send(world.distributor, {
      TransactionType: 'TicketCreate',
      Account: world.distributor.address,
      TicketCount: 5,
    });
    world.desk.close();
    await world.owe({ to: holder.address, amount: 1_000_000n });
    const ledger = { ...world.ctx.ledger, submit: () => Promise.reject(ledgerUnavailable('The connection broke')) };
    await world.run(testCtx({ db: world.database.db, overrides: { ledger } }));
    world.desk.close(LEDGERS_TO_LIVE + 5);
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('1');
  });

  test('concerns this account only', async () => {
    limitTo({ PAYOUT_HOURLY_LIMIT: '1' });
    const [holder] = (await world.holders(1)) as [Wallet];
    await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.owe({ kind: 'refund', to: holder.address, amount: 1_000_000n });
    await world.runUntilDone();
    expect(await statuses()).toEqual(['validated', 'validated']);
  });

  test('a large amount that does not fit into the hour’s XRP is not overtaken by the smaller ones of the next part', async () => {
    limitTo({ PAYOUT_HOURLY_XRP: '100' });
    const [holder] = (await world.holders(1)) as [Wallet];
    const owe = (amount: bigint) => world.owe({ kind: 'refund', to: holder.address, amount });
    const before: string[] = [];
    for (let i = 0; i < 49; i++) before.push(await owe(1_000_000n));
    const large = await owe(60_000_000n);
    const behind: string[] = [];
    for (let i = 0; i < 5; i++) behind.push(await owe(1_000_000n));
    for (const [index, id] of [...before, large, ...behind].entries()) {
      await changeRows(
        world.database.db,
        'payouts',
        { id },
        { nextCheckAt: sql`now() - interval '1 hour' + ${index} * interval '1 second'` },
      );
    }
    await world.runUntilDone();
    expect((await statuses()).filter((status) => status === 'validated')).toHaveLength(49);
    for (const id of [large, ...behind]) {
      expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'hourly_ceiling' });
    }
  });

  test('its XRP: what does not fit waits, what exceeds it alone is held, tokens are no XRP', async () => {
    limitTo({ PAYOUT_HOURLY_XRP: '10' });
    const [holder] = (await world.holders(1)) as [Wallet];
    const owe = (amount: bigint) => world.owe({ kind: 'refund', to: holder.address, amount });
    const paid = await owe(6_000_000n);
    await world.runUntilDone();
    const waits = await owe(5_000_000n);
    await changeRows(world.database.db, 'payouts', { id: waits }, { nextCheckAt: sql`now() - interval '1 minute'` });
    const behind = await owe(1_000_000n);
    const huge = await owe(10_000_001n);
    const tokens = await world.owe({ to: holder.address, amount: 10n ** 12n });
    await world.runUntilDone();
    expect((await world.payout(paid)).status).toBe('validated');
    expect(await world.payout(waits)).toMatchObject({ status: 'ready', reason: 'hourly_ceiling' });
    expect(await world.payout(behind)).toMatchObject({ status: 'ready', reason: 'hourly_ceiling' });
    expect(await world.payout(huge)).toMatchObject({ status: 'held', reason: 'above_hourly_ceiling' });
    expect((await world.payout(tokens)).status).toBe('validated');
    expect(await alerts()).toMatchObject([{ details: { limit_xrp: '10.000000' } }]);
    const told = await world.database.db
      .select({ destination: payoutAttempts.destination, drops: payoutAttempts.drops })
      .from(payoutAttempts)
      .where(inArray(payoutAttempts.payoutId, [paid, tokens]))
      .orderBy(desc(payoutAttempts.drops));
    expect(told).toEqual([
      { destination: (await world.payout(paid)).destination, drops: 6_000_000n },
      { destination: holder.address, drops: 0n },
    ]);

    await letPass(61);
    await world.runUntilDone();
    expect((await world.payout(waits)).status).toBe('validated');
  });

  test('is asked of the index alone, however much the account has paid before', async () => {
    const { db } = world.database;
    const id = await world.owe({ to: world.issuer.address, amount: 1n });
    await db.execute(sql`
      insert into ${payoutAttempts} (tx_hash, payout_id, attempt, account, tx_blob, ticket, fee_drops, first_ledger,
        last_ledger_sequence, status, created_at)
      select 'H' || n, ${id}, n, ${world.distributor.address}, repeat('0', 600), n, 12, 1, 20, 'validated',
        now() - n * interval '1 second'
      from generate_series(1, 50000) as n`);
    await db.execute(sql`vacuum analyze ${payoutAttempts}`);
    const plan = await db.execute<{ 'QUERY PLAN': string }>(sql`
      explain (analyze, costs off, timing off, summary off)
      select count(*) from ${countedBy(world.distributor.address)}`);
    const text = plan.rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(text).toMatch(/Index Only Scan/);
    expect(text).not.toMatch(/Rows Removed by Filter/);
  });
});
