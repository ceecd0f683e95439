import type { Wallet } from 'xrpl';
import type { payments } from '#drizzle/schema/sale.ts';
import { processTransactions } from '#lib/jobs/process-transactions.ts';
import { advanceAccount } from '#tests/integration/sales/advance-account.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { rowsOf } from '#tests/support/rows.ts';
import type { Sale, Stage } from './stage.ts';

/** The stage's ctx, but its servers' feeds leave these transactions out, as if they had lost them. */
export const forgetting = (stage: Stage, ...hashes: string[]): TestCtx => ({
  ...stage.ctx,
  ledger: {
    ...stage.ctx.ledger,
    async readFeed(request) {
      const page = await stage.ctx.ledger.readFeed(request);
      return { ...page, entries: page.entries.filter((entry) => !hashes.includes(entry.hash)) };
    },
  },
});

/** Reads and decides what is confirmable through a feed that leaves these transactions out. */
export async function advanceForgetting(stage: Stage, sale: Pick<Sale, 'deposit'>, ...hashes: string[]): Promise<void> {
  const ctx = forgetting(stage, ...hashes);
  await advanceAccount(ctx, {
    account: sale.deposit.address,
    server: await ctx.ledger.serverState(),
    deadlineMs: Number.POSITIVE_INFINITY,
    stillMine: async () => true,
  });
}

export const asked = { dry_run: false, reason: 'a payment was missed' };

/** A payment that was found only when its ledger was decided: it is held as a late discovery. Returns its hash. */
export async function lateDiscovery(
  stage: Stage,
  sale: Sale,
  from: Wallet,
  xrp: number,
  tag?: number | null,
): Promise<string> {
  const hash = await stage.pay(from, sale, xrp, tag);
  stage.desk.close(2);
  await advanceForgetting(stage, sale, hash);
  await processTransactions(stage.ctx, { ...asked, transaction_hashes: [hash] });
  return hash;
}

export async function paymentOf(stage: Stage, hash: string): Promise<typeof payments.$inferSelect> {
  const [row] = await rowsOf(stage.database.db, 'payments', { txHash: hash });
  if (row === undefined) throw new Error(`No payment ${hash}`);
  return row;
}
