'use client';

import { type FormEvent, useState } from 'react';
import { Button } from '../_ui/button.tsx';
import { Card } from '../_ui/card.tsx';
import { Field } from '../_ui/field.tsx';
import { useInputBeforeHydration } from '../_ui/use-input-before-hydration.ts';
import { callApi } from './api.ts';
import { storeKey } from './key-session.ts';
import { useAction } from './use-action.ts';

/** Takes up a key that the visitor has, once the platform has taken it. */
export function UseKey({ isAlive }: { isAlive: boolean }) {
  const [text, setText] = useState('');
  const field = useInputBeforeHydration<HTMLInputElement>(setText);
  const { run, isBusy, fault } = useAction();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(async () => {
      const key = text.trim();
      await callApi(key, 'GET', '/api/webhooks?limit=1');
      storeKey({ key, wallet: null });
    });
  };
  return (
    <Card title="I have a key">
      <form onSubmit={submit} className="flex flex-wrap items-start gap-3">
        <div className="min-w-0 flex-1 basis-64">
          <Field
            id="have-key"
            ref={field}
            label="API key"
            type="password"
            autoComplete="off"
            spellCheck={false}
            placeholder="tr_…"
            required
            value={text}
            onChange={(event) => setText(event.target.value)}
            hint="It stays in this tab and is sent only to the platform."
            fault={fault ?? undefined}
          />
        </div>
        {/* Beside the input, not its label or its hint. */}
        <Button type="submit" disabled={!isAlive} isUnavailable={isBusy} className="sm:mt-[1.625rem]">
          {isBusy ? 'Looking…' : 'Use it'}
        </Button>
      </form>
    </Card>
  );
}
