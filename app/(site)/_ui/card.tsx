import type { ReactNode } from 'react';

/** A part of a page with its heading. `id` makes it a place that links can name. */
export function Card({
  title,
  id,
  aside,
  lead,
  children,
  className = '',
}: {
  title?: string;
  id?: string;
  /** Beside the heading: a state, a link. */
  aside?: ReactNode;
  /** One sentence under the heading. */
  lead?: ReactNode;
  children: ReactNode;
  className?: string;
}) {
  return (
    <section
      id={id}
      aria-label={title}
      className={`rounded-2xl border border-line bg-card p-5 shadow-card sm:p-6 ${className}`}
    >
      {title !== undefined && (
        <div className="mb-4 flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <h2 className="text-lg font-semibold">{title}</h2>
          {aside}
        </div>
      )}
      {lead !== undefined && <p className="-mt-2 mb-4 text-sm text-soft">{lead}</p>}
      {children}
    </section>
  );
}
