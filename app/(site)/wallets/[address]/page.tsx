import type { Metadata } from 'next';
import { notFound, redirect } from 'next/navigation';
import { cache } from 'react';
import { parsePlatformId } from '#lib/accounts/platform-ids/platform-id-form.ts';
import { showPlatformIdProfile } from '#lib/accounts/platform-ids/show-profile.ts';
import { showPlatformIdStatus } from '#lib/accounts/platform-ids/show-status.ts';
import { paymentsInNoSale } from '#lib/sales/investments/payments-in-no-sale.ts';
import { listInvestments } from '#lib/sales/investments/read-investments.ts';
import { listProjects } from '#lib/sales/projects/list-projects.ts';
import { parseAccountAddress } from '#lib/xrpl/address.ts';
import { orNotFound } from '../../_data/or-not-found.ts';
import { pageCtx } from '../../_data/page-ctx.ts';
import { readReadiness } from '../../_data/read-readiness.ts';
import { Card } from '../../_ui/card.tsx';
import { shortened } from '../../_ui/format.ts';
import { Address } from '../../_ui/hash.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import { PaymentInNoSale } from '../../_ui/payment-in-no-sale.tsx';
import { Identity } from './identity.tsx';
import { NextSteps } from './next-steps.tsx';
import { relevantSales } from './relevant-sales.ts';
import { Timeline } from './timeline.tsx';
import { TrustLines } from './trust-lines.tsx';

const INVESTMENTS_SHOWN = 20;
const MOST_PROJECTS = 100;
const MOST_LINES = 6;

type Props = { params: Promise<{ address: string }>; searchParams: Promise<{ cursor?: string | string[] }> };

/** What a part of the path says; Next.js leaves it encoded, and sometimes does not. */
function textOfPath(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    notFound();
  }
}

/** The classic address of what the path names: an address in any form, or a Platform ID. */
const walletOf = cache(async (asked: string): Promise<string> => {
  if (parsePlatformId(asked) !== null) {
    const { wallet_address } = await orNotFound(showPlatformIdProfile(await pageCtx(), asked));
    return wallet_address;
  }
  const parsed = parseAccountAddress(asked);
  if ('fault' in parsed) notFound();
  return parsed.address;
});

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const wallet = await walletOf(textOfPath((await params).address));
  return { title: `Wallet ${shortened(wallet)}`, robots: { index: false } };
}

export default async function WalletPage({ params, searchParams }: Props) {
  const asked = textOfPath((await params).address);
  const wallet = await walletOf(asked);
  if (asked !== wallet) redirect(`/wallets/${wallet}`);
  const { cursor } = await searchParams;
  const ctx = await pageCtx();
  const [status, { investments, next_cursor }, { projects }, inNoSale] = await Promise.all([
    showPlatformIdStatus(ctx, wallet),
    orNotFound(
      listInvestments(ctx, {
        wallet_address: wallet,
        limit: INVESTMENTS_SHOWN,
        cursor: typeof cursor === 'string' ? cursor : undefined,
      }),
    ),
    listProjects(ctx, { limit: MOST_PROJECTS, withDrafts: false }),
    paymentsInNoSale(ctx, wallet, INVESTMENTS_SHOWN),
  ]);
  const invested = new Set(investments.map(({ project_id }) => project_id));
  const matter = relevantSales(projects, invested, MOST_LINES);
  const [profile, readiness] = await Promise.all([
    status.has_platform_id ? showPlatformIdProfile(ctx, wallet) : null,
    readReadiness(ctx, matter, wallet),
  ]);
  return (
    <>
      <PageHead title={profile?.display_name ?? 'Wallet'} lead={<Address address={wallet} />} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="min-w-0 space-y-6">
          <NextSteps status={status} readiness={readiness} investments={investments} />
          {inNoSale.length > 0 && (
            <Card
              title="Payments in no sale"
              lead="They reached us and bought nothing. What can be refunded is refunded."
            >
              <div className="space-y-3">
                {inNoSale.map((payment) => (
                  <PaymentInNoSale key={payment.transaction_hash} payment={payment} />
                ))}
              </div>
            </Card>
          )}
          <Timeline investments={investments} projects={projects} wallet={wallet} nextCursor={next_cursor} />
        </div>
        <div className="min-w-0 space-y-6">
          <Identity status={status} profile={profile} />
          <TrustLines readiness={readiness} />
        </div>
      </div>
    </>
  );
}
