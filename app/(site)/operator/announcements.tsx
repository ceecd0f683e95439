'use client';

import { usePathname } from 'next/navigation';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { Icon } from '../_ui/icon.tsx';

const Context = createContext<(text: string) => void>(() => {});

/** Says what was done where the form that did it is gone from the page. */
export const useAnnounce = () => useContext(Context);

/** The console with what was announced last, until it is dismissed or another page is opened. */
export function Announcements({ children }: { children: ReactNode }) {
  const pathname = usePathname();
  const [said, setSaid] = useState<{ text: string; on: string } | null>(null);
  const isShown = said !== null && said.on === pathname;
  return (
    <Context value={(text) => setSaid({ text, on: window.location.pathname })}>
      {children}
      <div role="status" className="fixed inset-x-4 bottom-4 z-40 sm:right-auto sm:max-w-md">
        {isShown && (
          <div className="flex items-start gap-3 rounded-xl border border-good/30 bg-good-soft px-4 py-3 text-sm text-good shadow-card">
            <Icon name="check" className="mt-0.5 size-4" />
            <p className="min-w-0 grow">{said.text}</p>
            <button
              type="button"
              aria-label="Dismiss"
              onClick={() => setSaid(null)}
              className="-m-1 inline-flex size-6 items-center justify-center rounded-md hover:bg-card"
            >
              <Icon name="close" className="size-4" />
            </button>
          </div>
        )}
      </div>
    </Context>
  );
}
