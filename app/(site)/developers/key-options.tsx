'use client';

import { Field, inputClass } from '../_ui/field.tsx';
import { useInputBeforeHydration } from '../_ui/use-input-before-hydration.ts';

export interface Options {
  name: string;
  /** Days until it ends; empty for a key without an end. */
  days: string;
  scope: 'all' | 'read';
}

const ENDS = [
  { days: '', says: 'Never' },
  { days: '30', says: 'In 30 days' },
  { days: '90', says: 'In 90 days' },
  { days: '365', says: 'In a year' },
];

/** The part of `POST /api/api-keys/create` that says what the key is for. */
export const optionsBody = ({ name, days, scope }: Options) => ({
  ...(name.trim() === '' ? {} : { name: name.trim() }),
  ...(days === '' ? {} : { expires_in_days: Number(days) }),
  ...(scope === 'all' ? {} : { scopes: ['webhooks:read'] }),
});

export function KeyOptions({
  id,
  options,
  onChange,
  nameFault,
  isAlive = true,
}: {
  id: string;
  options: Options;
  onChange: (options: Options) => void;
  nameFault: string | undefined;
  /** Before the page is, only the name can be written. */
  isAlive?: boolean;
}) {
  const nameField = useInputBeforeHydration<HTMLInputElement>((name) => name !== '' && onChange({ ...options, name }));
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-[minmax(0,1fr)_15rem_9rem]">
      <Field
        id={`${id}-key-name`}
        ref={nameField}
        label="Name (optional)"
        placeholder="Production receiver"
        autoComplete="off"
        maxLength={64}
        value={options.name}
        onChange={(event) => onChange({ ...options, name: event.target.value })}
        fault={nameFault}
      />
      <label className="flex flex-col gap-1.5 text-sm font-medium">
        Scopes
        <select
          className={inputClass}
          disabled={!isAlive}
          value={options.scope}
          onChange={(event) => onChange({ ...options, scope: event.target.value === 'read' ? 'read' : 'all' })}
        >
          <option value="all">Read and change webhooks</option>
          <option value="read">Only read them</option>
        </select>
      </label>
      <label className="flex flex-col gap-1.5 text-sm font-medium">
        Ends
        <select
          className={inputClass}
          disabled={!isAlive}
          value={options.days}
          onChange={(event) => onChange({ ...options, days: event.target.value })}
        >
          {ENDS.map(({ days, says }) => (
            <option key={days} value={days}>
              {says}
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}
