import { z } from 'zod';
import { isoTime } from '#lib/platform/clock.ts';
import { priceText, tokenAmount, xrpAmount } from '#lib/platform/money.ts';

const account = z
  .string()
  .meta({ description: 'Ledger account address', example: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' });
const transactionHash = z.string().regex(/^[0-9A-F]{64}$/);
const investmentId = z.string().regex(/^inv_/);
const projectId = z.string().regex(/^proj_/);

/** Specification 2.1, the fields of `investment.created`. */
export const investmentCreated = z.object({
  investment_id: investmentId,
  project_id: projectId,
  investor_account: account,
  amount_xrp: xrpAmount,
  tier_info: z.object({ tier: z.int(), price_per_token: priceText, tokens_expected: tokenAmount }),
  transaction: z.object({ hash: transactionHash, ledger_index: z.int(), destination_tag: z.int() }),
  status: z.literal('pending_confirmation'),
  created_at: isoTime,
});

/** Specification 2.1, the fields of `investment.confirmed`. */
export const investmentConfirmed = z.object({
  investment_id: investmentId,
  project_id: projectId,
  investor_account: account,
  confirmed_amount_xrp: xrpAmount,
  final_tier_allocation: z.array(z.object({ tier: z.int(), amount_xrp: xrpAmount, tokens: tokenAmount })).min(1),
  total_tokens: tokenAmount,
  tokens_to_distribute: tokenAmount,
  transaction: z.object({ hash: transactionHash, ledger_index: z.int(), confirmed_at: isoTime }),
  status: z.literal('confirmed'),
});

export const investmentFailed = z.object({
  investment_id: investmentId,
  project_id: projectId,
  investor_account: account,
  amount_xrp: xrpAmount,
  reason: z.string(),
  transaction: z.object({ hash: transactionHash, ledger_index: z.int() }),
  status: z.literal('failed'),
});

export const investmentTokensDistributed = z.object({
  investment_id: investmentId,
  project_id: projectId,
  investor_account: account,
  payout_id: z.string(),
  part: z.int(),
  tokens: tokenAmount,
  transaction: z.object({ hash: transactionHash, ledger_index: z.int() }),
  distributed_at: isoTime,
});

export const investmentRefunded = z.object({
  investment_id: investmentId,
  project_id: projectId,
  investor_account: account,
  payout_id: z.string(),
  amount_xrp: xrpAmount,
  transaction: z.object({ hash: transactionHash, ledger_index: z.int() }),
  refunded_at: isoTime,
});

export const projectLaunched = z.object({
  project_id: projectId,
  project_name: z.string(),
  deposit_address: account,
  destination_tag: z.int(),
  tiers: z.array(z.object({ tier: z.int(), price_per_token: priceText, total_tokens: tokenAmount })),
  starts_at: isoTime.nullable(),
  ends_at: isoTime.nullable(),
  terms_hash: z.string(),
  transaction: z.object({ hash: transactionHash, ledger_index: z.int() }),
  launched_at: isoTime,
});

const projectProgress = z.object({
  tiers_completed: z.int(),
  total_tiers: z.int(),
  total_raised_xrp: xrpAmount,
  progress_percentage: z.number(),
});

/** Specification 2.2. `next_tier` is null after the last tier (design section 5). */
export const projectTierCompleted = z.object({
  project_id: projectId,
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
    .nullable(),
  project_progress: projectProgress,
});

export const projectSaleEnded = z.object({
  project_id: projectId,
  project_name: z.string(),
  reason: z.enum(['sold_out', 'ended', 'end_date', 'soft_cap_missed']),
  total_raised_xrp: xrpAmount,
  total_investors: z.int(),
  ended_at: isoTime,
});

export const projectMilestoneReached = z.object({
  project_id: projectId,
  project_name: z.string(),
  milestone: z.discriminatedUnion('kind', [
    z.object({ kind: z.literal('progress'), percentage: z.union([z.literal(25), z.literal(50), z.literal(75)]) }),
    z.object({ kind: z.literal('soft_cap'), soft_cap_xrp: xrpAmount }),
  ]),
  project_progress: projectProgress,
  /** The payment that reached it. */
  transaction: z.object({ hash: transactionHash, ledger_index: z.int() }),
  reached_at: isoTime,
});

export const projectCancelled = z.object({
  project_id: projectId,
  project_name: z.string(),
  total_raised_xrp: xrpAmount,
  total_investors: z.int(),
  transaction: z.object({ hash: transactionHash, ledger_index: z.int() }),
  cancelled_at: isoTime,
});

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
    details: z.object({ account, reason: z.enum(['payer_key_disabled', 'payer_key_changed']) }),
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

/** Every event type and its data. The closed list; names of specification 6.1 and design section 5. */
export const EVENT_CATALOGUE = {
  'investment.created': investmentCreated,
  'investment.confirmed': investmentConfirmed,
  'investment.failed': investmentFailed,
  'investment.tokens_distributed': investmentTokensDistributed,
  'investment.refunded': investmentRefunded,
  'project.launched': projectLaunched,
  'project.tier_completed': projectTierCompleted,
  'project.milestone_reached': projectMilestoneReached,
  'project.sale_ended': projectSaleEnded,
  'project.cancelled': projectCancelled,
  'system.alert': systemAlert,
} as const;

export type EventType = keyof typeof EVENT_CATALOGUE;
export const EVENT_TYPES = Object.keys(EVENT_CATALOGUE) as [EventType, ...EventType[]];

/** Of no concern to developers: only administrators' webhooks receive them. */
export const ADMINISTRATOR_EVENT_TYPES: readonly EventType[] = ['system.alert'];
export const PUBLIC_EVENT_TYPES: readonly EventType[] = EVENT_TYPES.filter(
  (type) => !ADMINISTRATOR_EVENT_TYPES.includes(type),
);

export type EventData = { [T in EventType]: z.output<(typeof EVENT_CATALOGUE)[T]> };
