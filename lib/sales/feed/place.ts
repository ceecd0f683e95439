import { eq } from 'drizzle-orm';
import { depositAccounts } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';

/** How far an account's feed has been read, and how far it is decided. */
export interface Place {
  cursorLedger: number;
  cursorHash: string;
  confirmedLedger: number;
}

export async function readPlace(db: Db, account: string): Promise<Place> {
  const [row] = await db
    .select({
      cursorLedger: depositAccounts.cursorLedger,
      cursorHash: depositAccounts.cursorHash,
      confirmedLedger: depositAccounts.confirmedLedger,
    })
    .from(depositAccounts)
    .where(eq(depositAccounts.address, account));
  if (row === undefined) throw new Error(`No deposit account ${account}`);
  return row;
}
