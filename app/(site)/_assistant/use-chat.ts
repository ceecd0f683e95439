'use client';

import { useCallback, useEffect, useRef, useState } from 'react';
import type { ChatAnswer } from '#lib/assistant/contracts.ts';
import { streamChat } from './stream-chat.ts';

export interface Message {
  id: number;
  from: 'visitor' | 'assistant';
  text: string;
  sources: ChatAnswer['sources'];
  /** Why it is no whole answer. */
  fault: string | null;
  /** By the visitor. */
  isStopped: boolean;
}

/** The page that is asked on. */
export interface AskedOn {
  projectId?: string | undefined;
  audience?: 'developer' | undefined;
}

export type Suggestion = ChatAnswer['suggestions'][number];

/** A conversation: what was said, what is being written, and what may be asked next. */
export function useChat({ projectId, audience }: AskedOn, onWriting: (isWriting: boolean) => void) {
  const [messages, setMessages] = useState<Message[]>([]);
  const [suggestions, setSuggestions] = useState<Suggestion[]>([]);
  const conversation = useRef<string | undefined>(undefined);
  const stopper = useRef<AbortController | null>(null);

  useEffect(() => {
    const query = projectId === undefined ? '' : `?project_id=${projectId}`;
    fetch(`/api/ai-agent/suggestions${query}`)
      .then((answer) => answer.json() as Promise<{ suggestions?: Suggestion[] }>)
      .then((answer) => setSuggestions(answer.suggestions ?? []))
      .catch(() => setSuggestions([]));
    return () => stopper.current?.abort();
  }, [projectId]);

  const change = useCallback((id: number, part: (old: Message) => Partial<Message>) => {
    setMessages((all) => all.map((each) => (each.id === id ? { ...each, ...part(each) } : each)));
  }, []);

  const ask = useCallback(
    async (text: string) => {
      const id = Date.now();
      const blank = { sources: [], fault: null, isStopped: false };
      setMessages((all) => [
        ...all,
        { id, from: 'visitor', text, ...blank },
        { id: id + 1, from: 'assistant', text: '', ...blank },
      ]);
      setSuggestions([]);
      onWriting(true);
      stopper.current = new AbortController();
      try {
        const whole = await streamChat(
          {
            message: text,
            ...(conversation.current === undefined ? {} : { conversation_id: conversation.current }),
            ...(projectId === undefined ? {} : { project_id: projectId }),
            ...(audience === undefined ? {} : { audience }),
          },
          {
            onText: (part) => change(id + 1, (old) => ({ text: old.text + part })),
            onSource: (source) => change(id + 1, (old) => ({ sources: [...old.sources, source] })),
          },
          stopper.current.signal,
        );
        conversation.current = whole.conversation_id;
        change(id + 1, () => ({ text: whole.reply, sources: whole.sources }));
        setSuggestions(whole.suggestions);
      } catch (err) {
        const isStopped = err instanceof Error && err.name === 'AbortError';
        const fault = isStopped ? 'Stopped.' : err instanceof Error ? err.message : 'The assistant did not answer.';
        change(id + 1, () => ({ fault, isStopped }));
      } finally {
        onWriting(false);
      }
    },
    [projectId, audience, change, onWriting],
  );
  const stop = useCallback(() => stopper.current?.abort(), []);
  return { messages, suggestions, ask, stop };
}
