'use client';

import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react';

export interface Disclosure {
  isOpen: boolean;
  /** Whether it has anything to keep: open, or closed by Escape. */
  isKept: boolean;
  open: () => void;
  /** Closes it, and nothing of it is kept. */
  close: () => void;
  /** Of the button that opens it. */
  opener: RefObject<HTMLButtonElement | null>;
  /** Of the element around what is opened; it stays in the page. */
  panel: {
    ref: RefObject<HTMLDivElement | null>;
    tabIndex: -1;
    hidden: boolean;
    onKeyDown: (event: KeyboardEvent) => void;
  };
}

/**
 * A part that opens at a button's click: its first field gets the focus, and the button has it back afterwards. Escape closes
 * it, and what was typed in it is there when it is opened again.
 */
export function useDisclosure(): Disclosure {
  const [{ isOpen, isKept }, set] = useState({ isOpen: false, isKept: false });
  const opener = useRef<HTMLButtonElement>(null);
  const panel = useRef<HTMLDivElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (wasOpen.current === isOpen) return;
    wasOpen.current = isOpen;
    const inside = panel.current?.querySelector<HTMLElement>('input, select, textarea') ?? panel.current;
    (isOpen ? inside : opener.current)?.focus();
  }, [isOpen]);
  return {
    isOpen,
    isKept,
    open: () => set({ isOpen: true, isKept: true }),
    close: () => set({ isOpen: false, isKept: false }),
    opener,
    panel: {
      ref: panel,
      tabIndex: -1,
      hidden: !isOpen,
      onKeyDown: (event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return;
        event.preventDefault();
        set({ isOpen: false, isKept: true });
      },
    },
  };
}
