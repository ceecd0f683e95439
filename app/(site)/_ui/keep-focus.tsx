'use client';

import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react';

/** Where what had the focus is taken away by a new rendering, the focus stays here and does not fall to the page's body. */
export function KeepFocus({ className, children }: { className?: string; children: ReactNode }) {
  const region = useRef<HTMLDivElement>(null);
  const focused = useRef<EventTarget | null>(null);
  useEffect(() => {
    const place = region.current;
    const note = (event: FocusEvent) => {
      focused.current = event.target;
    };
    place?.addEventListener('focusin', note);
    return () => place?.removeEventListener('focusin', note);
  }, []);
  useLayoutEffect(() => {
    if (
      focused.current instanceof Element &&
      !focused.current.isConnected &&
      document.activeElement === document.body
    ) {
      region.current?.focus({ preventScroll: true });
    }
  });
  return (
    <div ref={region} tabIndex={-1} className={`outline-none ${className ?? ''}`}>
      {children}
    </div>
  );
}
