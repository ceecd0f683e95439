'use client';

import { type ReactNode, useState } from 'react';
import { Button, type ButtonLook } from '../_ui/button.tsx';
import { OpenAction } from './open-action.tsx';
import type { FormAction } from './use-form-action.ts';

/**
 * One thing that an operator may do: closed, a button; open, what it will bring about, what it needs to know and the
 * reason, and only then the button that does it. Who may only look sees that it cannot be done.
 */
export function ActionForm({
  action,
  label,
  look = 'plain',
  preview,
  hidden = {},
  fields,
  rehearses = false,
  asksReason = true,
  mayAct,
}: {
  action: FormAction;
  label: string;
  look?: ButtonLook;
  /** What it will bring about. */
  preview: ReactNode;
  hidden?: Record<string, string>;
  fields?: ReactNode;
  /** It is tried first: the action is sent with `dry_run`, and done only as its rehearsal showed it. */
  rehearses?: boolean;
  /** The audit log keeps a reason that who acts gives. */
  asksReason?: boolean;
  mayAct: boolean;
}) {
  const [round, setRound] = useState(0);
  const [isOpen, setOpen] = useState(false);
  if (!isOpen) {
    return (
      <Button
        look={look}
        onClick={() => setOpen(true)}
        disabled={!mayAct}
        title={mayAct ? undefined : 'Not available with your role, or not now'}
      >
        {label}…
      </Button>
    );
  }
  const close = () => {
    setOpen(false);
    setRound(round + 1);
  };
  return (
    <OpenAction
      key={round}
      {...{ action, label, look, preview, hidden, fields, rehearses, asksReason, onClose: close }}
    />
  );
}
