import { and, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { payments } from '#drizzle/schema/sale.ts';
import type { Drops } from '#lib/base/money.ts';

/** Which held payments; what is left out does not narrow. */
export interface HeldFilter {
  transactionHashes?: readonly string[] | undefined;
  reason?: string | undefined;
  account?: string | undefined;
  projectId?: string | undefined;
  minDrops?: Drops | undefined;
  maxDrops?: Drops | undefined;
}

/** A literal, so that the partial indexes fit. */
export const isHeld = (): SQL => sql`${payments.heldDrops} > 0`;

export const matches = (filter: HeldFilter): SQL | undefined =>
  and(
    filter.transactionHashes === undefined ? undefined : inArray(payments.txHash, [...filter.transactionHashes]),
    filter.reason === undefined ? undefined : eq(payments.reason, filter.reason),
    filter.account === undefined ? undefined : eq(payments.account, filter.account),
    filter.projectId === undefined ? undefined : eq(payments.projectId, filter.projectId),
    filter.minDrops === undefined ? undefined : sql`${payments.heldDrops} >= ${filter.minDrops.toString()}::bigint`,
    filter.maxDrops === undefined ? undefined : sql`${payments.heldDrops} <= ${filter.maxDrops.toString()}::bigint`,
  );

/** The largest first, among equals the newest: one walk of `payments_held_amount`. */
export const byAmount = [
  sql`${payments.heldDrops} desc`,
  sql`${payments.ledgerIndex} desc`,
  sql`${payments.transactionIndex} desc`,
] as const;
