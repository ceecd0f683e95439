'use client';

import { useState } from 'react';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Field } from '../../../_ui/field.tsx';
import { type Fault, type PartProps, Text } from './fields.tsx';

const MOST_LOCKS = 60;
const MOST_ESCROWS = 20;

/** What is wrong with the escrows of a lock, which stand in one field. */
function escrowsFault(fault: Fault, path: string): string | undefined {
  const faults = Array.from({ length: MOST_ESCROWS }, (_, at) => ({ at, text: fault(`${path}[${at}]`) }));
  const named = faults.flatMap(({ at, text }) => (text === undefined ? [] : [`${at + 1}: ${text}`]));
  return fault(path) ?? (named.length === 0 ? undefined : named.join('; '));
}

/** Tokens that are promised not to move before a time, one row a promise. */
export function LockRows({ values, fault }: PartProps) {
  const [keys, setKeys] = useState(values.locks.map((_, index) => index));
  return (
    <Card
      title="Locked tokens"
      lead="Promises that tokens cannot move before a time. The launch is refused until escrows on the ledger prove each; the launch checklist says what to sign."
    >
      <div className="space-y-4">
        {keys.map((key, index) => {
          const lock = values.locks[key];
          const field = (name: 'label' | 'receiver' | 'amount' | 'until') => ({
            id: `lock-${name}-${key}`,
            name: `lock_${name}`,
            required: true,
            defaultValue: lock?.[name],
            'data-path': `locks[${index}].${name}`,
            fault: fault(`locks[${index}].${name}`),
            autoComplete: 'off',
            spellCheck: false,
          });
          return (
            <fieldset key={key} className="grid items-start gap-4 rounded-xl border border-line p-4 sm:grid-cols-2">
              <legend className="px-1 text-sm font-medium">Lock {index + 1}</legend>
              <Field {...field('label')} label="Whose tokens" maxLength={60} placeholder="Team" />
              <Field {...field('receiver')} label="Receiver account" placeholder="r…" />
              <Field {...field('amount')} label="Tokens" inputMode="decimal" />
              <Field {...field('until')} label="Locked until (UTC)" type="datetime-local" step={1} />
              <Field
                id={`lock-escrows-${key}`}
                name="lock_escrows"
                label="Escrow transactions"
                hint="Hashes of EscrowCreate transactions of this token to the receiver, separated by spaces. Leave empty until they are signed"
                defaultValue={lock?.escrows}
                data-path={`locks[${index}].escrows[0]`}
                fault={escrowsFault(fault, `locks[${index}].escrows`)}
                autoComplete="off"
                spellCheck={false}
              />
              <Button
                look="quiet"
                className="justify-self-start sm:self-end"
                onClick={() => setKeys(keys.filter((each) => each !== key))}
              >
                Remove lock {index + 1}
              </Button>
            </fieldset>
          );
        })}
        {fault('locks') !== undefined && (
          <p role="alert" className="text-xs font-medium text-bad">
            The locks {fault('locks')}
          </p>
        )}
        <Button disabled={keys.length >= MOST_LOCKS} onClick={() => setKeys([...keys, Math.max(-1, ...keys) + 1])}>
          Add a lock
        </Button>
        <Text
          values={values}
          fault={fault}
          name="unsold_until"
          label="Unsold tokens locked until (UTC, optional)"
          type="datetime-local"
          step={1}
          hint="When the sale ends, the platform puts what it did not sell in escrow until then, at least 2 days after the end. Needs an end, a token that allows escrows, and a distributor that is not the issuer. The launch checklist refuses what cannot be kept"
        />
      </div>
    </Card>
  );
}
