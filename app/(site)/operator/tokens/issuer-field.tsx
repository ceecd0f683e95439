'use client';

import { useState } from 'react';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { useInputBeforeHydration } from '../../_ui/use-input-before-hydration.ts';
import { useOwnWallet } from '../signing/own-wallet.tsx';

/** The issuer's address, typed or taken from the wallet that is connected. */
export function IssuerField({ given, fault }: { given: string; fault: string | undefined }) {
  const [address, setAddress] = useState(given);
  const input = useInputBeforeHydration<HTMLInputElement>(setAddress);
  const { connection } = useOwnWallet();
  const isOther = connection !== null && connection.address !== address;
  return (
    <div className="space-y-2">
      <Field
        ref={input}
        id="issuer"
        name="issuer"
        label="Issuer"
        value={address}
        onChange={(event) => setAddress(event.target.value)}
        placeholder="r…"
        required
        autoComplete="off"
        spellCheck={false}
        hint="An account of its own, used for nothing else. Its key stays with you."
        fault={fault}
      />
      {isOther && (
        <Button onClick={() => setAddress(connection.address)}>Use the account of {connection.wallet.name}</Button>
      )}
    </div>
  );
}
