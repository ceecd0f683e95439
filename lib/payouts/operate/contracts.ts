import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { isoTime } from '#lib/base/clock.ts';
import { anyPresent, defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { idPattern } from '#lib/base/ids.ts';
import { tokenAmount, xrpAmount } from '#lib/base/money.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { transactionHash } from '#lib/xrpl/transaction-hash.ts';
import { PAYOUT_REASONS } from '../types.ts';

const readOnly = [{ kind: 'administrator', role: 'read_only' }] as const;
const operator = [{ kind: 'administrator', role: 'operator' }] as const;

/** What an operator may do with a payout. */
const ACTIONS = ['retry', 'hold', 'release', 'settle'] as const;
export type Action = (typeof ACTIONS)[number];

/** `open` is every status but `validated` and `cancelled`. */
const STATUSES = ['scheduled', 'waiting_holder', 'ready', 'submitted', 'validated', 'held', 'cancelled'] as const;
const KINDS = ['distribution', 'refund', 'release', 'lock', 'unlock'] as const;

const payoutId = z.string().regex(idPattern('pay'), 'must be a payout id (pay_…)');
const projectId = z.string().regex(idPattern('proj'), 'must be a project id (proj_…)');
/** Of payouts that a cancelled sale will not make. */
const END_REASONS = ['cancelled', 'soft_cap_missed'] as const;
const KNOWN_REASONS: ReadonlySet<string> = new Set([...PAYOUT_REASONS, ...END_REASONS]);
const LEDGER_RESULT = /^te[cflmr][A-Z][A-Z_0-9]+$/;
/** A slip of the pen would find nothing, and look as if nothing waited. */
const isReason = (text: string): boolean =>
  KNOWN_REASONS.has(text) || LEDGER_RESULT.test(text) || text === 'invalidTransaction';

const reasonCode = z
  .string()
  .max(60)
  .refine(isReason, {
    error: `must be one of ${[...PAYOUT_REASONS, ...END_REASONS].join(', ')}, or a result of the ledger such as tecPATH_DRY`,
  })
  .meta({
    description: 'Why it waits or is held: one of the platform’s reasons, or the ledger’s own result',
    anyOf: [
      { type: 'string', enum: [...PAYOUT_REASONS, ...END_REASONS, 'invalidTransaction'] },
      {
        type: 'string',
        pattern: LEDGER_RESULT.source,
        description: 'A result of the ledger',
        examples: ['tecPATH_DRY'],
      },
    ],
  });

const attempt = z.lazy(() =>
  z.object({
    attempt: z.int(),
    transaction_hash: z.string(),
    status: z.enum(['open', 'validated', 'failed', 'expired']),
    engine_result: z
      .string()
      .nullable()
      .meta({ description: 'The validated result; before that, what the server last said, which decides nothing' }),
    ticket: z.int(),
    fee_xrp: xrpAmount,
    first_ledger: z.int(),
    last_ledger_sequence: z.int().meta({ description: 'Past it the transaction can never succeed' }),
    ledger_index: z.int().nullable(),
    created_at: isoTime,
  }),
);

export const payoutResource = z.lazy(() =>
  z
    .object({
      id: z.string(),
      kind: z.enum(KINDS),
      project_id: z.string().nullable(),
      investment_id: z.string().nullable(),
      payment_hash: z.string().nullable(),
      part: z.int(),
      account: z.string().meta({ description: 'The account that pays' }),
      destination: z.string(),
      destination_tag: z.int().nullable(),
      amount_xrp: xrpAmount.nullable().meta({ description: 'Null for a distribution, lock or unlock' }),
      tokens: tokenAmount.nullable().meta({ description: 'Null for a refund or release' }),
      locked_until: isoTime
        .nullable()
        .meta({ description: 'Of a lock or unlock: its tokens cannot move before this time; else null' }),
      status: z.enum(STATUSES),
      reason: z.string().nullable(),
      due_at: isoTime,
      age_seconds: z.int().meta({ description: 'Since it is due; 0 before' }),
      overdue: z.boolean().meta({ description: 'Waits for its holder longer than the project’s `claim_days`' }),
      next_check_at: isoTime,
      possible: z.array(z.enum(ACTIONS)).meta({ description: 'Actions that an operator can take now' }),
      transaction_hash: z.string().nullable(),
      ledger_index: z.int().nullable(),
      validated_at: isoTime.nullable(),
      created_at: isoTime,
      attempt_count: z.int(),
      attempts: z.array(attempt).meta({ description: 'The newest first; in a list at most three' }),
    })
    .meta({ id: 'Payout' }),
);
export type PayoutResource = z.output<typeof payoutResource>;

export const listPayoutsContract = defineContract({
  id: 'listPayouts',
  method: 'GET',
  path: '/api/admin/payouts',
  tag: 'admin',
  summary:
    'List distributions, refunds, releases, locks and unlocks, due longest first, with a summary by status and reason',
  access: readOnly,
  rateLimit: 'internal',
  query: z.strictObject({
    ...cursorQuery,
    status: z
      .enum([...STATUSES, 'open', 'all'])
      .default('open')
      .meta({ description: '`open`: all that is neither paid nor cancelled' }),
    kind: z.enum(KINDS).optional(),
    reason: reasonCode.optional(),
    project_id: projectId.optional(),
    account: accountAddress.optional(),
    destination: accountAddress.optional(),
    overdue: z
      .enum(['true', 'false'])
      .transform((text) => text === 'true')
      .optional(),
  }),
  responses: {
    200: z.lazy(() =>
      z.object({
        payouts: z.array(payoutResource),
        summary: z
          .array(
            z.object({
              status: z.enum(STATUSES),
              reason: z.string().nullable(),
              payouts: z.int(),
              overdue: z.int(),
              amount_xrp: xrpAmount.meta({ description: 'Of refunds and releases' }),
              oldest_due_at: isoTime,
              oldest_age_seconds: z.int(),
            }),
          )
          .meta({ description: 'Everything that the filters let through, not this page alone; the most first' }),
        next_cursor: z.string().nullable().meta({ description: 'Pass as `cursor` for the next page; null at the end' }),
      }),
    ),
  },
  errors: ['project_not_found'],
});

const { project_id: _, ...ownFilters } = listPayoutsContract.query.shape;

export const listOwnPayoutsContract = defineContract({
  ...listPayoutsContract,
  id: 'listOwnPayouts',
  path: '/api/owner/projects/{id}/payouts',
  tag: 'owners',
  summary:
    'List the distributions, refunds, releases and locks of one of the tenant’s sales, due longest first, with a summary',
  access: [{ kind: 'member', role: 'viewer' }],
  rateLimit: 'read',
  params: z.object({ id: projectId }),
  query: z.strictObject(ownFilters),
});

export const getPayoutContract = defineContract({
  id: 'getPayout',
  method: 'GET',
  path: '/api/admin/payouts/{id}',
  tag: 'admin',
  summary: 'Get a payout with all its attempts',
  access: readOnly,
  rateLimit: 'internal',
  params: z.object({ id: payoutId }),
  responses: { 200: payoutResource },
  errors: ['not_found'],
});

export const actOnPayoutContract = defineContract({
  id: 'actOnPayout',
  method: 'POST',
  path: '/api/admin/payouts/{id}/{action}',
  tag: 'admin',
  summary:
    'Retry a waiting payout now, hold one that is not submitted, release one that is held, or settle it with the transaction that paid it',
  access: operator,
  rateLimit: 'internal',
  idempotent: true,
  params: z.object({ id: payoutId, action: z.enum(ACTIONS, { error: `must be one of ${ACTIONS.join(', ')}` }) }),
  body: z.strictObject({
    reason: auditReason,
    transaction_hash: transactionHash.optional().meta({
      description:
        'With `settle`, and with nothing else: the validated Payment that paid it, from its account to its destination with its tag, of exactly its amount, and of no other payout',
    }),
  }),
  responses: { 200: payoutResource },
  errors: ['not_found', 'conflict', 'ledger_unavailable'],
});

export const retryPayoutsContract = defineContract({
  id: 'retryPayouts',
  method: 'POST',
  path: '/api/admin/payouts/retry',
  tag: 'admin',
  summary: 'Retry waiting payouts now; held, submitted and paid ones are skipped',
  access: operator,
  rateLimit: 'internal',
  idempotent: true,
  body: z
    .strictObject({
      project_id: projectId.optional(),
      waiting_reason: reasonCode.optional(),
      payout_ids: z.array(payoutId).min(1).max(1_000).optional(),
      reason: auditReason,
    })
    .refine(
      ({ project_id, waiting_reason, payout_ids }) => [project_id, waiting_reason, payout_ids].some(Boolean),
      'give project_id, waiting_reason or payout_ids: to select payouts',
    )
    .meta(anyPresent('project_id', 'waiting_reason', 'payout_ids')),
  responses: {
    200: z.lazy(() =>
      z.object({
        retried: z.int().meta({ description: 'Waiting payouts that the next run checks' }),
        skipped: z.int().nullable().meta({
          description: 'How many of `payout_ids` are held, submitted, paid or unknown; null without payout_ids',
        }),
      }),
    ),
  },
  errors: ['project_not_found'],
});
