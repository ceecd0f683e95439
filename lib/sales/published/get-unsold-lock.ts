import { and, eq, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { formatUnits } from '#lib/base/money.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findProject } from '../projects/project-resource.ts';

/** The lock of what a sale has not sold: its tokens, and the EscrowCreate that made it. */
export interface UnsoldLock {
  tokens: string;
  /** Null until it is validated. */
  transaction_hash: string | null;
}

/** What a sale's end left unsold and owes a lock of; null before the end, and when nothing is owed. Throws `project_not_found`. */
export async function getUnsoldLock({ db }: Pick<Ctx, 'db'>, id: string): Promise<UnsoldLock | null> {
  const project = await findProject(db, id);
  const [lock] = await db
    .select({ amount: payouts.amount, status: payouts.status, txHash: payouts.txHash })
    .from(payouts)
    .where(and(eq(payouts.projectId, project.id), sql`${payouts.kind} = 'lock'`, eq(payouts.part, 1)));
  if (lock === undefined) return null;
  return {
    tokens: formatUnits(lock.amount, project.decimals),
    transaction_hash: lock.status === 'validated' ? lock.txHash : null,
  };
}
