import type { ReactNode } from 'react';
import { PlatformError } from '#lib/base/errors.ts';
import { type QuoteResource, quoteAmount } from '#lib/sales/investments/quote.ts';
import type { ProjectResource } from '#lib/sales/schemas.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import type { SaleState } from '../../_data/sale-state.ts';
import { tokenUnit } from '../../_ui/amounts.tsx';
import { Button } from '../../_ui/button.tsx';
import { Card } from '../../_ui/card.tsx';
import { Field } from '../../_ui/field.tsx';
import { Time } from '../../_ui/time.tsx';
import { Calculator } from './calculator.tsx';
import { NotOpen } from './not-open.tsx';
import { PayStep } from './pay-step.tsx';
import { QuoteAnswer } from './quote-answer.tsx';
import { offerOf } from './split-amount.ts';
import { typedAmount } from './typed-amount.ts';
import { setupTitle, WalletSetup } from './wallet-setup.tsx';

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

type Asked = { kind: 'nothing' } | { kind: 'fault'; text: string } | { kind: 'quote'; quote: QuoteResource };

/** What the rules say to the amount and the wallet that were asked for; an amount that is none is left to the calculator. */
async function ask(project: ProjectResource, amount: string, wallet: string): Promise<Asked> {
  const drops = typedAmount(amount);
  if (typeof drops !== 'bigint' || drops === 0n) return { kind: 'nothing' };
  const parsed = wallet === '' ? null : parseAccountAddress(wallet);
  if (parsed !== null && 'fault' in parsed) return { kind: 'fault', text: `This ${parsed.fault}.` };
  try {
    const quote = await quoteAmount(await pageCtx(), {
      id: project.id,
      amount_xrp: drops,
      wallet_address: parsed?.address,
    });
    return { kind: 'quote', quote };
  } catch (error) {
    if (!(error instanceof PlatformError && error.code === 'ledger_unavailable')) throw error;
    return {
      kind: 'fault',
      text: 'The ledger did not say which credentials this wallet holds. Try again in a moment.',
    };
  }
}

/**
 * From an amount to a payment, in one place. Where to pay is shown for an amount alone that the rules would take now:
 * nobody is given an address, a tag or a code to scan while a payment would be refunded.
 */
export async function BuyCard({
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
  const isOpen = state.key === 'live';
  const asked = await ask(project, amount, wallet);
  // Where a list or a credential admits, nobody is told where to pay before a wallet is known to be admitted.
  const needsWallet = asked.kind === 'quote' && asked.quote.admission === 'assumed';
  const payable = isOpen && !needsWallet && asked.kind === 'quote' && asked.quote.accepted ? asked.quote : null;
  return (
    <Card title={isOpen ? 'Buy' : 'Not open for payments'} id="buy">
      {!isOpen && <NotOpen project={project} state={state} nowMs={nowMs} />}
      {/* What was asked leads to the answer, and to the form where there is none. */}
      <form
        id={asked.kind === 'quote' ? undefined : 'answer'}
        action={`/sales/${project.slug}#answer`}
        className="space-y-4"
      >
        <Calculator
          offer={offerOf(project, opensAt === null ? nowMs : Date.parse(opensAt))}
          unit={tokenUnit(project.token)}
          initial={amount || EXAMPLE_XRP}
          isOpen={isOpen}
          note={noteOf(isOpen, opensAt)}
        />
        <details className="group" open={wallet !== '' || needsWallet}>
          <summary className="link inline-flex text-sm">Check it for your wallet</summary>
          <div className="mt-3">
            <Field
              id="quote-wallet"
              name="wallet"
              label="Wallet address"
              hint="Whether it is admitted, what it may still invest, and the exact split now."
              fault={asked.kind === 'fault' ? asked.text : undefined}
              defaultValue={wallet}
              placeholder="r…"
              autoComplete="off"
              spellCheck={false}
              maxLength={100}
            />
          </div>
        </details>
        <Button type="submit" look={payable === null ? 'primary' : 'plain'} className="w-full text-base">
          {payable !== null ? 'Change the amount' : isOpen ? 'Continue to payment' : 'Check this amount'}
        </Button>
      </form>
      <div id={asked.kind === 'quote' ? 'answer' : undefined} aria-live="polite" className="empty:hidden">
        {asked.kind === 'quote' && <QuoteAnswer project={project} quote={asked.quote} />}
        {payable !== null && (
          <PayStep project={project} amountXrp={payable.amount_xrp} wallet={payable.wallet_address} />
        )}
      </div>
      {project.status !== 'draft' && <ReadyWallet project={project} />}
    </Card>
  );
}

/** Of use at any time: what was bought waits for a wallet that cannot hold it. A link to what is folded opens it. */
function ReadyWallet({ project }: { project: ProjectResource }) {
  return (
    <details className="group mt-5 border-t border-line pt-4">
      <summary className="link inline-flex text-sm">{setupTitle(project.token)}</summary>
      <div id="receive" className="mt-3">
        <WalletSetup project={project} />
      </div>
    </details>
  );
}
