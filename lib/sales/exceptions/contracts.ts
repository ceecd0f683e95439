import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { xrpAmount } from '#lib/base/money.ts';
import { projectId } from '../schemas.ts';

const place = { ledger_index: z.int(), transaction_index: z.int() };
const ofPayment = { payment_hash: z.string(), investor_account: z.string(), amount_xrp: xrpAmount };

/** Where a person or the lateness of a server, not the order of the ledger, has decided (docs/verification.md, section 8). */
const exceptionResource = z
  .discriminatedUnion('kind', [
    z.object({
      kind: z.literal('assign'),
      move_hash: z
        .string()
        .meta({ description: 'The `assign` move: it stands on the ledger, whoever wants to check it' }),
      ...place,
      ...ofPayment,
      payment_ledger_index: z.int(),
      investment_id: z.string(),
      assigned_at: isoTime,
    }),
    z.object({
      kind: z.literal('late_discovery').meta({ description: 'It turned up in a ledger that was decided: it is held' }),
      ...place,
      ...ofPayment,
    }),
    z.object({
      kind: z.literal('late_move').meta({ description: 'It turned up in a ledger that was decided: it has no effect' }),
      ...place,
      move_hash: z.string(),
      move: z.string(),
    }),
    z.object({
      kind: z.literal('refund').meta({ description: 'An operator has sent back what was held of a payment' }),
      ...place,
      ...ofPayment,
      payout_id: z.string(),
    }),
  ])
  .meta({ id: 'Exception' });
export type ExceptionResource = z.output<typeof exceptionResource>;

export const exceptionsContract = defineContract({
  id: 'listExceptions',
  method: 'GET',
  path: '/api/projects/{id}/exceptions',
  tag: 'projects',
  summary:
    'What did not follow from the ledger’s order alone: assigns, late discoveries, operators’ refunds; newest first',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({
    ...cursorQuery,
    cursor: z
      .string()
      .regex(/^\d{1,10}-\d{1,9}(-\d{1,6})?$/, 'is not a cursor of this list')
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
