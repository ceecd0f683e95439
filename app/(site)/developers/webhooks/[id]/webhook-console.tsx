'use client';

import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useMemo } from 'react';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { Notice } from '../../../_ui/notice.tsx';
import { PageHead } from '../../../_ui/page-head.tsx';
import { useKey } from '../../key-session.ts';
import { useResource } from '../../use-resource.ts';
import { accessOfKey, useWebhookAccess, WebhookAccessProvider } from '../../webhook-access.ts';
import { WebhookBadge } from '../../webhooks.tsx';
import { DeliveryChart } from './delivery-chart.tsx';
import { DeliveryLog } from './delivery-log.tsx';
import { Replays } from './replays.tsx';
import { Secret } from './secret.tsx';
import { Settings } from './settings.tsx';
import { TestEvent } from './test-event.tsx';

export function WebhookConsole({ id }: { id: string }) {
  const kept = useKey();
  const router = useRouter();
  const key = kept?.key ?? null;
  const access = useMemo(() => (key === null ? null : accessOfKey(key)), [key]);
  if (kept === undefined) return null;
  if (access === null) {
    return (
      <Notice title="No API key in this tab">
        A key is stored only in the tab where you entered it.{' '}
        <Link href="/developers" prefetch={false} className="link">
          Enter your key
        </Link>
        , and come back.
      </Notice>
    );
  }
  return (
    <WebhookAccessProvider value={access}>
      <WebhookDesk id={id} onDeleted={() => router.push('/developers')} />
    </WebhookAccessProvider>
  );
}

/** One webhook with its deliveries, and what can be done with it. */
export function WebhookDesk({ id, onDeleted }: { id: string; onDeleted: () => void }) {
  const { credential, isReadOnly } = useWebhookAccess();
  const { data: webhook, fault, again } = useResource<Webhook>(credential, `/api/webhooks/${encodeURIComponent(id)}`);
  if (webhook === null) {
    return fault === null ? (
      <p role="status" className="text-soft">
        Reading…
      </p>
    ) : (
      <Notice tone="bad" isAlert title="This webhook cannot be shown">
        {fault}
      </Notice>
    );
  }
  return (
    <>
      <PageHead
        title={<span className="block text-2xl break-all sm:text-3xl">{webhook.url}</span>}
        lead={webhook.description || undefined}
        aside={<WebhookBadge webhook={webhook} />}
      />
      {webhook.disabled_at !== null && (
        <div className="mb-6">
          <Notice tone="warn" title="This webhook was deactivated">
            {webhook.disabled_reason === 'gone'
              ? 'The receiver answered 410 (gone) to the last attempt of a delivery.'
              : 'Every attempt failed for five days.'}{' '}
            {!isReadOnly && 'Activate it below, then replay the missed events.'}
          </Notice>
        </div>
      )}
      {webhook.backlog_full && (
        <div className="mb-6">
          <Notice tone="warn" title="1,000 events are undelivered">
            The receiver has never accepted an event, so new deliveries are cancelled and only logged. Repair the
            receiver, then replay the missed events.
          </Notice>
        </div>
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="min-w-0 space-y-6">
          <DeliveryChart webhookId={webhook.id} />
          {!isReadOnly && <TestEvent webhook={webhook} />}
          <DeliveryLog webhookId={webhook.id} types={webhook.events} />
        </div>
        <div className="min-w-0 space-y-6">
          <Settings webhook={webhook} onChanged={again} onDeleted={onDeleted} />
          {!isReadOnly && (
            <>
              <Secret webhook={webhook} onChanged={again} />
              <Replays webhookId={webhook.id} types={webhook.events} />
            </>
          )}
        </div>
      </div>
    </>
  );
}
