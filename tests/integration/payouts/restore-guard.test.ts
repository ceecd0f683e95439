import { Redis } from '@upstash/redis';
import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { auditEntries } from '#drizzle/schema/access.ts';
import { events } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { type TestCtx, testCtx } from '../../support/ctx.ts';
import { takeSnapshot } from '../operations/snapshot.ts';
import { NETWORK_ID } from '../xrpl/desk.ts';
import { openWorld, TOKEN, type World } from './world.ts';

const TOKEN_OF_REDIS = 'token-of-this-redis';

let server: RunningRedisRest;
let redis: Redis;
let world: World;
let ctx: TestCtx;
let holder: Wallet;
let opened: (() => Promise<unknown>)[];
beforeAll(async () => {
  server = await startRedisRest({ token: TOKEN_OF_REDIS });
  redis = new Redis({ url: server.url, token: TOKEN_OF_REDIS, enableTelemetry: false, retry: false });
});
beforeEach(async () => {
  opened = [];
  await redis.flushdb();
  world = await openWorld();
  ctx = testCtx({ db: world.database.db, overrides: { redis } });
  [holder] = (await world.holders(1)) as [Wallet];
});
afterEach(async () => {
  server.faults.clear();
  for (const close of opened) await close();
  await world.end();
});
afterAll(() => server.close());

const keyOf = (network = NETWORK_ID) => `payouts:last-signed:${network}`;
const noted = () => redis.hgetall<Record<string, string>>(keyOf());
/** The fields of the distributor. */
const fields = () => ({
  signed: `signed:${world.distributor.address}`,
  settled: `settled:${world.distributor.address}`,
});
const owe = (amount = 1_000_000n) => world.owe({ to: holder.address, amount });
const held = () => world.tokens(holder.address);

async function beat(of: TestCtx = ctx): Promise<void> {
  await world.run(of);
  world.desk.close();
}
async function beats(of: TestCtx = ctx, count = 3): Promise<void> {
  for (let n = 0; n < count; n++) {
    await of.db.execute(sql`update payouts set next_check_at = now() where status <> 'validated'`);
    await beat(of);
  }
}
async function paid(amount = 1_000_000n): Promise<string> {
  const id = await owe(amount);
  await beats();
  const { status, txHash } = await world.payout(id);
  expect(status).toBe('validated');
  return txHash ?? '';
}
const alerts = async () =>
  (await world.database.db.select({ body: events.body }).from(events).where(eq(events.type, 'system.alert'))).map(
    ({ body }) => JSON.parse(body).data,
  );
const payoutsOf = async ({ db }: TestCtx) =>
  (await db.select().from(payouts).orderBy(payouts.amount)).map(({ status, reason }) => [status, reason]);
const BEHIND = ['ready', 'database_behind'];
const PAID = ['validated', null];

/** A backup of the database as it is now; each restoration is a database of its own, over the same Redis and ledger. */
async function backup(): Promise<() => Promise<TestCtx>> {
  const snapshot = await takeSnapshot(world.database.url);
  opened.push(() => snapshot.remove());
  return async () => {
    const restored = await snapshot.restore();
    opened.push(() => restored.close());
    return testCtx({ db: restored.db, overrides: { redis } });
  };
}

/** Somebody pays the holder with the distributor's key, outside the platform. */
async function payByHand(amount: string): Promise<string> {
  const value = { currency: TOKEN.currency, issuer: world.issuer.address, value: amount };
  const hash = await world.desk.send(world.distributor, {
    TransactionType: 'Payment',
    Account: world.distributor.address,
    Destination: holder.address,
    Amount: value,
  });
  world.desk.close();
  return hash;
}
/** An operator settles a payout by that payment. Gives the entry of the audit log. */
async function settleByHand(of: TestCtx, id: string, transaction_hash: string): Promise<string> {
  await actOnPayout(of, { id, action: 'hold', reason: 'paid by hand' });
  await actOnPayout(of, { id, action: 'settle', reason: 'paid by hand', transaction_hash });
  const [entry] = await of.db.select().from(auditEntries).orderBy(desc(auditEntries.createdAt)).limit(1);
  return entry?.id ?? '';
}

/** A ctx whose ledger takes nothing: the process dies before it hands anything in. */
const dyingBeforeSubmission = (of: TestCtx): TestCtx => ({
  ...of,
  ledger: { ...of.ledger, submit: () => Promise.reject(new Error('died')) },
});

