'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { callApi } from './api.ts';
import { FormButtons } from './form-buttons.tsx';
import { KeyOptions, type Options, optionsBody } from './key-options.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useAction } from './use-action.ts';

/** A further key of the same tenant: how a key is replaced without losing a webhook. */
export function AddKey({ apiKey, wallet, onClose }: { apiKey: string; wallet: string; onClose: () => void }) {
  const [options, setOptions] = useState<Options>({ name: '', days: '', scope: 'all' });
  const [made, setMade] = useState<string | null>(null);
  const { run, isBusy, fault, fields } = useAction(['name']);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const body = { wallet_address: wallet, ...optionsBody(options) };
      setMade((await callApi<{ api_key: string }>(apiKey, 'POST', '/api/api-keys/create', body)).api_key);
    });
  };
  if (made !== null) {
    return (
      <div className="space-y-4">
        <SecretOnce secret={made} label="new API key">
          The new key has access to the same webhooks. To replace an old key, deploy the new one first, then revoke the
          old one.
        </SecretOnce>
        <Button onClick={onClose}>I stored it</Button>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="space-y-5">
      <KeyOptions id="another" options={options} onChange={setOptions} nameFault={fields.name} />
      <FormButtons fault={fault} label={isBusy ? 'Creating…' : 'Create the key'} onCancel={onClose} isBusy={isBusy} />
    </form>
  );
}
