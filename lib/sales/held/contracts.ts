import { HELD_REASONS, PARTIAL_REASONS, REFUSAL_REASONS } from '@tranche/rules/types.ts';
import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { isoTime } from '#lib/base/clock.ts';
import { anyPresent, defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { xrpAmount } from '#lib/base/money.ts';
import { xrpCodec } from '#lib/base/money-codecs.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { transactionHash } from '#lib/xrpl/transaction-hash.ts';
import { projectId, projectResource } from '../schemas.ts';

const operator = [{ kind: 'administrator', role: 'operator' }] as const;
const ofPayment = z.object({ transaction_hash: transactionHash });

const paymentResource = z.lazy(() =>
  z
    .object({
      transaction_hash: z.string(),
      transaction_type: z.string().meta({ description: '`Payment`, or by what the XRP arrived otherwise' }),
      ledger_index: z.int(),
      closed_at: isoTime,
      age_seconds: z.int().meta({ description: 'Since the ledger of the payment closed' }),
      account: z.string().meta({ description: 'The deposit account that received it' }),
      sender: z.string(),
      destination_tag: z.int().nullable(),
      source_tag: z.int().nullable(),
      project_id: projectId.nullable(),
      outcome: z.enum(['pending', 'invested', 'partial', 'refunded', 'held']),
      reason: z.string().nullable(),
      received_xrp: xrpAmount,
      invested_xrp: xrpAmount,
      refunded_xrp: xrpAmount,
      held_xrp: xrpAmount,
      assignable: z.boolean().meta({ description: 'It may be credited to a project of the same deposit account' }),
      not_assignable_reason: z.string().nullable(),
      refundable: z.boolean().meta({ description: 'What is held may be sent back' }),
      not_refundable_reason: z.string().nullable(),
      pending_assign: z.object({ project_id: projectId, transaction_hash: z.string() }).nullable(),
      refunds: z.array(
        z.object({
          id: z.string(),
          amount_xrp: xrpAmount,
          destination_tag: z.int().nullable(),
          status: z.string(),
          reason: z.string().nullable(),
          transaction_hash: z.string().nullable(),
        }),
      ),
    })
    .meta({ id: 'Payment' }),
);
export type PaymentResource = z.output<typeof paymentResource>;

const REASONS = new Set([...REFUSAL_REASONS, ...PARTIAL_REASONS, ...HELD_REASONS]);

const heldReason = z
  .enum([...REASONS])
  .meta({ description: 'Why a payment was refused or held', example: 'late_discovery' });

/** Which held payments: every field narrows the choice. Amounts are those that are held. */
const heldFilter = {
  account: accountAddress.optional(),
  project_id: projectId.optional(),
  min_amount_xrp: xrpCodec.optional().meta({ description: 'Only payments of which at least so much is held' }),
  max_amount_xrp: xrpCodec.optional().meta({ description: 'Only payments of which at most so much is held' }),
};

const MAX_BULK = 500;

export const listPaymentsContract = defineContract({
  id: 'listPayments',
  method: 'GET',
  path: '/api/admin/payments',
  tag: 'admin',
  summary: 'List held payments, or all payments, with the actions that each allows',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  query: z.strictObject({
    ...cursorQuery,
    cursor: z
      .string()
      .regex(/^(?:\d{1,18}-)?\d{1,10}-\d{1,9}$/, 'is not a cursor of this list')
      .optional()
      .meta({ description: 'Opaque; `next_cursor` of the page before' }),
    status: z.enum(['held', 'all']).default('held'),
    reason: heldReason.optional(),
    sort: z.enum(['oldest', 'amount'], { error: 'must be "oldest" or "amount"' }).default('oldest').meta({
      description: '`amount`: those of which most is held first; asks for `status` held',
    }),
    ...heldFilter,
  }),
  responses: {
    200: z.lazy(() =>
      z.object({
        payments: z.array(paymentResource),
        next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
        groups: z
          .array(
            z.object({
              from_xrp: xrpAmount.meta({ description: 'Of which at least so much is held' }),
              below_xrp: xrpAmount.nullable().meta({ description: 'And less than this; null is no bound' }),
              payments: z.int(),
              held_xrp: xrpAmount.meta({ description: 'In all' }),
            }),
          )
          .meta({
            description:
              'All held payments that `reason`, `account` and `project_id` choose, by size, the largest first; empty with `status` all',
          }),
      }),
    ),
  },
});

export const refundPaymentsContract = defineContract({
  id: 'refundPayments',
  method: 'POST',
  path: '/api/admin/payments/refund',
  tag: 'admin',
  summary:
    'Refund the held amount of many payments to their senders; a dry run reports what it would do and writes nothing',
  access: operator,
  rateLimit: 'internal',
  idempotent: true,
  body: z
    .strictObject({
      transaction_hashes: z
        .array(transactionHash)
        .min(1)
        .max(MAX_BULK)
        .optional()
        .meta({ description: 'These payments only' }),
      held_reason: heldReason.optional().meta({
        description:
          'Only payments held for this reason. Without it, and without hashes, operating_funds are left alone',
      }),
      ...heldFilter,
      limit: z.int().min(1).max(MAX_BULK).default(100).meta({ description: 'At most so many, the largest first' }),
      dry_run: z.boolean().default(false),
      reason: auditReason,
    })
    .meta(anyPresent('transaction_hashes', 'held_reason', ...Object.keys(heldFilter))),
  responses: {
    200: z.lazy(() =>
      z.object({
        dry_run: z.boolean(),
        refunded: z.int().meta({ description: 'How many are refunded; in a dry run, would be' }),
        amount_xrp: xrpAmount.meta({ description: 'Their held XRP in all' }),
        payments: z.array(
          z.object({ transaction_hash: z.string(), sender: z.string(), held_xrp: xrpAmount }).meta({
            description: 'What was held before',
          }),
        ),
        skipped: z
          .array(z.object({ transaction_hash: z.string(), because: z.string() }))
          .meta({ description: 'Selected, but not refunded' }),
        beyond_limit: z
          .int()
          .meta({ description: 'Selected beyond `limit`, or not reached in time: send the request again' }),
      }),
    ),
  },
});

export const assignPaymentContract = defineContract({
  id: 'assignPayment',
  method: 'POST',
  path: '/api/admin/payments/{transaction_hash}/assign',
  tag: 'admin',
  summary: 'Credit a held payment to a project as a published exception, by an action on the ledger',
  access: operator,
  rateLimit: 'internal',
  idempotent: true,
  params: ofPayment,
  body: z.strictObject({ project_id: projectId, reason: auditReason }),
  responses: { 202: projectResource },
  errors: ['not_found', 'project_not_found', 'transition_not_allowed', 'conflict', 'ledger_unavailable'],
});

export const refundPaymentContract = defineContract({
  id: 'refundPayment',
  method: 'POST',
  path: '/api/admin/payments/{transaction_hash}/refund',
  tag: 'admin',
  summary: 'Refund the held amount of a payment to its sender',
  access: operator,
  rateLimit: 'internal',
  idempotent: true,
  params: ofPayment,
  body: z.strictObject({ reason: auditReason }),
  responses: { 202: paymentResource },
  errors: ['not_found', 'conflict'],
});

const { project_id: _, account: __, ...ownFilters } = listPaymentsContract.query.shape;

export const listOwnPaymentsContract = defineContract({
  ...listPaymentsContract,
  id: 'listOwnPayments',
  path: '/api/owner/projects/{id}/payments',
  tag: 'owners',
  summary: 'List the payments to one of the tenant’s sales, or those that are held, in ledger order',
  access: [{ kind: 'member', role: 'viewer' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject({ ...ownFilters, status: z.enum(['held', 'all']).default('all') }),
  errors: ['project_not_found'],
});
