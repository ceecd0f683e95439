import { Redis } from '@upstash/redis';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { payoutAttempts } from '#drizzle/schema/payouts.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { type TestCtx, testCtx } from '../../support/ctx.ts';
import { NETWORK_ID } from '../ledger/desk.ts';
import { openWorld, TOKEN, type World } from './world.ts';

const TOKEN_OF_REDIS = 'token-of-this-redis';

let server: RunningRedisRest;
let redis: Redis;
let world: World;
let ctx: TestCtx;
let holder: Wallet;
beforeAll(async () => {
  server = await startRedisRest({ token: TOKEN_OF_REDIS });
  redis = new Redis({ url: server.url, token: TOKEN_OF_REDIS, enableTelemetry: false, retry: false });
});
beforeEach(async () => {
  await redis.flushdb();
  world = await openWorld();
  ctx = testCtx({ db: world.database.db, overrides: { redis } });
  [holder] = (await world.holders(1)) as [Wallet];
});
afterEach(() => {
  server.faults.clear();
  return world.end();
});
afterAll(() => server.close());

const keyOf = (account: string, network = NETWORK_ID) => `payouts:last-signed:${network}:${account}`;
const noted = () => redis.hgetall<Record<string, string>>(keyOf(world.distributor.address));
/** Redis remembers this of the distributor, and the database does not know it. */
const remember = (notes: Record<string, string>) => redis.hset(keyOf(world.distributor.address), notes);
const owe = (amount = 1_000_000n) => world.owe({ to: holder.address, amount });

async function beat(): Promise<void> {
  await world.run(ctx);
  world.desk.close();
}
async function paid(amount = 1_000_000n): Promise<string> {
  const id = await owe(amount);
  for (let n = 0; n < 3; n++) await beat();
  const { status, txHash } = await world.payout(id);
  expect(status).toBe('validated');
  return txHash ?? '';
}
const alerts = async () =>
  (await world.database.db.select({ body: events.body }).from(events).where(eq(events.type, 'system.alert'))).map(
    ({ body }) => JSON.parse(body).data,
  );

test('what is signed is noted, under its network', async () => {
  const hash = await paid();
  expect(await noted()).toEqual({ signed: hash });
});

test('a note of another network stops nothing here', async () => {
  await redis.hset(keyOf(world.distributor.address, 1), { signed: 'A'.repeat(64) });
  await paid();
});

test('a note that was lost is made good before what was signed is handed in again', async () => {
  const before = await paid();
  const id = await owe();
  server.faults.inject({ kind: 'down', how: 'reset' });
  await world.run({ ...ctx, ledger: { ...ctx.ledger, submit: () => Promise.reject(new Error('not handed in')) } });
  server.faults.clear();
  expect(await noted()).toEqual({ signed: before });
  const [attempt] = await world.attempts(id);
  const notedThen: unknown[] = [];
  const submit: typeof ctx.ledger.submit = async (blob) => {
    notedThen.push(await noted());
    return ctx.ledger.submit(blob);
  };
  await world.run({ ...ctx, ledger: { ...ctx.ledger, submit } });
  expect(notedThen).toEqual([{ signed: attempt?.txHash }]);
});

test('while the database does not know what was signed last, what is due waits with that reason, and one alert a day says what to do', async () => {
  await paid();
  const unknown = 'B'.repeat(64);
  await remember({ signed: unknown });
  const id = await owe();
  for (let n = 0; n < 3; n++) {
    await world.checkAgain();
    await beat();
  }
  expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'database_behind' });
  expect(await world.attempts(id)).toEqual([]);
  expect(await alerts()).toEqual([
    expect.objectContaining({
      kind: 'database_behind',
      message: expect.stringContaining('Take SIGNING_KEYS away'),
      details: { account: world.distributor.address, transaction_hash: unknown },
    }),
  ]);

  await redis.del(keyOf(world.distributor.address));
  await world.checkAgain();
  for (let n = 0; n < 3; n++) await beat();
  expect((await world.payout(id)).status).toBe('validated');
});

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
async function settleByHand(id: string, transaction_hash: string): Promise<void> {
  await actOnPayout(ctx, { id, action: 'hold', reason: 'paid by hand' });
  await actOnPayout(ctx, { id, action: 'settle', reason: 'paid by hand', transaction_hash });
}

test('a settlement by hand is noted beside what was signed, and a database that does not know it signs nothing', async () => {
  const signed = await paid();
  const byHand = await owe(2_000_000n);
  const settled = await payByHand('2');
  await settleByHand(byHand, settled);
  expect(await noted()).toEqual({ signed, settled });
  // Known: it stops nothing, and a note of what is signed that is lost after it is made good all the same.
  server.faults.inject({ kind: 'down', how: 'reset' });
  const next = await owe(3_000_000n);
  await beat();
  server.faults.clear();
  const { status } = await world.payout(next);
  expect(status).toBe('submitted');
  await beat();
  const [attempt] = await world.attempts(next);
  expect(await noted()).toEqual({ signed: attempt?.txHash, settled });

  await remember({ settled: 'C'.repeat(64) });
  const unpaid = await owe(4_000_000n);
  await beat();
  expect(await world.payout(unpaid)).toMatchObject({ status: 'ready', reason: 'database_behind' });
});

test('to match one payment by hand does not stand for the others that the database does not know', async () => {
  const first = await owe(2_000_000n);
  const second = await owe(3_000_000n);
  const hash = await payByHand('3');
  await payByHand('2');
  await remember({ signed: hash });
  await settleByHand(second, hash);
  expect(await noted()).toEqual({ signed: hash, settled: hash });
  await beat();
  expect(await world.payout(first)).toMatchObject({ status: 'ready', reason: 'database_behind' });
  expect(await world.database.db.$count(payoutAttempts)).toBe(0);
});
