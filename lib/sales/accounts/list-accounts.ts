import { and, asc, eq, gt, inArray, notInArray, sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { accountChanges, type DepositAccountRow, depositAccounts, payments } from '#drizzle/schema/sale.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { AccountResource } from './contracts.ts';

/** Deposit accounts by address. */
export async function listAccounts(
  ctx: Ctx,
  input: { cursor?: string | undefined; limit: number },
): Promise<{ accounts: AccountResource[]; next_cursor: string | null }> {
  const rows = await ctx.db
    .select()
    .from(depositAccounts)
    .where(input.cursor === undefined ? undefined : gt(depositAccounts.address, input.cursor))
    .orderBy(asc(depositAccounts.address))
    .limit(input.limit + 1);
  const page = rows.slice(0, input.limit);
  return {
    accounts: await loadAccountResources(ctx, page),
    next_cursor: rows.length > input.limit ? (page.at(-1)?.address ?? null) : null,
  };
}

/** Resources for rows already read, in their order: three sums and one question to the ledger for any number. */
export async function loadAccountResources(ctx: Ctx, rows: readonly DepositAccountRow[]): Promise<AccountResource[]> {
  if (rows.length === 0) return [];
  const addresses = rows.map((row) => row.address);
  const [validatedIndex, heldRows, owedRows, feeRows] = await Promise.all([
    readValidatedIndex(ctx),
    ctx.db
      .select({ account: payments.account, drops: sql<string>`sum(${payments.heldDrops})::text` })
      .from(payments)
      .where(and(sql`${payments.heldDrops} > 0`, inArray(payments.account, addresses)))
      .groupBy(payments.account),
    ctx.db
      .select({ account: payouts.account, drops: sql<string>`sum(${payouts.amount})::text` })
      .from(payouts)
      .where(
        and(
          eq(payouts.kind, 'refund'),
          notInArray(payouts.status, ['validated', 'cancelled']),
          inArray(payouts.account, addresses),
        ),
      )
      .groupBy(payouts.account),
    ctx.db
      .select({
        account: accountChanges.account,
        drops: sql<string>`sum(${accountChanges.feeDrops})::text`,
        payoutDrops: sql<string>`coalesce(sum(${accountChanges.feeDrops}) filter (where exists (
          select from ${payoutAttempts} as a where a.tx_hash = ${accountChanges}.tx_hash)), 0)::text`,
      })
      .from(accountChanges)
      .where(inArray(accountChanges.account, addresses))
      .groupBy(accountChanges.account),
  ]);
  const heldOf = new Map(heldRows.map((row) => [row.account, BigInt(row.drops)]));
  const owedOf = new Map(owedRows.map((row) => [row.account, BigInt(row.drops)]));
  const feesOf = new Map(feeRows.map((row) => [row.account, row]));
  return rows.map((row) => ({
    address: row.address,
    network_id: row.networkId,
    halted: row.halted,
    registered_ledger: row.registeredLedger,
    cursor_ledger: row.cursorLedger,
    confirmed_ledger: row.confirmedLedger,
    validated_ledger: validatedIndex,
    lag: validatedIndex === null ? null : Math.max(0, validatedIndex - row.cursorLedger),
    recorded_balance_xrp: row.recordedBalanceDrops === null ? null : formatDrops(row.recordedBalanceDrops),
    difference_xrp: formatDrops(row.differenceDrops),
    reconciled_ledger: row.reconciledLedger,
    held_xrp: formatDrops(heldOf.get(row.address) ?? 0n),
    unpaid_refunds_xrp: formatDrops(owedOf.get(row.address) ?? 0n),
    fees_xrp: formatDrops(BigInt(feesOf.get(row.address)?.drops ?? 0)),
    custody: row.custody,
    payout_fees_xrp: formatDrops(BigInt(feesOf.get(row.address)?.payoutDrops ?? 0)),
  }));
}

/** Null when no server answers: an operator must see and halt accounts all the more then. */
async function readValidatedIndex(ctx: Ctx): Promise<number | null> {
  try {
    return (await ctx.ledger.serverState()).validatedIndex;
  } catch (err) {
    ctx.log.warn({ err }, 'the newest validated ledger is not known');
    return null;
  }
}
