import { countDistinct, inArray } from 'drizzle-orm';
import { allocations, type projects } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';

type ProjectRow = Pick<typeof projects.$inferSelect, 'id' | 'raisedDrops'>;

interface Counted {
  raisedDrops: bigint;
  wallets: Promise<number>;
}

/** Bounded: a full table starts anew. */
const MAX_PROJECTS = 1_000;
const countedIn = new WeakMap<Db, Map<string, Counted>>();

/**
 * Distinct wallets with an allocation, by project id: at most one query. Every allocation raises `raised_drops`, so a
 * count stays true for as long as that stands: over 100,000 allocations it takes 50 ms and more, too much for each of
 * many readers.
 */
export async function countInvestors(db: Db, rows: readonly ProjectRow[]): Promise<Map<string, number>> {
  const known = countedIn.get(db) ?? new Map<string, Counted>();
  countedIn.set(db, known);
  if (known.size > MAX_PROJECTS) known.clear();
  const missing = rows.filter((row) => known.get(row.id)?.raisedDrops !== row.raisedDrops);
  if (missing.length > 0) {
    const counts = queryCounts(
      db,
      missing.map((row) => row.id),
    );
    for (const { id, raisedDrops } of missing) {
      known.set(id, { raisedDrops, wallets: counts.then((found) => found.get(id) ?? 0) });
    }
    counts.catch(() => {
      for (const { id } of missing) known.delete(id);
    });
  }
  const counted = rows.map(async ({ id }) => [id, (await known.get(id)?.wallets) ?? 0] as const);
  return new Map(await Promise.all(counted));
}

async function queryCounts(db: Db, ids: readonly string[]): Promise<Map<string, number>> {
  const rows = await db
    .select({ projectId: allocations.projectId, wallets: countDistinct(allocations.investorAccount) })
    .from(allocations)
    .where(inArray(allocations.projectId, [...ids]))
    .groupBy(allocations.projectId);
  return new Map(rows.map((row) => [row.projectId, row.wallets]));
}
