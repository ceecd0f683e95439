'use client';

import { useEffect, useEffectEvent, useRef } from 'react';
import { Bubble } from './bubble.tsx';
import { Suggestions } from './suggestions.tsx';
import { type AskedOn, useChat } from './use-chat.ts';

/** Who has scrolled up further than so many pixels is reading, and is left there. */
const NEAR_END = 80;

export interface Control {
  ask: (text: string) => void;
  stop: () => void;
}

export interface ConversationProps {
  askedOn: AskedOn;
  isWriting: boolean;
  onWriting: (isWriting: boolean) => void;
  /** Gives what asks and stops; null when it is gone. */
  onReady: (control: Control | null) => void;
}

/** What was said, and what may be asked next. */
export function Conversation({ askedOn, isWriting, onWriting, onReady }: ConversationProps) {
  const { messages, suggestions, ask, stop } = useChat(askedOn, onWriting);
  const log = useRef<HTMLDivElement>(null);
  const tell = useEffectEvent((isHere: boolean) => onReady(isHere ? { ask, stop } : null));
  useEffect(() => {
    tell(true);
    return () => tell(false);
  }, []);
  useEffect(() => {
    const box = log.current;
    if (box === null || messages.length === 0) return;
    const isNearEnd = box.scrollHeight - box.scrollTop - box.clientHeight < box.clientHeight + NEAR_END;
    if (isNearEnd) box.scrollTop = box.scrollHeight;
  }, [messages]);
  return (
    <>
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
    </>
  );
}
