import { and, eq, ne, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { lists, type ProjectRow } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { submitAction } from '../actions/submit-action.ts';
import { findProject } from '../projects/project-resource.ts';
import type { commitListContract } from './contracts.ts';
import { hashEntries } from './get-list.ts';
import { findList, type ListRow, listNotFound, loadListResource, ofProject } from './list-lists.ts';

export type CommittedList = z.output<(typeof commitListContract)['responses'][202]>;

/**
 * Publishes a draft for good and submits the `list` action that puts it in force; for a version that is published already,
 * only the action. Publication and action stand or fall together. Throws `not_found`; `conflict` for an empty draft, for
 * what another version holds already, for the version in force, for a draft that changes meanwhile; and what
 * `submitAction` throws.
 */
export async function commitList(
  ctx: Ctx,
  input: { projectId: string; listId: string; reason: string },
): Promise<CommittedList> {
  const { list, revision } = await readRevision(ctx.db, input.projectId, input.listId);
  if (list.entries === 0) throw new PlatformError('conflict', 'The draft is empty. Add entries to it first.');
  // Hashed before the action is signed, because the action names the hash, and outside its locks, because it takes its time.
  const hash = list.hash ?? (await hashEntries(ctx.db, list.id));
  const project = await findProject(ctx.db, list.projectId);
  await assertCommittable(ctx.db, project, list, hash);

  const moved = await submitAction(ctx, {
    projectId: list.projectId,
    action: 'list',
    reason: input.reason,
    listHash: hash,
    inTransaction: async (tx, current) => {
      await assertCommittable(tx, current, list, hash);
      if (list.status === 'draft') await publish(ctx, tx, { list, revision, hash, reason: input.reason });
    },
  });
  const committed = await findList(ctx.db, list.projectId, list.id);
  return { ...(await loadListResource(ctx.db, committed)), pending_action: moved.pending_action };
}

/**
 * A version with the mark of its row's last change (the transaction that wrote it): every part writes the row anew, so
 * the same mark later means the same entries.
 */
async function readRevision(db: Db, projectId: string, listId: string): Promise<{ list: ListRow; revision: string }> {
  const [found] = await db
    .select({ list: lists, revision: sql<string>`${lists}.xmin::text` })
    .from(lists)
    .where(ofProject(projectId, listId));
  if (found === undefined) throw listNotFound();
  return found;
}

async function assertCommittable(db: Db, project: ProjectRow, list: ListRow, hash: string): Promise<void> {
  if (project.listHash === hash && list.hash === hash) {
    throw new PlatformError('conflict', `Version ${list.version} is in force already.`);
  }
  const [twin] = await db
    .select({ version: lists.version })
    .from(lists)
    .where(and(eq(lists.projectId, list.projectId), eq(lists.hash, hash), ne(lists.id, list.id)));
  if (twin === undefined) return;
  throw new PlatformError(
    'conflict',
    `Version ${twin.version} has the same wallets and caps${project.listHash === hash ? ' and is in force' : '. Commit that one again'}; discard this draft.`,
  );
}

async function publish(
  ctx: Ctx,
  tx: Tx,
  { list, revision, hash, reason }: { list: ListRow; revision: string; hash: string; reason: string },
): Promise<void> {
  const [published] = await tx
    .update(lists)
    .set({ status: 'committed', hash, committedAt: new Date(ctx.clock.nowMs()) })
    .where(and(eq(lists.id, list.id), sql`${lists}.xmin::text = ${revision}`))
    .returning({ id: lists.id });
  if (published === undefined) {
    throw new PlatformError(
      'conflict',
      'The draft was changed while it was being committed. Look at it and try again.',
    );
  }
  await appendAudit(tx, ctx, {
    action: 'list.commit',
    subject: list.id,
    projectId: list.projectId,
    reason,
    before: { status: list.status },
    after: { project: list.projectId, version: list.version, entries: list.entries, hash },
  });
}
