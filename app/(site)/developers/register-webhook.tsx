'use client';

import { type FormEvent, useState } from 'react';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { Button } from '../_ui/button.tsx';
import { Field } from '../_ui/field.tsx';
import { callApi } from './api.ts';
import { EventSelect } from './event-select.tsx';
import { FormButtons } from './form-buttons.tsx';
import { SaleSelect } from './sale-select.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useAction } from './use-action.ts';
import { useDraft } from './use-draft.ts';

/** Registers a webhook and shows its secret, this once. */
export function RegisterWebhook({
  apiKey,
  onMade,
  onClose,
}: {
  apiKey: string;
  onMade: () => void;
  onClose: () => void;
}) {
  const [url, setUrl] = useDraft('webhook-url');
  const [description, setDescription] = useDraft('webhook-description');
  const [events, setEvents] = useState<string[] | null>(null);
  const [project, setProject] = useState('');
  const [secret, setSecret] = useState<string | null>(null);
  const { run, isBusy, fault, fields } = useAction(['url', 'description', 'project_id', 'events']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const body = {
        url: url.trim(),
        description: description.trim(),
        ...(events === null ? {} : { events }),
        ...(project === '' ? {} : { project_id: project }),
      };
      const made = await callApi<Webhook & { secret: string }>(apiKey, 'POST', '/api/webhooks', body);
      setSecret(made.secret);
      setUrl('');
      setDescription('');
      onMade();
    });
  };
  if (secret !== null) {
    return (
      <div className="mb-6 space-y-4">
        <h3 className="font-semibold">The signing secret</h3>
        <SecretOnce secret={secret} label="signing secret">
          Your receiver verifies signatures with it. It is stored encrypted and cannot be shown again.
        </SecretOnce>
        <Button onClick={onClose}>I stored it</Button>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="mb-6 space-y-5 rounded-xl border border-line bg-sunken p-4">
      <Field
        id="webhook-url"
        label="Address of the receiver"
        type="url"
        placeholder="https://example.org/hook"
        required
        value={url}
        onChange={(event) => setUrl(event.target.value)}
        hint="https, port 443 or 8443, a public host"
        fault={fields.url}
      />
      <Field
        id="webhook-description"
        label="Description (optional)"
        maxLength={500}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
        fault={fields.description}
      />
      <SaleSelect chosen={project} onChoose={setProject} fault={fields.project_id} />
      <EventSelect chosen={events} onChoose={setEvents} fault={fields.events} />
      <FormButtons fault={fault} label={isBusy ? 'Registering…' : 'Register'} onCancel={onClose} isBusy={isBusy} />
    </form>
  );
}
