import type { ReactNode } from 'react';

/** Names and values, the value on the right or, where it is long, below. */
export function Facts({ children }: { children: ReactNode }) {
  return <dl className="divide-y divide-line text-sm">{children}</dl>;
}

export function Fact({ name, children, isLong = false }: { name: string; children: ReactNode; isLong?: boolean }) {
  return (
    <div
      className={`py-2.5 ${isLong ? 'space-y-1' : 'flex flex-wrap items-baseline justify-between gap-x-6 gap-y-0.5'}`}
    >
      <dt className="text-soft">{name}</dt>
      <dd className={`figures min-w-0 break-words ${isLong ? '' : 'text-right'}`}>{children}</dd>
    </div>
  );
}
