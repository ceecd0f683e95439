import { REFUSAL_REASONS } from '@tranche/rules/types.ts';
import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { priceText, tokenAmount, xrpAmount } from '#lib/base/money.ts';

const account = () =>
  z.string().meta({ description: 'Ledger account address', example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' });
const transactionHash = () => z.string().regex(/^[0-9A-F]{64}$/);
const investmentId = () => z.string().regex(/^inv_/);
const projectId = () => z.string().regex(/^proj_/);

/** The documented fields of `investment.created`. */
export const investmentCreated = z.lazy(() =>
  z.object({
    investment_id: investmentId(),
    project_id: projectId(),
    investor_account: account(),
    amount_xrp: xrpAmount,
    tier_info: z.object({ tier: z.int(), price_per_token: priceText, tokens_expected: tokenAmount }),
    transaction: z.object({ hash: transactionHash(), ledger_index: z.int(), destination_tag: z.int() }),
    status: z.literal('pending_confirmation'),
    created_at: isoTime,
  }),
);

/** The documented fields of `investment.confirmed`. */
export const investmentConfirmed = z.lazy(() =>
  z.object({
    investment_id: investmentId(),
    project_id: projectId(),
    investor_account: account(),
    confirmed_amount_xrp: xrpAmount,
    final_tier_allocation: z.array(z.object({ tier: z.int(), amount_xrp: xrpAmount, tokens: tokenAmount })).min(1),
    total_tokens: tokenAmount,
    tokens_to_distribute: tokenAmount,
    transaction: z.object({
      hash: transactionHash(),
      ledger_index: z.int(),
      confirmed_at: isoTime.meta({ description: 'Close time of the ledger that confirmed it; also `timestamp`' }),
    }),
    status: z.literal('confirmed'),
  }),
);

export const investmentFailed = z.lazy(() =>
  z.object({
    investment_id: investmentId(),
    project_id: projectId(),
    investor_account: account(),
    amount_xrp: xrpAmount,
    reason: z.enum(REFUSAL_REASONS).meta({ description: 'Why it got no token' }),
    transaction: z.object({ hash: transactionHash(), ledger_index: z.int() }),
    status: z.literal('failed'),
  }),
);

export const investmentTokensDistributed = z.lazy(() =>
  z.object({
    investment_id: investmentId(),
    project_id: projectId(),
    investor_account: account(),
    payout_id: z.string(),
    part: z.int(),
    tokens: tokenAmount,
    transaction: z.object({ hash: transactionHash(), ledger_index: z.int() }),
    distributed_at: isoTime,
  }),
);

export const investmentRefunded = z.lazy(() =>
  z.object({
    investment_id: investmentId(),
    project_id: projectId(),
    investor_account: account(),
    payout_id: z.string(),
    amount_xrp: xrpAmount,
    transaction: z.object({ hash: transactionHash(), ledger_index: z.int() }),
    refunded_at: isoTime,
  }),
);

export const projectLaunched = z.lazy(() =>
  z.object({
    project_id: projectId(),
    project_name: z.string(),
    deposit_address: account(),
    destination_tag: z.int(),
    tiers: z.array(z.object({ tier: z.int(), price_per_token: priceText, total_tokens: tokenAmount })),
    starts_at: isoTime.nullable(),
    ends_at: isoTime.nullable(),
    terms_hash: z.string(),
    transaction: z.object({ hash: transactionHash(), ledger_index: z.int() }),
    launched_at: isoTime,
  }),
);

const projectProgress = z.lazy(() =>
  z
    .object({
      tiers_completed: z.int(),
      total_tiers: z.int(),
      total_raised_xrp: xrpAmount,
      progress_percentage: z
        .number()
        .meta({ description: 'Raised in percent of what the whole sale brings, rounded down to two decimals' }),
    })
    .meta({ description: 'The sale as the fact left it: of a completed tier, when that tier was full' }),
);

/** A tier that is sold whole. `next_tier` is null after the last one (docs/webhooks.md#events). */
export const projectTierCompleted = z.lazy(() =>
  z.object({
    project_id: projectId(),
    project_name: z.string(),
    tier_completed: z.int(),
    tier_details: z.object({
      tier: z.int(),
      price_per_token: priceText,
      total_tokens: tokenAmount,
      total_value_xrp: xrpAmount,
    }),
    completion_stats: z.object({
      total_investors: z.int(),
      completion_time: isoTime,
      time_to_complete_hours: z.number(),
    }),
    next_tier: z
      .object({ tier: z.int(), price_per_token: priceText, total_tokens: tokenAmount, starts_at: isoTime })
      .nullable()
      .meta({ description: 'The tier that sells next; null after the last tier, when there is none' }),
    project_progress: projectProgress,
  }),
);

export const projectSaleEnded = z.lazy(() =>
  z.object({
    project_id: projectId(),
    project_name: z.string(),
    reason: z.enum(['sold_out', 'ended', 'end_date', 'soft_cap_missed']),
    total_raised_xrp: xrpAmount,
    total_investors: z.int(),
    ended_at: isoTime,
  }),
);

export const projectMilestoneReached = z.lazy(() =>
  z.object({
    project_id: projectId(),
    project_name: z.string(),
    milestone: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('progress'), percentage: z.literal([25, 50, 75]).meta({ type: 'integer' }) }),
      z.object({ kind: z.literal('soft_cap'), soft_cap_xrp: xrpAmount }),
    ]),
    project_progress: projectProgress,
    /** The payment that reached it. */
    transaction: z.object({ hash: transactionHash(), ledger_index: z.int() }),
    reached_at: isoTime,
  }),
);

