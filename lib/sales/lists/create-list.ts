import type { ListResource } from '@tranche/verifier/published.ts';
import { appendAudit } from '#lib/audit.ts';
import type { Ctx } from '#lib/ctx.ts';
import { draftList } from './draft-list.ts';
import { loadListResource } from './list-resource.ts';

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
      reason: input.reason ?? 'created',
      after: { project: row.projectId, version: row.version },
    });
    return loadListResource(tx, row);
  });
}
