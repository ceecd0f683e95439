import { asc, inArray } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { allocations, type investments, type payments } from '#drizzle/schema/sale.ts';
import { toIsoOrNull } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops, formatPrice, formatUnits } from '#lib/base/money.ts';
import type { InvestmentResource } from '../schemas.ts';

/** An investment with the payment it came from and its project's precision. */
export interface InvestmentRow {
  investment: typeof investments.$inferSelect;
  payment: Pick<
    typeof payments.$inferSelect,
    'ledgerIndex' | 'destinationTag' | 'reason' | 'investedDrops' | 'refundedDrops' | 'heldDrops'
  >;
  decimals: number;
}

type AllocationRow = typeof allocations.$inferSelect;
type PayoutRow = typeof payouts.$inferSelect;

/** Resources for rows already read, in their order: two more queries for any number of investments. */
export async function loadInvestmentResources(db: Db, rows: readonly InvestmentRow[]): Promise<InvestmentResource[]> {
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.investment.id);
  const [allocationRows, payoutRows] = await Promise.all([
    db.select().from(allocations).where(inArray(allocations.investmentId, ids)).orderBy(asc(allocations.tier)),
    db.select().from(payouts).where(inArray(payouts.investmentId, ids)).orderBy(asc(payouts.part)),
  ]);
  const allocationsOf = Map.groupBy(allocationRows, (row) => row.investmentId);
  const payoutsOf = Map.groupBy(payoutRows, (row) => row.investmentId ?? '');
  return rows.map((row) =>
    investmentResourceOf(row, allocationsOf.get(row.investment.id) ?? [], payoutsOf.get(row.investment.id) ?? []),
  );
}

function investmentResourceOf(
  { investment, payment, decimals }: InvestmentRow,
  parts: readonly AllocationRow[],
  owed: readonly PayoutRow[],
): InvestmentResource {
  const tokens = (units: bigint | null) => (units === null ? null : formatUnits(units, decimals));
  const xrp = (drops: bigint | null) => (drops === null ? null : formatDrops(drops));
  return {
    id: investment.id,
    investment_id: investment.id,
    project_id: investment.projectId,
    investor_account: investment.investorAccount,
    amount_xrp: formatDrops(investment.amountDrops),
    status: investment.status,
    // What was invested in part has its reason on the payment.
    reason: investment.reason ?? payment.reason,
    tier_info: {
      tier: investment.quoteTier,
      price_per_token: formatPrice(investment.quotePrice),
      tokens_expected: formatUnits(investment.quoteUnits, decimals),
    },
    // A cancelled sale changes what is invested, not what was confirmed.
    confirmed_amount_xrp: investment.confirmedDrops === null ? null : formatDrops(payment.investedDrops),
    refunded_xrp: formatDrops(payment.refundedDrops),
    held_xrp: formatDrops(payment.heldDrops),
    final_tier_allocation: parts.map((part) => ({
      tier: part.tier,
      amount_xrp: formatDrops(part.amountDrops),
      tokens: formatUnits(part.units, decimals),
    })),
    total_tokens: tokens(investment.totalUnits),
    tokens_to_distribute: tokens(investment.unitsToDistribute),
    rounding_xrp: xrp(investment.roundingDrops),
    transaction: {
      hash: investment.txHash,
      ledger_index: payment.ledgerIndex,
      destination_tag: payment.destinationTag,
      confirmed_at: toIsoOrNull(investment.confirmedAt),
    },
    payouts: owed
      .filter((payout) => payout.kind === 'distribution')
      .map((payout) => ({
        id: payout.id,
        part: payout.part,
        tokens: formatUnits(payout.amount, decimals),
        status: payout.status,
        reason: payout.reason,
        due_at: payout.dueAt.toISOString(),
        validated_at: toIsoOrNull(payout.validatedAt),
        transaction_hash: payout.txHash,
        ledger_index: payout.ledgerIndex,
      })),
    refunds: owed
      .filter((payout) => payout.kind === 'refund')
      .map((payout) => ({
        id: payout.id,
        part: payout.part,
        amount_xrp: formatDrops(payout.amount),
        status: payout.status,
        reason: payout.reason,
        due_at: payout.dueAt.toISOString(),
        validated_at: toIsoOrNull(payout.validatedAt),
        transaction_hash: payout.txHash,
        ledger_index: payout.ledgerIndex,
      })),
    created_at: investment.paidAt.toISOString(),
  };
}
