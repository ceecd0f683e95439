'use client';

import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

/**
 * One part at a time of several, chosen by its name: by pointer, or by the arrow keys, Home and End. Where no script runs all
 * are seen, below each other.
 */
export function Tabs({
  name,
  parts,
  panelClass = '',
}: {
  name: string | undefined;
  parts: readonly { label: string; content: ReactNode }[];
  panelClass?: string;
}) {
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const choose = (index: number) => {
    setAt(index);
    list.current?.querySelectorAll('button')[index]?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    const last = parts.length - 1;
    const to = { ArrowRight: at === last ? 0 : at + 1, ArrowLeft: at === 0 ? last : at - 1, Home: 0, End: last }[
      event.key
    ];
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };
  return (
    <>
      <div
        ref={list}
        role="tablist"
        aria-label={name}
        onKeyDown={onKey}
        className="flex flex-wrap noscript:hidden sm:gap-1"
      >
        {parts.map(({ label }, index) => (
          <button
            key={label}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel-${index}`}
            aria-selected={index === at}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setAt(index)}
            className="rounded-lg px-2 py-1.5 text-sm font-medium text-soft sm:px-3 hover:text-ink aria-selected:bg-sunken aria-selected:text-ink"
          >
            {label}
          </button>
        ))}
      </div>
      {parts.map(({ label, content }, index) => (
        <div
          key={label}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          className={`${panelClass} ${index === at ? '' : 'hidden noscript:block'}`}
        >
          {content}
        </div>
      ))}
    </>
  );
}
