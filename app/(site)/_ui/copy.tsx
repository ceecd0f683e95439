'use client';

import { useEffect, useState } from 'react';
import { buttonClass } from './button.tsx';
import { Icon } from './icon.tsx';

const SHOWN_MS = 2_000;

/** Copies a text and says that it did. `label` names what, for those who hear the page. */
export function CopyButton({ text, label, isSmall = false }: { text: string; label: string; isSmall?: boolean }) {
  const [state, setState] = useState<'idle' | 'copied' | 'failed'>('idle');
  useEffect(() => {
    if (state === 'idle') return;
    const timer = setTimeout(() => setState('idle'), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () =>
    navigator.clipboard.writeText(text).then(
      () => setState('copied'),
      () => setState('failed'),
    );
  const said = { idle: 'Copy', copied: 'Copied', failed: 'Select and copy by hand' }[state];
  return (
    <button
      type="button"
      onClick={copy}
      aria-label={`${said} ${label}`}
      className={
        isSmall
          ? 'inline-flex size-7 items-center justify-center rounded-md text-soft hover:bg-sunken hover:text-ink noscript:hidden'
          : buttonClass('plain', 'noscript:hidden')
      }
    >
      <Icon name={state === 'copied' ? 'check' : 'copy'} />
      <span className={isSmall ? 'sr-only' : ''}>{said}</span>
      <span role="status" className="sr-only">
        {state === 'idle' ? '' : said}
      </span>
    </button>
  );
}
