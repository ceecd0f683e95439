'use client';

import { useEffect, useRef } from 'react';
import { Button } from '../../../_ui/button.tsx';
import { Card } from '../../../_ui/card.tsx';
import { Field } from '../../../_ui/field.tsx';
import { Notice } from '../../../_ui/notice.tsx';
import { type FormAction, useFormAction } from '../../use-form-action.ts';
import { AccountsPart } from './accounts-part.tsx';
import { Text } from './fields.tsx';
import { LimitsPart } from './limits-part.tsx';
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
  mayAct,
}: {
  action: FormAction;
  values: ProjectValues;
  kind: 'new' | 'draft' | 'launched';
  /** Of the project that changes. */
  id?: string;
  mayAct: boolean;
}) {
  const { outcome, onSubmit, isBusy } = useFormAction(action);
  const form = useRef<HTMLFormElement>(null);
  useEffect(() => {
    if (outcome.status !== 'refused') return;
    form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }, [outcome]);
  const part = { values, fault: (path: string) => outcome.fields[path] };
  return (
    <form ref={form} onSubmit={onSubmit} className="space-y-6">
      {id !== undefined && <input type="hidden" name="id" value={id} />}
      {kind !== 'launched' && (
        <Card title="What it is">
          <div className="space-y-4">
            <Text {...part} name="name" label="Name" required maxLength={120} />
            <Text
              {...part}
              name="slug"
              label="Address on this site (optional)"
              placeholder="my-sale"
              maxLength={60}
              hint="Made from the name when left empty"
            />
          </div>
        </Card>
      )}
      <PublicTexts {...part} />
      {kind !== 'launched' && (
        <>
          <TokenPart {...part} />
          <AccountsPart {...part} isNew={kind === 'new'} />
          <TierRows {...part} />
          <LimitsPart {...part} />
        </>
      )}
      {kind !== 'new' && (
        <Field
          id="reason"
          name="reason"
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
          {outcome.text}
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
