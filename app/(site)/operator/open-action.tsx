'use client';

import { type FormEvent, type ReactNode, useCallback, useEffect, useEffectEvent, useId, useRef, useState } from 'react';
import { Button, type ButtonLook } from '../_ui/button.tsx';
import { Fact, Facts } from '../_ui/facts.tsx';
import { Field } from '../_ui/field.tsx';
import { Notice } from '../_ui/notice.tsx';
import { useAnnounce } from './announcements.tsx';
import { type FormAction, useFormAction } from './use-form-action.ts';

/** An action that was opened. What a rehearsal showed holds only for the form as it was: any change asks for a new one. */
export function OpenAction({
  action,
  label,
  look,
  preview,
  hidden: given,
  fields,
  rehearses,
  asksReason,
  onClose,
}: {
  action: FormAction;
  label: string;
  look: ButtonLook;
  preview: ReactNode;
  hidden: Record<string, string>;
  fields: ReactNode;
  rehearses: boolean;
  asksReason: boolean;
  onClose: () => void;
}) {
  const announce = useAnnounce();
  const said = useRef<string | null>(null);
  const doIt: FormAction = useCallback(
    async (state, form) => {
      const answer = await action(state, form);
      said.current = answer.status === 'done' ? answer.text : null;
      return answer;
    },
    [action],
  );
  const { outcome, send, forget, isBusy } = useFormAction(doIt);
  // As they were when it was opened: the page around it is rendered anew, and an id made for one form must stay that form's.
  const [hidden] = useState(given);
  const id = useId();
  const head = useRef<HTMLParagraphElement>(null);
  useEffect(() => head.current?.focus(), []);
  // What was done may take its own form off the page, and with it the answer.
  const leave = useEffectEvent(() => {
    if (said.current !== null) announce(said.current);
  });
  useEffect(() => () => leave(), []);
  const close = () => {
    said.current = null;
    onClose();
  };
  const isRehearsed = outcome.status === 'rehearsed';
  const isDone = outcome.status === 'done';
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    if (rehearses && !isRehearsed) form.set('dry_run', 'true');
    for (const [name, value] of Object.entries(outcome.carried)) form.set(name, value);
    send(form);
  };
  return (
    <form
      onSubmit={submit}
      onChange={forget}
      className="w-full space-y-4 rounded-xl border border-line bg-sunken p-4 text-left"
    >
      <p ref={head} tabIndex={-1} className="font-medium outline-none">
        {label}
      </p>
      <div className="space-y-2 text-sm text-soft">{preview}</div>
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      {fields}
      {asksReason && (
        <Field
          id={`${id}-reason`}
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
      {isRehearsed && (
        <div role="status" className="rounded-xl border border-line bg-card px-4 py-2">
          <p className="py-2 text-sm font-medium">{outcome.text}</p>
          <Facts>
            {outcome.effects.map(({ name, value }) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </Facts>
        </div>
      )}
      {(isDone || outcome.status === 'refused') && (
        <Notice tone={isDone ? 'good' : 'bad'} isAlert>
          {outcome.text}
        </Notice>
      )}
      <div className="flex flex-wrap gap-3">
        {!isDone && (
          <Button type="submit" look={look === 'danger' ? 'danger' : 'primary'} disabled={isBusy}>
            {isBusy ? 'Working…' : rehearses && !isRehearsed ? 'Preview' : label}
          </Button>
        )}
        <Button look="quiet" onClick={close}>
          {isDone ? 'Close' : 'Cancel'}
        </Button>
      </div>
    </form>
  );
}
