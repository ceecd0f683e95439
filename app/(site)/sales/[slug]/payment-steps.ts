import type { InvestmentResource, ProjectResource } from '#lib/sales/schemas.ts';
import { reasonText } from '../../_data/reason-text.ts';
import { formatAmount } from '../../_ui/format.ts';
import { isRefundedByCancellation } from '../../_ui/refunded-by-cancellation.ts';
import type { Step } from '../../_ui/steps.tsx';

type Payout = InvestmentResource['payouts'][number];
type Refund = InvestmentResource['refunds'][number];

const WAITS: Record<string, string> = {
  scheduled: 'Due',
  ready: 'About to be sent',
  submitted: 'Sent, not yet validated',
  validated: 'Arrived',
  held: 'Held for an operator to look at',
  cancelled: 'Cancelled',
};

const waitsFor = (token: ProjectResource['token'] | undefined): string =>
  `Waiting for your wallet to be ready${token === undefined ? '' : token.kind === 'iou' ? ': set the trust line' : ': authorise the token'}`;

function sending(part: Payout | Refund, amount: string, token?: ProjectResource['token']): Step {
  const word = part.status === 'waiting_holder' ? waitsFor(token) : (WAITS[part.status] ?? part.status);
  return {
    id: part.id,
    title: `${amount}: ${word}`,
    state: part.status === 'validated' ? 'done' : part.status === 'held' ? 'bad' : 'open',
    at: part.validated_at ?? (part.status === 'scheduled' ? part.due_at : null),
    hash: part.transaction_hash,
  };
}

/** Why an investment is none: it was refunded with its sale, or refused from the start. */
const failedTitle = ({ status, reason, final_tier_allocation }: InvestmentResource): string => {
  const word = isRefundedByCancellation({ status, final_tier_allocation }) ? 'Refunded' : 'Refused';
  return reason === null ? word : `${word}, because ${reasonText(reason)}`;
};

/** An investment's way: seen, confirmed or refused, and every part that is sent. `isOpen` while one is on its way. */
export function stepsOf(
  investment: InvestmentResource,
  project: Pick<ProjectResource, 'distribution'> & { token?: ProjectResource['token'] | undefined },
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
    ...payouts.map((part) => sending(part, `${formatAmount(part.tokens)} tokens`, project.token)),
    ...refunds.map((part) => sending(part, `${formatAmount(part.amount_xrp)} XRP back`)),
  ];
  const waits: Step[] =
    status === 'confirmed' && payouts.length === 0 && project.distribution === 'at_end'
      ? [{ id: 'at-end', title: 'Tokens are sent when the sale has ended', state: 'open', at: null, hash: null }]
      : [];
  const steps = [seen, decided, ...sent, ...waits];
  return { steps, isOpen: steps.some((step) => step.state === 'open') };
}
