'use client';

import Link from 'next/link';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { Badge } from '../_ui/badge.tsx';
import { Button } from '../_ui/button.tsx';
import { Card } from '../_ui/card.tsx';
import { Empty } from '../_ui/empty.tsx';
import { formatCounted } from '../_ui/format.ts';
import { Notice } from '../_ui/notice.tsx';
import { useDisclosure } from '../_ui/use-disclosure.ts';
import { RegisterWebhook } from './register-webhook.tsx';
import { useResource } from './use-resource.ts';
import { useWebhookAccess } from './webhook-access.ts';

const OPENS = 'block font-medium break-all after:absolute after:inset-0';

/** The webhooks that the visitor reaches. `onOpen`: how one is opened where it has no page of its own. */
export function Webhooks({ onOpen }: { onOpen?: (id: string) => void }) {
  const { credential, isReadOnly } = useWebhookAccess();
  const { data, fault, isReading, again } = useResource<{ webhooks: Webhook[]; next_cursor: string | null }>(
    credential,
    '/api/webhooks?limit=100',
  );
  const adding = useDisclosure();
  return (
    <Card
      title="Webhooks"
      aside={
        isReadOnly ? undefined : (
          <Button look="primary" ref={adding.opener} hidden={adding.isOpen} onClick={adding.open}>
            Add a webhook
          </Button>
        )
      }
    >
      <div {...adding.panel} className="outline-none">
        {adding.isKept && <RegisterWebhook keepsDraft={onOpen === undefined} onMade={again} onClose={adding.close} />}
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
      {data !== null && data.webhooks.length === 0 && !adding.isOpen && (
        <Empty title="No webhook yet">
          {isReadOnly ? (
            'It is listed here once there is one.'
          ) : (
            <>
              Add a webhook to receive every event from then on, signed. Without a receiver of your own, try the{' '}
              <a
                className="link"
                href="/docs/webhooks#a-whole-receiver"
                {...(onOpen === undefined ? {} : { target: '_blank', rel: 'noreferrer' })}
              >
                receiver of the guide
              </a>
              .
            </>
          )}
        </Empty>
      )}
      {data !== null && data.next_cursor !== null && (
        <p className="mb-3 text-sm text-soft">The newest {data.webhooks.length}; the API lists the others.</p>
      )}
      {data !== null && data.webhooks.length > 0 && (
        <ul className="divide-y divide-line">
          {data.webhooks.map((webhook) => (
            <li key={webhook.id} className="relative flex flex-wrap items-center justify-between gap-3 py-3">
              <div className="min-w-0">
                {onOpen === undefined ? (
                  <Link href={`/developers/webhooks/${webhook.id}`} prefetch={false} className={OPENS}>
                    {webhook.url}
                  </Link>
                ) : (
                  <button type="button" onClick={() => onOpen(webhook.id)} className={`${OPENS} text-left`}>
                    {webhook.url}
                  </button>
                )}
                <p className="text-xs text-soft">
                  {webhook.description === '' ? webhook.id : webhook.description} ·
                  {formatCounted(webhook.events.length, 'event type')}
                </p>
              </div>
              <WebhookBadge webhook={webhook} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

export function WebhookBadge({ webhook }: { webhook: Webhook }) {
  if (webhook.active) return <Badge tone="good">Active</Badge>;
  if (webhook.disabled_at !== null) return <Badge tone="bad">Switched off: {webhook.disabled_reason}</Badge>;
  return <Badge>Inactive</Badge>;
}
