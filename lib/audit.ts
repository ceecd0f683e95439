import { auditEntries } from '#drizzle/schema/access.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import type { Tx } from '#lib/platform/db.ts';
import { newId } from '#lib/platform/ids.ts';

const nameOf = (actor: Actor): string => {
  switch (actor.kind) {
    case 'administrator':
      return `administrator:${actor.name}`;
    case 'api_key':
      return `api_key:${actor.keyId}`;
    default:
      return actor.kind;
  }
};

/** Records what an administrator does, in the transaction of the change itself. `before` and `after` hold no secrets. */
export async function appendAudit(
  tx: Tx,
  ctx: Ctx,
  entry: { action: string; subject: string; reason: string; before?: unknown; after?: unknown },
): Promise<void> {
  await tx.insert(auditEntries).values({
    id: newId('aud', ctx.random),
    actor: nameOf(ctx.actor),
    action: entry.action,
    subject: entry.subject,
    reason: entry.reason,
    before: entry.before ?? null,
    after: entry.after ?? null,
    requestId: ctx.requestId,
  });
}
