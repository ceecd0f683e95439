import { and, eq } from 'drizzle-orm';
import { lists } from '#drizzle/schema/sale.ts';
import { appendAudit } from '#lib/audit.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { findList, ofProject } from './list-lists.ts';

/** Removes a draft with its entries. Throws `not_found`, and `conflict` for a published version: the ledger may name it. */
export async function discardList(
  ctx: Ctx,
  input: { projectId: string; listId: string; reason?: string | undefined },
): Promise<void> {
  await ctx.db.transaction(async (tx) => {
    const [discarded] = await tx
      .delete(lists)
      .where(and(ofProject(input.projectId, input.listId), eq(lists.status, 'draft')))
      .returning();
    if (discarded === undefined) {
      await findList(tx, input.projectId, input.listId);
      throw new PlatformError('conflict', 'This version is published: it stays. Commit another one in its place.');
    }
    await appendAudit(tx, ctx, {
      action: 'list.discard',
      subject: discarded.id,
      projectId: discarded.projectId,
      reason: input.reason ?? 'discarded',
      before: { project: discarded.projectId, version: discarded.version, entries: discarded.entries },
    });
  });
}
