import type { Metadata } from 'next';
import Link from 'next/link';
import { cache } from 'react';
import { reasonText } from '#lib/base/reason-text.ts';
import { getInvestment } from '#lib/sales/investments/read-investments.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { orNotFound } from '../../_data/or-not-found.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import { Tokens, Xrp } from '../../_ui/amounts.tsx';
import { AutoRefresh } from '../../_ui/auto-refresh.tsx';
import { Card } from '../../_ui/card.tsx';
import { Fact, Facts } from '../../_ui/facts.tsx';
import { formatAmount, formatCount } from '../../_ui/format.ts';
import { Hash } from '../../_ui/hash.tsx';
import { InvestmentBadge } from '../../_ui/investment-badge.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import { isRefundedByCancellation } from '../../_ui/refunded-by-cancellation.ts';
import { Steps } from '../../_ui/steps.tsx';
import { Cell, Table } from '../../_ui/table.tsx';
import { Time } from '../../_ui/time.tsx';
import { WalletLink } from '../../_ui/wallet-link.tsx';
import { stepsOf } from '../../sales/[slug]/payment-steps.ts';

type Props = { params: Promise<{ id: string }> };

const readReceipt = cache(async (id: string) => orNotFound(getInvestment(await pageCtx(), id)));

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { amount_xrp } = await readReceipt((await params).id);
  return { title: `Receipt, ${formatAmount(amount_xrp)} XRP`, robots: { index: false } };
}

/** A payment's receipt: what was paid, what it bought, and where the ledger shows each part. */
export default async function ReceiptPage({ params }: Props) {
  const investment = await readReceipt((await params).id);
  const project = await getProject(await pageCtx(), investment.project_id);
  const { steps, isOpen } = stepsOf(investment, project);
  return (
    <div className="mx-auto max-w-3xl">
      {isOpen && <AutoRefresh />}
      <PageHead
        title={<Xrp value={investment.amount_xrp} />}
        lead={
          <>
            paid to{' '}
            <Link className="link" prefetch={false} href={`/sales/${project.slug}`}>
              {project.name}
            </Link>
          </>
        }
        aside={<InvestmentBadge investment={investment} />}
      />
      <div className="space-y-6">
        <Card title={isRefundedByCancellation(investment) ? 'What it had bought' : 'What it bought'}>
          {investment.final_tier_allocation.length === 0 ? (
            <p className="text-sm text-soft">
              {investment.status === 'pending_confirmation' ? (
                <>
                  Expected: <Tokens isExact value={investment.tier_info.tokens_expected} token={project.token} />. The
                  exact allocation follows when the ledger is confirmed.
                </>
              ) : (
                <>
                  Nothing{investment.reason !== null && `, because ${reasonText(investment.reason)}`}.{' '}
                  {investment.held_xrp === '0.000000'
                    ? 'It is refunded in full.'
                    : 'The part that is not refunded is held.'}
                </>
              )}
            </p>
          ) : (
            <Table caption="Allocation by tier" columns={['Tier', 'XRP>', 'Tokens>']}>
              {investment.final_tier_allocation.map((part) => (
                <tr key={part.tier}>
                  <Cell>Tier {part.tier}</Cell>
                  <Cell isFigure>
                    <Xrp isExact value={part.amount_xrp} />
                  </Cell>
                  <Cell isFigure>
                    <Tokens isExact value={part.tokens} token={project.token} />
                  </Cell>
                </tr>
              ))}
            </Table>
          )}
        </Card>
        <Card title="Payouts">
          <Steps steps={steps} />
        </Card>
        <Card title="Details">
          <Facts>
            <Fact name="Investor">
              <WalletLink address={investment.investor_account} />
            </Fact>
            <Fact name="Paid">
              <Xrp isExact value={investment.amount_xrp} />
            </Fact>
            {investment.confirmed_amount_xrp !== null && (
              <Fact name="Invested">
                <Xrp isExact value={investment.confirmed_amount_xrp} />
              </Fact>
            )}
            <Fact name="Refunded">
              <Xrp isExact value={investment.refunded_xrp} />
            </Fact>
            {investment.held_xrp !== '0.000000' && (
              <Fact name="Held">
                <Xrp isExact value={investment.held_xrp} />
              </Fact>
            )}
            {investment.rounding_xrp !== null && (
              <Fact name="Rounding, kept">
                <Xrp isExact value={investment.rounding_xrp} />
              </Fact>
            )}
            <Fact name="Transaction">
              <Hash hash={investment.transaction.hash} />
            </Fact>
            <Fact name="Ledger">{formatCount(investment.transaction.ledger_index)}</Fact>
            <Fact name="Ledger closed">
              <Time at={investment.created_at} />
            </Fact>
            <Fact name="Investment id">
              <span className="font-mono text-xs">{investment.id}</span>
            </Fact>
          </Facts>
        </Card>
      </div>
    </div>
  );
}
