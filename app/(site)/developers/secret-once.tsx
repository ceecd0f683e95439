'use client';

import { type ReactNode, useEffect, useRef } from 'react';
import { CopyButton } from '../_ui/copy.tsx';
import { Notice } from '../_ui/notice.tsx';

/** A secret that is shown this once; it takes the focus from the form that it came by. */
export function SecretOnce({ secret, label, children }: { secret: string; label: string; children: ReactNode }) {
  const shown = useRef<HTMLElement>(null);
  useEffect(() => shown.current?.focus(), []);
  return (
    <section ref={shown} tabIndex={-1} aria-label={`The ${label}`} className="space-y-3 outline-none">
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-accent bg-accent-soft/40 p-4">
        <code className="min-w-0 font-mono text-sm break-all" data-testid="secret">
          {secret}
        </code>
        <CopyButton text={secret} label={label} />
      </div>
      <Notice tone="warn">{children}</Notice>
    </section>
  );
}
