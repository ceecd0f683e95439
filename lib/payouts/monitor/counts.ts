import { z } from 'zod';
import type { Plan } from '../check.ts';
import type { PayoutReason } from '../types.ts';

const count = z.int().min(0);

/** Distributions that waited, by what the ledger shows of their holder now. `checked` is the sum of the others. */
export const waitingCounts = z.object({
  checked: count.meta({ description: 'Distributions that waited and were looked at' }),
  ready: count.meta({ description: 'Payable now, and on their way' }),
  missing: count.meta({ description: 'No trust line, no opt-in to the MPT, or no account any more' }),
  limit_too_low: count,
  frozen: count.meta({ description: 'The line is frozen, or the MPT locked, for this holder or for all' }),
  unauthorised: count,
  other: count.meta({
    description: 'The holder’s account refuses it, or the paying account must be seen to: its row says why',
  }),
});

export type WaitingCounts = z.output<typeof waitingCounts>;

export const noneWaiting = (): WaitingCounts => ({
  checked: 0,
  ready: 0,
  missing: 0,
  limit_too_low: 0,
  frozen: 0,
  unauthorised: 0,
  other: 0,
});

const COUNTED_AS: Partial<Record<PayoutReason, Exclude<keyof WaitingCounts, 'checked' | 'ready' | 'other'>>> = {
  trust_line_missing: 'missing',
  token_not_opted_in: 'missing',
  destination_missing: 'missing',
  trust_line_limit: 'limit_too_low',
  trust_line_frozen: 'frozen',
  token_locked: 'frozen',
  issuer_frozen: 'frozen',
  issuance_locked: 'frozen',
  trust_line_unauthorized: 'unauthorised',
  token_unauthorized: 'unauthorised',
};

export function addCounts(counts: WaitingCounts, plan: Plan): void {
  counts.checked += plan.payable.length + plan.postponed.length;
  counts.ready += plan.payable.length;
  for (const { decision } of plan.postponed) counts[COUNTED_AS[decision.reason] ?? 'other'] += 1;
}
