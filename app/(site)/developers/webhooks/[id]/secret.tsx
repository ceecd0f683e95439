'use client';

import { useState } from 'react';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { Time } from '../../../_ui/time.tsx';
import { callApi } from '../../api.ts';
import { SecretOnce } from '../../secret-once.tsx';
import { useAction } from '../../use-action.ts';
import { useWebhookAccess } from '../../webhook-access.ts';

/** Changes the signing secret without breaking the receiver: both sign until the new one is committed. */
export function Secret({ webhook, onChanged }: { webhook: Webhook; onChanged: () => void }) {
  const { credential } = useWebhookAccess();
  const [secret, setSecret] = useState<string | null>(null);
  const { run, isBusy, fault } = useAction();
  const path = `/api/webhooks/${webhook.id}/rotate-secret`;
  const rotation = webhook.secret_rotation;
  const begin = () =>
    run(async () => {
      const answer = await callApi<Webhook & { secret: string }>(credential, 'POST', path);
      setSecret(answer.secret);
      onChanged();
    });
  const end = (method: 'POST' | 'DELETE', at: string) =>
    run(async () => {
      await callApi(credential, method, at);
      setSecret(null);
      onChanged();
    });
  return (
    <Card title="Signing secret">
      <div className="space-y-4 text-sm">
        {rotation === null ? (
          <p className="text-soft">
            Shown once, at registration. Until you commit a rotation, both secrets sign <code>webhook-signature</code>,
            and only the old one signs <code>X-Platform-Signature</code>.
          </p>
        ) : (
          <p>
            A rotation is in progress. The new secret takes over when you commit it, or automatically{' '}
            <Time at={rotation.ends_at} />.
          </p>
        )}
        {secret !== null && (
          <SecretOnce secret={secret} label="new signing secret">
            Add it to your receiver beside the old one, then commit. It is not shown again.
          </SecretOnce>
        )}
        {fault !== null && (
          <Notice tone="bad" isAlert>
            {fault}
          </Notice>
        )}
        {rotation === null ? (
          <Button onClick={begin} isUnavailable={isBusy}>
            Rotate the secret
          </Button>
        ) : (
          <div className="flex flex-wrap gap-3">
            <Button look="primary" onClick={() => end('POST', `${path}/commit`)} isUnavailable={isBusy}>
              Commit the new one
            </Button>
            <Button look="quiet" onClick={() => end('DELETE', path)} isUnavailable={isBusy}>
              Keep the old one
            </Button>
          </div>
        )}
      </div>
    </Card>
  );
}
