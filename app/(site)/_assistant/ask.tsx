'use client';

import { type ComponentType, useEffect, useEffectEvent, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Button } from '../_ui/button.tsx';
import { Icon } from '../_ui/icon.tsx';
import type { Control, ConversationProps } from './conversation.tsx';
import { Question } from './question.tsx';
import type { AskedOn } from './use-chat.ts';

/** From here on there is room for the panel beside the page. */
const WIDE = '(min-width: 40rem)';

/**
 * The way to the assistant, at the corner of a page: beside the page where there is room, else a sheet over it. One can write at
 * once; what answers is loaded meanwhile, so that nobody pays for it before. Closed, it keeps what was said and typed, and the
 * focus is back where it was opened.
 */
export function Ask(askedOn: AskedOn) {
  const [isOpen, setOpen] = useState(false);
  const [wasOpened, setOpened] = useState(false);
  const [isWriting, setWriting] = useState(false);
  /** The loading of what answers failed: the question that was waiting for it, if any. */
  const [unloaded, setUnloaded] = useState<{ question: string | null } | null>(null);
  const [Conversation, setConversation] = useState<ComponentType<ConversationProps> | null>(null);
  const button = useRef<HTMLButtonElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const field = useRef<HTMLTextAreaElement>(null);
  const control = useRef<Control | null>(null);
  /** Asked before there was anybody to answer. */
  const first = useRef<string | null>(null);

  const load = () => {
    if (Conversation !== null) return;
    import('./conversation.tsx').then(
      ({ Conversation: loaded }) => {
        setUnloaded(null);
        setConversation(() => loaded);
      },
      () => {
        setUnloaded({ question: first.current });
        first.current = null;
        setWriting(false);
      },
    );
  };
  const open = () => {
    // Within the click: a phone shows its keyboard for no later one, and nothing that is typed now is lost.
    flushSync(() => {
      setOpened(true);
      setOpen(true);
    });
    if (matchMedia(WIDE).matches) dialog.current?.show();
    else dialog.current?.showModal();
    field.current?.focus();
    load();
  };
  const close = () => {
    const isElsewhere =
      document.activeElement !== document.body && dialog.current?.contains(document.activeElement) === false;
    flushSync(() => setOpen(false));
    dialog.current?.close();
    if (!isElsewhere) button.current?.focus();
  };
  const onEscape = useEffectEvent((event: globalThis.KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    event.preventDefault();
    close();
  });
  useEffect(() => {
    if (!isOpen) return;
    const listen = (event: globalThis.KeyboardEvent) => onEscape(event);
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [isOpen]);

  const ask = (text: string) => {
    if (control.current !== null) return control.current.ask(text);
    first.current = text;
    setWriting(true);
    load();
  };
  const onReady = (ready: Control | null) => {
    control.current = ready;
    // Once it is there to stay: under development React takes every part away again at first.
    queueMicrotask(() => {
      if (control.current === null || first.current === null) return;
      control.current.ask(first.current);
      first.current = null;
    });
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        data-ask
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        onClick={open}
        onPointerEnter={load}
        onFocus={load}
        className={`fixed right-4 bottom-4 z-40 size-12 items-center justify-center gap-2 rounded-full bg-accent font-medium text-accent-ink shadow-lg hover:bg-accent-strong sm:right-6 sm:bottom-6 sm:size-auto sm:min-h-12 sm:px-5 noscript:hidden ${isOpen ? 'hidden' : 'inline-flex'}`}
      >
        <Icon name="chat" className="size-5" />
        <span className="max-sm:sr-only">Ask</span>
      </button>
      {wasOpened && (
        <dialog
          ref={dialog}
          aria-label="Assistant"
          // The event comes a moment after the closing: it may be open again by then.
          onClose={({ currentTarget }) => isOpen && !currentTarget.open && close()}
          className="fixed inset-x-0 top-auto bottom-0 z-50 m-0 h-[85dvh] max-h-none w-full max-w-none flex-col open:flex rounded-t-2xl border border-line bg-card text-ink shadow-2xl backdrop:bg-black/50 sm:right-6 sm:bottom-6 sm:left-auto sm:h-[38rem] sm:max-h-[calc(100dvh-3rem)] sm:w-[26rem] sm:rounded-2xl"
        >
          <header className="flex items-center justify-between gap-3 border-b border-line py-3 pr-2 pl-4">
            <div>
              <h2 className="font-semibold">Assistant</h2>
              <p className="text-xs text-soft">Knows this platform’s figures. Gives no investment advice.</p>
            </div>
            <Button look="quiet" onClick={close} aria-label="Close the assistant">
              <Icon name="close" className="size-5" />
            </Button>
          </header>
          {Conversation === null ? (
            <p role="status" className="flex-1 px-4 py-4 text-sm text-soft">
              {unloaded !== null && 'The assistant could not be loaded. Check your connection and ask again.'}
            </p>
          ) : (
            <Conversation askedOn={askedOn} isWriting={isWriting} onWriting={setWriting} onReady={onReady} />
          )}
          <Question
            field={field}
            isWriting={isWriting}
            onAsk={ask}
            onStop={() => control.current?.stop()}
            unasked={unloaded}
          />
        </dialog>
      )}
    </>
  );
}
