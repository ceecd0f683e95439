'use client';

import { useState } from 'react';
import { Card } from '../../../_ui/card.tsx';
import { useInputBeforeHydration } from '../../../_ui/use-input-before-hydration.ts';
import { Choice, type PartProps, Text } from './fields.tsx';

const KINDS = [
  { value: 'iou', says: 'Issued currency (trust lines)' },
  { value: 'mpt', says: 'Multi-purpose token (MPT)' },
];

export function TokenPart({ values, fault }: PartProps) {
  const [kind, setKind] = useState(values.token_kind);
  const take = (value: string) => setKind(value === 'mpt' ? 'mpt' : 'iou');
  const choice = useInputBeforeHydration<HTMLSelectElement>(take);
  const part = { values, fault };
  return (
    <Card title="Token">
      <div className="space-y-4">
        <Choice
          ref={choice}
          name="token_kind"
          label="Kind"
          options={KINDS}
          value={kind}
          onChange={(event) => take(event.target.value)}
        />
        {kind === 'iou' ? (
          <>
            <Text {...part} name="currency" path="token.currency" label="Currency" required placeholder="DMO" />
            <Text {...part} name="issuer" path="token.issuer" label="Issuer" required placeholder="r…" />
          </>
        ) : (
          <Text {...part} name="issuance_id" path="token.issuance_id" label="Issuance id" required />
        )}
        <Text
          {...part}
          name="decimals"
          path="token.decimals"
          label="Decimals"
          inputMode="numeric"
          required
          hint="Of an MPT: its asset scale"
        />
      </div>
    </Card>
  );
}
