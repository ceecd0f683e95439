import type { Db } from '#lib/base/db.ts';
import { divideCeil, type TokenUnits, WIRE_TOKEN_DECIMALS } from '#lib/base/money.ts';
import { readTokenDebts } from '#lib/token-debts.ts';
import type { ProjectRow } from '../projects/project-resource.ts';

/**
 * Units of the row's token that its distributor owes already (`readTokenDebts`), what the row itself may sell left out,
 * rounded up to the row's decimals.
 */
export async function owedByDistributor(db: Db, row: ProjectRow, balanceLedger: number): Promise<TokenUnits> {
  const debts = await readTokenDebts(db, { balanceLedger, purse: row, exceptUnsoldOf: row.id });
  const micros = debts.reduce((sum, debt) => sum + debt.micros, 0n);
  return divideCeil(micros, 10n ** BigInt(WIRE_TOKEN_DECIMALS - row.decimals));
}
