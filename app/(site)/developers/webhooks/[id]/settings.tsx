'use client';

import { useRouter } from 'next/navigation';
import { type FormEvent, useState } from 'react';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Field } from '../../../_ui/field.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { callApi } from '../../api.ts';
import { EventSelect } from '../../event-select.tsx';
import { useAction } from '../../use-action.ts';

/** Changes a webhook, switches it, and deletes it. */
export function Settings({ apiKey, webhook, onChanged }: { apiKey: string; webhook: Webhook; onChanged: () => void }) {
  const [url, setUrl] = useState(webhook.url);
  const [description, setDescription] = useState(webhook.description);
  const [events, setEvents] = useState<string[] | null>([...webhook.events]);
  const [isDeleting, setDeleting] = useState(false);
  const { run, isBusy, fault } = useAction();
  const router = useRouter();
  const path = `/api/webhooks/${webhook.id}`;
  const change = (body: object) =>
    run(async () => {
      await callApi(apiKey, 'PATCH', path, body);
      onChanged();
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void change({ url: url.trim(), description: description.trim(), ...(events === null ? {} : { events }) });
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
        />
        <Field
          id="description"
          label="Description"
          maxLength={500}
          value={description}
          onChange={(event) => setDescription(event.target.value)}
        />
        <details>
          <summary className="text-sm font-medium">
            {events === null ? 'All events' : `${events.length} types of event`}
          </summary>
          <div className="mt-3">
            <EventSelect chosen={events} onChoose={setEvents} />
          </div>
        </details>
        {fault !== null && (
          <Notice tone="bad" isAlert>
            {fault}
          </Notice>
        )}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" disabled={isBusy}>
            Save
          </Button>
          <Button onClick={() => change({ active: !webhook.active })} disabled={isBusy}>
            {webhook.active ? 'Switch off' : 'Switch on'}
          </Button>
        </div>
        <div className="border-t border-line pt-4">
          {isDeleting ? (
            <div className="space-y-3">
              <p className="text-sm">Deletes the webhook and cancels its waiting deliveries. This cannot be undone.</p>
              <div className="flex gap-3">
                <Button look="danger" onClick={remove} disabled={isBusy}>
                  Delete it
                </Button>
                <Button look="quiet" onClick={() => setDeleting(false)}>
                  Keep it
                </Button>
              </div>
            </div>
          ) : (
            <Button look="danger" onClick={() => setDeleting(true)}>
              Delete…
            </Button>
          )}
        </div>
      </form>
    </Card>
  );
}
