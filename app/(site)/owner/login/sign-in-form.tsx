'use client';

import { useState } from 'react';
import { Field } from '../../_ui/field.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { useInputBeforeHydration } from '../../_ui/use-input-before-hydration.ts';
import { ProveWallet, type WalletProof } from '../../developers/prove-wallet.tsx';
import { useAction } from '../../developers/use-action.ts';
import { signIn } from './actions.ts';

/** Where the sign-in leads: the wallet's own tenant, another one, or one that it was invited to. */
export interface Entry {
  kind: 'own' | 'tenant' | 'invitation';
  id: string;
}

const FIELDS = { own: null, tenant: 'tenant_id', invitation: 'invitation_id' } as const;

/** Signs in by the proof of a wallet. */
export function SignInForm({ entry, known }: { entry: Entry; known: string }) {
  const [wallet, setWallet] = useState(known);
  const field = useInputBeforeHydration<HTMLInputElement>((typed) => typed !== '' && setWallet(typed));
  const { run, isBusy, fault } = useAction();
  const use = (proof: WalletProof) =>
    run(async () => {
      const name = FIELDS[entry.kind];
      const refusal = await signIn({ proof, ...(name === null ? {} : { [name]: entry.id }) });
      if (refusal !== null) throw new Error(refusal);
      // A whole new page: nothing of who was signed in before stays in it.
      window.location.assign('/owner');
    });
  return (
    <div className="space-y-5 rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6">
      <Field
        id="wallet"
        ref={field}
        label="Wallet address"
        placeholder="r…"
        autoComplete="off"
        spellCheck={false}
        value={wallet}
        onChange={(event) => setWallet(event.target.value)}
      />
      {fault !== null && (
        <Notice tone="bad" isAlert>
          {fault}
        </Notice>
      )}
      <ProveWallet
        wallet={wallet.trim()}
        purpose={{ action: 'sign_in' }}
        label={entry.kind === 'invitation' ? 'Accept and sign in' : 'Sign in'}
        isBusy={isBusy}
        onProof={use}
      />
    </div>
  );
}
