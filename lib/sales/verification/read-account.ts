import type { DepositAccount } from '@tranche/verifier/published.ts';
import { eq } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops } from '#lib/base/money.ts';

/** What is published of a deposit account. */
export async function readAccount(db: Db, address: string): Promise<DepositAccount> {
  const [row] = await db.select().from(depositAccounts).where(eq(depositAccounts.address, address));
  if (row === undefined) throw new Error(`No deposit account ${address}`);
  return {
    address: row.address,
    network_id: row.networkId,
    registered_ledger: row.registeredLedger,
    confirmed_ledger: row.confirmedLedger,
    refund_min_xrp: formatDrops(row.refundMinDrops),
  };
}
