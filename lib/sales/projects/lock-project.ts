import { and, asc, eq, inArray } from 'drizzle-orm';
import { depositAccounts, moves, projects, tiers } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import { projectNotFound } from './get-project.ts';
import type { ProjectRow, TierRow } from './project-resource.ts';

/** Until the transaction ends, no feed of the account is written. It excludes itself, but no foreign-key check. */
export async function lockDepositAccount(tx: Tx, address: string): Promise<void> {
  await tx
    .select({ address: depositAccounts.address })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, address))
    .for('no key update');
}

/** The project as it stands, unchanging until the transaction ends. Throws `project_not_found`. */
export async function lockProject(
  tx: Tx,
  { id, depositAddress }: Pick<ProjectRow, 'id' | 'depositAddress'>,
): Promise<{ row: ProjectRow; tierRows: TierRow[]; launchIsOpen: boolean }> {
  // Account before project: the order in which the feed and the moves lock them.
  await lockDepositAccount(tx, depositAddress);
  const [row] = await tx.select().from(projects).where(eq(projects.id, id)).for('update');
  if (row === undefined) throw projectNotFound();
  const tierRows = await tx.select().from(tiers).where(eq(tiers.projectId, id)).orderBy(asc(tiers.tier));
  const [launch] = await tx
    .select({ txHash: moves.txHash })
    .from(moves)
    .where(and(eq(moves.projectId, id), eq(moves.move, 'launch'), inArray(moves.status, ['submitted', 'seen'])));
  return { row, tierRows, launchIsOpen: launch !== undefined };
}
