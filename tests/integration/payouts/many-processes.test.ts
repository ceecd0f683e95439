import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { leases } from '#drizzle/schema/jobs.ts';
import { payoutAttempts } from '#drizzle/schema/payouts.ts';
import { testEnv } from '#tests/support/env.ts';
import { NETWORK_ID } from '../ledger/desk.ts';
import { openWorld, type World } from './world.ts';

const WORKER = path.resolve(import.meta.dirname, '../../support/run-payouts-worker.ts');
const OBLIGATIONS = 60;
/** Each process makes so many slices while ledgers close. */
const SLICES = 12;
const CLOSE_EVERY_MS = 100;

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.end());

type Worker = ChildProcessByStdio<Writable, Readable, null>;

async function startWorker(): Promise<{ worker: Worker; lines: AsyncIterator<string> }> {
  const keys = [world.distributor, world.deposit].map(({ address, seed }) => `${address}=ed25519:${seed}`);
  const settings = testEnv({
    POSTGRES_URL: world.database.url,
    POSTGRES_POOL_SIZE: '3',
    XRPL_URLS: world.desk.ledger.wsUrl,
    XRPL_NETWORK_ID: String(NETWORK_ID),
    SIGNING_KEYS: keys.join(','),
  });
  const worker = spawn(process.execPath, [WORKER, String(SLICES)], {
    env: { ...process.env, ...settings },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: worker.stdout })[Symbol.asyncIterator]();
  expect((await lines.next()).value).toBe('ready');
  return { worker, lines };
}

async function runToEnd({ worker, lines }: Awaited<ReturnType<typeof startWorker>>): Promise<number> {
  worker.stdin.end('go\n');
  const exit = once(worker, 'exit');
  let submitted = 0;
  for (let line = await lines.next(); !line.done; line = await lines.next()) {
    submitted += (JSON.parse(line.value) as { submitted: number }).submitted;
  }
  expect((await exit)[0]).toBe(0);
  return submitted;
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
  const workers = await Promise.all(Array.from({ length: processes }, startWorker));
  const timer = setInterval(() => {
    world.desk.close();
    void between();
  }, CLOSE_EVERY_MS);
  const submitted = await Promise.all(workers.map(runToEnd));
  clearInterval(timer);
  await world.runUntilDone();

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

test.each([2, 8])('%i processes at once pay each obligation once', (processes) =>
  payWith(processes, () => Promise.resolve()),
);

test('eight processes that lose their leases all the time pay each obligation once', () =>
  payWith(8, () => world.database.db.execute(sql`update ${leases} set leased_until = now()`)));
