import Form from 'next/form';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { Notice } from '../../_ui/notice.tsx';
import type { PlanValues } from './plan.ts';
import { WitnessRows } from './witness-rows.tsx';

/** Which accounts, and who is to sign for them. Its answer is an address that can be kept. */
export function PlanForm({
  values,
  faults,
  accounts,
}: {
  values: PlanValues;
  faults: Record<string, string>;
  accounts: readonly string[];
}) {
  const text = (name: 'deposit' | 'distributor' | 'quorum' | 'platform' | 'platform_weight') => ({
    id: name,
    name,
    defaultValue: values[name],
    fault: faults[name],
    required: true,
    autoComplete: 'off',
    spellCheck: false,
  });
  const isSetUp = values.direction === 'set_up';
  const count = Object.keys(faults).length;
  return (
    <Form action="/operator/custody" className="space-y-5" key={JSON.stringify(values)}>
      <input type="hidden" name="direction" value={values.direction} />
      <datalist id="custody-accounts">
        {accounts.map((address) => (
          <option key={address} value={address} />
        ))}
      </datalist>
      <div className="grid gap-5 sm:grid-cols-2">
        <Field {...text('deposit')} label="Deposit account" placeholder="r…" list="custody-accounts" />
        <Field {...text('distributor')} label="Distributor" placeholder="r…" />
      </div>
      {isSetUp && (
        <>
          <div className="grid gap-5 sm:grid-cols-2">
            <Field
              {...text('platform')}
              label="The platform’s key"
              placeholder="r…"
              hint="The address of a key in SIGNING_KEYS that is used for nothing else"
            />
            <Field {...text('platform_weight')} label="Its weight" inputMode="numeric" />
          </div>
          <WitnessRows witnesses={values.witnesses} faults={faults} />
          <Field
            {...text('quorum')}
            label="Quorum"
            inputMode="numeric"
            hint="The weights that must sign together: usually 4, of the platform’s 2 and 1 of each of three witnesses"
          />
        </>
      )}
      {count > 0 && (
        <Notice tone="bad" title="Not complete yet" isAlert>
          {faults.set ?? `Fields to correct: ${count}.`}
        </Notice>
      )}
      <Button type="submit" look="primary">
        Show the steps
      </Button>
    </Form>
  );
}
