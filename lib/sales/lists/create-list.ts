import type { Drops } from '@tranche/rules/amounts.ts';
import { allowedActions } from '@tranche/rules/types.ts';
import type { ListResource } from '@tranche/verifier/published.ts';
import { and, eq, isNull, type SQL, sql } from 'drizzle-orm';
import { listEntries, lists, projects } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { newId } from '#lib/base/ids.ts';
import type { Ctx } from '#lib/ctx.ts';
import { projectNotFound } from '../projects/project-resource.ts';
import { type ListRow, loadListResource } from './list-lists.ts';

/** Begins a new version as an empty draft, numbered after the last. Throws what `draftList` throws. */
export async function createList(
  ctx: Ctx,
  input: { projectId: string; reason?: string | undefined },
): Promise<ListResource> {
  return ctx.db.transaction(async (tx) => {
    const row = await draftList(tx, ctx, input.projectId);
    await appendAudit(tx, ctx, {
      action: 'list.create',
      subject: row.id,
      projectId: row.projectId,
      reason: input.reason ?? 'created',
      after: { project: row.projectId, version: row.version },
    });
    return loadListResource(tx, row);
  });
}

/**
 * Begins a new version with the wallets of a query (its column `wallet_address`: classic addresses, none twice), all with the
 * same cap or none. One transaction and one INSERT … SELECT: a draft that exists is whole. `confirm` looks, after the wallets
 * were read, whether the query still means what it did, and throws if not. `source` says in the audit log where they are
 * from. Throws what `draftList` throws, `limit_reached` beyond 100,000 wallets, `conflict` when there is none.
 */
export async function createListFrom(
  ctx: Ctx,
  input: {
    projectId: string;
    reason: string;
    wallets: SQL;
    capDrops: Drops | null;
    source: Record<string, unknown>;
    confirm: (tx: Tx) => Promise<void>;
  },
): Promise<ListResource> {
  return ctx.db.transaction(async (tx) => {
    const draft = await draftList(tx, ctx, input.projectId);
    const { rowCount } = await tx.execute(sql`
      insert into ${listEntries} (list_id, wallet_address, cap_drops)
      select ${draft.id}, w.wallet_address, ${input.capDrops}::bigint from (${input.wallets}) as w
      limit ${MAX_ENTRIES + 1}`);
    const entries = rowCount ?? 0;
    if (entries === 0) throw new PlatformError('conflict', 'No wallet qualifies: the list would be empty.');
    if (entries > MAX_ENTRIES) {
      throw new PlatformError('limit_reached', `An allowlist holds at most ${MAX_ENTRIES} wallets, and more qualify.`);
    }
    await input.confirm(tx);
    const [row] = await tx.update(lists).set({ entries }).where(eq(lists.id, draft.id)).returning();
    if (row === undefined) throw new Error('The draft was not returned');
    await appendAudit(tx, ctx, {
      action: 'list.create_from',
      subject: row.id,
      projectId: row.projectId,
      reason: input.reason,
      after: { project: row.projectId, version: row.version, entries, source: input.source },
    });
    return loadListResource(tx, row);
  });
}

export const MAX_DRAFTS = 5;
/** Of one version. */
export const MAX_ENTRIES = 100_000;

/**
 * Inserts an empty draft, numbered after the last version. Throws `project_not_found`, `transition_not_allowed` for a sale
 * that is over, `limit_reached` when the project has its drafts already.
 */
async function draftList(tx: Tx, ctx: Pick<Ctx, 'random'>, projectId: string): Promise<ListRow> {
  // The lock counts: two requests must not take one number, nor both be the last draft.
  const [project] = await tx
    .select({ status: projects.status })
    .from(projects)
    .where(and(eq(projects.id, projectId), isNull(projects.deletedAt)))
    .for('no key update');
  if (project === undefined) throw projectNotFound();
  if (!allowedActions(project.status).includes('list')) {
    throw new PlatformError(
      'transition_not_allowed',
      `The project is ${project.status}: its allowlist cannot change any more.`,
    );
  }
  const [standing] = await tx
    .select({
      drafts: sql<number>`(count(*) filter (where ${lists.status} = 'draft'))::integer`,
      lastVersion: sql<number>`coalesce(max(${lists.version}), 0)`,
    })
    .from(lists)
    .where(eq(lists.projectId, projectId));
  const { drafts = 0, lastVersion = 0 } = standing ?? {};
  if (drafts >= MAX_DRAFTS) {
    throw new PlatformError(
      'limit_reached',
      `A project has at most ${MAX_DRAFTS} drafts of its allowlist. Commit or discard one first.`,
    );
  }
  const [row] = await tx
    .insert(lists)
    .values({ id: newId('list', ctx.random), projectId, version: lastVersion + 1 })
    .returning();
  if (row === undefined) throw new Error('The draft was not returned');
  return row;
}
