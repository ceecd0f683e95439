'use client';

import { type FormEvent, startTransition, useActionState, useCallback } from 'react';
import type { Outcome } from './act.ts';

export type FormAction = (state: Outcome, form: FormData) => Promise<Outcome>;

const IDLE: Outcome = { status: 'idle', text: '', fields: {}, effects: [], carried: {} };

/**
 * Sends a form to a Server Action. What was typed stays: React would empty a form that is given the action itself.
 * `forget` takes back what the last sending brought.
 */
export function useFormAction(action: FormAction) {
  const step = useCallback(
    async (state: Outcome, form: FormData | null) => (form === null ? IDLE : action(state, form)),
    [action],
  );
  const [outcome, run, isBusy] = useActionState(step, IDLE);
  const send = (form: FormData) => startTransition(() => run(form));
  const forget = () => {
    if (outcome.status !== 'idle') startTransition(() => run(null));
  };
  const onSubmit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    send(new FormData(event.currentTarget));
  };
  return { outcome, onSubmit, send, forget, isBusy };
}
