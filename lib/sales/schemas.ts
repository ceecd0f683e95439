import { ledgerAccount, projectId } from '@tranche/verifier/published.ts';
import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';
import { priceText, tokenAmount, xrpAmount } from '#lib/base/money.ts';

export { type ProjectResource, projectId, projectResource } from '@tranche/verifier/published.ts';

export const investmentStatus = z.enum(['pending_confirmation', 'confirmed', 'failed']);

const onLedger = z.object({ transaction_hash: z.string().nullable(), ledger_index: z.int().nullable() });

/** The documented investment with the quote, the final allocation, and what was paid out or back. */
export const investmentResource = z.lazy(() =>
  z
    .object({
      id: z.string(),
      investment_id: z.string(),
      project_id: projectId,
      investor_account: ledgerAccount,
      amount_xrp: xrpAmount,
      status: investmentStatus,
      reason: z.string().nullable().meta({ description: 'Why it was refused, or why a part was refunded' }),
      tier_info: z.object({ tier: z.int(), price_per_token: priceText, tokens_expected: tokenAmount }),
      confirmed_amount_xrp: xrpAmount.nullable().meta({
        description: 'Invested amount now: 0 when it was refused or refunded; null until it is decided',
      }),
      refunded_xrp: xrpAmount.meta({ description: 'Refunded part of amount_xrp, paid or due (`refunds`)' }),
      held_xrp: xrpAmount.meta({ description: 'Held part of amount_xrp: neither invested nor refunded' }),
      final_tier_allocation: z
        .array(z.object({ tier: z.int(), amount_xrp: xrpAmount, tokens: tokenAmount }))
        .meta({ description: 'What it bought when it was confirmed; unchanged by a later cancellation of the sale' }),
      total_tokens: tokenAmount.nullable().meta({ description: 'What it bought, as in final_tier_allocation' }),
      tokens_to_distribute: tokenAmount.nullable().meta({ description: 'Of total_tokens, what was due at once' }),
      rounding_xrp: xrpAmount.nullable(),
      transaction: z.object({
        hash: z.string(),
        ledger_index: z.int(),
        destination_tag: z.int().nullable(),
        confirmed_at: isoTime.nullable().meta({
          description:
            'Close time of the ledger that confirmed it, after the one that decided; null unless it was invested',
        }),
      }),
      payouts: z.array(
        onLedger.extend({
          id: z.string(),
          part: z.int(),
          tokens: tokenAmount,
          status: z.string(),
          reason: z.string().nullable(),
          due_at: isoTime,
          validated_at: isoTime.nullable(),
        }),
      ),
      refunds: z.array(
        onLedger.extend({
          id: z.string(),
          part: z.int().meta({ description: '1: the change of the payment; 2: the refund of a cancelled sale' }),
          amount_xrp: xrpAmount,
          status: z.string(),
          reason: z.string().nullable().meta({ description: 'Why it waits, is held or failed' }),
          due_at: isoTime,
          validated_at: isoTime.nullable(),
        }),
      ),
      created_at: isoTime,
    })
    .meta({ id: 'Investment' }),
);
export type InvestmentResource = z.output<typeof investmentResource>;
