'use client';

import { type FocusEvent, type PointerEvent, useRef, useState } from 'react';
import type { DeliveryRecord } from '#lib/webhooks/schemas.ts';
import { Badge } from '../../../_ui/badge.tsx';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Empty } from '../../../_ui/empty.tsx';
import { inputClass } from '../../../_ui/field.tsx';
import { formatCounted } from '../../../_ui/format.ts';
import { Notice } from '../../../_ui/notice.tsx';
import { useResource } from '../../use-resource.ts';
import { useWebhookAccess } from '../../webhook-access.ts';
import { DeliveryRow } from './delivery-row.tsx';
import { useLiveList } from './use-live-list.ts';

const STATUSES = ['', 'pending', 'retrying', 'success', 'failed', 'cancelled'] as const;
const PAGE = 20;
const LIVE_MS = 3_000;

/**
 * The delivery log, the newest first, page by page, kept up to date. While somebody reads in it (a line is open, the pointer or
 * the keyboard is in the list), lines change in place and new ones wait above.
 */
export function DeliveryLog({
  webhookId,
  types,
}: {
  webhookId: string;
  /** Types of event that it may hold. */
  types: readonly string[];
}) {
  const { credential, isReadOnly } = useWebhookAccess();
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
  const [isPaused, setPaused] = useState(false);
  const [openIds, setOpenIds] = useState<ReadonlySet<string>>(new Set());
  const [isReader, setReader] = useState({ byPointer: false, byKeyboard: false });
  const list = useRef<HTMLUListElement>(null);
  const { data, of, fault, again, isReading, isStale } = useResource<{
    deliveries: DeliveryRecord[];
    next_cursor: string | null;
  }>(credential, `/api/webhooks/${webhookId}/deliveries?${query}`, isPaused ? null : LIVE_MS);
  const isHeld = openIds.size > 0 || isReader.byPointer || isReader.byKeyboard;
  const { shown, fresh, show } = useLiveList(data?.deliveries ?? null, { isHeld, of: of ?? '' });
  const isFiltered = [status, eventType, since, until].some((text) => text !== '');
  const filter = (set: (text: string) => void) => (event: { target: { value: string } }) => {
    set(event.target.value);
    turnTo([]);
  };
  const turnTo = (page: string[]) => {
    setCursors(page);
    setOpenIds(new Set());
  };
  const toggle = (id: string) => {
    const open = new Set(openIds);
    if (!open.delete(id)) open.add(id);
    setOpenIds(open);
  };
  const onPointer = (byPointer: boolean) => (event: PointerEvent) =>
    event.pointerType === 'mouse' && setReader((now) => ({ ...now, byPointer }));
  const onFocus = ({ target }: FocusEvent) =>
    target.matches(':focus-visible') && setReader((now) => ({ ...now, byKeyboard: true }));
  const onBlur = ({ currentTarget, relatedTarget }: FocusEvent) =>
    currentTarget.contains(relatedTarget) || setReader((now) => ({ ...now, byKeyboard: false }));
  const showFresh = () => {
    show();
    list.current?.focus();
  };
  const clear = () => {
    for (const set of [setStatus, setEventType, setSince, setUntil]) set('');
    turnTo([]);
  };
  return (
    <Card
      title="Deliveries"
      aside={
        <span className="flex items-center gap-2">
          {isPaused ? (
            <Badge>Paused</Badge>
          ) : isStale ? (
            <Badge tone="warn">Out of date: trying again</Badge>
          ) : (
            <Badge tone="good" isLive>
              Live
            </Badge>
          )}
          <Button
            look="quiet"
            aria-label={`${isPaused ? 'Resume' : 'Pause'} live updates`}
            onClick={() => setPaused(!isPaused)}
          >
            {isPaused ? 'Resume' : 'Pause'}
          </Button>
        </span>
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
      {shown !== null && shown.length === 0 && (
        <Empty title={isFiltered ? 'No delivery matches these filters' : 'No deliveries yet'}>
          {isFiltered ? (
            <Button className="mt-3" onClick={clear}>
              Clear the filters
            </Button>
          ) : (
            `Events appear here when they are sent.${isReadOnly ? '' : ' To see one now, send a test event above.'}`
          )}
        </Empty>
      )}
      <div role="status" className="empty:hidden">
        {fresh > 0 && (
          <Button className="mb-2 w-full" onClick={showFresh}>
            Show {fresh < PAGE ? formatCounted(fresh, 'new delivery', 'new deliveries') : 'the newest deliveries'}
          </Button>
        )}
      </div>
      {shown !== null && shown.length > 0 && (
        <ul
          ref={list}
          tabIndex={-1}
          aria-label="Deliveries, the newest first"
          className="divide-y divide-line outline-none"
          onPointerEnter={onPointer(true)}
          onPointerLeave={onPointer(false)}
          onFocus={onFocus}
          onBlur={onBlur}
        >
          {shown.map((delivery) => (
            <DeliveryRow
              key={delivery.id}
              webhookId={webhookId}
              delivery={delivery}
              isOpen={openIds.has(delivery.id)}
              onToggle={() => toggle(delivery.id)}
              onResent={again}
            />
          ))}
        </ul>
      )}
      <div className={`mt-4 flex justify-between ${cursors.length === 0 && data?.next_cursor == null ? 'hidden' : ''}`}>
        <Button look="quiet" isUnavailable={cursors.length === 0} onClick={() => turnTo(cursors.slice(0, -1))}>
          Newer
        </Button>
        <Button
          look="quiet"
          isUnavailable={data?.next_cursor == null}
          onClick={() => data?.next_cursor != null && turnTo([...cursors, data.next_cursor])}
        >
          Older
        </Button>
      </div>
    </Card>
  );
}
