import type { Custody } from '@tranche/rules/custody.ts';
import { desc, eq, sql } from 'drizzle-orm';
import { depositAccounts, projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';

/**
 * Who must sign what an account sends: of a deposit account its own custody, of a distributor that of the sale it was last
 * launched for. Null for one key.
 */
export async function accountCustody(db: Db, address: string): Promise<Custody | null> {
  const [deposit] = await db
    .select({ custody: depositAccounts.custody })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, address));
  if (deposit !== undefined) return deposit.custody;
  const [sale] = await db
    .select({ custody: projects.custody })
    .from(projects)
    .where(eq(projects.distributor, address))
    .orderBy(sql`${projects.launchedAt} desc nulls last`, desc(projects.createdAt))
    .limit(1);
  return sale?.custody ?? null;
}
