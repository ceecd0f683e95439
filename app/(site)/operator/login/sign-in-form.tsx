'use client';

import { useActionState } from 'react';
import { Button } from '../../_ui/button.tsx';
import { Field } from '../../_ui/field.tsx';
import { signIn } from './actions.ts';

export function SignInForm() {
  const [fault, act, isBusy] = useActionState(signIn, null);
  return (
    <form action={act} className="space-y-5 rounded-2xl border border-line bg-card p-6 shadow-card">
      <Field
        id="token"
        name="token"
        label="Token"
        type="password"
        autoComplete="current-password"
        required
        fault={fault ?? undefined}
      />
      <Button type="submit" look="primary" className="w-full" disabled={isBusy}>
        {isBusy ? 'Signing in…' : 'Sign in'}
      </Button>
    </form>
  );
}
