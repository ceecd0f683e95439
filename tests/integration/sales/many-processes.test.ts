import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Payment, Wallet } from 'xrpl';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { allocations, investments, payments, tiers } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { exportAllocations } from '#lib/sales/published/export-allocations.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import type { ServerState } from '#lib/xrpl/types.ts';
import { startQStash } from '#sandbox/qstash/index.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from '#tests/integration/xrpl/desk.ts';
import { bundle } from '#tests/support/bundle.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows } from '#tests/support/rows.ts';
import { addDepositAccount, addProject, ISSUER, PRICE_ONE, subscribeToAll, XRP } from '#tests/support/sale.ts';

const PAYMENTS = 500;
const PAYERS = 25;
const A_LEDGER = 100;
/** The payment that fills the first tier buys in the second one too. */
const PARTS_IN_TWO_TIERS = 1;
const PROCESSES = 8;
/** Each process loads the whole application by itself. */
const TIMEOUT_MS = 240_000;
const TAG = 4_711;
const WORKER = path.resolve(import.meta.dirname, '../../support/process-payments-worker.ts');

let folder: string;
let program: string;
let desk: LedgerDesk;
let database: FreshDatabase;
let other: FreshDatabase;
let deposit: Wallet;
let settings: Record<string, string | undefined>;
const open: { close(): Promise<void> }[] = [];

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tranche-test-'));
  program = await bundle(folder, WORKER);
  desk = await openDesk();
  database = await freshDatabase();
  other = await freshDatabase();
  [deposit] = (await desk.accounts(1, 100)) as [Wallet];
  desk.close();
  const given = testEnv();
  const qstash = await startQStash({
    token: given.QSTASH_TOKEN ?? '',
    currentSigningKey: given.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: given.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  open.push(qstash);
  settings = testEnv({
    // Nobody listens there: every run in this test is one that a process makes of its own accord.
    BASE_URL: 'http://127.0.0.1:9',
    POSTGRES_POOL_SIZE: '3',
    QSTASH_URL: qstash.url,
    XRPL_URLS: desk.ledger.wsUrl,
    XRPL_NETWORK_ID: String(NETWORK_ID),
  });
  applyEnv(settings);
  await seed();
});

afterAll(async () => {
  for (const server of open) await server.close();
  await Promise.all([database.close(), other.close()]);
  await desk.end();
  await rm(folder, { recursive: true });
});

async function seed(): Promise<void> {
  const ledger = openLedger({ urls: [desk.ledger.wsUrl], networkId: NETWORK_ID });
  const server = await ledger.serverState();
  await ledger.close();
  for (const { db } of [database, other]) await seedInto(db, server);
}

async function seedInto(db: Db, server: ServerState): Promise<void> {
  const { validatedIndex: ledger, validatedHash: ledgerHash } = server;
  await addDepositAccount(db, deposit.address, { networkId: NETWORK_ID, ledger, ledgerHash });
  await addProject(db, {
    id: 'proj_many',
    distributor: ISSUER,
    depositAddress: deposit.address,
    destinationTag: TAG,
    launchedAt: new Date(),
  });
  await addRows(db, 'tiers', [
    { projectId: 'proj_many', tier: 1, price: PRICE_ONE, totalUnits: 200n * XRP, openedAt: new Date() },
    { projectId: 'proj_many', tier: 2, price: PRICE_ONE, totalUnits: 10_000n * XRP },
  ]);
  await subscribeToAll(db);
}

async function payAll(): Promise<void> {
  const payers = await desk.accounts(PAYERS, 1_000);
  desk.close();
  const transactions = Array.from({ length: PAYMENTS }, (_, i): [Wallet, Payment] => {
    const payer = payers[i % PAYERS] as Wallet;
    return [
      payer,
      {
        TransactionType: 'Payment',
        Account: payer.address,
        Destination: deposit.address,
        DestinationTag: TAG,
        Amount: String(1_000_000 + i),
      },
    ];
  });
  for (let from = 0; from < PAYMENTS; from += A_LEDGER) await desk.write(...transactions.slice(from, from + A_LEDGER));
  desk.close();
  desk.close();
}

async function runWorker({ url }: FreshDatabase): Promise<{ recognised: number; confirmed: number; faults: string[] }> {
  const child = spawn(process.execPath, [program, '2'], {
    env: { ...process.env, ...settings, POSTGRES_URL: url },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  const [code] = await once(child, 'close');
  expect(code).toBe(0);
  const runs = output
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { recognised: number; confirmed: number; faults: string[] });
  return {
    recognised: runs.reduce((sum, run) => sum + run.recognised, 0),
    confirmed: runs.reduce((sum, run) => sum + run.confirmed, 0),
    faults: runs.flatMap((run) => run.faults),
  };
}

/** The published allocations, as anybody downloads them. */
async function exported(db: Db): Promise<string> {
  const { chunks } = await exportAllocations(testCtx({ db }), { id: 'proj_many', format: 'jsonl' });
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}

describe('process-payments in eight operating-system processes at once', { timeout: TIMEOUT_MS }, () => {
  it('gives each of 500 payments exactly one investment and one set of events', async () => {
    await payAll();
    const results = await Promise.all(Array.from({ length: PROCESSES }, () => runWorker(database)));
    const confirmed = () => results.reduce((sum, result) => sum + result.confirmed, 0);
    // Who finds another at a job leaves it to the next beat, and on a busy machine that may have been the last one.
    if (confirmed() < PAYMENTS) results.push(await runWorker(database));
    expect(results.flatMap((result) => result.faults)).toEqual([]);
    expect(results.reduce((sum, result) => sum + result.recognised, 0)).toBe(PAYMENTS);
    expect(confirmed()).toBe(PAYMENTS);

    const { db } = database;
    expect(await db.$count(payments)).toBe(PAYMENTS);
    expect(await db.$count(investments, eq(investments.status, 'confirmed'))).toBe(PAYMENTS);
    for (const type of ['investment.created', 'investment.confirmed']) {
      expect(await db.$count(events, eq(events.type, type))).toBe(PAYMENTS);
    }
    expect(await db.$count(events, eq(events.type, 'project.tier_completed'))).toBe(1);
    expect(await db.$count(deliveries)).toBe(await db.$count(events));
    const [sums] = await db.select({ units: sql<string>`sum(units)::text` }).from(allocations);
    const [sold] = await db.select({ units: sql<string>`sum(sold_units)::text` }).from(tiers);
    expect(sums).toEqual(sold);
  });

  it('gives the bytes that one process alone gives', async () => {
    expect(await runWorker(other)).toMatchObject({ confirmed: PAYMENTS, faults: [] });
    const one = await exported(other.db);
    expect(one.split('\n')).toHaveLength(PAYMENTS + PARTS_IN_TWO_TIERS + 1);
    expect(await exported(database.db)).toBe(one);
  });
});
