'use client';

import { Button } from '../_ui/button.tsx';
import { shortened } from '../_ui/format.ts';
import { CreateKey } from './create-key.tsx';
import { storeKey, useKey } from './key-session.ts';
import { Keys } from './keys.tsx';
import { UseKey } from './use-key-form.tsx';
import { Webhooks } from './webhooks.tsx';

const SHOWN_CHARACTERS = 12;

/** What a developer works with: without a key, the ways to one; with it, their webhooks. */
export function DeveloperConsole() {
  const kept = useKey();
  // Mostly there is none. Until the page is alive the forms are shown and cannot be used, so that nothing moves then.
  if (kept == null) {
    return (
      <fieldset disabled={kept === undefined} className="space-y-6">
        <CreateKey />
        <UseKey />
      </fieldset>
    );
  }
  return (
    <>
      <KeyInUse apiKey={kept.key} />
      <Webhooks apiKey={kept.key} />
      <Keys kept={kept} />
    </>
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
