'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Field } from '../../../_ui/field.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { useDisclosure } from '../../../_ui/use-disclosure.ts';
import { callApi } from '../../api.ts';
import { EventSelect } from '../../event-select.tsx';
import { useAction } from '../../use-action.ts';

/** Changes a webhook, switches it, and deletes it. */
export function Settings({ apiKey, webhook, onChanged }: { apiKey: string; webhook: Webhook; onChanged: () => void }) {
  const [url, setUrl] = useState(webhook.url);
  const [description, setDescription] = useState(webhook.description);
  const [events, setEvents] = useState<string[] | null>([...webhook.events]);
  const [hasSaved, setSaved] = useState(false);
  const deleting = useDisclosure();
  const { run, isBusy, fault, fields } = useAction(['url', 'description', 'events']);
  const router = useRouter();
  const path = `/api/webhooks/${webhook.id}`;
  const change = (body: object) =>
    run(async () => {
      await callApi(apiKey, 'PATCH', path, body);
      onChanged();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change({ url: url.trim(), description: description.trim(), ...(events === null ? {} : { events }) }).then(
      setSaved,
    );
  };
  const remove = () =>
    run(async () => {
      await callApi(apiKey, 'DELETE', path);
      router.push('/developers');
    });
  return (
    <Card title="Settings">
      <form onSubmit={submit} className="space-y-4">
        <Field
          id="url"
          label="Address"
          type="url"
          required
          value={url}
          onChange={(event) => setUrl(event.target.value)}
          fault={fields.url}
        />
        <Field
          id="description"
          label="Description"
          maxLength={500}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
          fault={fields.description}
        />
        <details open={fields.events !== undefined || undefined}>
          <summary className="text-sm font-medium">
            {events === null ? 'All events' : `${events.length} types of event`}
          </summary>
          <div className="mt-3">
            <EventSelect chosen={events} onChoose={setEvents} fault={fields.events} />
          </div>
        </details>
        {fault !== null && (
          <Notice tone="bad" isAlert>
            {fault}
          </Notice>
        )}
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
            <p className="text-sm">Deletes the webhook and cancels its waiting deliveries. This cannot be undone.</p>
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
      </form>
    </Card>
  );
}
