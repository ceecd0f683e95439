import type { ReactNode } from 'react';

/** Where a list would be and is none: says what will stand here, and what to do. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="rounded-xl border border-dashed border-line-strong/50 px-6 py-10 text-center">
      <p className="font-medium">{title}</p>
      {children !== undefined && <div className="mx-auto mt-1 max-w-prose text-sm text-soft">{children}</div>}
    </div>
  );
}
