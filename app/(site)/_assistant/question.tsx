'use client';

import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react';
import { Button } from '../_ui/button.tsx';

const MOST_CHARACTERS = 4_000;

/** Where one asks: Enter sends, Shift and Enter breaks the line. While an answer is written, it can be stopped. */
export function Question({
  field,
  isWriting,
  onAsk,
  onStop,
  unasked,
}: {
  field: RefObject<HTMLTextAreaElement | null>;
  isWriting: boolean;
  onAsk: (text: string) => void;
  onStop: () => void;
  /** A question that could not be asked, to be asked again. */
  unasked: { question: string | null } | null;
}) {
  const [text, setText] = useState('');
  useEffect(() => {
    const question = unasked?.question ?? null;
    if (question !== null) setText((typed) => (typed === '' ? question : typed));
  }, [unasked]);
  const send = () => {
    const asked = text.trim();
    if (asked === '' || isWriting) return;
    setText('');
    onAsk(asked);
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  return (
    <form onSubmit={submit} className="flex items-end gap-2 border-t border-line p-3">
      <label className="min-w-0 flex-1">
        <span className="sr-only">Your question</span>
        <textarea
          ref={field}
          rows={2}
          value={text}
          maxLength={MOST_CHARACTERS}
          enterKeyHint="send"
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          placeholder="What does 500 XRP buy now?"
          className="block w-full resize-none rounded-lg border border-line-strong bg-card px-3 py-2 text-base placeholder:text-soft sm:text-sm"
        />
      </label>
      {isWriting ? (
        <Button onClick={onStop}>Stop</Button>
      ) : (
        <Button type="submit" look="primary" isUnavailable={text.trim() === ''}>
          Ask
        </Button>
      )}
    </form>
  );
}
