import { projectId, publishedPayment, publishedPayout } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { wholeNumber } from '#lib/base/cursor.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { PAYOUT_CURSOR, parseDecisionCursor } from './positions.ts';

/** How many rows an answer holds: for who would rather ask again than keep a long answer open. */
export const exportLimit = wholeNumber({ min: 1, max: 100_000 })
  .optional()
  .meta({ description: 'Rows of this answer; all when left out. Fewer of them are the last ones' });

const exported = {
  limit: exportLimit,
  format: z.enum(['jsonl', 'csv']).optional().meta({ description: 'Default: by the Accept header, else jsonl' }),
  as_of: wholeNumber({ min: 1 })
    .optional()
    .meta({ description: 'Last ledger counted; default and limit is the last confirmed one (X-As-Of-Ledger)' }),
};

export const publishedPaymentsContract = defineContract({
  id: 'exportPayments',
  method: 'GET',
  path: '/api/projects/{id}/payments',
  tag: 'projects',
  summary: 'Export the decision about each payment of a sale, in ledger order',
  access: [{ kind: 'public' }],
  rateLimit: 'export',
  params: z.object({ id: projectId }),
  query: z.strictObject({
    ...exported,
    cursor: parseDecisionCursor.optional().meta({
      description: 'Rows after this one: its `<ledger_index>-<transaction_index>`',
      example: '101-3',
    }),
  }),
  responses: { 200: publishedPayment },
  mediaTypes: ['application/jsonl', 'text/csv'],
  streamHeaders: ['X-As-Of-Ledger', 'Content-Disposition'],
  errors: ['project_not_found'],
  cacheControl: 'public, max-age=1, stale-while-revalidate=5',
});

export const publishedPayoutsContract = defineContract({
  id: 'exportPayouts',
  method: 'GET',
  path: '/api/projects/{id}/payouts',
  tag: 'projects',
  summary: 'Export the distributions, refunds and releases of a sale as of a ledger',
  access: [{ kind: 'public' }],
  rateLimit: 'export',
  params: z.object({ id: projectId }),
  query: z.strictObject({
    ...exported,
    order: z.enum(['payment', 'ledger']).default('payment').meta({
      description: '`payment`: all, by the decisions they follow from; `ledger`: the validated ones, as they were paid',
    }),
    account: accountAddress.optional().meta({ description: 'Only what this account pays; with `order=ledger`' }),
    cursor: z.string().regex(PAYOUT_CURSOR, 'is not a cursor of this list').optional().meta({
      description:
        'Rows after this one: `<decided_ledger_index>-<decided_transaction_index>-<kind>-<part>` or `<kind>-<id>` of a lock or release; with `order=ledger` `<ledger_index>-<transaction_hash>`',
      example: '101-3-refund-1',
    }),
  }),
  responses: { 200: publishedPayout },
  mediaTypes: ['application/jsonl', 'text/csv'],
  streamHeaders: ['X-As-Of-Ledger', 'Content-Disposition'],
  errors: ['project_not_found', 'ledger_unavailable'],
  cacheControl: 'public, max-age=1, stale-while-revalidate=5',
});
