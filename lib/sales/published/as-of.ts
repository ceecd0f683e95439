import { eq } from 'drizzle-orm';
import { depositAccounts, type ProjectRow } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { fieldError } from '#lib/base/errors.ts';

/** The ledger that an export is as of: the one asked for, else the last confirmed one. Throws `invalid_request` beyond that. */
export async function asOfLedger(db: Db, project: ProjectRow, asked: number | undefined): Promise<number> {
  const [account] = await db
    .select({ confirmedLedger: depositAccounts.confirmedLedger })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, project.depositAddress));
  if (account === undefined) throw new Error(`Project ${project.id} has no deposit account`);
  if (asked === undefined || asked <= account.confirmedLedger) return asked ?? account.confirmedLedger;
  throw fieldError('as_of', `must be at most ${account.confirmedLedger}, the last ledger that is confirmed`);
}
