import { sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import type { StoredPayout } from './load.ts';
import { lockedPayouts } from './lock-payouts.ts';
import { payoutsAsP } from './next-check.ts';

/**
 * Lets the payer take payouts up at once that were found payable. Each only while it stands as it was read: what was
 * paid, held or postponed meanwhile is left alone. Returns the ids.
 */
export async function markReady(
  db: Db | Tx,
  found: readonly Pick<StoredPayout, 'payout' | 'status' | 'reason'>[],
): Promise<string[]> {
  if (found.length === 0) return [];
  const marked = await db.execute<{ id: string }>(sql`
    update ${payoutsAsP} set status = 'ready', reason = null, next_check_at = now()
    from ${bulkRows(
      'g',
      { id: 'text', status: 'text', reason: 'text' },
      found.map(({ payout, status, reason }) => ({ id: payout.id, status, reason })),
    )}
    where p.id = g.id and p.status = g.status and p.reason is not distinct from g.reason
      and p.id = any (${lockedPayouts(sql`${payouts.id} = any (${textArray(found.map(({ payout }) => payout.id))})`)})
    returning p.id`);
  return marked.rows.map((row) => row.id);
}