export const projectCancelled = z.lazy(() =>
  z.object({
    project_id: projectId(),
    project_name: z.string(),
    total_raised_xrp: xrpAmount,
    total_investors: z.int(),
    transaction: z.object({ hash: transactionHash(), ledger_index: z.int() }),
    cancelled_at: isoTime,
  }),
);

export const systemMaintenanceStart = z.lazy(() =>
  z.object({
    maintenance_id: z.string(),
    message: z.string().meta({ description: 'What the operators announce' }),
    started_at: isoTime,
    expected_end_at: isoTime.nullable(),
  }),
);

export const systemMaintenanceEnd = z.lazy(() =>
  z.object({
    maintenance_id: z.string(),
    message: z.string(),
    started_at: isoTime,
    ended_at: isoTime,
  }),
);

/** A webhook that the platform switched off. Its address stays out: it may hold a secret of that receiver. */
export const systemWebhookDisabled = z.lazy(() =>
  z.object({
    webhook_id: z.string().regex(/^wh_/),
    reason: z.enum(['gone', 'failing']).meta({
      description:
        '`gone`: the last attempt of a delivery was answered 410. `failing`: nothing but failures for five days',
    }),
    message: z.string().meta({ description: 'What happened, and what to do' }),
    failing_since: isoTime.nullable(),
    disabled_at: isoTime,
  }),
);

/** A delivery of which every attempt failed. */
export const systemDeliveryFailed = z.lazy(() =>
  z.object({
    webhook_id: z.string().regex(/^wh_/).meta({ description: 'The webhook whose receiver did not take it' }),
    delivery_id: z.string().regex(/^del_/),
    event_id: z.string().regex(/^evt_/).meta({ description: 'The event that was not delivered' }),
    event_type: z.string().meta({ description: 'Its type', example: 'investment.confirmed' }),
    attempts: z.int(),
    response_code: z.int().nullable().meta({ description: 'HTTP status of the last answer; null where none came' }),
    message: z.string().meta({ description: 'What happened, and what to do' }),
    failed_at: isoTime,
  }),
);

/** Parts of the platform whose health is told; `platform` is all of them together. */
export const HEALTH_PARTS = ['platform', 'database', 'cache', 'ledger', 'queue'] as const;
export const HEALTH_STATUSES = ['operational', 'degraded', 'down'] as const;

const healthStatus = () => z.enum(HEALTH_STATUSES);

/** A part of the platform got worse, or better: sent once for each such change. */
export const systemNetworkStatus = z.lazy(() =>
  z.object({
    part: z.enum(HEALTH_PARTS).meta({
      description: 'What has changed; `platform` is the overall status. Each change is an event of its own',
    }),
    status: healthStatus(),
    previous: healthStatus().meta({ description: 'What was announced before' }),
    since: isoTime.meta({ description: 'When it was first seen; a change for the worse is announced a look later' }),
    detail: z.string().meta({ description: 'What it means for who uses the platform', example: 'All is well again.' }),
  }),
);

