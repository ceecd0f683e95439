'use client';

import { Card } from '../../../_ui/card.tsx';
import { type PartProps, Text } from './fields.tsx';

/** The deposit address stays as it is once the project is there: its tag belongs to it. */
export function AccountsPart({ values, fault, isNew }: PartProps & { isNew: boolean }) {
  const part = { values, fault };
  return (
    <Card
      title="Accounts"
      lead="The platform must hold the keys of the first two; npx tranche doctor shows which it has."
    >
      <div className="space-y-4">
        <Text
          {...part}
          name="deposit_address"
          label="Deposit account, which receives XRP"
          required
          placeholder="r…"
          readOnly={!isNew}
          hint={isNew ? undefined : 'Fixed: the destination tag belongs to it. Another one asks for another project.'}
        />
        <Text {...part} name="distributor" label="Distributor, which sends the tokens" required placeholder="r…" />
        <Text
          {...part}
          name="treasury"
          label="Treasury, where raised XRP may go (optional)"
          placeholder="r…"
          hint="Without one, what is raised cannot be released through the platform"
        />
      </div>
    </Card>
  );
}
