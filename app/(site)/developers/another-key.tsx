'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { callApi } from './api.ts';
import { FormEnd } from './form-end.tsx';
import { KeyOptions, type Options, optionsBody } from './key-options.tsx';
import { ShownOnce } from './shown-once.tsx';
import { useAction } from './use-action.ts';

/** A further key of the same tenant: how a key is replaced without losing a webhook. */
export function AnotherKey({ apiKey, wallet, onClose }: { apiKey: string; wallet: string; onClose: () => void }) {
  const [options, setOptions] = useState<Options>({ name: '', days: '', scope: 'all' });
  const [made, setMade] = useState<string | null>(null);
  const { run, isBusy, fault, fields } = useAction();
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
        <ShownOnce secret={made} label="new API key">
          It sees the same webhooks. To replace the old one, put this one to use first, then revoke the other.
        </ShownOnce>
        <Button onClick={onClose}>I have stored it</Button>
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="space-y-5">
      <KeyOptions id="another" options={options} onChange={setOptions} nameFault={fields.name} />
      <FormEnd fault={fault} label={isBusy ? 'Making…' : 'Make the key'} onCancel={onClose} isBusy={isBusy} />
    </form>
  );
}
