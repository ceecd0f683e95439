import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { tokenUnit } from '../../_ui/amounts.tsx';
import { Card } from '../../_ui/card.tsx';
import { NumberedStep } from '../../_ui/numbered-step.tsx';
import { SendXrp } from './send-xrp.tsx';
import { WalletSetup } from './wallet-setup.tsx';

/** The way from here to tokens, in three steps; of a sale that is over, what is left of it. */
export function HowToInvest({ project, state }: { project: ProjectResource; state: SaleState }) {
  const isOver = state.key === 'ended' || state.key === 'cancelled';
  const isIou = project.token.kind === 'iou';
  const ready = isIou ? `Set a trust line for ${tokenUnit(project.token)}` : 'Authorise the token';
  if (isOver) {
    if (state.key === 'cancelled') return null;
    return (
      <Card title="To receive your tokens" id="invest">
        <h3 className="mb-2 font-semibold">{ready}</h3>
        <WalletSetup project={project} />
      </Card>
    );
  }
  return (
    <Card
      title="How to invest"
      id="invest"
      lead={
        <>
          New to this? Read the{' '}
          <a className="link" href="/docs/investing">
            guide for investors
          </a>
          .
        </>
      }
    >
      <ol className="space-y-8">
        <NumberedStep number={1} title={ready}>
          <WalletSetup project={project} />
        </NumberedStep>
        <NumberedStep number={2} title="Send XRP from your own wallet">
          <SendXrp project={project} state={state} />
        </NumberedStep>
        <NumberedStep number={3} title="Watch it arrive">
          <p className="text-sm text-soft">
            A ledger closes every few seconds. Your payment is seen, confirmed with its exact allocation, and the tokens
            are sent{project.distribution === 'immediate' ? ' at once' : ' when the sale has ended'}.{' '}
            <a href="#watch" className="link">
              Watch your payment
            </a>
          </p>
        </NumberedStep>
      </ol>
    </Card>
  );
}
