import { type SQL, sql } from 'drizzle-orm';
import { payoutCounts } from '#drizzle/schema/payouts.ts';
import { bulkRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import type { Payout } from './types.ts';

/** One attempt that was signed, or that has ended. */
interface Counted {
  kind: Payout['kind'];
  outcome: (typeof payoutCounts.$inferSelect)['outcome'];
  reason: string | null;
}

/**
 * Counts the attempts of an account that `attempts` selects (`kind`, `outcome`, `reason`), in the transaction that signs or ends
 * them. The last to be written in it: the rows stay locked.
 */
export const countRows = (account: string, attempts: SQL): SQL => sql`
  insert into ${payoutCounts} as c (account, kind, outcome, reason, count)
  select ${account}, kind, outcome, coalesce(reason, ''), count(*)
  from (${attempts}) as given
  group by 2, 3, 4 order by 2, 3, 4
  on conflict (account, kind, outcome, reason) do update set count = c.count + excluded.count`;

/** The same for attempts that are given. */
export async function countAttempts(tx: Tx, account: string, attempts: readonly Counted[]): Promise<void> {
  if (attempts.length === 0) return;
  await tx.execute(
    countRows(
      account,
      sql`select * from ${bulkRows(
        'g',
        { kind: 'text', outcome: 'text', reason: 'text' },
        attempts.map(({ kind, outcome, reason }) => ({ kind, outcome, reason })),
      )}`,
    ),
  );
}
