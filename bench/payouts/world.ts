import { randomBytes } from 'node:crypto';
import { Redis } from '@upstash/redis';
import { AccountSetAsfFlags, Client, type SubmittableTransaction, Wallet } from 'xrpl';
import { GENESIS_SEED } from 'xrpl-sandbox/index.ts';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, investments, payments, projects } from '#drizzle/schema/sale.ts';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { logger } from '#lib/base/log.ts';
import type { Ctx } from '#lib/ctx.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { startPostgres } from '#sandbox/postgres/index.ts';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { testEnv } from '#tests/support/env.ts';
import { NETWORK_ID, spawnLedger } from '../spawn-ledger.ts';

const CURRENCY = 'DMO';
const HOLDERS = 25;
const PROJECT = 'proj_bench';

export interface World {
  ctx: Ctx;
  database: Database;
  client: Client;
  distributor: Wallet;
  holders: readonly Wallet[];
  token(value: string): { currency: string; issuer: string; value: string };
  /** Signs, submits and closes the ledger. */
  send(wallet: Wallet, transaction: SubmittableTransaction): Promise<void>;
  accept(): Promise<void>;
  /** Owes that many distributions of one token each, to the holders in turn. */
  owe(count: number): Promise<void>;
  end(): Promise<void>;
}

/** A ledger and a database of their own, and a sale whose distributor holds tokens enough for everybody. */
export async function openWorld(): Promise<World> {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase('payouts');
  await migrateDatabase(url);
  const { wsUrl, child } = await spawnLedger();
  const client = new Client(wsUrl);
  await client.connect();
  const accept = async (): Promise<void> => {
    await client.request({ command: 'ledger_accept' } as never);
  };
  const submit = async (wallet: Wallet, transaction: SubmittableTransaction): Promise<void> => {
    const { tx_blob: blob } = wallet.sign(await client.autofill(transaction));
    const { result } = await client.request({ command: 'submit', tx_blob: blob });
    if (result.engine_result !== 'tesSUCCESS')
      throw new Error(`${transaction.TransactionType}: ${result.engine_result}`);
  };
  const send: World['send'] = async (wallet, transaction) => {
    await submit(wallet, transaction);
    await accept();
  };

  const genesis = Wallet.fromSeed(GENESIS_SEED);
  const wallets = Array.from({ length: 3 + HOLDERS }, () => Wallet.generate());
  const [issuer, distributor, deposit, ...holders] = wallets as [Wallet, Wallet, Wallet, ...Wallet[]];
  for (const { address } of wallets) {
    const Amount = '10000000000';
    await submit(genesis, { TransactionType: 'Payment', Account: genesis.address, Destination: address, Amount });
  }
  await accept();
  await send(issuer, {
    TransactionType: 'AccountSet',
    Account: issuer.address,
    SetFlag: AccountSetAsfFlags.asfDefaultRipple,
  });
  const token = (value: string) => ({ currency: CURRENCY, issuer: issuer.address, value });
  for (const wallet of [distributor, ...holders]) {
    await submit(wallet, { TransactionType: 'TrustSet', Account: wallet.address, LimitAmount: token('1000000000') });
  }
  await accept();
  await send(issuer, {
    TransactionType: 'Payment',
    Account: issuer.address,
    Destination: distributor.address,
    Amount: token('1000000'),
  });

  applyEnv(
    testEnv({
      POSTGRES_URL: url,
      XRPL_URLS: wsUrl,
      XRPL_NETWORK_ID: String(NETWORK_ID),
      SIGNING_KEYS: `${distributor.address}=ed25519:${distributor.seed}`,
    }),
  );
  const database = await openDatabase(url, 5);
  const { db } = database;
  await db.insert(depositAccounts).values({
    address: deposit.address,
    networkId: NETWORK_ID,
    registeredLedger: 1,
    cursorLedger: 1,
    cursorHash: '0'.repeat(64),
    confirmedLedger: 1,
    refundMinDrops: 1_000n,
  });
  await db.insert(projects).values({
    id: PROJECT,
    name: 'Sale',
    slug: 'sale',
    status: 'active',
    tokenKind: 'iou',
    currency: CURRENCY,
    issuer: issuer.address,
    decimals: 6,
    distributor: distributor.address,
    depositAddress: deposit.address,
    destinationTag: 77,
    refundMinDrops: 1_000n,
    vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
  });
  const notes = await startRedisRest({ token: testEnv().KV_REST_API_TOKEN ?? '' });
  const ledger = openLedger({ urls: [wsUrl], networkId: NETWORK_ID });
  const ctx: Ctx = {
    db,
    redis: new Redis({
      url: notes.url,
      token: testEnv().KV_REST_API_TOKEN ?? '',
      enableTelemetry: false,
      retry: false,
    }),
    get queue(): never {
      throw new Error('Paying out needs no queue');
    },
    ledger,
    clock: { nowMs: Date.now },
    random: randomBytes,
    actor: { kind: 'system' },
    requestId: newId('req', randomBytes),
    log: logger(),
  };
  let owed = 0;
  return {
    ctx,
    database,
    client,
    distributor,
    holders,
    token,
    send,
    accept,
    async owe(count) {
      const paidAt = new Date(Date.now() - 60_000);
      const rows = Array.from({ length: count }, () => {
        owed += 1;
        return { number: owed, hash: owed.toString(16).padStart(64, 'A'), to: holders[owed % HOLDERS]?.address ?? '' };
      });
      await db.insert(payments).values(
        rows.map(({ number, hash, to }) => ({
          txHash: hash,
          account: deposit.address,
          ledgerIndex: 10,
          transactionIndex: number,
          closedAt: paidAt,
          sender: to,
          receivedDrops: 1_000_000n,
          projectId: PROJECT,
        })),
      );
      await db.insert(investments).values(
        rows.map(({ number, hash, to }) => ({
          id: `inv_${number}`,
          txHash: hash,
          projectId: PROJECT,
          investorAccount: to,
          amountDrops: 1_000_000n,
          quoteTier: 1,
          quotePrice: 1n,
          quoteUnits: 1_000_000n,
          paidAt,
        })),
      );
      await db.insert(payouts).values(
        rows.map(({ number, hash, to }) => ({
          id: `pay_${number}`,
          kind: 'distribution' as const,
          projectId: PROJECT,
          investmentId: `inv_${number}`,
          paymentHash: hash,
          account: distributor.address,
          destination: to,
          amount: 1_000_000n,
          dueAt: paidAt,
        })),
      );
    },
    async end() {
      await ledger.close();
      await database.close();
      await client.disconnect();
      child.kill();
      await notes.close();
      await postgres.close();
    },
  };
}
