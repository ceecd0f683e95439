'use client';

import { useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { Field } from '../_ui/field.tsx';
import { Notice } from '../_ui/notice.tsx';
import { callApi } from './api.ts';
import { storeKey } from './key-session.ts';
import { ProveWallet } from './prove-wallet.tsx';
import { useAction } from './use-action.ts';

/** Ends a key: the one in use by itself, another one by itself or by a proof of its wallet. */
export function RevokeKey({
  listed,
  apiKey,
  wallet,
  onRevoked,
}: {
  listed: { id: string; prefix: string; wallet_verified: boolean };
  /** The key itself, where this tab holds it. */
  apiKey: string | null;
  wallet: string;
  onRevoked: () => void;
}) {
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const { run, isBusy, fault } = useAction();
  const revoke = (body: object) =>
    run(async () => {
      await callApi(null, 'POST', '/api/api-keys/revoke', body);
      if (apiKey === null) onRevoked();
      else storeKey(null);
    });
  if (!isOpen) {
    return (
      <Button look="danger" aria-label={`Revoke ${listed.prefix}…`} onClick={() => setOpen(true)}>
        Revoke…
      </Button>
    );
  }
  return (
    <div className="space-y-4 rounded-xl border border-line bg-sunken p-4">
      <p>
        Requests with this key are refused from then on. This cannot be undone.
        {!listed.wallet_verified && ' The last key of a wallet without a proof takes its webhooks along.'}
      </p>
      {fault !== null && (
        <Notice tone="bad" isAlert>
          {fault}
        </Notice>
      )}
      {apiKey === null && (
        <>
          <Field
            id={`revoke-${listed.id}`}
            label="The key itself"
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder={`${listed.prefix}…`}
            value={text}
            onChange={(event) => setText(event.target.value)}
            hint={listed.wallet_verified ? 'Or, where it is lost, a proof of the wallet below.' : undefined}
          />
          {listed.wallet_verified && (
            <ProveWallet
              wallet={wallet}
              purpose={{ action: 'revoke_key', key_id: listed.id }}
              label="Revoke it by this proof"
              isBusy={isBusy}
              onProof={(proof) => revoke({ key_id: listed.id, proof })}
            />
          )}
        </>
      )}
      <div className="flex flex-wrap gap-3">
        <Button
          look="danger"
          disabled={isBusy || (apiKey === null && text.trim() === '')}
          onClick={() => revoke({ api_key: apiKey ?? text.trim() })}
        >
          {isBusy ? 'Revoking…' : 'Revoke it'}
        </Button>
        <Button look="quiet" onClick={() => setOpen(false)}>
          Keep it
        </Button>
      </div>
    </div>
  );
}
