'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { Card } from '../_ui/card.tsx';
import { Field } from '../_ui/field.tsx';
import { useDisclosure } from '../_ui/use-disclosure.ts';
import { AddKey } from './add-key.tsx';
import { KeyList } from './key-list.tsx';
import { type StoredKey, storeKey } from './key-session.ts';

/** The keys of the wallet: with names and scopes those of this key's tenant, of others that they are there. */
export function Keys({ kept }: { kept: StoredKey }) {
  const adding = useDisclosure();
  const { wallet } = kept;
  if (wallet === null) {
    return (
      <Card title="API keys" lead="See, replace and revoke the keys of this wallet.">
        <AskWallet apiKey={kept.key} />
      </Card>
    );
  }
  return (
    <Card
      title="API keys"
      aside={
        <Button ref={adding.opener} hidden={adding.isOpen} onClick={adding.open}>
          Add a key
        </Button>
      }
    >
      <div {...adding.panel} className="outline-none">
        {adding.isKept && <AddKey apiKey={kept.key} wallet={wallet} onClose={adding.close} />}
      </div>
      {!adding.isOpen && (
        <KeyList apiKey={kept.key} wallet={wallet} onOtherWallet={() => storeKey({ key: kept.key, wallet: null })} />
      )}
    </Card>
  );
}

function AskWallet({ apiKey }: { apiKey: string }) {
  const [wallet, setWallet] = useState('');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    storeKey({ key: apiKey, wallet: wallet.trim() });
  };
  return (
    <form onSubmit={submit} className="flex flex-wrap items-end gap-3">
      <div className="min-w-0 flex-1 basis-64">
        <Field
          id="keys-of"
          label="Wallet address of this key"
          placeholder="r…"
          pattern="r[1-9A-HJ-NP-Za-km-z]{24,34}"
          title="A classic address: r and 24 to 34 letters and digits"
          autoComplete="off"
          spellCheck={false}
          required
          value={wallet}
          onChange={(event) => setWallet(event.target.value)}
        />
      </div>
      <Button type="submit">List its keys</Button>
    </form>
  );
}
