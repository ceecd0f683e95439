import { investmentId } from '@tranche/rules/ids.ts';
import Link from 'next/link';
import { cache } from 'react';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { PublicPayment } from '#lib/sales/held/payment-resource.ts';
import { lookUpPayment, type PaymentLookup } from '#lib/sales/investments/look-up-payment.ts';
import { paymentsInNoSale } from '#lib/sales/investments/payments-in-no-sale.ts';
import { getInvestment, listInvestments } from '#lib/sales/investments/read-investments.ts';
import type { InvestmentResource, ProjectResource } from '#lib/sales/schemas.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { isLedgerLookupAllowed } from '../../_data/ledger-lookup-allowed.ts';
import { orLedgerUnavailable } from '../../_data/or-ledger-unavailable.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import { Tokens, Xrp } from '../../_ui/amounts.tsx';
import { AutoRefresh } from '../../_ui/auto-refresh.tsx';
import { Card } from '../../_ui/card.tsx';
import { InvestmentBadge } from '../../_ui/investment-badge.tsx';
import { keptOf, OfPaid } from '../../_ui/kept-amount.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { PaymentInNoSale } from '../../_ui/payment-in-no-sale.tsx';
import { Steps } from '../../_ui/steps.tsx';
import { stepsOf, stepsOfPayment } from './payment-steps.ts';
import { WatchPayment } from './watch-payment.tsx';

const HASH = /^[0-9A-Fa-f]{64}$/;
const SHOWN = 5;

type Found =
  | { kind: 'none' }
  | { kind: 'fault'; text: string }
  | { kind: 'investment'; investment: InvestmentResource }
  | { kind: 'wallet'; investments: InvestmentResource[]; inNoSale: PublicPayment[] }
  | { kind: 'another_sale'; investment: InvestmentResource }
  | { kind: 'payment'; payment: PaymentLookup }
  /** Not in the records, and the ledger could not be asked now. */
  | { kind: 'unanswered' }
  /** In no investment, and this caller has asked the ledger too often for now. */
  | { kind: 'asked_too_often' };

const asFound = (project: ProjectResource, investment: InvestmentResource): Found => ({
  kind: investment.project_id === project.id ? 'investment' : 'another_sale',
  investment,
});

/** In the records, without a question to the ledger. */
async function findInvestment(ctx: Ctx, hash: string): Promise<InvestmentResource | null> {
  try {
    return await getInvestment(ctx, investmentId(hash));
  } catch (error) {
    if (error instanceof PlatformError && error.code === 'investment_not_found') return null;
    throw error;
  }
}

async function findPayment(ctx: Ctx, project: ProjectResource, hash: string): Promise<Found> {
  const investment = await findInvestment(ctx, hash);
  if (investment !== null) return asFound(project, investment);
  if (!(await isLedgerLookupAllowed())) return { kind: 'asked_too_often' };
  const payment = await orLedgerUnavailable(lookUpPayment(ctx, hash));
  if (payment === null) return { kind: 'unanswered' };
  if (payment.state !== 'recorded' || payment.investment === null) return { kind: 'payment', payment };
  return asFound(project, payment.investment);
}

/** Found once for all parts of a page. */
const find = cache(async (project: ProjectResource, asked: string): Promise<Found> => {
  if (asked === '') return { kind: 'none' };
  const ctx = await pageCtx();
  if (HASH.test(asked)) return findPayment(ctx, project, asked.toUpperCase());
  const parsed = parseAccountAddress(asked);
  if ('fault' in parsed) return { kind: 'fault', text: `This ${parsed.fault}.` };
  const [{ investments }, inNoSale] = await Promise.all([
    listInvestments(ctx, { wallet_address: parsed.address, project_id: project.id, limit: SHOWN }),
    paymentsInNoSale(ctx, parsed.address, SHOWN),
  ]);
  return { kind: 'wallet', investments, inNoSale };
});

/** The investments of this sale that a visitor watches. */
export async function watchedInvestments(project: ProjectResource, asked: string): Promise<InvestmentResource[]> {
  const found = await find(project, asked);
  if (found.kind === 'investment') return [found.investment];
  return found.kind === 'wallet' ? found.investments : [];
}

const WHILE_OPEN_MS = 3_000;
const WHEN_SETTLED_MS = 10_000;

/** How often the page looks again; null when nothing can change. A wallet whose payments are settled may pay again. */
function refreshMs(found: Found, project: ProjectResource): number | null {
  switch (found.kind) {
    case 'investment':
      return stepsOf(found.investment, project).isOpen ? WHILE_OPEN_MS : null;
    case 'wallet': {
      const { investments, inNoSale } = found;
      const ways = [...investments.map((one) => stepsOf(one, project)), ...inNoSale.map(stepsOfPayment)];
      return ways.length === 0 || ways.some(({ isOpen }) => isOpen) ? WHILE_OPEN_MS : WHEN_SETTLED_MS;
    }
    case 'payment':
    case 'unanswered':
    case 'asked_too_often':
      return WHILE_OPEN_MS;
    default:
      return null;
  }
}

