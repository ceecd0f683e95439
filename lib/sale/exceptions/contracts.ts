import { z } from 'zod';
import { isoTime } from '#lib/platform/clock.ts';
import { defineContract } from '#lib/platform/contract.ts';
import { cursorQuery } from '#lib/platform/cursor.ts';
import { xrpAmount } from '#lib/platform/money.ts';
import { projectId } from '../schemas.ts';

/** A held payment that an operator credited to the sale: the move stands on the ledger, whoever wants to check it. */
export const exceptionResource = z
  .object({
    move_hash: z.string().meta({ description: 'The `assign` move' }),
    ledger_index: z.int(),
    transaction_index: z.int(),
    payment_hash: z.string(),
    payment_ledger_index: z.int(),
    investor_account: z.string(),
    amount_xrp: xrpAmount,
    investment_id: z.string(),
    assigned_at: isoTime,
  })
  .meta({ id: 'Exception' });
export type ExceptionResource = z.output<typeof exceptionResource>;

export const exceptionsContract = defineContract({
  id: 'listExceptions',
  method: 'GET',
  path: '/api/projects/{id}/exceptions',
  tag: 'projects',
  summary: 'Payments that an operator assigned to the sale by a move on the ledger, newest first',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({
    ...cursorQuery,
    cursor: z
      .string()
      .regex(/^\d{1,10}-\d{1,9}$/, 'is not a cursor of this list')
      .optional()
      .meta({ description: 'Opaque; `next_cursor` of the page before' }),
  }),
  responses: {
    200: z.object({
      exceptions: z.array(exceptionResource),
      next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
    }),
  },
  errors: ['project_not_found'],
  cacheControl: 'public, max-age=1, stale-while-revalidate=5',
});
