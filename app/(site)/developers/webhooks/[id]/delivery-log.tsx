'use client';

import { useState } from 'react';
import type { DeliveryRecord } from '#lib/webhooks/schemas.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Empty } from '../../../_ui/empty.tsx';
import { inputClass } from '../../../_ui/field.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { useResource } from '../../use-resource.ts';
import { DeliveryRow } from './delivery-row.tsx';

const STATUSES = ['', 'pending', 'retrying', 'success', 'failed', 'cancelled'] as const;
const PAGE = 20;

/** The delivery log, the newest first, page by page. */
export function DeliveryLog({
  apiKey,
  webhookId,
  types,
}: {
  apiKey: string;
  webhookId: string;
  /** Types of event that it may hold. */
  types: readonly string[];
}) {
  const [status, setStatus] = useState('');
  const [eventType, setEventType] = useState('');
  const [since, setSince] = useState('');
  const [until, setUntil] = useState('');
  const [cursors, setCursors] = useState<string[]>([]);
  const query = new URLSearchParams({ limit: String(PAGE) });
  if (status !== '') query.set('status', status);
  if (eventType !== '') query.set('event_type', eventType);
  if (since !== '') query.set('from', new Date(since).toISOString());
  if (until !== '') query.set('to', new Date(until).toISOString());
  const cursor = cursors.at(-1);
  if (cursor !== undefined) query.set('cursor', cursor);
  const { data, fault, again, isReading } = useResource<{ deliveries: DeliveryRecord[]; next_cursor: string | null }>(
    apiKey,
    `/api/webhooks/${webhookId}/deliveries?${query}`,
  );
  const isFiltered = [status, eventType, since, until].some((text) => text !== '');
  const filter = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value);
    setCursors([]);
  };
  return (
    <Card
      title="Deliveries"
      aside={
        <Button look="quiet" onClick={again} disabled={isReading}>
          {isReading ? 'Reading…' : 'Refresh'}
        </Button>
      }
    >
      <div className="mb-4 grid gap-3 sm:grid-cols-2 xl:grid-cols-4">
        <label className="flex flex-col gap-1 text-xs text-soft">
          Status
          <select className={inputClass} value={status} onChange={filter(setStatus)}>
            {STATUSES.map((each) => (
              <option key={each} value={each}>
                {each === '' ? 'Any' : each}
              </option>
            ))}
          </select>
        </label>
        <label className="flex flex-col gap-1 text-xs text-soft">
          Type of event
          <select className={inputClass} value={eventType} onChange={filter(setEventType)}>
            <option value="">Any</option>
            {types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
        <label className="flex flex-col gap-1 text-xs text-soft">
          Since (your time)
          <input type="datetime-local" className={inputClass} value={since} onChange={filter(setSince)} />
        </label>
        <label className="flex flex-col gap-1 text-xs text-soft">
          Until (your time)
          <input type="datetime-local" className={inputClass} value={until} onChange={filter(setUntil)} />
        </label>
      </div>
      {fault !== null && (
        <Notice tone="bad" isAlert>
          {fault}
        </Notice>
      )}
      {data === null && isReading && (
        <p role="status" className="text-sm text-soft">
          Reading…
        </p>
      )}
      {data !== null && data.deliveries.length === 0 && (
        <Empty title="No deliveries">
          {isFiltered
            ? 'None matches these filters.'
            : 'Events appear here when they are sent, or send a test event above.'}
        </Empty>
      )}
      {data !== null && data.deliveries.length > 0 && (
        <ul className="divide-y divide-line">
          {data.deliveries.map((delivery) => (
            <DeliveryRow key={delivery.id} apiKey={apiKey} webhookId={webhookId} delivery={delivery} onResent={again} />
          ))}
        </ul>
      )}
      <div className={`mt-4 flex justify-between ${cursors.length === 0 && data?.next_cursor == null ? 'hidden' : ''}`}>
        <Button look="quiet" disabled={cursors.length === 0} onClick={() => setCursors(cursors.slice(0, -1))}>
          Newer
        </Button>
        <Button
          look="quiet"
          disabled={data?.next_cursor == null}
          onClick={() => data?.next_cursor != null && setCursors([...cursors, data.next_cursor])}
        >
          Older
        </Button>
      </div>
    </Card>
  );
}
