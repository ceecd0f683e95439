'use client';

import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Field } from '../../../_ui/field.tsx';
import type { PartProps } from './fields.tsx';
import { ABOUT_COLUMNS, type AboutList } from './values.ts';

type Input = { label: string; type?: 'url'; required?: true; maxLength: number; placeholder?: string };

const ADDRESS: Input = { label: 'Address', type: 'url', required: true, maxLength: 500, placeholder: 'https://…' };
const LISTS: { list: AboutList; title: string; one: string; most: number; inputs: Record<string, Input> }[] = [
  {
    list: 'links',
    title: 'Links',
    one: 'link',
    most: 10,
    inputs: { label: { label: 'Text', required: true, maxLength: 60 }, url: ADDRESS },
  },
  {
    list: 'team',
    title: 'Team',
    one: 'person',
    most: 30,
    inputs: {
      name: { label: 'Name', required: true, maxLength: 80 },
      role: { label: 'Role', required: true, maxLength: 120 },
      url: { label: 'Profile (optional)', type: 'url', maxLength: 500, placeholder: 'https://…' },
    },
  },
  {
    list: 'documents',
    title: 'Documents',
    one: 'document',
    most: 20,
    inputs: {
      title: { label: 'Title', required: true, maxLength: 120 },
      url: ADDRESS,
      sha256: { label: 'SHA-256 (optional)', maxLength: 64, placeholder: '64 hexadecimal digits' },
    },
  },
];

/** What stands in the tabs of the sale’s page. No terms hold it: it may change at any time. */
export function AboutLists(part: PartProps) {
  return (
    <Card title="Links, team and documents" lead="Shown on the sale’s page. They are no part of the terms.">
      <div className="space-y-6">
        {LISTS.map((each) => (
          <Rows key={each.list} {...each} {...part} />
        ))}
      </div>
    </Card>
  );
}

function Rows({ list, title, one, most, inputs, values, fault }: (typeof LISTS)[number] & PartProps) {
  const given = values[list];
  const [keys, setKeys] = useState(given.map((_, index) => index));
  const add = useRef<HTMLButtonElement>(null);
  const remove = (key: number) => {
    // The button goes with its row, and must leave the focus somewhere.
    flushSync(() => setKeys(keys.filter((each) => each !== key)));
    add.current?.focus();
  };
  return (
    <fieldset className="space-y-4">
      <legend className="text-sm font-semibold">{title}</legend>
      {keys.map((key, index) => (
        <fieldset key={key} className="grid items-start gap-4 rounded-xl border border-line p-4 sm:grid-cols-2">
          <legend className="px-1 text-sm text-soft first-letter:uppercase">
            {one} {index + 1}
          </legend>
          {ABOUT_COLUMNS[list].map((column) => (
            <Field
              key={column}
              {...inputs[column]}
              id={`${list}-${column}-${key}`}
              name={`${list}_${column}`}
              label={inputs[column]?.label ?? column}
              defaultValue={given[key]?.[column]}
              fault={fault(`${list}[${index}].${column}`)}
              autoComplete="off"
              spellCheck={false}
            />
          ))}
          <Button look="quiet" className="justify-self-start sm:self-end" onClick={() => remove(key)}>
            Remove {one} {index + 1}
          </Button>
        </fieldset>
      ))}
      <Button ref={add} disabled={keys.length >= most} onClick={() => setKeys([...keys, Math.max(-1, ...keys) + 1])}>
        Add a {one}
      </Button>
    </fieldset>
  );
}
