import { allocationRow, projectId } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { wholeNumber } from '#lib/base/cursor.ts';
import { exportLimit } from '../published/contracts.ts';
import { allocationCursorCodec } from './allocation-position.ts';

export const allocationsContract = defineContract({
  id: 'exportAllocations',
  method: 'GET',
  path: '/api/projects/{id}/allocations',
  tag: 'projects',
  summary: 'Export the allocations of a sale as of a ledger, in ledger order; those of a cancelled sale stay listed',
  access: [{ kind: 'public' }],
  rateLimit: 'export',
  params: z.object({ id: projectId }),
  query: z.strictObject({
    limit: exportLimit,
    format: z.enum(['jsonl', 'csv']).optional().meta({ description: 'Default: by the Accept header, else jsonl' }),
    as_of: wholeNumber({ min: 1 })
      .optional()
      .meta({ description: 'Last ledger counted; default and limit is the last confirmed one (X-As-Of-Ledger)' }),
    cursor: allocationCursorCodec.optional().meta({
      description: 'Rows after this one: its `<ledger_index>-<transaction_index>-<tier>`',
      example: '101-3-1',
    }),
  }),
  responses: { 200: allocationRow },
  mediaTypes: ['application/jsonl', 'text/csv'],
  streamHeaders: ['ETag', 'X-As-Of-Ledger', 'Content-Disposition'],
  errors: ['project_not_found'],
  cacheControl: 'public, max-age=1, stale-while-revalidate=5',
});
