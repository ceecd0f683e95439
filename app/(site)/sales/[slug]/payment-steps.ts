import { HELD_REASONS } from '@tranche/rules/types.ts';
import { reasonText } from '#lib/base/reason-text.ts';
import type { PublicPayment } from '#lib/sales/held/payment-resource.ts';
import type { InvestmentResource, ProjectResource } from '#lib/sales/schemas.ts';
import { formatAmount } from '../../_ui/format.ts';
import { isRefundedByCancellation } from '../../_ui/refunded-by-cancellation.ts';
import type { Step } from '../../_ui/steps.tsx';

type Payout = InvestmentResource['payouts'][number];
type Refund = InvestmentResource['refunds'][number];

const WAITS: Record<string, string> = {
  scheduled: 'Due',
  waiting_holder: 'Waiting',
  ready: 'About to be sent',
  submitted: 'Sent, not yet validated',
  validated: 'Arrived',
  held: 'Held for an operator to look at',
  cancelled: 'Cancelled',
};

const isSettled = (status: string): boolean => status === 'validated' || status === 'cancelled';

/** What became of one amount that is sent, and why it waits. */
const stateOf = ({ status, reason }: { status: string; reason: string | null }): string => {
  const word = WAITS[status] ?? status;
  return reason === null || isSettled(status) ? word : `${word}, because ${reasonText(reason)}`;
};

const sending = (part: Payout | Refund, amount: string): Step => ({
  id: part.id,
  title: `${amount}: ${stateOf(part)}`,
  state: part.status === 'validated' ? 'done' : part.status === 'held' ? 'bad' : 'open',
  at: part.validated_at ?? (part.status === 'scheduled' ? part.due_at : null),
  hash: part.transaction_hash,
});

/** Why an investment is none: it was refunded with its sale, or refused from the start. */
const failedTitle = ({ status, reason, final_tier_allocation }: InvestmentResource): string => {
  const word = isRefundedByCancellation({ status, final_tier_allocation }) ? 'Refunded' : 'Refused';
  return reason === null ? word : `${word}, because ${reasonText(reason)}`;
};

/** An investment's way: seen, confirmed or refused, and every part that is sent. `isOpen` while one is on its way. */
export function stepsOf(
  investment: InvestmentResource,
  project: Pick<ProjectResource, 'distribution'>,
): { steps: Step[]; isOpen: boolean } {
  const { status, payouts, refunds, transaction } = investment;
  const seen: Step = {
    id: 'seen',
    title: 'Payment seen',
    state: 'done',
    at: investment.created_at,
    hash: transaction.hash,
  };
  const decided: Step =
    status === 'pending_confirmation'
      ? { id: 'decided', title: 'Being confirmed', state: 'open', at: null, hash: null }
      : status === 'failed'
        ? { id: 'decided', title: failedTitle(investment), state: 'bad', at: null, hash: null }
        : {
            id: 'decided',
            title: 'Confirmed, allocation final',
            state: 'done',
            at: transaction.confirmed_at,
            hash: null,
          };
  const sent = [
    ...payouts.map((part) => sending(part, `${formatAmount(part.tokens)} tokens`)),
    ...refunds.map((part) => sending(part, `${formatAmount(part.amount_xrp)} XRP back`)),
  ];
  const waits: Step[] =
    status === 'confirmed' && payouts.length === 0 && project.distribution === 'at_end'
      ? [{ id: 'at-end', title: 'Tokens are sent when the sale has ended', state: 'open', at: null, hash: null }]
      : [];
  const steps = [seen, decided, ...sent, ...waits];
  return { steps, isOpen: steps.some((step) => step.state === 'open') };
}

const NONE = '0.000000';
const isForOperator = (reason: string | null): boolean => HELD_REASONS.some((known) => known === reason);

/** The way of a payment that is in no sale: why, and what was or is to be sent back of it. `isOpen` while one is on its way. */
export function stepsOfPayment(payment: PublicPayment): { steps: Step[]; isOpen: boolean } {
  const { outcome, reason, held_xrp, refunds } = payment;
  const seen: Step = {
    id: 'seen',
    title: 'Payment seen',
    state: 'done',
    at: payment.closed_at,
    hash: payment.transaction_hash,
  };
  const decided: Step =
    outcome === 'pending'
      ? { id: 'decided', title: 'Being confirmed', state: 'open', at: null, hash: null }
      : {
          id: 'decided',
          title: `In no sale, because ${reasonText(reason ?? outcome)}`,
          state: 'bad',
          at: null,
          hash: null,
        };
  const back = refunds.map(
    (refund, index): Step => ({
      id: `refund-${index}`,
      title: `${formatAmount(refund.amount_xrp)} XRP back: ${stateOf(refund)}`,
      state: refund.status === 'validated' ? 'done' : refund.status === 'held' ? 'bad' : 'open',
      at: null,
      hash: refund.transaction_hash,
    }),
  );
  const held: Step[] =
    held_xrp === NONE || refunds.length > 0
      ? []
      : [
          {
            id: 'held',
            title: `${formatAmount(held_xrp)} XRP ${isForOperator(reason) ? 'held for an operator to look at' : 'held: too little to be refunded'}`,
            state: 'bad',
            at: null,
            hash: null,
          },
        ];
  const steps = [seen, decided, ...back, ...held];
  return { steps, isOpen: steps.some((step) => step.state === 'open') };
}
