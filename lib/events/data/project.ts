import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { priceText, tokenAmount, xrpAmount } from '#lib/base/money.ts';
import { account, projectId, transactionHash } from './fields.ts';

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

const projectProgress = z
  .object({
    tiers_completed: z.int(),
    total_tiers: z.int(),
    total_raised_xrp: xrpAmount,
    progress_percentage: z
      .number()
      .meta({ description: 'Raised in percent of what the whole sale brings, rounded down to two decimals' }),
  })
  .meta({ description: 'The sale as the fact left it: of a completed tier, when that tier was full' });

/** A tier that is sold whole. `next_tier` is null after the last one (docs/webhooks.md#events). */
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
    .nullable()
    .meta({ description: 'The tier that sells next; null after the last tier, when there is none' }),
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
