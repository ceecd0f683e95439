import type { ReactNode } from 'react';

/** The head of a page: what it is, in a heading and a sentence. */
export function PageHead({ title, lead, aside }: { title: ReactNode; lead?: ReactNode; aside?: ReactNode }) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-x-8 gap-y-4 pb-8">
      <div className="min-w-0 max-w-2xl">
        <h1 className="text-3xl font-semibold sm:text-4xl">{title}</h1>
        {lead !== undefined && <p className="mt-3 text-base text-soft sm:text-lg">{lead}</p>}
      </div>
      {aside}
    </header>
  );
}
