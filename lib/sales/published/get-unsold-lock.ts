import { and, eq, sql } from 'drizzle-orm';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';

/** The lock of what a sale has not sold: its tokens, and the EscrowCreate that made it. */
export interface UnsoldLock {
  tokens: string;
  /** Null until it is validated. */
  transaction_hash: string | null;
  /** Ends the escrow once its time has passed, signed by any account; null until it is validated, and when the platform has not made it. */
  finish: { TransactionType: 'EscrowFinish'; Owner: string; OfferSequence: number } | null;
}

/** What a sale's end left unsold and owes a lock of; null before the end, and when nothing is owed. Throws `project_not_found`. */
export async function getUnsoldLock({ db }: Pick<Ctx, 'db'>, id: string): Promise<UnsoldLock | null> {
  const project = await findProject(db, id);
  const [lock] = await db
    .select({
      amount: payouts.amount,
      owner: payouts.account,
      isValidated: sql<boolean>`${payouts.status} = 'validated'`,
      txHash: payouts.txHash,
      ticket: payoutAttempts.ticket,
    })
    .from(payouts)
    .leftJoin(payoutAttempts, eq(payoutAttempts.txHash, payouts.txHash))
    .where(and(eq(payouts.projectId, project.id), sql`${payouts.kind} = 'lock'`, eq(payouts.part, 1)));
  if (lock === undefined) return null;
  const { amount, owner, isValidated, txHash, ticket } = lock;
  return {
    tokens: formatUnits(amount, project.decimals),
    transaction_hash: isValidated ? txHash : null,
    // An escrow created with a ticket is known by that.
    finish:
      isValidated && ticket !== null ? { TransactionType: 'EscrowFinish', Owner: owner, OfferSequence: ticket } : null,
  };
}
