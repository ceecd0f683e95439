'use client';

import { useState } from 'react';
import type { DeliveryRecord } from '#lib/webhooks/schemas.ts';
import { Badge, type Tone } from '../../../_ui/badge.tsx';
import { Button } from '../../../_ui/button.tsx';
import { formatCounted } from '../../../_ui/format.ts';
import { Notice } from '../../../_ui/notice.tsx';
import { Time } from '../../../_ui/time.tsx';
import { callApi } from '../../api.ts';
import { useAction } from '../../use-action.ts';
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
};
const ENDED = new Set<string>(['success', 'failed', 'cancelled']);

/** One line of the log, which opens to its request and attempts. */
export function DeliveryRow({
  apiKey,
  webhookId,
  delivery,
  onResent,
}: {
  apiKey: string;
  webhookId: string;
  delivery: DeliveryRecord;
  onResent: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const { run, isBusy, fault } = useAction();
  const resend = () =>
    run(async () => {
      await callApi(apiKey, 'POST', `/api/webhooks/${webhookId}/deliveries/${delivery.id}/resend`);
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
          onClick={() => setOpen(!isOpen)}
          className="min-w-0 flex-1 text-left text-sm"
        >
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <Badge tone={TONES[delivery.status]}>
              {delivery.status}
              {delivery.response_code !== null && ` ${delivery.response_code}`}
            </Badge>
            <code className="font-mono text-xs">{delivery.event_type}</code>
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
        {ENDED.has(delivery.status) && !delivery.pruned && (
          <Button onClick={resend} disabled={isBusy}>
            {isBusy ? 'Sending…' : 'Send again'}
          </Button>
        )}
      </div>
      {fault !== null && <Notice tone="bad">{fault}</Notice>}
      <div id={part} className="mt-4 empty:hidden">
        {isOpen && <DeliveryView apiKey={apiKey} webhookId={webhookId} deliveryId={delivery.id} />}
      </div>
    </li>
  );
}
