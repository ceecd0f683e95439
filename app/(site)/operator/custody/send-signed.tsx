'use client';

import { useId } from 'react';
import { Button } from '../../_ui/button.tsx';
import { inputClass } from '../../_ui/field.tsx';
import { Notice } from '../../_ui/notice.tsx';
import { useFormAction } from '../use-form-action.ts';
import { sendSigned } from './actions.ts';

/** Takes what each signer has signed, one after the other, and sends it. */
export function SendSigned({ plan, account, mayAct }: { plan: string; account: string; mayAct: boolean }) {
  const { outcome, onSubmit, isBusy } = useFormAction(sendSigned);
  const id = useId();
  if (!mayAct) return <p className="text-sm text-soft">Your token is read-only: an operator does this.</p>;
  return (
    <form onSubmit={onSubmit} className="space-y-3">
      <input type="hidden" name="plan" value={plan} />
      <input type="hidden" name="account" value={account} />
      <div className="space-y-1.5">
        <label htmlFor={id} className="block text-sm font-medium">
          What they have signed
        </label>
        <textarea
          id={id}
          name="signed"
          rows={6}
          required
          spellCheck={false}
          className={`${inputClass} font-mono text-xs`}
          aria-describedby={`${id}-hint`}
        />
        <p id={`${id}-hint`} className="text-xs text-soft">
          Paste the output of each, one after the other. Signatures are checked before anything is sent.
        </p>
      </div>
      {outcome.status !== 'idle' && (
        <Notice tone={outcome.status === 'done' ? 'good' : 'bad'} isAlert>
          {outcome.text}
        </Notice>
      )}
      <Button type="submit" look="primary" disabled={isBusy}>
        {isBusy ? 'Sent. Waiting for the ledger…' : 'Put together and send'}
      </Button>
    </form>
  );
}
