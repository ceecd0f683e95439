'use client';

import { type ReactNode, useEffect, useState } from 'react';
import type { DeliveryDetail } from '#lib/webhooks/log/contracts.ts';
import type { DeliveryRecord } from '#lib/webhooks/schemas.ts';
import { Badge, type Tone } from '../../../_ui/badge.tsx';
import { Button } from '../../../_ui/button.tsx';
import { formatCounted } from '../../../_ui/format.ts';
import { Notice } from '../../../_ui/notice.tsx';
import { Time } from '../../../_ui/time.tsx';
import { callApi } from '../../api.ts';
import { useAction } from '../../use-action.ts';
import { useResource } from '../../use-resource.ts';
import { useWebhookAccess } from '../../webhook-access.ts';
import { DeliveryView } from './delivery-view.tsx';

const TONES: Record<DeliveryRecord['status'], Tone> = {
  pending: 'neutral',
  retrying: 'warn',
  success: 'good',
  failed: 'bad',
  cancelled: 'neutral',
};
const CANCELLED: Record<NonNullable<DeliveryRecord['cancelled_reason']>, string> = {
  webhook_paused: 'the webhook was paused',
  webhook_disabled: 'the webhook was deactivated',
  webhook_deleted: 'the webhook was deleted',
  backlog_full: 'the webhook’s backlog was full',
  replay_cancelled: 'the replay was cancelled',
  event_pruned: 'the payload had been removed',
  event_erased: 'the platform erased the payload',
};
const ENDED = new Set<string>(['success', 'failed', 'cancelled']);
const WATCH_MS = 2_000;

/** A delivery as it is now, read again until it has ended; nothing without an id. */
function useDelivery(webhookId: string, id: string | null) {
  const { credential } = useWebhookAccess();
  const [hasEnded, setEnded] = useState(false);
  const path = id === null ? null : `/api/webhooks/${webhookId}/deliveries/${id}`;
  const reading = useResource<DeliveryDetail>(credential, path, hasEnded ? null : WATCH_MS);
  const data = reading.data?.id === id ? reading.data : null;
  const ended = data !== null && ENDED.has(data.status);
  if (ended !== hasEnded) setEnded(ended);
  return { ...reading, data };
}

/** Of what the log and what the opened delivery say, the later. */
const later = (listed: DeliveryRecord, opened: DeliveryRecord | null): DeliveryRecord =>
  opened === null || opened.attempts < listed.attempts || (ENDED.has(listed.status) && !ENDED.has(opened.status))
    ? listed
    : opened;

const StatusBadge = ({ delivery: { status, response_code } }: { delivery: DeliveryRecord }) => (
  <Badge tone={TONES[status]} isLive={status === 'pending'}>
    {status}
    {response_code !== null && ` ${response_code}`}
  </Badge>
);

/** One line of the log, which opens to its request and attempts; what is open is kept up to date. */
export function DeliveryRow({
  webhookId,
  delivery: listed,
  isOpen,
  onToggle,
  onResent,
}: {
  webhookId: string;
  delivery: DeliveryRecord;
  isOpen: boolean;
  onToggle: () => void;
  onResent: () => void;
}) {
  const { credential, isReadOnly } = useWebhookAccess();
  const [resentId, setResentId] = useState<string | null>(null);
  const { run, isBusy, fault } = useAction();
  const opened = useDelivery(webhookId, isOpen ? listed.id : null);
  const delivery = later(listed, opened.data);
  const { again } = opened;
  const known = `${listed.status} ${listed.attempts}`;
  const knownOpened = opened.data === null ? known : `${opened.data.status} ${opened.data.attempts}`;
  // The log heard of a change first.
  useEffect(() => {
    if (known !== knownOpened && delivery === listed) again();
  }, [known, knownOpened, delivery, listed, again]);
  const resend = () =>
    run(async () => {
      const path = `/api/webhooks/${webhookId}/deliveries/${listed.id}/resend`;
      setResentId((await callApi<DeliveryRecord>(credential, 'POST', path)).id);
      onResent();
    });
  const part = `delivery-${delivery.id}`;
  return (
    <li className="py-3">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <button
          type="button"
          aria-expanded={isOpen}
          aria-controls={part}
          onClick={onToggle}
          className="min-w-0 flex-1 text-left text-sm"
        >
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <StatusBadge delivery={delivery} />
            <code className="font-mono text-xs wrap-anywhere">{delivery.event_type}</code>
            {delivery.cancelled_reason !== null && (
              <span className="text-xs text-soft">{CANCELLED[delivery.cancelled_reason]}</span>
            )}
            {delivery.resend_of !== null && <span className="text-xs text-soft">sent again</span>}
          </span>
          <span className="mt-1 block text-xs text-soft">
            <Time at={delivery.created_at} /> · {formatCounted(delivery.attempts, 'attempt')}
            {delivery.duration_ms !== null && ` · ${delivery.duration_ms} ms`}
          </span>
        </button>
        {!isReadOnly && ENDED.has(delivery.status) && !delivery.pruned && (
          <Button onClick={resend} isUnavailable={isBusy}>
            {isBusy ? 'Sending…' : 'Send again'}
          </Button>
        )}
      </div>
      {fault !== null && (
        <div className="mt-3">
          <Notice tone="bad" isAlert>
            {fault}
          </Notice>
        </div>
      )}
      {resentId !== null && <Resent webhookId={webhookId} id={resentId} />}
      <div id={part} className="mt-4 empty:hidden">
        {isOpen && <DeliveryView deliveryId={listed.id} data={opened.data} fault={opened.fault} />}
      </div>
    </li>
  );
}

/** How far the delivery has come that sends an event again. */
function Resent({ webhookId, id }: { webhookId: string; id: string }) {
  const { data, fault } = useDelivery(webhookId, id);
  return (
    <p
      role="status"
      className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1 rounded-xl bg-sunken px-4 py-2.5 text-sm"
    >
      <span>Sent again:</span>
      {data === null ? (fault ?? <Badge isLive>pending</Badge>) : <StatusBadge delivery={data} />}
      {data !== null && <span className="text-xs text-soft">{progressOf(data)}</span>}
    </p>
  );
}

function progressOf({ status, attempts, duration_ms }: DeliveryRecord): ReactNode {
  if (status === 'pending') return attempts === 0 ? 'waits for its first attempt' : 'its first attempt is under way';
  if (status === 'retrying') return `${formatCounted(attempts, 'attempt')} failed; the next one is scheduled`;
  return `${formatCounted(attempts, 'attempt')}${duration_ms === null ? '' : ` · ${duration_ms} ms`}`;
}
