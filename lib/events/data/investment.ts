import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { priceText, tokenAmount, xrpAmount } from '#lib/base/money.ts';
import { account, investmentId, projectId, transactionHash } from './fields.ts';

/** The documented fields of `investment.created`. */
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

/** The documented fields of `investment.confirmed`. */
export const investmentConfirmed = z.object({
  investment_id: investmentId,
  project_id: projectId,
  investor_account: account,
  confirmed_amount_xrp: xrpAmount,
  final_tier_allocation: z.array(z.object({ tier: z.int(), amount_xrp: xrpAmount, tokens: tokenAmount })).min(1),
  total_tokens: tokenAmount,
  tokens_to_distribute: tokenAmount,
  transaction: z.object({
    hash: transactionHash,
    ledger_index: z.int(),
    confirmed_at: isoTime.meta({ description: 'Close time of the ledger that confirmed it; also `timestamp`' }),
  }),
  status: z.literal('confirmed'),
});

/** Why a payment to a sale buys nothing; the rules of the sale give no other. */
const FAILURE_REASONS = [
  'no_tag',
  'unknown_tag',
  'not_active',
  'before_start',
  'after_end',
  'between_tiers',
  'below_minimum',
  'above_wallet_cap',
  'not_admitted',
  'below_one_unit',
  'sold_out',
  'soft_cap_missed',
  'cancelled',
] as const;

export const investmentFailed = z.object({
  investment_id: investmentId,
  project_id: projectId,
  investor_account: account,
  amount_xrp: xrpAmount,
  reason: z.enum(FAILURE_REASONS).meta({ description: 'Why it got no token' }),
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
