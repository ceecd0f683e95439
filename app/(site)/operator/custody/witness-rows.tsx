'use client';

import { useState } from 'react';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import type { PlanValues } from './plan.ts';

const MOST_WITNESSES = 31;

/** The witnesses of a signer set, one row each. */
export function WitnessRows({
  witnesses,
  faults,
}: {
  witnesses: PlanValues['witnesses'];
  faults: Record<string, string>;
}) {
  const [keys, setKeys] = useState(witnesses.map((_, index) => index));
  const field = (name: 'account' | 'name' | 'operator' | 'weight', key: number) => ({
    id: `witness-${name}-${key}`,
    name: `witness_${name}`,
    defaultValue: witnesses[key]?.[name] ?? (name === 'weight' ? '1' : ''),
    fault: faults[`witness_${name}.${key}`],
    required: true,
    autoComplete: 'off',
    spellCheck: false,
  });
  return (
    <div className="space-y-4">
      {keys.map((key, index) => (
        <fieldset key={key} className="grid items-start gap-4 rounded-xl border border-line p-4 sm:grid-cols-2">
          <legend className="px-1 text-sm font-medium">Witness {index + 1}</legend>
          <Field {...field('account', key)} label="Address of its key" placeholder="r…" />
          <Field {...field('weight', key)} label="Weight" inputMode="numeric" />
          <Field {...field('name', key)} label="Name" maxLength={60} placeholder="North" />
          <Field {...field('operator', key)} label="Run by" maxLength={120} placeholder="North Audit Ltd" />
          {keys.length > 2 && (
            <Button
              look="quiet"
              className="justify-self-start"
              onClick={() => setKeys(keys.filter((each) => each !== key))}
            >
              Remove witness {index + 1}
            </Button>
          )}
        </fieldset>
      ))}
      <Button disabled={keys.length >= MOST_WITNESSES} onClick={() => setKeys([...keys, Math.max(...keys) + 1])}>
        Add a witness
      </Button>
    </div>
  );
}
