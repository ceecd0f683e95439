'use client';

import { useEffect, useRef, useState } from 'react';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Field } from '../../../_ui/field.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { type FormAction, useFormAction } from '../../use-form-action.ts';
import { AboutLists } from './about-lists.tsx';
import { AccountsPart, type OfferedAccounts } from './accounts-part.tsx';
import { Text } from './fields.tsx';
import { LimitsPart } from './limits-part.tsx';
import { LockRows } from './lock-rows.tsx';
import { PublicTexts } from './public-texts.tsx';
import { TierRows } from './tier-rows.tsx';
import { TokenPart } from './token-part.tsx';
import type { ProjectValues } from './values.ts';

/**
 * Everything that the terms of a sale say, or, where they are fixed, the public texts alone. What is wrong is shown at its
 * field, in the contract's own words.
 */
export function ProjectForm({
  action,
  values,
  kind,
  id,
  accounts,
  isAddressChosen = true,
  mayAct,
}: {
  action: FormAction;
  values: ProjectValues;
  kind: 'new' | 'draft' | 'launched';
  /** Of the project that changes. */
  id?: string;
  accounts: OfferedAccounts;
  /** Who fills it in may choose the sale's address on this site. */
  isAddressChosen?: boolean;
  mayAct: boolean;
}) {
  const { outcome, onSubmit, isBusy } = useFormAction(action);
  const form = useRef<HTMLFormElement>(null);
  const [refusals, setRefusals] = useState<Refusal[]>([]);
  useEffect(() => {
    if (form.current === null) return;
    setRefusals(refusalsIn(form.current, outcome.fields));
    if (outcome.status === 'refused') form.current.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [outcome]);
  const part = { values, fault: (path: string) => outcome.fields[path] };
  return (
    // The server says all that is wrong at once; a browser would say it field by field.
    <form ref={form} onSubmit={onSubmit} noValidate className="space-y-6">
      {id !== undefined && <input type="hidden" name="id" value={id} />}
      {kind !== 'launched' && (
        <Card title="What it is">
          <div className="space-y-4">
            <Text {...part} name="name" label="Name" required maxLength={120} />
            {isAddressChosen && (
              <Text
                {...part}
                name="slug"
                label="Address on this site (optional)"
                placeholder="my-sale"
                maxLength={60}
                hint="Made from the name when left empty"
              />
            )}
          </div>
        </Card>
      )}
      <PublicTexts {...part} />
      <AboutLists {...part} />
      {kind !== 'launched' && (
        <>
          <TokenPart {...part} />
          <AccountsPart {...part} isNew={kind === 'new'} accounts={accounts} />
          <TierRows {...part} />
          <LimitsPart {...part} />
          <LockRows {...part} />
        </>
      )}
      {kind !== 'new' && (
        <Field
          id="reason"
          name="reason"
          data-path="reason"
          label="Reason"
          hint="Kept in the audit log, beside your name."
          required
          minLength={3}
          maxLength={500}
          autoComplete="off"
          fault={outcome.fields.reason}
        />
      )}
      {outcome.status === 'refused' && (
        <Notice tone="bad" title={kind === 'new' ? 'Nothing was created' : 'Nothing was changed'} isAlert>
          {refusals.length === 0 ? outcome.text : <Refusals refusals={refusals} />}
        </Notice>
      )}
      {!mayAct && <Notice>Your token is read-only.</Notice>}
      <Button type="submit" look="primary" disabled={isBusy || !mayAct}>
        {kind === 'new'
          ? isBusy
            ? 'Creating the draft…'
            : 'Create the draft'
          : isBusy
            ? 'Saving…'
            : 'Save the changes'}
      </Button>
    </form>
  );
}

/** A field that was refused, as its label names it; `id` leads to it. */
interface Refusal {
  id: string | null;
  name: string;
  message: string;
}

function refusalsIn(form: HTMLFormElement, fields: Readonly<Record<string, string>>): Refusal[] {
  return Object.entries(fields).map(([path, message]) => {
    const field = form.querySelector<HTMLInputElement>(`[data-path="${CSS.escape(path)}"]`);
    const tier = field?.closest('fieldset')?.querySelector('legend')?.textContent;
    const label = field?.labels?.[0]?.textContent ?? path;
    return { id: field?.id ?? null, name: tier === undefined ? label : `${tier}, ${label}`, message };
  });
}

const Refusals = ({ refusals }: { refusals: readonly Refusal[] }) => (
  <ul className="list-disc space-y-1 pl-5">
    {refusals.map(({ id, name, message }) => (
      <li key={`${name} ${message}`}>
        {id === null ? (
          name
        ) : (
          <a className="underline" href={`#${id}`}>
            {name}
          </a>
        )}{' '}
        {message}
      </li>
    ))}
  </ul>
);
