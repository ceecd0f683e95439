'use client';

import { Children, type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

/** The same example in several languages, one at a time; below each other where no script runs. */
export function CodeTabs({ labels = '', name, children }: { labels?: string; name?: string; children?: ReactNode }) {
  const [at, setAt] = useState(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const languages = labels.split('\n');
  const panels = Children.toArray(children).filter((child) => typeof child === 'object');
  const choose = (index: number) => {
    setAt(index);
    list.current?.querySelectorAll('button')[index]?.focus();
  };
  const onKey = ({ key }: KeyboardEvent) => {
    const last = languages.length - 1;
    if (key === 'ArrowRight') choose(at === last ? 0 : at + 1);
    if (key === 'ArrowLeft') choose(at === 0 ? last : at - 1);
    if (key === 'Home') choose(0);
    if (key === 'End') choose(last);
  };
  return (
    <div className="my-5">
      <div ref={list} role="tablist" aria-label={name} onKeyDown={onKey} className="flex gap-1 noscript:hidden">
        {languages.map((language, index) => (
          <button
            key={language}
            type="button"
            role="tab"
            id={`${id}-tab-${index}`}
            aria-controls={`${id}-panel-${index}`}
            aria-selected={index === at}
            tabIndex={index === at ? 0 : -1}
            onClick={() => setAt(index)}
            className="rounded-lg px-3 py-1.5 text-sm font-medium text-soft hover:text-ink aria-selected:bg-sunken aria-selected:text-ink"
          >
            {language}
          </button>
        ))}
      </div>
      {panels.map((panel, index) => (
        <div
          key={languages[index]}
          role="tabpanel"
          id={`${id}-panel-${index}`}
          aria-labelledby={`${id}-tab-${index}`}
          className={`[&>div]:mt-2 [&>div]:mb-0 ${index === at ? '' : 'hidden noscript:block'}`}
        >
          {panel}
        </div>
      ))}
    </div>
  );
}
