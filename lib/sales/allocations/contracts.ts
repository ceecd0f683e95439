import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { priceText, tokenAmount, xrpAmount } from '#lib/base/money.ts';
import { wholeNumber } from '#lib/base/whole-number.ts';
import { exportLimit } from '../published/contracts.ts';
import { projectId } from '../schemas.ts';
import { placeCodec } from './place.ts';

/** One row of the export: what one investment bought in one tier. */
export const allocationRow = z
  .object({
    investment_id: z.string(),
    transaction_hash: z.string().meta({ description: 'The payment' }),
    ledger_index: z.int().meta({ description: 'Where it was decided: the payment’s ledger, or that of `assigned_by`' }),
    transaction_index: z.int(),
    investor_account: z.string(),
    tier: z.int(),
    price_per_token: priceText,
    amount_xrp: xrpAmount,
    tokens: tokenAmount,
    assigned_by: z.string().nullable().meta({ description: 'The move that credited a payment held before' }),
    confirmed_at: isoTime.meta({
      description: 'Close time of the ledger that confirmed it (CONFIRMATIONS after the one that decided)',
    }),
    decided_at: isoTime.meta({ description: 'Close time of the ledger that decided, as in `/payments`' }),
  })
  .meta({ id: 'AllocationRow' });
export type AllocationRow = z.output<typeof allocationRow>;

export const allocationsContract = defineContract({
  id: 'exportAllocations',
  method: 'GET',
  path: '/api/projects/{id}/allocations',
  tag: 'projects',
  summary: 'Every allocation of a sale up to a ledger, in ledger order; what a cancelled sale took back stays in it',
  access: [{ kind: 'public' }],
  rateLimit: 'export',
  params: z.object({ id: projectId }),
  query: z.strictObject({
    limit: exportLimit,
    format: z.enum(['jsonl', 'csv']).optional().meta({ description: 'Default: by the Accept header, else jsonl' }),
    as_of: wholeNumber({ min: 1 })
      .optional()
      .meta({ description: 'Last ledger counted; default and limit is the last confirmed one (X-As-Of-Ledger)' }),
    cursor: placeCodec.optional().meta({
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