const alert = () =>
  z.object({
    message: z.string().meta({ description: 'What was found, and what to do next' }),
    raised_at: isoTime,
  });
const typedTransaction = () => z.object({ hash: transactionHash(), ledger_index: z.int(), type: z.string() });
/** More or less than nothing. */
const xrpDifference = () =>
  z
    .string()
    .regex(/^-?\d{1,12}\.\d{6}$/)
    .meta({ description: 'XRP with exactly six fractional digits', example: '-5.000000' });

/** Something that a person has to look into. For administrators' webhooks only. */
export const systemAlert = z.lazy(() =>
  z.discriminatedUnion('kind', [
    alert().extend({
      kind: z.literal('balance_difference'),
      details: z.object({
        account: account(),
        ledger_index: z.int(),
        expected_xrp: xrpDifference(),
        actual_xrp: xrpAmount,
        difference_xrp: xrpDifference(),
      }),
    }),
    alert().extend({
      kind: z.literal('unknown_withdrawal'),
      details: z.object({
        account: account(),
        transaction: typedTransaction(),
        amount_xrp: xrpAmount,
      }),
    }),
    alert().extend({
      kind: z.literal('unknown_transfer'),
      /** What a distributor has moved by a transaction signed elsewhere. */
      details: z.object({
        account: account(),
        transaction: typedTransaction(),
        destination: account().nullable().meta({ description: 'Null for what is not a Payment' }),
        delivered: z.string().nullable().meta({
          description: 'Amount and asset as the ledger shows them; null where it shows none',
          example: '5 DMO',
        }),
      }),
    }),
    alert().extend({
      kind: z.literal('late_discovery'),
      details: z.object({
        account: account(),
        transaction: typedTransaction(),
        /** What arrived and is held; null for an action, which then has no effect. */
        amount_xrp: xrpAmount.nullable(),
      }),
    }),
    alert().extend({
      kind: z.literal('servers_disagree'),
      /** The first ledger of which two configured servers report different things. */
      details: z.object({ account: account(), ledger_index: z.int() }),
    }),
    alert().extend({
      kind: z.literal('payout_ceiling'),
      details: z.object({
        account: account(),
        limit_payouts: z.int(),
        /** Null when PAYOUT_HOURLY_XRP sets none. */
        limit_xrp: xrpAmount.nullable(),
        /** How many payouts were put off just now; more may follow within the hour without an alert of their own. */
        waiting: z.int(),
      }),
    }),
    alert().extend({
      kind: z.literal('payout_unclaimed'),
      /** Every part of the project that waits for its holder longer than its `claim_days`. */
      details: z.object({ account: account(), project_id: projectId(), parts: z.int(), tokens: tokenAmount }),
    }),
    alert().extend({
      kind: z.literal('payout_key'),
      details: z.object({
        account: account(),
        reason: z.enum([
          'payer_key_disabled',
          'payer_key_changed',
          'signing_key_unfit',
          'key_used_elsewhere',
          'waiting_witnesses',
          'witness_refused',
        ]),
      }),
    }),
    alert().extend({
      kind: z.literal('database_behind'),
      /** What was done last for the account, by Redis, and the database does not know. */
      details: z.object({
        account: account(),
        remembered: z.string().meta({
          description:
            'Hash of a transaction that was signed, or id of the audit entry of a payout that was settled by hand',
          example: 'aud_4qUZk0r2bJ8sVd1mX7nTqL',
        }),
      }),
    }),
    alert().extend({
      kind: z.literal('account_health'),
      /** A finding of GET /api/system/trustline-monitor; `token` is null when it concerns the account itself. */
      details: z.object({
        account: account(),
        finding: z.string().meta({ example: 'tokens_short' }),
        severity: z.enum(['warning', 'critical']),
        token: z.string().nullable(),
      }),
    }),
    alert().extend({
      kind: z.literal('verification_failed'),
      /** What is published of a sale does not follow from the ledger; the report names every difference. */
      details: z.object({
        account: account(),
        project_id: projectId(),
        verification_id: z.string(),
        as_of_ledger: z.int(),
        differences: z.int(),
      }),
    }),
  ]),
);
