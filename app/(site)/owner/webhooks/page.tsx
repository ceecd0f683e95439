import type { Metadata } from 'next';
import Link from 'next/link';
import { listOwnWebhooksContract } from '#lib/webhooks/contracts.ts';
import { listWebhooks } from '#lib/webhooks/registry/read-webhooks.ts';
import { Badge } from '../../_ui/badge.tsx';
import { Card } from '../../_ui/card.tsx';
import { Empty } from '../../_ui/empty.tsx';
import { PageHead } from '../../_ui/page-head.tsx';
import { Time } from '../../_ui/time.tsx';
import { FilterFault } from '../../operator/filter-fault.tsx';
import { MoreLink } from '../../operator/more-link.tsx';
import { queryOf, type SearchParams } from '../../operator/query-of.ts';
import { ownerCtx } from '../session.ts';

export const metadata: Metadata = { title: 'Webhooks', robots: { index: false } };

/** The tenant's webhooks, each with the way to its deliveries. API keys of the tenant's wallet make and change them. */
export default async function OwnWebhooksPage({ searchParams }: { searchParams: SearchParams }) {
  const ctx = await ownerCtx();
  const { query, given, faults } = await queryOf(listOwnWebhooksContract.query, searchParams);
  const { webhooks, next_cursor } = await listWebhooks(ctx, query);
  const keys = (
    <Link className="link" prefetch={false} href="/developers">
      API key
    </Link>
  );
  return (
    <>
      <PageHead
        title="Webhooks"
        lead={<>What your programs receive. An {keys} of the tenant’s wallet creates and changes webhooks.</>}
      />
      <FilterFault faults={faults} />
      {webhooks.length === 0 ? (
        <Empty title="No webhook yet">
          Create an {keys} with a proof of the tenant’s wallet, and register a webhook with it: its deliveries appear
          here.
        </Empty>
      ) : (
        <Card>
          <ul className="divide-y divide-line text-sm">
            {webhooks.map((webhook) => (
              <li key={webhook.id} className="space-y-1 py-3">
                <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
                  <Link
                    className="link min-w-0 font-medium break-all"
                    prefetch={false}
                    href={`/owner/webhooks/${webhook.id}`}
                  >
                    {webhook.url}
                  </Link>
                  <Badge tone={webhook.active ? 'good' : 'warn'}>{webhook.active ? 'active' : 'not active'}</Badge>
                </p>
                {webhook.failing_since !== null && (
                  <p className="text-bad">
                    Every attempt has failed since <Time at={webhook.failing_since} />
                  </p>
                )}
                <p className="text-xs break-words text-soft">{webhook.description}</p>
              </li>
            ))}
          </ul>
        </Card>
      )}
      <MoreLink path="/owner/webhooks" given={given} cursor={next_cursor} label="Older" />
    </>
  );
}
