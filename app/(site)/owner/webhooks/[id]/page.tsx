import type { Metadata } from 'next';
import Link from 'next/link';
import { listOwnDeliveriesContract } from '#lib/webhooks/log/contracts.ts';
import { listDeliveries } from '#lib/webhooks/log/read-deliveries.ts';
import { getWebhook } from '#lib/webhooks/registry/read-webhooks.ts';
import { DELIVERY_STATUSES, type DeliveryRecord } from '#lib/webhooks/schemas.ts';
import { orNotFound } from '../../../_data/or-not-found.ts';
import { Badge, type Tone } from '../../../_ui/badge.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Empty } from '../../../_ui/empty.tsx';
import { inputClass } from '../../../_ui/field.tsx';
import { PageHead } from '../../../_ui/page-head.tsx';
import { Cell, Table } from '../../../_ui/table.tsx';
import { Time } from '../../../_ui/time.tsx';
import { FilterFault } from '../../../operator/filter-fault.tsx';
import { FilterField, Filters } from '../../../operator/filters.tsx';
import { MoreLink } from '../../../operator/more-link.tsx';
import { queryOf, type SearchParams } from '../../../operator/query-of.ts';
import { ownerCtx } from '../../session.ts';

export const metadata: Metadata = { title: 'Deliveries', robots: { index: false } };

const TONES: Record<DeliveryRecord['status'], Tone> = {
  pending: 'neutral',
  retrying: 'warn',
  success: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};

/** The deliveries of one of the tenant's webhooks, the newest first. */
export default async function OwnDeliveriesPage({
  params,
  searchParams,
}: {
  params: Promise<{ id: string }>;
  searchParams: SearchParams;
}) {
  const ctx = await ownerCtx();
  const webhook = await orNotFound(getWebhook(ctx, (await params).id));
  const { query, given, faults } = await queryOf(listOwnDeliveriesContract.query, searchParams);
  const { deliveries, next_cursor } = await orNotFound(listDeliveries(ctx, webhook.id, query));
  const path = `/owner/webhooks/${webhook.id}`;
  return (
    <>
      <PageHead
        title="Deliveries"
        lead={
          <>
            To <span className="break-all">{webhook.url}</span>, the newest first. All{' '}
            <Link className="link" prefetch={false} href="/owner/webhooks">
              webhooks
            </Link>
            .
          </>
        }
      />
      <Filters path={path}>
        <FilterField name="status" label="Status">
          <select id="filter-status" name="status" className={inputClass} defaultValue={given.status ?? ''}>
            <option value="">All</option>
            {DELIVERY_STATUSES.map((status) => (
              <option key={status}>{status}</option>
            ))}
          </select>
        </FilterField>
      </Filters>
      <FilterFault faults={faults} />
      {deliveries.length === 0 ? (
        <Empty title="No delivery">
          {given.status === undefined ? 'The first event that it receives appears here.' : 'None has this status.'}
        </Empty>
      ) : (
        <Card>
          <Table caption="Deliveries" columns={['Created', 'Event', 'Status', 'Attempts>', 'Took>', 'Delivered']}>
            {deliveries.map((delivery) => (
              <tr key={delivery.id}>
                <Cell>
                  <Time at={delivery.created_at} />
                </Cell>
                <Cell>
                  <code className="font-mono text-xs">{delivery.event_type}</code>
                </Cell>
                <Cell>
                  <Badge tone={TONES[delivery.status]}>
                    {delivery.status}
                    {delivery.response_code !== null && ` ${delivery.response_code}`}
                  </Badge>
                </Cell>
                <Cell isFigure>{delivery.attempts}</Cell>
                <Cell isFigure>{delivery.duration_ms === null ? '' : `${delivery.duration_ms} ms`}</Cell>
                <Cell>{delivery.delivered_at !== null && <Time at={delivery.delivered_at} />}</Cell>
              </tr>
            ))}
          </Table>
        </Card>
      )}
      <MoreLink path={path} given={given} cursor={next_cursor} label="Older" />
    </>
  );
}
