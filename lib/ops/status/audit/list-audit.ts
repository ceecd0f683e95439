import { and, desc, eq, gte, lt, or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { auditEntries } from '#drizzle/schema/access.ts';
import { toIso } from '#lib/base/clock.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import { fieldError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { AuditEntry, listAuditContract } from './contracts.ts';

type Query = z.output<(typeof listAuditContract)['query']>;

/** An entry as the API shows it: no column of the table is shown that is not named here. */
export const toEntry = (row: typeof auditEntries.$inferSelect): AuditEntry => ({
  id: row.id,
  created_at: toIso(row.createdAt),
  actor: row.actor,
  action: row.action,
  subject: row.subject,
  reason: row.reason,
  before: row.before,
  after: row.after,
  request_id: row.requestId,
});

/** The audit log, the newest first. Throws `invalid_request` for a span that ends before it begins. */
export async function listAudit(
  { db }: Ctx,
  query: Query,
): Promise<{ entries: AuditEntry[]; next_cursor: string | null }> {
  requireSpan(query);
  const after = decodeCursor(query.cursor, 'aud');
  const rows = await db
    .select()
    .from(auditEntries)
    .where(
      and(
        ...conditions(query),
        after === null
          ? undefined
          : // The time is read from the row itself: a cursor's milliseconds would point before it.
            sql`(${auditEntries.createdAt}, ${auditEntries.id}) <
              ((select created_at from audit_entries where id = ${after.id}), ${after.id})`,
      ),
    )
    .orderBy(desc(auditEntries.createdAt), desc(auditEntries.id))
    .limit(query.limit + 1);
  const page = toPage(rows, query.limit, (row) => ({ at: row.createdAt, id: row.id }));
  return {
    entries: page.rows.map(toEntry),
    next_cursor: page.next,
  };
}

function requireSpan({ from, to }: Query): void {
  if (from === undefined || to === undefined || from < to) return;
  throw fieldError('to', 'must be later than `from`');
}

function conditions({ actor, action, subject, from, to }: Query): (SQL | undefined)[] {
  return [
    actor === undefined ? undefined : eq(auditEntries.actor, actor),
    action === undefined
      ? undefined
      : or(eq(auditEntries.action, action), sql`starts_with(${auditEntries.action}, ${`${action}.`})`),
    subject === undefined ? undefined : eq(auditEntries.subject, subject),
    from === undefined ? undefined : gte(auditEntries.createdAt, from),
    to === undefined ? undefined : lt(auditEntries.createdAt, to),
  ];
}
