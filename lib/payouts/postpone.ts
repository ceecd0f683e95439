import { sql } from 'drizzle-orm';
import { bulkRows, textArray } from '#lib/platform/bulk.ts';
import type { Db } from '#lib/platform/db.ts';
import { PAYABLE_STATUSES } from './load.ts';
import { nextCheckAt, payoutsAsP } from './next-check.ts';

export interface Postponed {
  id: string;
  status: (typeof PAYABLE_STATUSES)[number] | 'held';
  reason: string | null;
}

/** Writes why payouts were not paid and when to look again; one statement. A payout that moved on meanwhile is left alone. */
export async function postpone(db: Db, rows: readonly Postponed[]): Promise<void> {
  if (rows.length === 0) return;
  await db.execute(sql`
    update ${payoutsAsP}
    set status = g.status, reason = g.reason, next_check_at = ${nextCheckAt()}
    from ${bulkRows(
      'g',
      { id: 'text', status: 'text', reason: 'text' },
      rows.map(({ id, status, reason }) => ({ id, status, reason })),
    )}
    where p.id = g.id and p.status = any (${textArray(PAYABLE_STATUSES)})`);
}
