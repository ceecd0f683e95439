import type { ReactNode } from 'react';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { tokenUnit } from '../../_ui/amounts.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { Field } from '../../_ui/field.tsx';
import { Time } from '../../_ui/time.tsx';
import { Calculator } from './calculator.tsx';
import { QuoteResult } from './quote-result.tsx';
import { offerOf } from './split-amount.ts';

const EXAMPLE_XRP = '500';
const OPEN_NOTE = 'As the sale stands now. Your ledger position decides: payments before yours may fill a tier.';
const CLOSED_NOTE = 'A payment now would be refunded.';

function noteOf(isOpen: boolean, opensAt: string | null): ReactNode {
  if (isOpen) return OPEN_NOTE;
  if (opensAt === null) return CLOSED_NOTE;
  return (
    <>
      Payments count from <Time at={opensAt} />. {CLOSED_NOTE}
    </>
  );
}

/** The calculator, and the same question to the server: for a wallet, with payments counted that are not confirmed yet. */
export function QuotePanel({
  project,
  state,
  nowMs,
  amount,
  wallet,
}: {
  project: ProjectResource;
  state: SaleState;
  nowMs: number;
  amount: string;
  wallet: string;
}) {
  // Before a start, what counts is what the amount buys then: a payment now buys nothing.
  const opensAt = state.next !== null && state.next.what !== 'ends' ? state.next.at : null;
  const atMs = opensAt === null ? nowMs : Date.parse(opensAt);
  const isOpen = state.key === 'live';
  return (
    <Card title="What an amount buys" id="calculator">
      <form action={`/sales/${project.slug}#calculator`} className="space-y-4">
        <Calculator
          offer={offerOf(project, atMs)}
          unit={tokenUnit(project.token)}
          initial={amount || EXAMPLE_XRP}
          isOpen={isOpen}
          note={noteOf(isOpen, opensAt)}
        />
        <details className="group border-t border-line pt-3" open={wallet !== ''}>
          <summary className="link inline-flex text-sm">Check it for your wallet</summary>
          <div className="mt-3 space-y-3">
            <Field
              id="quote-wallet"
              name="wallet"
              label="Wallet address"
              hint="Whether it is admitted, what it may still invest, and the exact split now."
              defaultValue={wallet}
              placeholder="r…"
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
            />
            <Button type="submit">Check with the server</Button>
          </div>
        </details>
      </form>
      {amount !== '' && <QuoteResult project={project} amount={amount} wallet={wallet} />}
    </Card>
  );
}
