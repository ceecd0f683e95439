import type { ReactNode } from 'react';

/** One step of several, in an ordered list. */
export function NumberedStep({ number, title, children }: { number: number; title: string; children: ReactNode }) {
  return (
    <li className="grid grid-cols-[2rem_minmax(0,1fr)] gap-x-3 sm:gap-x-4">
      <span
        aria-hidden
        className="figures flex size-8 items-center justify-center rounded-full bg-accent-soft text-sm font-semibold text-accent-strong"
      >
        {number}
      </span>
      <h3 className="self-center font-semibold">{title}</h3>
      {/* On a phone the whole width is needed: addresses are long. */}
      <div className="col-span-2 mt-3 min-w-0 sm:col-span-1 sm:col-start-2 sm:mt-2">{children}</div>
    </li>
  );
}
