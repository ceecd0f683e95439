import { and, desc, eq, getTableColumns, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { holderPages, holderSyncs, holdersByRank } from '#drizzle/schema/holders.ts';
import { textArray } from '#lib/base/bulk.ts';
import { toIso } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { LedgerToken } from '#lib/xrpl/token-name.ts';
import type { statistics } from './schemas.ts';
import { sortByAccount, sortByRank } from './sort-holders.ts';
import type { Sync } from './start-sync.ts';
import { readDistribution } from './statistics.ts';
import { excludedAccounts } from './wanted-tokens.ts';

type Statistics = z.output<typeof statistics>;
type Completed = Sync & { completedAt: Date };

/**
 * Makes a synchronisation that has been read whole the token's snapshot: its holders are sorted by rank, who counts as none
 * aside, and by account; the statistics are computed, and one statement shows it to readers. What has been sorted stays
 * sorted: after a failure it goes on from there. Null, and nothing is shown, when it is not running any more.
 */
export async function finishSync(ctx: Ctx, token: LedgerToken, { id, token: name }: Sync): Promise<Sync | null> {
  const { db } = ctx;
  const [excluded, before] = await Promise.all([excludedAccounts(db, token), readLatest(db, name)]);
  // On two connections: on a server of several cores the second comes at no time.
  const [isRanked, added] = await Promise.all([
    sortByRank(db, id, excluded),
    sortByAccount(db, id).then(() => (before === null ? null : countAdded(db, { id, excluded }, before.id))),
  ]);
  if (!isRanked) return null;
  // Nobody writes its holders any more, nor removes them: should another run abandon it now, nothing is shown below.
  const { holders, ...distribution } = await readDistribution(db, id);
  const change = before === null || added === null ? null : changeSince(before, holders, added);
  const [done] = await db
    .update(holderSyncs)
    .set({
      status: 'complete',
      completedAt: new Date(Math.max(ctx.clock.nowMs(), (before?.completedAt.getTime() ?? 0) + 1)),
      holders,
      added: change?.added ?? null,
      removed: change?.removed ?? null,
      statistics: { ...distribution, change } satisfies Statistics,
    })
    .where(and(eq(holderSyncs.id, id), eq(holderSyncs.status, 'running')))
    .returning(getTableColumns(holderSyncs));
  return done ?? null;
}

async function readLatest(db: Db, token: string): Promise<Completed | null> {
  const [latest] = await db
    .select()
    .from(holderSyncs)
    .where(and(eq(holderSyncs.token, token), eq(holderSyncs.status, 'complete')))
    .orderBy(desc(holderSyncs.completedAt))
    .limit(1);
  return latest === undefined || latest.completedAt === null ? null : { ...latest, completedAt: latest.completedAt };
}

/** Who held before and holds still is neither added nor removed. */
function changeSince(before: Completed, holders: number, added: number): NonNullable<Statistics['change']> {
  const difference = holders - before.holders;
  return {
    since: toIso(before.completedAt),
    ledger_index: before.ledgerIndex,
    holders: difference,
    added,
    removed: added - difference,
  };
}

/**
 * Holders among a synchronisation's pages that the snapshot before does not have. A difference of sets, not a join: of a
 * synchronisation that it has never seen the planner expects next to nothing, and would join in quadratic time.
 */
async function countAdded(
  db: Db,
  { id, excluded }: { id: string; excluded: readonly string[] },
  beforeId: string,
): Promise<number> {
  const { rows } = await db.execute<{ added: number }>(sql`
    select count(*)::integer as added from (
      select h.account from ${holderPages} as p, unnest(p.accounts) as h(account)
      where p.sync_id = ${id} and h.account <> all(${textArray(excluded)})
      except
      select h.account from ${holdersByRank} as r, unnest(r.accounts) as h(account)
      where r.sync_id = ${beforeId} and r.first_place > 0) as accounts`);
  return rows[0]?.added ?? 0;
}