/** Where a payment is on its way to tokens. */
export async function PaymentStatus({ project, asked }: { project: ProjectResource; asked: string }) {
  const found = await find(project, asked);
  const everyMs = refreshMs(found, project);
  return (
    <Card title="Watch your payment" id="watch">
      <WatchPayment
        slug={project.slug}
        asked={found.kind === 'fault' ? '' : asked}
        fault={found.kind === 'fault' ? found.text : undefined}
      />
      <div aria-live="polite" className="space-y-4 empty:hidden [&>*]:mt-5">
        {found.kind === 'investment' && <WatchedInvestment investment={found.investment} project={project} />}
        {found.kind === 'wallet' && found.investments.length + found.inNoSale.length === 0 && (
          <Notice title="Nothing from this wallet yet">
            A payment shows up a few seconds after its ledger closes. This page refreshes automatically. Did your
            payment name the destination tag of this sale?
          </Notice>
        )}
        {found.kind === 'wallet' &&
          found.investments.map((investment) => (
            <WatchedInvestment key={investment.id} investment={investment} project={project} />
          ))}
        {found.kind === 'wallet' &&
          found.inNoSale.map((payment) => <PaymentInNoSale key={payment.transaction_hash} payment={payment} />)}
        {found.kind === 'another_sale' && (
          <Notice title="This payment went to another sale">
            <Link className="link" prefetch={false} href={`/investments/${found.investment.id}`}>
              Its receipt
            </Link>{' '}
            says what it got there.
          </Notice>
        )}
        {found.kind === 'unanswered' && (
          <Notice tone="warn" title="The XRP Ledger could not be asked just now">
            The platform has not recorded the payment yet. This page refreshes automatically.
          </Notice>
        )}
        {found.kind === 'asked_too_often' && (
          <Notice tone="warn" title="Asked too often just now">
            The payment is in no investment yet. This page looks on the ledger again within a minute.
          </Notice>
        )}
        {found.kind === 'payment' && <PaymentNotice payment={found.payment} />}
      </div>
      {everyMs !== null && <AutoRefresh everyMs={everyMs} />}
    </Card>
  );
}

function WatchedInvestment({ investment, project }: { investment: InvestmentResource; project: ProjectResource }) {
  return (
    <article className="rounded-xl border border-line p-4">
      <div className="mb-4 flex flex-wrap items-baseline justify-between gap-3">
        <p className="font-medium">
          <Xrp value={keptOf(investment)} />
          {investment.total_tokens !== null && investment.status !== 'failed' && (
            <>
              {' '}
              for <Tokens value={investment.total_tokens} token={project.token} />
            </>
          )}
          <span className="block text-sm font-normal text-soft empty:hidden">
            <OfPaid investment={investment} />
          </span>
        </p>
        <InvestmentBadge investment={investment} />
      </div>
      <Steps steps={stepsOf(investment, project).steps} />
      <p className="mt-3 text-sm">
        <Link href={`/investments/${investment.id}`} prefetch={false} className="link">
          Receipt
        </Link>
      </p>
    </article>
  );
}

function PaymentNotice({ payment }: { payment: PaymentLookup }) {
  switch (payment.state) {
    case 'recorded':
      return <PaymentInNoSale payment={payment.payment} />;
    case 'our_payout':
      return (
        <Notice title="This transaction is one of ours">It sent tokens or a refund to {payment.destination}.</Notice>
      );
    case 'not_read_yet':
      return (
        <Notice title="Validated, and about to be read">
          It is in ledger {payment.ledger_index}. This page refreshes automatically.
        </Notice>
      );
    case 'elsewhere':
      return (
        <Notice tone="bad" title="This payment went to another account">
          It went to {payment.destination} in ledger {payment.ledger_index}, which belongs to no sale here.
        </Notice>
      );
    case 'failed':
      return (
        <Notice tone="bad" title="This transaction failed">
          The ledger gave {payment.result}: nothing was delivered, only the fee was taken.
        </Notice>
      );
    case 'no_payment':
      return <Notice title="This transaction is no payment">It is validated in ledger {payment.ledger_index}.</Notice>;
    case 'not_validated':
      return (
        <Notice title="Not in a validated ledger yet">
          Up to ledger {payment.validated_ledger} it has not appeared. This page keeps looking; check the hash if it
          stays so.
        </Notice>
      );
  }
}
