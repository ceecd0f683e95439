import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import type { TrustSet, Wallet } from 'xrpl';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { closeLedger } from '#lib/xrpl/lazy.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { addRows, rowsOf } from '#tests/support/rows.ts';
import { addDepositAccount, addProject } from '#tests/support/sale.ts';
import { type TestCtx, testCtx } from '../../support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database.ts';
import { testEnv } from '../../support/env.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from '../xrpl/desk.ts';

export const TOKEN = { currency: 'DMO', decimals: 6 };

/** The ledger of what investors paid, long before anything that a test does. */
const PAID_IN_LEDGER = 10;

/** A ledger with an issuer, a distributor that holds 1,000,000 tokens and a deposit account; a database with their sale. */
export interface World {
  desk: LedgerDesk;
  database: FreshDatabase;
  /** Its own, for what was signed last; `putKeysInForce` names it. */
  redis: RunningRedisRest;
  ctx: TestCtx;
  issuer: Wallet;
  distributor: Wallet;
  deposit: Wallet;
  projectId: string;
  /** Accounts with a trust line for 1,000,000 tokens. */
  holders(count: number): Promise<Wallet[]>;
  trust(holder: Wallet, limit?: string): Promise<void>;
  /** Owes tokens (units of 10^-6) or drops to an investor, as the sale does when it confirms. Returns the payout's id. */
  owe(input: { kind?: 'distribution' | 'refund'; to: string; amount: bigint; tag?: number | null }): Promise<string>;
  payout(id: string): Promise<typeof payouts.$inferSelect>;
  attempts(id: string): Promise<(typeof payoutAttempts.$inferSelect)[]>;
  /** A slice without a limit of time. */
  run(ctx?: TestCtx): ReturnType<typeof runPayouts>;
  /** Makes every payout that waits look at its holder again now. */
  checkAgain(): Promise<void>;
  /** Runs slices and closes ledgers until nothing is under way. */
  runUntilDone(): Promise<void>;
  /** Tokens that an account holds, as the ledger writes them. */
  tokens(address: string): Promise<string | null>;
  end(): Promise<void>;
}

/** Puts settings in force that name this ledger, this Redis and the keys of distributor and deposit account, after `first`. */
export function putKeysInForce(
  { desk, redis, distributor, deposit }: Pick<World, 'desk' | 'redis' | 'distributor' | 'deposit'>,
  first = '',
) {
  const keys = [distributor, deposit].map((wallet) => `${wallet.address}=ed25519:${wallet.seed}`).join(',');
  applyEnv(
    testEnv({
      KV_REST_API_URL: redis.url,
      XRPL_URLS: desk.ledger.wsUrl,
      XRPL_NETWORK_ID: String(NETWORK_ID),
      SIGNING_KEYS: first + keys,
    }),
  );
}

export async function openWorld(options: Parameters<typeof openDesk>[0] = {}): Promise<World> {
  const desk = await openDesk(options);
  const [issuer, distributor, deposit] = (await desk.accounts(3, 10_000)) as [Wallet, Wallet, Wallet];
  await desk.write([issuer, { TransactionType: 'AccountSet', Account: issuer.address, SetFlag: 8 }]);
  const limit = (value: string) => ({ currency: TOKEN.currency, issuer: issuer.address, value });
  const trusting = (holder: Wallet, value = '1000000'): [Wallet, TrustSet] => [
    holder,
    { TransactionType: 'TrustSet', Account: holder.address, LimitAmount: limit(value) },
  ];
  const trust = (holder: Wallet, value?: string) => desk.write(trusting(holder, value));
  await trust(distributor, '100000000');
  await desk.write([
    issuer,
    {
      TransactionType: 'Payment',
      Account: issuer.address,
      Destination: distributor.address,
      Amount: limit('1000000'),
    },
  ]);

  while (desk.close() <= PAID_IN_LEDGER);

  const redis = await startRedisRest({ token: testEnv().KV_REST_API_TOKEN ?? '' });
  putKeysInForce({ desk, redis, distributor, deposit });
  const database = await freshDatabase({ maxConnections: 8 });
  const { db } = database;
  const ctx = testCtx({ db });
  const projectId = newId('proj', randomBytes);
  await addDepositAccount(db, deposit.address, { networkId: NETWORK_ID });
  await addProject(db, {
    id: projectId,
    currency: TOKEN.currency,
    issuer: issuer.address,
    decimals: TOKEN.decimals,
    distributor: distributor.address,
    depositAddress: deposit.address,
  });
  let paid = 0;

  const world: World = {
    desk,
    database,
    redis,
    ctx,
    issuer,
    distributor,
    deposit,
    projectId,
    trust,
    async holders(count) {
      const wallets = await desk.accounts(count);
      await desk.write(...wallets.map((holder) => trusting(holder)));
      return wallets;
    },
    async owe({ kind = 'distribution', to, amount, tag = null }) {
      paid += 1;
      const txHash = randomBytes(32).toString('hex').toUpperCase();
      const investmentId = newId('inv', randomBytes);
      const now = new Date(Date.now() - 60_000);
      await addRows(db, 'payments', {
        txHash,
        account: deposit.address,
        ledgerIndex: PAID_IN_LEDGER,
        transactionIndex: paid,
        closedAt: now,
        sender: to,
        destinationTag: 77,
        sourceTag: tag,
        receivedDrops: amount,
        projectId,
        // Decided, as what has a payout is.
        ...(kind === 'refund'
          ? { outcome: 'refunded' as const, refundedDrops: amount }
          : { outcome: 'invested' as const, investedDrops: amount }),
      });
      await addRows(db, 'investments', {
        id: investmentId,
        txHash,
        projectId,
        investorAccount: to,
        amountDrops: amount,
        quoteTier: 1,
        quotePrice: 1n,
        quoteUnits: amount,
        paidAt: now,
      });
      const id = newId('pay', randomBytes);
      await addRows(db, 'payouts', {
        id,
        kind,
        projectId,
        investmentId,
        paymentHash: txHash,
        account: kind === 'refund' ? deposit.address : distributor.address,
        destination: to,
        destinationTag: tag,
        amount,
        dueAt: now,
      });
      return id;
    },
    async payout(id) {
      const [row] = await rowsOf(db, 'payouts', { id });
      return row!;
    },
    attempts: (id) =>
      db.select().from(payoutAttempts).where(eq(payoutAttempts.payoutId, id)).orderBy(payoutAttempts.attempt),
    run: (runCtx = ctx) => runPayouts(runCtx, { deadlineMs: runCtx.clock.nowMs() + 60_000 }),
    async checkAgain() {
      await db.execute(sql`update ${payouts} set next_check_at = now() where status <> 'validated'`);
    },
    async runUntilDone() {
      for (let slices = 0; slices < 60; slices++) {
        if (!(await world.run()).remaining) return;
        desk.close();
      }
      throw new Error('Payouts are still under way after 60 slices');
    },
    async tokens(address) {
      return (await ctx.ledger.trustLine(address, issuer.address, TOKEN.currency))?.balance ?? null;
    },
    async end() {
      await closeLedger();
      await database.close();
      await redis.close();
      await desk.end();
    },
  };
  return world;
}
