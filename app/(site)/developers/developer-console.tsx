'use client';

import { useEffect, useMemo, useRef } from 'react';
import { Button } from '../_ui/button.tsx';
import { shortened } from '../_ui/format.ts';
import { CreateKey } from './create-key.tsx';
import { storeKey, useKey } from './key-session.ts';
import { Keys } from './keys.tsx';
import { UseKey } from './use-key-form.tsx';
import { accessOfKey, WebhookAccessProvider } from './webhook-access.ts';
import { Webhooks } from './webhooks.tsx';

const SHOWN_CHARACTERS = 12;

/** What a developer works with: without a key, the ways to one; with it, their webhooks. */
export function DeveloperConsole() {
  const kept = useKey();
  const key = kept?.key ?? null;
  const access = useMemo(() => (key === null ? null : accessOfKey(key)), [key]);
  const desk = useRef<HTMLElement>(null);
  const before = useRef(kept);
  useEffect(() => {
    const hadKey = before.current;
    before.current = kept;
    // Entering or leaving a key replaces the whole page: the focus goes to its beginning.
    if (hadKey !== undefined && (hadKey === null) !== (kept === null)) desk.current?.focus();
  }, [kept]);
  return (
    <section ref={desk} tabIndex={-1} aria-label="Keys and webhooks" className="space-y-6 outline-none">
      {/* Mostly there is none: until the page is alive its forms are shown, so that nothing moves then. */}
      {kept == null || access === null ? (
        <>
          <CreateKey isAlive={kept === null} />
          <UseKey isAlive={kept === null} />
        </>
      ) : (
        <>
          <KeyInUse apiKey={kept.key} />
          <WebhookAccessProvider value={access}>
            <Webhooks />
          </WebhookAccessProvider>
          <Keys kept={kept} />
        </>
      )}
    </section>
  );
}

function KeyInUse({ apiKey }: { apiKey: string }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-3 rounded-2xl border border-line bg-card px-5 py-3 text-sm shadow-card">
      <p>
        Working with{' '}
        <code className="font-mono text-xs">{shortened(apiKey, SHOWN_CHARACTERS).slice(0, SHOWN_CHARACTERS + 1)}</code>{' '}
        <span className="text-soft">in this tab only</span>
      </p>
      <Button look="quiet" onClick={() => storeKey(null)}>
        Forget the key
      </Button>
    </div>
  );
}
