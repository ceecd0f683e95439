'use client';

import { type FormEvent, useState } from 'react';
import type { Webhook } from '#lib/webhooks/schemas.ts';
import { Button } from '../_ui/button.tsx';
import { callApi } from './api.ts';
import { FormButtons } from './form-buttons.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useAction } from './use-action.ts';
import { useDraft } from './use-draft.ts';
import { useWebhookAccess } from './webhook-access.ts';
import { WebhookFields } from './webhook-fields.tsx';
import { EMPTY_FORM, registration, SHOWN_FIELDS, type WebhookForm } from './webhook-form.ts';

/** Registers a webhook and shows its secret, this once. `keepsDraft`: what is typed stays in this tab until then. */
export function RegisterWebhook({
  keepsDraft,
  onMade,
  onClose,
}: {
  keepsDraft: boolean;
  onMade: () => void;
  onClose: () => void;
}) {
  const { credential } = useWebhookAccess();
  const [url, setUrl] = useDraft(keepsDraft ? 'webhook-url' : null);
  const [description, setDescription] = useDraft(keepsDraft ? 'webhook-description' : null);
  const [others, setOthers] = useState(EMPTY_FORM);
  const form: WebhookForm = { ...others, url, description };
  const [secret, setSecret] = useState<string | null>(null);
  const { run, isBusy, fault, fields } = useAction(SHOWN_FIELDS);
  const change = (part: Partial<WebhookForm>) => {
    if (part.url !== undefined) setUrl(part.url);
    if (part.description !== undefined) setDescription(part.description);
    setOthers((now) => ({ ...now, ...part }));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const made = await callApi<Webhook & { secret: string }>(credential, 'POST', '/api/webhooks', registration(form));
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
      <WebhookFields id="webhook" form={form} onChange={change} fields={fields} />
      <FormButtons fault={fault} label={isBusy ? 'Registering…' : 'Register'} onCancel={onClose} isBusy={isBusy} />
    </form>
  );
}
