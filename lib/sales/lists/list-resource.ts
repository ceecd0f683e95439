import type { ListResource } from '@tranche/verifier/published.ts';
import { and, asc, eq, inArray, sql } from 'drizzle-orm';
import { lists, moves, projects } from '#drizzle/schema/sale.ts';
import { toIsoOrNull } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';

export type ListRow = typeof lists.$inferSelect;

export const listNotFound = (): PlatformError =>
  new PlatformError('not_found', 'There is no such allowlist version of this project.');

/** One version of a project, or null. */
export async function findList(db: Db, projectId: string, listId: string): Promise<ListRow | null> {
  const [row] = await db.select().from(lists).where(ofProject(projectId, listId));
  return row ?? null;
}

/** The version under both ids: one of another project does not exist here. */
export const ofProject = (projectId: string, listId: string) =>
  and(eq(lists.id, listId), eq(lists.projectId, projectId));

const entriesUrl = (row: ListRow): string =>
  new URL(`/api/projects/${row.projectId}/lists/${row.id}`, env().BASE_URL).href;

/** Resources for rows already read, all of one project, in their order: one more query for any number of versions. */
export async function loadListResources(db: Db, rows: readonly ListRow[]): Promise<ListResource[]> {
  const hashes = rows.flatMap((row) => row.hash ?? []);
  const applied =
    hashes.length === 0
      ? []
      : await db
          .select({
            hash: moves.listHash,
            txHash: moves.txHash,
            ledgerIndex: moves.ledgerIndex,
            closedAt: moves.closedAt,
            inForce: sql<boolean>`${projects.listHash} is not distinct from ${moves.listHash}`,
          })
          .from(moves)
          .innerJoin(projects, eq(projects.id, moves.projectId))
          .where(
            and(
              eq(moves.projectId, rows[0]?.projectId ?? ''),
              eq(moves.move, 'list'),
              eq(moves.status, 'applied'),
              inArray(moves.listHash, hashes),
            ),
          )
          .orderBy(asc(moves.ledgerIndex), asc(moves.transactionIndex));
  const movesOf = Map.groupBy(applied, (move) => move.hash);
  return rows.map((row) => {
    const own = row.hash === null ? [] : (movesOf.get(row.hash) ?? []);
    return {
      id: row.id,
      project_id: row.projectId,
      version: row.version,
      status: row.status,
      entries: row.entries,
      hash: row.hash,
      in_force: own.some((move) => move.inForce),
      anchors: own.flatMap(({ txHash, ledgerIndex, closedAt }) =>
        ledgerIndex === null || closedAt === null
          ? []
          : { transaction_hash: txHash, ledger_index: ledgerIndex, applied_at: closedAt.toISOString() },
      ),
      url: row.status === 'committed' ? entriesUrl(row) : null,
      committed_at: toIsoOrNull(row.committedAt),
      created_at: row.createdAt.toISOString(),
    };
  });
}

/** The resource of one row already read. */
export async function loadListResource(db: Db, row: ListRow): Promise<ListResource> {
  const [resource] = await loadListResources(db, [row]);
  if (resource === undefined) throw listNotFound();
  return resource;
}
