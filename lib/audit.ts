import { and, desc, eq, sql } from 'drizzle-orm';
import { auditEntries } from '#drizzle/schema/access.ts';
import { projects } from '#drizzle/schema/sale.ts';
import type { Db, Tx } from '#lib/base/db.ts';
import { newId } from '#lib/base/ids.ts';
import { redactText } from '#lib/base/log.ts';
import { type Actor, type Ctx, nameOf } from '#lib/ctx.ts';

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

/**
 * Whose members may read an entry: those of the tenant that acts, or to which the project belongs; otherwise those of the
 * tenant of the project that is the entry's subject. Null for what concerns administrators alone.
 */
function tenantOf(actor: Actor, { subject, projectId = subject }: { subject: string; projectId?: string | undefined }) {
  if (actor.kind === 'member') return actor.tenantId;
  return sql<string | null>`(select ${projects.tenantId} from ${projects} where ${projects.id} = ${projectId})`;
}

/** True when an administrator was the last to do this to a tenant's sale. */
export async function wasLastByAdministrator(
  db: Db,
  { tenantId, subject, action }: { tenantId: string; subject: string; action: string },
): Promise<boolean> {
  const [last] = await db
    .select({ actor: auditEntries.actor })
    .from(auditEntries)
    .where(and(eq(auditEntries.tenantId, tenantId), eq(auditEntries.subject, subject), eq(auditEntries.action, action)))
    .orderBy(desc(auditEntries.createdAt), desc(auditEntries.id))
    .limit(1);
  return last?.actor.startsWith('administrator:') === true;
}

/**
 * Records what an administrator or a member does, in the transaction of the change itself. `projectId` is the project that it
 * concerns, where the subject is not that. `before` and `after` hold no secrets.
 */
export async function appendAudit(
  tx: Tx,
  ctx: Pick<Ctx, 'actor' | 'random' | 'requestId'>,
  entry: {
    action: string;
    subject: string;
    projectId?: string | undefined;
    reason: string;
    before?: unknown;
    after?: unknown;
  },
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
    tenantId: tenantOf(ctx.actor, entry),
  });
}
