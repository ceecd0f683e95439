'use client';

import type { ReactNode } from 'react';
import { CopyButton } from '../_ui/copy.tsx';
import { Notice } from '../_ui/notice.tsx';

/** A secret that is shown this once. */
export function SecretOnce({ secret, label, children }: { secret: string; label: string; children: ReactNode }) {
  return (
    <div className="space-y-3">
      <div className="flex flex-wrap items-center justify-between gap-3 rounded-xl border border-accent bg-accent-soft/40 p-4">
        <code className="min-w-0 font-mono text-sm break-all" data-testid="secret">
          {secret}
        </code>
        <CopyButton text={secret} label={label} />
      </div>
      <Notice tone="warn">{children}</Notice>
    </div>
  );
}
