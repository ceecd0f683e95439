import type { z } from 'zod';
import { allocationRow } from '#lib/sales/allocations/contracts.ts';
import { listProjectsContract, termsContract } from '#lib/sales/contracts.ts';
import { exceptionsContract } from '#lib/sales/exceptions/contracts.ts';
import { listListsContract } from '#lib/sales/lists/contracts.ts';
import { publishedPayment, publishedPayout } from '#lib/sales/published/contracts.ts';
import { projectResource } from '#lib/sales/schemas.ts';
import { verificationContract } from './contracts.ts';
import { allocationCursor, paidCursor, paymentCursor, payoutCursor } from './cursors.ts';
import { httpLines, readJson, readText } from './http-read.ts';
import type { PublishedSource } from './types.ts';

const PAGE = 200;

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
    depositAccount: async (id) =>
      (await readJson(verificationContract.responses[200], ofProject(id, '/verification'))).deposit_account,
    project: (id) => readJson(projectResource, ofProject(id, '')),
    projects: () =>
      all(
        listProjectsContract.responses[200],
        (cursor) => url('/api/projects', { limit: PAGE, cursor }),
        (page) => page.projects,
      ),
    terms: (id) => readJson(termsContract.responses[200], ofProject(id, '/terms')),
    lists: (id) =>
      all(
        listListsContract.responses[200],
        (cursor) => ofProject(id, '/lists', { limit: PAGE, cursor }),
        (page) => page.lists,
      ),
    async *listText(id, listId) {
      yield await readText(ofProject(id, `/lists/${listId}`));
    },
    exceptions: (id) =>
      all(
        exceptionsContract.responses[200],
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
