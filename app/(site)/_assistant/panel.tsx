'use client';

import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Button } from '../_ui/button.tsx';
import { Icon } from '../_ui/icon.tsx';
import { Bubble } from './bubble.tsx';
import { Question } from './question.tsx';
import { Suggestions } from './suggestions.tsx';
import { useChat } from './use-chat.ts';

/** From here on there is room for the panel beside the page. */
const WIDE = '(min-width: 40rem)';
/** Who has scrolled up further than so many pixels is reading, and is left there. */
const NEAR_END = 80;

/** The assistant: beside the page where there is room; else a sheet over it, with the page at rest behind. */
export function Panel({ projectId, onClose }: { projectId: string | undefined; onClose: () => void }) {
  const { messages, suggestions, isWriting, ask, stop } = useChat(projectId);
  const dialog = useRef<HTMLDialogElement>(null);
  const log = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (matchMedia(WIDE).matches) dialog.current?.show();
    else dialog.current?.showModal();
    dialog.current?.querySelector('textarea')?.focus();
  }, []);
  useEffect(() => {
    const box = log.current;
    if (box === null || messages.length === 0) return;
    const isNearEnd = box.scrollHeight - box.scrollTop - box.clientHeight < box.clientHeight + NEAR_END;
    if (isNearEnd) box.scrollTop = box.scrollHeight;
  }, [messages]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    onClose();
  };
  return (
    <dialog
      ref={dialog}
      aria-label="Assistant"
      onKeyDown={onKeyDown}
      onClose={onClose}
      className="fixed inset-x-0 top-auto bottom-0 z-50 m-0 h-[85dvh] max-h-none w-full max-w-none flex-col open:flex rounded-t-2xl border border-line bg-card text-ink shadow-2xl backdrop:bg-black/50 sm:right-6 sm:bottom-6 sm:left-auto sm:h-[38rem] sm:max-h-[calc(100dvh-3rem)] sm:w-[26rem] sm:rounded-2xl"
    >
      <header className="flex items-center justify-between gap-3 border-b border-line py-3 pr-2 pl-4">
        <div>
          <h2 className="font-semibold">Assistant</h2>
          <p className="text-xs text-soft">Knows this platform’s figures. Gives no investment advice.</p>
        </div>
        <Button look="quiet" onClick={onClose} aria-label="Close the assistant">
          <Icon name="close" className="size-5" />
        </Button>
      </header>
      <div
        ref={log}
        role="log"
        aria-label="Conversation"
        aria-busy={isWriting}
        className="flex-1 space-y-4 overflow-y-auto overscroll-contain px-4 py-4 text-sm"
      >
        {messages.length === 0 && (
          <p className="text-soft">Ask about a sale, a payment, tokens, keys or webhooks. Never paste a secret.</p>
        )}
        {messages.map((message) => (
          <Bubble key={message.id} message={message} isWriting={isWriting && message === messages.at(-1)} />
        ))}
      </div>
      {!isWriting && <Suggestions suggestions={suggestions} onChoose={ask} />}
      <Question isWriting={isWriting} onAsk={ask} onStop={stop} />
    </dialog>
  );
}
