'use client';

import { Card } from '../../../_ui/card.tsx';
import { type PartProps, Text } from './fields.tsx';

/** Which accounts the fields of the form offer, and what is to know of them. */
export interface OfferedAccounts {
  deposit: readonly string[];
  distributor: readonly string[];
  lead: string;
}

/** The deposit address stays as it is once the project is there: its tag belongs to it. */
export function AccountsPart({
  values,
  fault,
  isNew,
  accounts,
}: PartProps & { isNew: boolean; accounts: OfferedAccounts }) {
  const part = { values, fault };
  return (
    <Card title="Accounts" lead={accounts.lead}>
      <Offered id="deposits" addresses={accounts.deposit} />
      <Offered id="distributors" addresses={accounts.distributor} />
      <div className="space-y-4">
        <Text
          {...part}
          name="deposit_address"
          label="Deposit account, which receives XRP"
          list="deposits"
          required
          placeholder="r…"
          readOnly={!isNew}
          hint={isNew ? undefined : 'Fixed: the destination tag belongs to it. Another one asks for another project.'}
        />
        <Text
          {...part}
          name="distributor"
          label="Distributor, which sends the tokens"
          list="distributors"
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

const Offered = ({ id, addresses }: { id: string; addresses: readonly string[] }) => (
  <datalist id={id}>
    {addresses.map((address) => (
      <option key={address} value={address} />
    ))}
  </datalist>
);
