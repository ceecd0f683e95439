import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { count, ne, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { leases } from '#drizzle/schema/jobs.ts';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { bundle } from '#tests/support/bundle.ts';
import { testEnv } from '#tests/support/env.ts';
import type { PayoutsTask } from '#tests/support/run-payouts-worker.ts';
import { NETWORK_ID } from '../xrpl/desk.ts';
import { openWorld, type World } from './world.ts';

const WORKER = path.resolve(import.meta.dirname, '../../support/run-payouts-worker.ts');
const OBLIGATIONS = 60;
const MOST_PROCESSES = 8;
/** Each process loads the whole application by itself. */
const START_TIMEOUT_MS = 240_000;
/** Each process makes so many slices while ledgers close. */
const SLICES = 12;
const CLOSE_EVERY_MS = 100;

interface Worker {
  child: ChildProcessByStdio<Writable, Readable, null>;
  lines: AsyncIterator<string>;
}

let folder: string;
let workers: Worker[];
let world: World;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tranche-test-'));
  const program = await bundle(folder, WORKER);
  workers = await Promise.all(Array.from({ length: MOST_PROCESSES }, () => startWorker(program)));
}, START_TIMEOUT_MS);
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.end());
afterAll(async () => {
  const exits = workers.map(({ child }) => once(child, 'exit'));
  for (const { child } of workers) child.stdin.end();
  expect((await Promise.all(exits)).map(([code]) => code)).toEqual(workers.map(() => 0));
  await rm(folder, { recursive: true });
});

async function startWorker(program: string): Promise<Worker> {
  const child = spawn(process.execPath, [program], {
    env: { ...process.env, ...testEnv() },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return { child, lines };
}

/** Has a process connect to this test's ledger and database, and wait there. */
async function connect({ child, lines }: Worker): Promise<void> {
  const keys = [world.distributor, world.deposit].map(({ address, seed }) => `${address}=ed25519:${seed}`);
  const settings = testEnv({
    POSTGRES_URL: world.database.url,
    POSTGRES_POOL_SIZE: '3',
    KV_REST_API_URL: world.redis.url,
    XRPL_URLS: world.desk.ledger.wsUrl,
    XRPL_NETWORK_ID: String(NETWORK_ID),
    SIGNING_KEYS: keys.join(','),
  });
  child.stdin.write(`${JSON.stringify({ settings, slices: SLICES } satisfies PayoutsTask)}\n`);
  expect((await lines.next()).value).toBe('connected');
}

/** Has a connected process pay; gives how many payments it submitted. */
async function runToEnd({ child, lines }: Worker): Promise<number> {
  child.stdin.write('go\n');
  const submitted = Number((await lines.next()).value);
  expect(submitted).not.toBeNaN();
  return submitted;
}

/** Why what is not paid yet is put off. */
async function putOff() {
  const { db } = world.database;
  return db
    .select({ status: payouts.status, reason: payouts.reason, count: count() })
    .from(payouts)
    .where(ne(payouts.status, 'validated'))
    .groupBy(payouts.status, payouts.reason);
}

/** Amounts that the two payers paid out, as the ledger shows them, ascending. */
async function paidAmounts(): Promise<bigint[]> {
  const amounts: bigint[] = [];
  for (const { address } of [world.distributor, world.deposit]) {
    const { result } = await world.desk.client.request({ command: 'account_tx', account: address, limit: 200 });
    for (const { tx_json: tx, meta } of result.transactions) {
      if (tx?.TransactionType !== 'Payment' || tx.Account !== address || typeof meta !== 'object') continue;
      const delivered = meta.delivered_amount;
      if (meta.TransactionResult !== 'tesSUCCESS' || delivered === undefined) continue;
      amounts.push(typeof delivered === 'string' ? BigInt(delivered) : BigInt(delivered.value) * 1_000_000n);
    }
  }
  return amounts.sort((a, b) => (a < b ? -1 : 1));
}

async function payWith(processes: number, between: () => Promise<unknown>): Promise<void> {
  const holders = (await world.holders(6)) as [Wallet, ...Wallet[]];
  const owed: bigint[] = [];
  for (let number = 1; number <= OBLIGATIONS; number++) {
    const to = (holders[number % holders.length] ?? holders[0]).address;
    // Whole tokens, each amount once, so that a payment shows what it paid.
    const amount = BigInt(number) * 1_000_000n;
    await world.owe({ kind: number % 3 === 0 ? 'refund' : 'distribution', to, amount });
    owed.push(amount);
  }
  // What loads and connects meanwhile would come late: all begin at one word.
  const hired = workers.slice(0, processes);
  await Promise.all(hired.map(connect));
  const timer = setInterval(() => {
    world.desk.close();
    void between();
  }, CLOSE_EVERY_MS);
  const submitted = await Promise.all(hired.map(runToEnd));
  clearInterval(timer);
  await world.runUntilDone();
  expect(await putOff()).toEqual([]);

  expect(submitted.reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0);
  expect(await paidAmounts()).toEqual(owed);
  const { db } = world.database;
  const reported = await db.select({ type: events.type, body: events.body }).from(events);
  const subjects = reported.map(({ body }) => (JSON.parse(body) as { data: { payout_id: string } }).data.payout_id);
  expect(new Set(subjects).size).toBe(OBLIGATIONS);
  expect(subjects).toHaveLength(OBLIGATIONS);
  const [attempts] = await db
    .select({ open: sql<number>`(count(*) filter (where ${payoutAttempts.status} = 'open'))::int` })
    .from(payoutAttempts);
  expect(attempts?.open).toBe(0);
}

test.each([2, MOST_PROCESSES])('%i processes at once pay each obligation once', (processes) =>
  payWith(processes, () => Promise.resolve()),
);

test('eight processes that lose their leases all the time pay each obligation once', () =>
  payWith(MOST_PROCESSES, () => world.database.db.execute(sql`update ${leases} set leased_until = now()`)));
