import { z } from 'zod';
import { allocationCursor, paidCursor, paymentCursor, payoutCursor } from './cursors.ts';
import { httpLines, readJson, readText } from './http-read.ts';
import {
  allocationRow,
  depositAccount,
  exceptionResource,
  listResource,
  projectResource,
  publishedPayment,
  publishedPayout,
  termsResource,
} from './published.ts';
import type { PublishedSource } from './types.ts';

const PAGE = 200;

const next = { next_cursor: z.string().nullable() };
const verificationAnswer = z.object({ deposit_account: depositAccount });
const projectsPage = z.object({ projects: z.array(projectResource), ...next });
const listsPage = z.object({ lists: z.array(listResource), ...next });
const exceptionsPage = z.object({ exceptions: z.array(exceptionResource), ...next });

/** What a platform publishes, read over HTTP from anywhere. Every answer is parsed by its contract. */
export function httpSource(baseUrl: string): PublishedSource {
  const url = (path: string, query: Record<string, string | number | null> = {}): URL => {
    const target = new URL(path, baseUrl);
    for (const [name, value] of Object.entries(query)) if (value !== null) target.searchParams.set(name, String(value));
    return target;
  };
  const ofProject = (id: string, what: string, query: Record<string, string | number | null> = {}): URL =>
    url(`/api/projects/${id}${what}`, query);

  async function all<Page extends { next_cursor: string | null }, Row>(
    schema: z.ZodType<Page>,
    at: (cursor: string | null) => URL,
    rowsOf: (page: Page) => readonly Row[],
  ): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | null = null;
    do {
      const page: Page = await readJson(schema, at(cursor));
      for (const row of rowsOf(page)) rows.push(row);
      cursor = page.next_cursor;
    } while (cursor !== null);
    return rows;
  }

  return {
    depositAccount: async (id) => (await readJson(verificationAnswer, ofProject(id, '/verification'))).deposit_account,
    project: (id) => readJson(projectResource, ofProject(id, '')),
    projects: () =>
      all(
        projectsPage,
        (cursor) => url('/api/projects', { limit: PAGE, cursor }),
        (page) => page.projects,
      ),
    terms: (id) => readJson(termsResource, ofProject(id, '/terms')),
    lists: (id) =>
      all(
        listsPage,
        (cursor) => ofProject(id, '/lists', { limit: PAGE, cursor }),
        (page) => page.lists,
      ),
    async *listText(id, listId) {
      yield await readText(ofProject(id, `/lists/${listId}`));
    },
    exceptions: (id) =>
      all(
        exceptionsPage,
        (cursor) => ofProject(id, '/exceptions', { limit: PAGE, cursor }),
        (page) => page.exceptions,
      ),
    payments: (id, asOf, first) =>
      httpLines(
        publishedPayment,
        (cursor) => ofProject(id, '/payments', { format: 'jsonl', as_of: asOf, cursor }),
        paymentCursor,
        first,
      ),
    allocations: (id, asOf, first) =>
      httpLines(
        allocationRow,
        (cursor) => ofProject(id, '/allocations', { format: 'jsonl', as_of: asOf, cursor }),
        allocationCursor,
        first,
      ),
    payouts: (id, asOf, first) =>
      httpLines(
        publishedPayout,
        (cursor) => ofProject(id, '/payouts', { format: 'jsonl', as_of: asOf, cursor }),
        payoutCursor,
        first,
      ),
    paid: (id, asOf, account, first) =>
      httpLines(
        publishedPayout,
        (cursor) => ofProject(id, '/payouts', { format: 'jsonl', order: 'ledger', as_of: asOf, account, cursor }),
        paidCursor,
        first,
      ),
  };
}