test('what is signed is noted, under its network and account', async () => {
  const hash = await paid();
  expect(await noted()).toEqual({ [fields().signed]: hash });
});

test('a note of another network stops nothing here', async () => {
  await redis.hset(keyOf(1), { [fields().signed]: 'A'.repeat(64) });
  await paid();
});

test('a note that was lost is made good before what was signed is handed in again', async () => {
  const before = await paid();
  const id = await owe();
  server.faults.inject({ kind: 'down', how: 'reset' });
  await world.run(dyingBeforeSubmission(ctx));
  server.faults.clear();
  expect(await noted()).toEqual({ [fields().signed]: before });
  const [attempt] = await world.attempts(id);
  const notedThen: unknown[] = [];
  const submit: typeof ctx.ledger.submit = async (blob) => {
    notedThen.push(await noted());
    return ctx.ledger.submit(blob);
  };
  await world.run({ ...ctx, ledger: { ...ctx.ledger, submit } });
  expect(notedThen).toEqual([{ [fields().signed]: attempt?.txHash }]);
});

test('notes that were lost are made good by the scheduler’s next call, although nothing is to be paid any more', async () => {
  await paid();
  server.faults.inject({ kind: 'down', how: 'reset' });
  const hash = await paid(2_000_000n);
  const byHand = await owe(3_000_000n);
  const entry = await settleByHand(ctx, byHand, await payByHand('3'));
  server.faults.clear();
  await processPayments(ctx, { isScheduled: true });
  expect(await noted()).toEqual({ [fields().signed]: hash, [fields().settled]: entry });
});

test.each(['the account', 'another account'])(
  'while the database does not know what was signed last for %s, what is due waits with that reason, and one alert a day says what to do',
  async (whose) => {
    await paid();
    const account = whose === 'the account' ? world.distributor.address : holder.address;
    const remembered = 'B'.repeat(64);
    await redis.hset(keyOf(), { [`signed:${account}`]: remembered });
    const id = await owe();
    const refund = await world.owe({ kind: 'refund', to: holder.address, amount: 5_000_000n });
    await beats();
    for (const waiting of [id, refund]) {
      expect(await world.payout(waiting)).toMatchObject({ status: 'ready', reason: 'database_behind' });
      expect(await world.attempts(waiting)).toEqual([]);
    }
    expect(await alerts()).toEqual([
      expect.objectContaining({
        kind: 'database_behind',
        message: expect.stringContaining('Take SIGNING_KEYS away'),
        details: { account, remembered },
      }),
    ]);

    await redis.del(keyOf());
    await beats();
    expect((await world.payout(id)).status).toBe('validated');
    expect((await world.payout(refund)).status).toBe('validated');
  },
);

test('that the database is behind is said before anything is due', async () => {
  const unknown = { account: world.distributor.address, remembered: 'D'.repeat(64) };
  await redis.hset(keyOf(), { [fields().signed]: unknown.remembered });
  for (let n = 0; n < 2; n++) await processPayments(ctx, { isScheduled: true });
  expect(await alerts()).toEqual([expect.objectContaining({ kind: 'database_behind', details: unknown })]);
});

test('a settlement by hand is noted beside what was signed, and a database that does not know it signs nothing', async () => {
  const signed = await paid();
  const byHand = await owe(2_000_000n);
  const entry = await settleByHand(ctx, byHand, await payByHand('2'));
  expect(await noted()).toEqual({ [fields().signed]: signed, [fields().settled]: entry });
  const next = await paid(3_000_000n);
  expect(await noted()).toEqual({ [fields().signed]: next, [fields().settled]: entry });

  await redis.hset(keyOf(), { [fields().settled]: 'aud_unknown' });
  const unpaid = await owe(4_000_000n);
  await beat();
  expect(await world.payout(unpaid)).toMatchObject({ status: 'ready', reason: 'database_behind' });
});

test('to match the last settlement again does not stand for those before it', async () => {
  await paid();
  const [first, second] = [await owe(2_000_000n), await owe(3_000_000n)];
  const restore = await backup();
  const [ofSecond, ofFirst] = [await payByHand('3'), await payByHand('2')];
  await settleByHand(ctx, first, ofFirst);
  await settleByHand(ctx, second, ofSecond);
  const restored = await restore();
  await settleByHand(restored, second, ofSecond);
  await beats(restored);
  expect(await payoutsOf(restored)).toEqual([PAID, BEHIND, PAID]);
  expect(await held()).toBe('6');
});

