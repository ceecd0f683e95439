'use client';

import { type FormEvent, useState } from 'react';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { useDisclosure } from '../../../_ui/use-disclosure.ts';
import { callApi } from '../../api.ts';
import { useAction } from '../../use-action.ts';
import { useWebhookAccess } from '../../webhook-access.ts';
import { WebhookFields } from '../../webhook-fields.tsx';
import { changes, formOf, SHOWN_FIELDS } from '../../webhook-form.ts';

/** Changes a webhook, switches it, and deletes it; shows it where nothing may be changed. */
export function Settings({
  webhook,
  onChanged,
  onDeleted,
}: {
  webhook: Webhook;
  onChanged: () => void;
  onDeleted: () => void;
}) {
  const { credential, isReadOnly } = useWebhookAccess();
  const [form, setForm] = useState(() => formOf(webhook));
  const [hasSaved, setSaved] = useState(false);
  const deleting = useDisclosure();
  const { run, isBusy, fault, fields } = useAction(SHOWN_FIELDS);
  const path = `/api/webhooks/${webhook.id}`;
  const change = (body: object) =>
    run(async () => {
      const changed = await callApi<Webhook>(credential, 'PATCH', path, body);
      setForm((typed) => ({ ...typed, headers: 'headers' in body ? formOf(changed).headers : typed.headers }));
      onChanged();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change(changes(form, formOf(webhook))).then(setSaved);
  };
  const remove = () =>
    run(async () => {
      await callApi(credential, 'DELETE', path);
      onDeleted();
    });
  return (
    <Card title="Settings">
      <form onSubmit={submit} className="space-y-4">
        <fieldset disabled={isReadOnly} className="space-y-4">
          <legend className="sr-only">The webhook</legend>
          <WebhookFields
            id="settings"
            form={form}
            onChange={(part) => setForm((now) => ({ ...now, ...part }))}
            fields={fields}
            headerNames={webhook.header_names}
          />
        </fieldset>
        {fault !== null && (
          <Notice tone="bad" isAlert>
            {fault}
          </Notice>
        )}
        {!isReadOnly && (
          <>
            <div className="flex flex-wrap gap-3">
              <Button type="submit" isUnavailable={isBusy}>
                Save
              </Button>
              <Button onClick={() => change({ active: !webhook.active })} isUnavailable={isBusy}>
                {webhook.active ? 'Switch off' : 'Switch on'}
              </Button>
            </div>
            <p role="status" className="text-sm text-good empty:hidden">
              {hasSaved && !isBusy && 'Saved.'}
            </p>
            <div className="border-t border-line pt-4">
              <Button look="danger" ref={deleting.opener} hidden={deleting.isOpen} onClick={deleting.open}>
                Delete…
              </Button>
              <div {...deleting.panel} className="space-y-3 outline-none">
                <p className="text-sm">
                  Deletes the webhook and cancels its waiting deliveries. This cannot be undone.
                </p>
                <div className="flex gap-3">
                  <Button look="danger" onClick={remove} isUnavailable={isBusy}>
                    Delete it
                  </Button>
                  <Button look="quiet" onClick={deleting.close}>
                    Keep it
                  </Button>
                </div>
              </div>
            </div>
          </>
        )}
      </form>
    </Card>
  );
}
