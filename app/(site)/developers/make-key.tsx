'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { Card } from '../_ui/card.tsx';
import { Field } from '../_ui/field.tsx';
import { Notice } from '../_ui/notice.tsx';
import { callApi } from './api.ts';
import { KeyOptions, type Options, optionsBody } from './key-options.tsx';
import { keepKey } from './key-session.ts';
import { ProveWallet, type WalletProof } from './prove-wallet.tsx';
import { ShownOnce } from './shown-once.tsx';
import { useAction } from './use-action.ts';

interface NewKey {
  api_key: string;
  wallet_verified: boolean;
}

/** Makes a key: for a wallet that proves itself, or one that sees only what it makes itself. */
export function MakeKey() {
  const [wallet, setWallet] = useState('');
  const [options, setOptions] = useState<Options>({ name: '', days: '', scope: 'all' });
  const [proves, setProves] = useState(false);
  const [made, setMade] = useState<NewKey | null>(null);
  const { run, isBusy, fault, fields } = useAction();
  const create = (proof?: WalletProof) =>
    run(async () => {
      const body = {
        wallet_address: wallet.trim(),
        ...optionsBody(options),
        ...(proof === undefined ? {} : { proof }),
      };
      setMade(await callApi<NewKey>(null, 'POST', '/api/api-keys/create', body));
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!proves) void create();
  };
  if (made !== null) {
    return (
      <Card title="Your API key">
        <ShownOnce secret={made.api_key} label="API key">
          It is shown this once and stored nowhere in the clear. Keep it where you keep passwords.
        </ShownOnce>
        {made.wallet_verified && (
          <p className="mt-4 text-sm text-soft">The wallet proved itself: all its keys share one set of webhooks.</p>
        )}
        <Button look="primary" className="mt-5" onClick={() => keepKey({ key: made.api_key, wallet: wallet.trim() })}>
          I have stored it: go on to webhooks
        </Button>
      </Card>
    );
  }
  return (
    <Card title="Make an API key" lead="No account, no e-mail address. A wallet’s address names whose key it is.">
      <form onSubmit={submit} className="space-y-5">
        <Field
          id="wallet"
          label="Wallet address"
          placeholder="r…"
          autoComplete="off"
          spellCheck={false}
          required
          value={wallet}
          onChange={(event) => setWallet(event.target.value)}
          fault={fields.wallet_address}
        />
        <KeyOptions id="new" options={options} onChange={setOptions} nameFault={fields.name} />
        <label className="flex items-start gap-3 text-sm">
          <input
            type="checkbox"
            className="mt-0.5 size-4 accent-accent"
            checked={proves}
            onChange={(event) => setProves(event.target.checked)}
          />
          <span>
            Prove that the wallet is mine
            <span className="block text-soft">
              Without a proof the key has small limits (three webhooks) and ends when it is unused for 30 days. With
              one, all keys of the wallet share its webhooks.
            </span>
          </span>
        </label>
        {fault !== null && (
          <Notice tone="bad" isAlert>
            {fault}
          </Notice>
        )}
        {proves ? (
          <ProveWallet
            wallet={wallet.trim()}
            purpose={{ action: 'create_key' }}
            label="Make the key"
            isBusy={isBusy}
            onProof={create}
          />
        ) : (
          <Button type="submit" look="primary" disabled={isBusy}>
            {isBusy ? 'Making…' : 'Make the key'}
          </Button>
        )}
      </form>
    </Card>
  );
}
