import { and, asc, eq, sql } from 'drizzle-orm';
import { expect } from 'vitest';
import type { TrustSet, Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments, payments, projects } from '#drizzle/schema/sale.ts';
import { parseUnits } from '#lib/base/money.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { refundCancelledSales } from '#lib/sales/cancelled-refunds/refund-cancelled-sales.ts';
import { planDistributions } from '#lib/sales/plan-distributions.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { changeRows } from '#tests/support/rows.ts';
import { CURRENCY, type ProjectBody, type Sale, type Stage } from './stage.ts';

/** Rules that are set before the launch anchors them. */
export type Rules = Partial<
  Pick<typeof projects.$inferInsert, 'distribution' | 'softCapDrops' | 'vesting' | 'endsAt' | 'refundMinDrops'>
>;

/** A launched sale under the given rules. */
export async function launchedUnder(
  stage: Stage,
  rules: Rules,
  body: Partial<ProjectBody> = {},
  parties: Partial<Pick<Sale, 'deposit' | 'issuer'>> = {},
): Promise<Sale> {
  const sale = await stage.draft(body, parties);
  if (Object.keys(rules).length > 0) {
    await changeRows(stage.database.db, 'projects', { id: sale.project.id }, rules);
  }
  await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
  return sale;
}

const line = ({ issuer }: Sale, holder: Wallet): TrustSet => ({
  TransactionType: 'TrustSet',
  Account: holder.address,
  LimitAmount: { currency: CURRENCY, issuer: issuer.address, value: '1000000000' },
});

export async function trust(stage: Stage, sale: Sale, holder: Wallet): Promise<void> {
  await stage.desk.send(holder, line(sale, holder));
}

/** New accounts that can hold the sale's token. */
export async function holders(stage: Stage, sale: Sale, count: number): Promise<Wallet[]> {
  const wallets = await stage.desk.accounts(count);
  await stage.desk.write(...wallets.map((wallet): [Wallet, TrustSet] => [wallet, line(sale, wallet)]));
  return wallets;
}

/** Everything but reading the feed, as process-payments does it, for the accounts of one sale. */
export async function payBeat(stage: Stage, sale: Sale, ctx: TestCtx = stage.ctx): Promise<void> {
  const deadlineMs = ctx.clock.nowMs() + 60_000;
  await refundCancelledSales(ctx, deadlineMs);
  await planDistributions(ctx, deadlineMs);
  for (const { address } of [sale.issuer, sale.deposit]) await runPayouts(ctx, { account: address, deadlineMs });
}

export const beat = async (stage: Stage, sale: Sale): Promise<void> => {
  await stage.settle(sale.deposit);
  await payBeat(stage, sale);
};

/** Beats until nothing of the sale is under way or can still be paid now. */
export async function untilQuiet(stage: Stage, sale: Sale): Promise<void> {
  for (let beats = 0; beats < 60; beats++) {
    await beat(stage, sale);
    if ((await unrest(stage, sale)) === 0) return;
  }
  throw new Error('The sale is not quiet after 60 beats');
}

/** Payouts under way or payable now, and a cancelled sale that is not refunded. */
async function unrest(stage: Stage, { project }: Sale): Promise<number> {
  const { db } = stage.database;
  const moving = await db.$count(
    payouts,
    and(
      eq(payouts.projectId, project.id),
      sql`(${payouts.status} = 'submitted' or (${payouts.status} in ('scheduled', 'ready') and ${payouts.dueAt} <= now()))`,
    ),
  );
  const cancelled = await db.$count(
    projects,
    and(
      eq(projects.id, project.id),
      eq(projects.status, 'cancelled'),
      sql`${projects.cancellationCompletedAt} is null`,
    ),
  );
  return moving + cancelled;
}

/** What the ledger itself says that an account was sent by the sale: drops from the deposit account, units of its token. */
export async function sentTo(stage: Stage, sale: Sale, address: string): Promise<{ drops: bigint; units: bigint }> {
  const { result } = await stage.desk.client.request({
    command: 'account_tx',
    account: address,
    ledger_index_min: -1,
    ledger_index_max: -1,
    limit: 200,
  });
  let drops = 0n;
  let units = 0n;
  for (const { tx_json: transaction, meta } of result.transactions) {
    if (transaction?.TransactionType !== 'Payment' || transaction.Destination !== address) continue;
    if (typeof meta !== 'object' || meta.TransactionResult !== 'tesSUCCESS') continue;
    const delivered = 'delivered_amount' in meta ? meta.delivered_amount : undefined;
    if (transaction.Account === sale.deposit.address && typeof delivered === 'string') drops += BigInt(delivered);
    if (transaction.Account === sale.issuer.address && typeof delivered === 'object' && 'currency' in delivered) {
      units += parseUnits(delivered.value, 6) ?? 0n;
    }
  }
  return { drops, units };
}

export const investmentsOf = (stage: Stage, { project }: Sale) =>
  stage.database.db
    .select({ investment: investments, payment: payments })
    .from(investments)
    .innerJoin(payments, eq(payments.txHash, investments.txHash))
    .where(eq(investments.projectId, project.id))
    .orderBy(asc(payments.ledgerIndex), asc(payments.transactionIndex));

export const payoutsOf = (stage: Stage, { project }: Sale) =>
  stage.database.db
    .select()
    .from(payouts)
    .where(eq(payouts.projectId, project.id))
    .orderBy(asc(payouts.kind), asc(payouts.part), asc(payouts.id));

/** The books of a sale agree with themselves, whatever has happened. */
export async function expectRecordsAgree(stage: Stage, { project, deposit }: Sale): Promise<void> {
  const { db } = stage.database;
  const undecided = await db.$count(
    payments,
    and(eq(payments.account, deposit.address), eq(payments.outcome, 'pending')),
  );
  expect(undecided).toBe(0);
  const [sums] = (
    await db.execute<{ conserved: boolean; invested: boolean; refunds: boolean }>(sql`
    select bool_and(received_drops = invested_drops + refunded_drops + held_drops) as conserved,
      sum(invested_drops) filter (where project_id = ${project.id})
        = (select raised_drops - cancelled_drops from ${projects} where id = ${project.id}) as invested,
      sum(refunded_drops) filter (where project_id = ${project.id})
        = (select coalesce(sum(amount), 0) from ${payouts} where kind = 'refund' and project_id = ${project.id}) as refunds
    from ${payments} where account = ${deposit.address}`)
  ).rows;
  expect(sums).toEqual({ conserved: true, invested: true, refunds: true });
}
