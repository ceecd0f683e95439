'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { Field } from '../_ui/field.tsx';
import { Notice } from '../_ui/notice.tsx';
import { useDisclosure } from '../_ui/use-disclosure.ts';
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
  const asking = useDisclosure();
  const [text, setText] = useState('');
  const { run, isBusy, fault, fields } = useAction(['api_key']);
  const revoke = (body: object) =>
    run(async () => {
      await callApi(null, 'POST', '/api/api-keys/revoke', body);
      if (apiKey === null) onRevoked();
      else storeKey(null);
    });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const key = apiKey ?? text.trim();
    if (key !== '') void revoke({ api_key: key });
  };
  return (
    <>
      <Button
        look="danger"
        ref={asking.opener}
        hidden={asking.isOpen}
        aria-label={`Revoke ${listed.prefix}…`}
        onClick={asking.open}
      >
        Revoke…
      </Button>
      <div {...asking.panel} className="outline-none">
        {asking.isKept && (
          <form onSubmit={submit} className="space-y-4 rounded-xl border border-line bg-sunken p-4">
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
                  fault={fields.api_key}
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
              <Button type="submit" look="danger" isUnavailable={isBusy || (apiKey === null && text.trim() === '')}>
                {isBusy ? 'Revoking…' : 'Revoke it'}
              </Button>
              <Button look="quiet" onClick={asking.close}>
                Keep it
              </Button>
            </div>
          </form>
        )}
      </div>
    </>
  );
}
