'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { Card } from '../_ui/card.tsx';
import { Field } from '../_ui/field.tsx';
import { Notice } from '../_ui/notice.tsx';
import { useInputBeforeHydration } from '../_ui/use-input-before-hydration.ts';
import { callApi } from './api.ts';
import { KeyOptions, type Options, optionsBody } from './key-options.tsx';
import { storeKey } from './key-session.ts';
import { ProveWallet, type WalletProof } from './prove-wallet.tsx';
import { SecretOnce } from './secret-once.tsx';
import { useAction } from './use-action.ts';
import { useDraft } from './use-draft.ts';

interface NewKey {
  api_key: string;
  wallet_verified: boolean;
}

/**
 * Makes a key: for a wallet that proves itself, or one that sees only what it makes itself. Before the page is alive one may
 * write, and not yet send.
 */
export function CreateKey({ isAlive }: { isAlive: boolean }) {
  const [wallet, setWallet] = useDraft('wallet');
  const walletField = useInputBeforeHydration<HTMLInputElement>((typed) => typed !== '' && setWallet(typed));
  const [options, setOptions] = useState<Options>({ name: '', days: '', scope: 'all' });
  const [proves, setProves] = useState(false);
  const [made, setMade] = useState<NewKey | null>(null);
  const { run, isBusy, fault, fields } = useAction(['wallet_address', 'name']);
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
        <SecretOnce secret={made.api_key} label="API key">
          It is shown only once. Store it in your password manager.
        </SecretOnce>
        {made.wallet_verified && (
          <p className="mt-4 text-sm text-soft">The wallet is proven: all its keys share one set of webhooks.</p>
        )}
        <Button look="primary" className="mt-5" onClick={() => storeKey({ key: made.api_key, wallet: wallet.trim() })}>
          I stored it, continue to webhooks
        </Button>
      </Card>
    );
  }
  return (
    <Card
      title="Create an API key"
      lead="No account and no e-mail address needed. The key belongs to a wallet address."
    >
      <form onSubmit={submit} className="space-y-5">
        <Field
          id="wallet"
          ref={walletField}
          label="Wallet address"
          placeholder="r…"
          autoComplete="off"
          spellCheck={false}
          required
          value={wallet}
          onChange={(event) => setWallet(event.target.value)}
          fault={fields.wallet_address}
        />
        <KeyOptions id="new" options={options} onChange={setOptions} nameFault={fields.name} isAlive={isAlive} />
        <label className="flex items-start gap-3 text-sm">
          <input
            type="checkbox"
            className="mt-0.5 size-4 accent-accent"
            disabled={!isAlive}
            checked={proves}
            onChange={(event) => setProves(event.target.checked)}
          />
          <span>
            Add a wallet proof
            <span className="block text-soft">
              Without a proof the key is limited to three webhooks, and is removed if it is never used within 30 days.
              With a proof, all keys of the wallet share its webhooks.
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
            label="Create the key"
            isBusy={isBusy}
            onProof={create}
          />
        ) : (
          <Button type="submit" look="primary" disabled={!isAlive} isUnavailable={isBusy}>
            {isBusy ? 'Creating…' : 'Create the key'}
          </Button>
        )}
      </form>
    </Card>
  );
}
