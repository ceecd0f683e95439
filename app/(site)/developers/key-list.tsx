'use client';

import { useState } from 'react';
import { Badge } from '../_ui/badge.tsx';
import { Button } from '../_ui/button.tsx';
import { Empty } from '../_ui/empty.tsx';
import { Notice } from '../_ui/notice.tsx';
import { Time } from '../_ui/time.tsx';
import { RevokeKey } from './revoke-key.tsx';
import { useResource } from './use-resource.ts';

interface ListedKey {
  id: string;
  prefix: string;
  wallet_verified: boolean;
  created_at: string;
  expires_at: string | null;
  last_used_at: string | null;
  revoked_at: string | null;
  name?: string | null;
  scopes?: string[];
}

/** The newest keys of a wallet, and the way to end each. */
export function KeyList({
  apiKey,
  wallet,
  onOtherWallet,
}: {
  apiKey: string;
  wallet: string;
  /** It was not the key's. */
  onOtherWallet: () => void;
}) {
  const [cursor, setCursor] = useState('');
  const path = `/api/api-keys/list/${encodeURIComponent(wallet)}?limit=20${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`;
  const { data, fault, again } = useResource<{ api_keys: ListedKey[]; next_cursor: string | null }>(apiKey, path);
  const next = data?.next_cursor ?? null;
  return (
    <>
      {fault !== null && (
        <Notice tone="bad" isAlert>
          {fault}
        </Notice>
      )}
      {data === null && fault === null && (
        <p role="status" className="text-sm text-soft">
          Reading…
        </p>
      )}
      {data !== null && data.api_keys.length === 0 && (
        <Empty title="This wallet has no key">Enter the wallet that your key was made for.</Empty>
      )}
      {(fault !== null || data?.api_keys.length === 0) && (
        <p className="mt-3 text-center">
          <Button onClick={onOtherWallet}>Enter another wallet</Button>
        </p>
      )}
      <ul className="divide-y divide-line">
        {data?.api_keys.map((key) => (
          <KeyLine key={key.id} listed={key} apiKey={apiKey} wallet={wallet} onRevoked={again} />
        ))}
      </ul>
      {(next !== null || cursor !== '') && (
        <div className="mt-3 flex justify-between">
          <Button look="quiet" isUnavailable={cursor === ''} onClick={() => setCursor('')}>
            Newest
          </Button>
          <Button look="quiet" isUnavailable={next === null} onClick={() => setCursor(next ?? '')}>
            Older
          </Button>
        </div>
      )}
    </>
  );
}

function KeyLine({
  listed,
  apiKey,
  wallet,
  onRevoked,
}: {
  listed: ListedKey;
  apiKey: string;
  wallet: string;
  onRevoked: () => void;
}) {
  const isThis = apiKey.startsWith(listed.prefix);
  const isOver = listed.expires_at !== null && Date.parse(listed.expires_at) <= Date.now();
  return (
    <li className="space-y-3 py-3 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <div className="min-w-0">
          <p className="flex flex-wrap items-center gap-2">
            <code className="font-mono text-xs">{listed.prefix}…</code>
            {listed.name != null && <span className="break-all">{listed.name}</span>}
            {isThis && <Badge tone="accent">this key</Badge>}
            {listed.wallet_verified && <Badge tone="good">proven</Badge>}
            {listed.revoked_at !== null ? <Badge tone="bad">revoked</Badge> : isOver && <Badge>ended</Badge>}
          </p>
          <p className="mt-1 text-xs text-soft">
            Made <Time at={listed.created_at} />
            {listed.last_used_at !== null && (
              <>
                , used <Time at={listed.last_used_at} />
              </>
            )}
            {listed.expires_at !== null && (
              <>
                , ends <Time at={listed.expires_at} />
              </>
            )}
            {listed.scopes !== undefined && `, ${listed.scopes.join(' and ')}`}
          </p>
        </div>
      </div>
      {listed.revoked_at === null && !isOver && (
        <RevokeKey listed={listed} apiKey={isThis ? apiKey : null} wallet={wallet} onRevoked={onRevoked} />
      )}
    </li>
  );
}