test('when Redis fails for a moment, a restored database neither pays nor overwrites what is remembered', async () => {
  await paid();
  await owe(2_000_000n);
  const restore = await backup();
  await beats();
  const before = await noted();
  const restored = await restore();
  for (let n = 0; n < 6; n++) {
    server.faults.inject({ kind: 'refuse', command: 'HGETALL', count: 1 });
    await beats(restored, 2);
  }
  expect(await held()).toBe('3');
  expect(await noted()).toEqual(before);
});

test('a database that loses its last commits beneath a slice pays none of them again', async () => {
  const count = 60;
  for (let n = 0; n < count; n++) await owe();
  // Tickets for all of them first.
  await beat();
  const restore = await backup();
  let { db } = ctx;
  let submissions = 0;
  const submit: typeof ctx.ledger.submit = async (blob) => {
    const answer = await ctx.ledger.submit(blob);
    submissions += 1;
    // The whole first batch is on its way.
    if (submissions === 50) {
      ({ db } = await restore());
      world.desk.close(2);
    }
    return answer;
  };
  const failingOver = { ...ctx, ledger: { ...ctx.ledger, submit } };
  Object.defineProperty(failingOver, 'db', { get: () => db });
  await world.run(failingOver);
  world.desk.close();
  await beats(testCtx({ db, overrides: { redis } }), 4);
  expect(submissions).toBe(50);
  expect(await held()).toBe('50');
});

test('a backup that is restored a second time pays nothing of what was matched after the first', async () => {
  await paid();
  const id = await owe(2_000_000n);
  const restore = await backup();
  await beats();
  const { txHash } = await world.payout(id);
  const first = await restore();
  await settleByHand(first, id, txHash ?? '');
  await redis.del(keyOf());
  await processPayments(first, { isScheduled: true });
  const second = await restore();
  await beats(second);
  expect(await payoutsOf(second)).toEqual([PAID, BEHIND]);
  expect(await held()).toBe('3');
});

test('what another database has paid since the look before signing is not paid by this one', async () => {
  await paid();
  await owe(2_000_000n);
  const restored = await (await backup())();
  let otherHasPaid = false;
  const tickets: typeof ctx.ledger.tickets = async (account) => {
    if (!otherHasPaid) {
      otherHasPaid = true;
      await beats();
    }
    return ctx.ledger.tickets(account);
  };
  await world.run({ ...restored, ledger: { ...restored.ledger, tickets } });
  await beats(restored, 2);
  expect(await held()).toBe('3');
  // Until it can never succeed any more.
  world.desk.close(30);
  await beats(restored);
  expect(await payoutsOf(restored)).toEqual([PAID, BEHIND]);
});

test('what a database had signed and not handed in is not handed in after another one has paid', async () => {
  await paid();
  const first = await owe(2_000_000n);
  await owe(3_000_000n);
  await ctx.db.execute(sql`update payouts set next_check_at = now() - interval '1 hour' where id = ${first}`);
  const restored = await (await backup())();
  server.faults.inject({ kind: 'refuse', command: 'HSET', count: 1 });
  await world.run(dyingBeforeSubmission(restored));
  // In another order, and so with other tickets.
  await actOnPayout(ctx, { id: first, action: 'hold', reason: 'a look first' });
  await beats();
  await beats(restored, 2);
  expect(await held()).toBe('4');
});

test('what was kept back because another one has paid stays back when Redis fails for a moment after it', async () => {
  await paid();
  await owe(2_000_000n);
  const restored = await (await backup())();
  await beats();
  const before = await noted();
  // The look before signing fails, and the one after it does not.
  server.faults.inject({ kind: 'refuse', command: 'HGETALL', count: 1 });
  await beats(restored, 1);
  for (let n = 0; n < 4; n++) {
    server.faults.inject({ kind: 'refuse', command: 'HGETALL', count: 1 });
    await beats(restored, 1);
  }
  expect(await held()).toBe('3');
  expect(await noted()).toEqual(before);
});

test('while Redis is away what was handed in is handed in again, and what never was is signed anew', async () => {
  const id = await owe();
  await beat();
  server.faults.inject({ kind: 'down', how: 'reset' });
  await world.run(dyingBeforeSubmission(ctx));
  for (let n = 0; n < 4 && (await world.payout(id)).status !== 'validated'; n++) {
    world.desk.close(25);
    await beats();
  }
  expect((await world.payout(id)).status).toBe('validated');
  expect(await held()).toBe('1');
});
