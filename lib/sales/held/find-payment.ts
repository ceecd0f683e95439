import { eq } from 'drizzle-orm';
import { payments } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { lockDepositAccount, type PaymentRow } from '../feed/load-state.ts';

const HASH_FORM = /^[0-9A-F]{64}$/;

/** One payment by its transaction hash. Throws `not_found`. */
export async function findPayment(db: Db, transactionHash: string): Promise<PaymentRow> {
  const [row] = HASH_FORM.test(transactionHash)
    ? await db.select().from(payments).where(eq(payments.txHash, transactionHash))
    : [];
  if (row === undefined) {
    throw new PlatformError(
      'not_found',
      'No such payment is recorded. POST /api/system/process-transactions looks for it on the ledger.',
    );
  }
  return row;
}

/**
 * Locks a payment with its deposit account, in the order in which the feed and the moves lock them: who holds the account
 * decides alone what becomes of it. Throws `not_found`.
 */
export async function lockPayment(tx: Tx, transactionHash: string): Promise<PaymentRow> {
  const { account } = await findPayment(tx, transactionHash);
  await lockDepositAccount(tx, account);
  const [row] = await tx.select().from(payments).where(eq(payments.txHash, transactionHash)).for('update');
  return row ?? findPayment(tx, transactionHash);
}
