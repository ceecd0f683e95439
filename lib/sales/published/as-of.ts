import { eq } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { ProjectRow } from '../projects/project-resource.ts';

/** The ledger that an export is as of: the one asked for, else the last confirmed one. Throws `invalid_request` beyond that. */
export async function asOfLedger(db: Db, project: ProjectRow, asked: number | undefined): Promise<number> {
  const [account] = await db
    .select({ confirmedLedger: depositAccounts.confirmedLedger })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, project.depositAddress));
  if (account === undefined) throw new Error(`Project ${project.id} has no deposit account`);
  if (asked === undefined || asked <= account.confirmedLedger) return asked ?? account.confirmedLedger;
  const message = `must be at most ${account.confirmedLedger}, the last ledger that is confirmed`;
  throw new PlatformError('invalid_request', `as_of: ${message}`, {
    errors: [{ field: 'as_of', message }],
  });
}
