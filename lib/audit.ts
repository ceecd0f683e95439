import { auditEntries } from '#drizzle/schema/access.ts';
import type { Tx } from '#lib/base/db.ts';
import { newId } from '#lib/base/ids.ts';
import { redactText } from '#lib/base/log.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';

/** Who acts, as records show it. */
export const nameOf = (actor: Actor): string => {
  switch (actor.kind) {
    case 'administrator':
      return `administrator:${actor.name}`;
    case 'api_key':
      return `api_key:${actor.keyId}`;
    case 'portal':
      return `portal:${actor.linkId}`;
    default:
      return actor.kind;
  }
};

const SECRET_FIELDS = /^(?:secret|api_key|apiKey|seed|password|authorization|sealed\w*)$/;

/**
 * What an entry may hold: the log is read by everybody with a role, and for good. Callers leave secrets out; this is for the
 * one that is forgotten.
 */
function withoutSecrets(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  return JSON.parse(
    JSON.stringify(value, (name, part: unknown) => {
      if (typeof part !== 'string') return part;
      return SECRET_FIELDS.test(name) ? '[redacted]' : redactText(part);
    }),
  );
}

/** Records what an administrator does, in the transaction of the change itself. `before` and `after` hold no secrets. */
export async function appendAudit(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'random' | 'requestId'>,
  entry: { action: string; subject: string; reason: string; before?: unknown; after?: unknown },
): Promise<void> {
  await tx.insert(auditEntries).values({
    id: newId('aud', ctx.random),
    actor: nameOf(ctx.actor),
    action: entry.action,
    subject: entry.subject,
    reason: redactText(entry.reason),
    before: withoutSecrets(entry.before),
    after: withoutSecrets(entry.after),
    requestId: ctx.requestId,
  });
}
