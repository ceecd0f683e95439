import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { tokenAmount, xrpAmount } from '#lib/base/money.ts';
import { account, projectId, transactionHash } from './fields.ts';

const alert = z.object({
  message: z.string().meta({ description: 'What was found, and what to do' }),
  raised_at: isoTime,
});
/** More or less than nothing. */
const xrpDifference = z
  .string()
  .regex(/^-?\d{1,12}\.\d{6}$/)
  .meta({ description: 'XRP with exactly six fractional digits', example: '-5.000000' });

/** Something that a person has to look into. For administrators' webhooks only. */
export const systemAlert = z.discriminatedUnion('kind', [
  alert.extend({
    kind: z.literal('balance_difference'),
    details: z.object({
      account,
      ledger_index: z.int(),
      expected_xrp: xrpDifference,
      actual_xrp: xrpAmount,
      difference_xrp: xrpDifference,
    }),
  }),
  alert.extend({
    kind: z.literal('unknown_withdrawal'),
    details: z.object({
      account,
      transaction: z.object({ hash: transactionHash, ledger_index: z.int(), type: z.string() }),
      amount_xrp: xrpAmount,
    }),
  }),
  alert.extend({
    kind: z.literal('unknown_transfer'),
    /** What a distributor has moved by a transaction signed elsewhere. */
    details: z.object({
      account,
      transaction: z.object({ hash: transactionHash, ledger_index: z.int(), type: z.string() }),
      destination: account.nullable().meta({ description: 'Null for what is not a Payment' }),
      delivered: z
        .string()
        .nullable()
        .meta({ description: 'Amount and asset as the ledger shows them; null where it shows none', example: '5 DMO' }),
    }),
  }),
  alert.extend({
    kind: z.literal('late_discovery'),
    details: z.object({
      account,
      transaction: z.object({ hash: transactionHash, ledger_index: z.int(), type: z.string() }),
      /** What arrived and is held; null for a move, which then has no effect. */
      amount_xrp: xrpAmount.nullable(),
    }),
  }),
  alert.extend({
    kind: z.literal('servers_disagree'),
    /** The first ledger of which two configured servers report different things. */
    details: z.object({ account, ledger_index: z.int() }),
  }),
  alert.extend({
    kind: z.literal('payout_ceiling'),
    details: z.object({
      account,
      limit_payouts: z.int(),
      /** Null when PAYOUT_HOURLY_XRP sets none. */
      limit_xrp: xrpAmount.nullable(),
      /** How many payouts were put off just now; more may follow within the hour without an alert of their own. */
      waiting: z.int(),
    }),
  }),
  alert.extend({
    kind: z.literal('payout_unclaimed'),
    /** Every part of the project that waits for its holder longer than its `claim_days`. */
    details: z.object({ account, project_id: projectId, parts: z.int(), tokens: tokenAmount }),
  }),
  alert.extend({
    kind: z.literal('payout_key'),
    details: z.object({
      account,
      reason: z.enum(['payer_key_disabled', 'payer_key_changed', 'signing_key_unfit', 'key_used_elsewhere']),
    }),
  }),
  alert.extend({
    kind: z.literal('database_behind'),
    /** What was done last for the account, by Redis, and the database does not know. */
    details: z.object({
      account,
      remembered: z.string().meta({
        description:
          'Hash of a transaction that was signed, or id of the audit entry of a payout that was settled by hand',
        example: 'aud_4qUZk0r2bJ8sVd1mX7nTqL',
      }),
    }),
  }),
  alert.extend({
    kind: z.literal('account_health'),
    /** A finding of GET /api/system/trustline-monitor; `token` is null when it concerns the account itself. */
    details: z.object({
      account,
      finding: z.string().meta({ example: 'tokens_short' }),
      severity: z.enum(['warning', 'critical']),
      token: z.string().nullable(),
    }),
  }),
  alert.extend({
    kind: z.literal('verification_failed'),
    /** What is published of a sale does not follow from the ledger; the report names every difference. */
    details: z.object({
      account,
      project_id: projectId,
      verification_id: z.string(),
      as_of_ledger: z.int(),
      differences: z.int(),
    }),
  }),
]);
