import { and, desc, eq, inArray, notInArray, or, type SQL, sql } from 'drizzle-orm';
import type { z } from 'zod';
import { approvals } from '#drizzle/schema/approvals.ts';
import { decodeCursor, toPage } from '#lib/base/cursor.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type Asked, approvalResourceOf, lapseOf, readAsked } from './approval-resource.ts';
import type { ApprovalResource, listApprovalsContract } from './contracts.ts';

type Query = z.output<(typeof listApprovalsContract)['query']>;

/** Requests for approval, the newest first. One that has lapsed counts as lapsed, whether or not its row says so yet. */
export async function listApprovals(
  { db, clock }: Ctx,
  { status, project_id: projectId, cursor, limit }: Query,
): Promise<{ approvals: ApprovalResource[]; next_cursor: string | null }> {
  const after = decodeCursor(cursor, 'apr');
  const page = toPage(
    await db
      .select({ id: approvals.id, at: approvals.createdAt })
      .from(approvals)
      .where(
        and(
          projectId === undefined ? undefined : eq(approvals.projectId, projectId),
          status === undefined ? undefined : await hasStatus(db, status, clock.nowMs()),
          after === null
            ? undefined
            : sql`(${approvals.createdAt}, ${approvals.id}) < (${after.at.toISOString()}::timestamptz, ${after.id})`,
        ),
      )
      .orderBy(desc(approvals.createdAt), desc(approvals.id))
      .limit(limit + 1),
    limit,
    (row) => row,
  );
  const ids = page.rows.map(({ id }) => id);
  const asked = ids.length === 0 ? [] : await readAsked(db, inArray(approvals.id, ids));
  const shown = new Map(asked.map((each) => [each.row.id, approvalResourceOf(each, clock.nowMs())]));
  return { approvals: ids.flatMap((id) => shown.get(id) ?? []), next_cursor: page.next };
}

/** Few are open in their rows: at most one a project and action. */
async function hasStatus(db: Db, status: ApprovalResource['status'], nowMs: number): Promise<SQL | undefined> {
  const stored = eq(approvals.status, status);
  if (status !== 'open' && status !== 'lapsed') return stored;
  const open = await readAsked(db, eq(approvals.status, 'open'));
  const lapsed = open.filter((asked) => lapseOf(asked, nowMs) !== null).map(({ row }) => row.id);
  return status === 'open' ? and(stored, notInArray(approvals.id, lapsed)) : or(stored, inArray(approvals.id, lapsed));
}

/** Throws `not_found`. */
export async function findAsked(db: Db, id: string): Promise<Asked> {
  const [asked] = await readAsked(db, eq(approvals.id, id));
  if (asked === undefined) throw new PlatformError('not_found', 'There is no such request for approval.');
  return asked;
}

/** One request. Throws `not_found`. */
export const getApproval = async ({ db, clock }: Ctx, id: string): Promise<ApprovalResource> =>
  approvalResourceOf(await findAsked(db, id), clock.nowMs());
