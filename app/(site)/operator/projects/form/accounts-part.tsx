'use client';

import { Card } from '../../../_ui/card.tsx';
import { type PartProps, Text } from './fields.tsx';

const SIGNERS = 'signers';

/** The deposit address stays as it is once the project is there: its tag belongs to it. */
export function AccountsPart({
  values,
  fault,
  isNew,
  signers,
}: PartProps & { isNew: boolean; signers: readonly string[] }) {
  const part = { values, fault };
  return (
    <Card title="Accounts" lead={leadOf(signers.length)}>
      <datalist id={SIGNERS}>
        {signers.map((address) => (
          <option key={address} value={address} />
        ))}
      </datalist>
      <div className="space-y-4">
        <Text
          {...part}
          name="deposit_address"
          label="Deposit account, which receives XRP"
          list={SIGNERS}
          required
          placeholder="r…"
          readOnly={!isNew}
          hint={isNew ? undefined : 'Fixed: the destination tag belongs to it. Another one asks for another project.'}
        />
        <Text
          {...part}
          name="distributor"
          label="Distributor, which sends the tokens"
          list={SIGNERS}
          required
          placeholder="r…"
        />
        <Text
          {...part}
          name="treasury"
          label="Treasury, which receives what was raised"
          placeholder="r…"
          hint="An account whose key is kept elsewhere. A draft may leave it empty; a launch needs it, and it is fixed then"
        />
      </div>
    </Card>
  );
}

const leadOf = (signers: number): string =>
  signers === 0
    ? 'The platform must sign for the first two, and has no key yet: set SIGNING_KEYS, deploy, then come back.'
    : 'The platform must sign for the first two: each field offers the accounts whose keys it has.';
