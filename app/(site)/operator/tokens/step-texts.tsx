import type { ReactNode } from 'react';
import type { SetupStep, StepId, TokenPlan } from '#lib/payouts/token-setup/steps.ts';
import { formatAmount } from '../../_ui/format.ts';

interface StepText {
  title: string;
  /** Why it is needed, and what it costs or binds to. */
  why: ReactNode;
}

const xrp = (amount: string | null): string => `${formatAmount(amount ?? '0')} XRP`;

/** What a step is called and why it is there. Pure. */
export function textOf(step: SetupStep, plan: TokenPlan): StepText {
  return TEXTS[step.id](step, plan);
}

const TEXTS: Record<StepId, (step: SetupStep, plan: TokenPlan) => StepText> = {
  issuer_account: ({ has, needs, state }) => ({
    title: 'Fund the issuer’s account',
    why:
      state === 'done'
        ? `It holds ${xrp(has)}.`
        : `It holds ${xrp(has)} and needs ${xrp(needs)} for the ledger’s reserve and fees. Send it from any wallet or exchange.`,
  }),
  default_ripple: () => ({
    title: 'Let the token move between holders (DefaultRipple)',
    why: 'Without it buyers could not receive the token from the distributor. Set it before the first trust line.',
  }),
  no_transfer_fee: () => ({
    title: 'Set the transfer fee to none',
    why: 'The distributor would have to pay it on top of every payout, so a sale with a fee cannot be launched.',
  }),
  no_global_freeze: () => ({
    title: 'End the global freeze',
    why: 'While all trust lines are frozen, nobody can receive the token.',
  }),
  issuance: (_, plan) => ({
    title: 'Create the token (MPTokenIssuanceCreate)',
    why:
      plan.kind === 'mpt' && plan.issuanceId === null
        ? 'Scale, maximum, flags and metadata are as you set them above, and stay so for good.'
        : 'The token exists on the ledger.',
  }),
  distributor_account: ({ has, needs, state }) => ({
    title: 'Fund the distributor',
    why:
      state === 'done'
        ? `The platform has its key, and it holds ${xrp(has)}.`
        : `It holds ${xrp(has)}. A launch needs ${xrp(needs)} on it, for reserves, tickets and the fees of payouts.`,
  }),
  holding: (_, plan) => ({
    title: plan.kind === 'iou' ? 'Set the distributor’s trust line' : 'Have the distributor opt in (MPTokenAuthorize)',
    why:
      plan.kind === 'iou'
        ? 'It takes as many tokens as the supply. The platform signs it with the distributor’s key.'
        : 'An account holds an MPT only once it has agreed to. The platform signs it with the distributor’s key.',
  }),
  authorization: () => ({
    title: 'Authorise the distributor',
    why: 'The issuer requires authorisation. Every buyer needs the same, one by one, before tokens arrive.',
  }),
  supply: ({ has, needs }) => ({
    title: 'Send the supply to the distributor',
    why: `The distributor holds ${formatAmount(has ?? '0')} of ${formatAmount(needs ?? '0')} tokens. The payment issues the rest.`,
  }),
};
