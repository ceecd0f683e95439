import { and, eq, inArray } from 'drizzle-orm';
import { investments, moves } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import type { Circumstances } from './obstacles.ts';

export interface KnownCircumstances extends Circumstances {
  openAssign: { projectId: string; txHash: string } | null;
}

/** What stands about payments beside their rows, by hash: two queries for any number. */
export async function loadCircumstances(
  db: Db,
  hashes: readonly string[],
): Promise<(hash: string) => KnownCircumstances> {
  const invested = await db
    .select({ txHash: investments.txHash })
    .from(investments)
    .where(inArray(investments.txHash, [...hashes]));
  const open = await db
    .select({ paymentHash: moves.paymentHash, projectId: moves.projectId, txHash: moves.txHash })
    .from(moves)
    .where(
      and(
        eq(moves.move, 'assign'),
        inArray(moves.status, ['submitted', 'seen']),
        inArray(moves.paymentHash, [...hashes]),
      ),
    );
  const isInvestment = new Set(invested.map((row) => row.txHash));
  const assignOf = new Map(open.map(({ paymentHash, ...move }) => [paymentHash, move]));
  return (hash) => {
    const openAssign = assignOf.get(hash) ?? null;
    return { isInvestment: isInvestment.has(hash), assignIsOpen: openAssign !== null, openAssign };
  };
}
