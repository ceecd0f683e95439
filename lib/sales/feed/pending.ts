import { and, eq, lte, sql } from 'drizzle-orm';
import { moves, payments } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import type { SaleEntry, SaleMove, SalePayment } from '#lib/rules/types.ts';

const inFeedOrder = (
  a: { ledgerIndex: number; transactionIndex: number },
  b: { ledgerIndex: number; transactionIndex: number },
): number => a.ledgerIndex - b.ledgerIndex || a.transactionIndex - b.transactionIndex;

export type PaymentRow = typeof payments.$inferSelect;

export const paymentOf = (row: PaymentRow): SalePayment => ({
  kind: 'payment',
  hash: row.txHash,
  ledgerIndex: row.ledgerIndex,
  transactionIndex: row.transactionIndex,
  closedAtMs: row.closedAt.getTime(),
  sender: row.sender,
  destinationTag: row.destinationTag,
  receivedDrops: row.receivedDrops,
});

/**
 * Recognised entries that are not decided yet, in feed order, up to a ledger; about `maxEntries`, whole ledgers only.
 * `through` is the last ledger they cover.
 */
export async function loadPending(
  tx: Tx,
  account: string,
  throughLedger: number,
  maxEntries: number,
): Promise<{ entries: (SalePayment | SaleMove)[]; through: number }> {
  const paymentRows = await tx
    .select()
    .from(payments)
    .where(
      and(eq(payments.account, account), eq(payments.outcome, 'pending'), lte(payments.ledgerIndex, throughLedger)),
    )
    .orderBy(payments.ledgerIndex, payments.transactionIndex)
    .limit(maxEntries + 1);
  let through = throughLedger;
  if (paymentRows.length > maxEntries) {
    // The last ledger may be cut: leave it to the next round, unless it is the only one.
    const lastLedger = paymentRows[maxEntries]?.ledgerIndex ?? throughLedger;
    const firstLedger = paymentRows[0]?.ledgerIndex ?? lastLedger;
    if (lastLedger === firstLedger) return loadPending(tx, account, lastLedger, Number.MAX_SAFE_INTEGER - 1);
    through = lastLedger - 1;
  }
  const moveRows = await tx
    .select()
    .from(moves)
    .where(and(eq(moves.account, account), eq(moves.status, 'seen'), sql`${moves.ledgerIndex} <= ${through}`));
  const entries: (SalePayment | SaleMove)[] = [];
  for (const row of paymentRows) {
    if (row.ledgerIndex > through) break;
    entries.push(paymentOf(row));
  }
  for (const row of moveRows) {
    if (row.ledgerIndex === null || row.transactionIndex === null || row.closedAt === null) continue;
    entries.push({
      kind: 'move',
      hash: row.txHash,
      ledgerIndex: row.ledgerIndex,
      transactionIndex: row.transactionIndex,
      closedAtMs: row.closedAt.getTime(),
      projectId: row.projectId,
      move: row.move,
      termsHash: row.termsHash,
      listHash: row.listHash,
      paymentHash: row.paymentHash,
    });
  }
  return { entries: entries.sort(inFeedOrder), through };
}

export const isPayment = (entry: SaleEntry): entry is SalePayment => entry.kind === 'payment';
