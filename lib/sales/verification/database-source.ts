import type { PublishedSource } from '@tranche/verifier/types.ts';
import type { Ctx } from '#lib/ctx.ts';
import { allocationCursorCodec } from '../allocations/allocation-position.ts';
import { getList } from '../lists/get-list.ts';
import { listLists } from '../lists/list-lists.ts';
import { getProject } from '../projects/get-project.ts';
import { getTerms } from '../projects/get-terms.ts';
import { listProjects } from '../projects/list-projects.ts';
import { findProject } from '../projects/project-resource.ts';
import { openAllocations } from '../published/export-allocations.ts';
import { openPayments } from '../published/export-payments.ts';
import { openPaid, openPayouts } from '../published/export-payouts.ts';
import { listExceptions } from '../published/list-exceptions.ts';
import { parseDecisionCursor, parsePaidCursor, parsePayoutCursor } from '../published/positions.ts';
import { saleAsOf } from '../published/sale-as-of.ts';
import { readAccount } from './read-account.ts';

const PAGE = 200;

/** Every page of a list with cursors. */
async function all<Row>(
  read: (cursor: string | undefined) => Promise<{ rows: Row[]; next: string | null }>,
): Promise<Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    for (const row of page.rows) rows.push(row);
    cursor = page.next ?? undefined;
  } while (cursor !== undefined);
  return rows;
}

/** What the platform publishes, by the very verbs that its routes call. */
export function databaseSource(ctx: Ctx): PublishedSource {
  const { db } = ctx;
  const find = async (id: string) => {
    const project = await findProject(db, id);
    return project;
  };
  return {
    depositAccount: async (id) => readAccount(db, (await find(id)).depositAddress),
    project: (id) => getProject(ctx, id),
    projects: () =>
      all(async (cursor) => {
        const page = await listProjects(ctx, { cursor, limit: PAGE, withDrafts: false });
        return { rows: page.projects, next: page.next_cursor };
      }),
    terms: (id) => getTerms(ctx, id),
    lists: (projectId) =>
      all(async (cursor) => {
        const page = await listLists(ctx, { projectId, cursor, limit: PAGE, withDrafts: false });
        return { rows: page.lists, next: page.next_cursor };
      }),
    async *listText(projectId, listId) {
      yield* (await getList(ctx, { projectId, listId })).lines;
    },
    exceptions: (id) =>
      all(async (cursor) => {
        const page = await listExceptions(ctx, { id, cursor, limit: PAGE });
        return { rows: page.exceptions, next: page.next_cursor };
      }),
    async *payments(id, asOf, cursor) {
      yield* openPayments(db, await find(id), asOf, cursor === null ? null : parseDecisionCursor.parse(cursor));
    },
    async *allocations(id, asOf, cursor) {
      yield* openAllocations(ctx, await find(id), asOf, cursor === null ? null : allocationCursorCodec.parse(cursor));
    },
    async *payouts(id, asOf, cursor) {
      const project = await find(id);
      const at = await saleAsOf(ctx, project, asOf);
      yield* openPayouts(db, project, at, cursor === null ? null : parsePayoutCursor(cursor));
    },
    async *paid(id, asOf, account, cursor) {
      yield* openPaid(db, await find(id), asOf, account, cursor === null ? null : parsePaidCursor(cursor));
    },
  };
}
