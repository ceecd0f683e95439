'use client';

import dynamic from 'next/dynamic';
import { useRef, useState } from 'react';
import { Icon } from '../_ui/icon.tsx';

// Nobody pays for the panel before it is asked for.
const Panel = dynamic(() => import('./panel.tsx').then(({ Panel: panel }) => panel), { ssr: false });

/** The way to the assistant, at the corner of a page; who closes the panel is back where it was opened. */
export function Ask({ projectId }: { projectId?: string }) {
  const [isOpen, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    requestAnimationFrame(() => button.current?.focus());
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        data-ask
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={() => setOpen(true)}
        className={`fixed right-4 bottom-4 z-40 size-12 items-center justify-center gap-2 rounded-full bg-accent font-medium text-accent-ink shadow-lg hover:bg-accent-strong sm:right-6 sm:bottom-6 sm:size-auto sm:min-h-12 sm:px-5 noscript:hidden ${isOpen ? 'hidden' : 'inline-flex'}`}
      >
        <Icon name="chat" className="size-5" />
        <span className="max-sm:sr-only">Ask</span>
      </button>
      {isOpen && <Panel projectId={projectId} onClose={close} />}
    </>
  );
}
