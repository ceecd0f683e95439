import { createParser } from 'eventsource-parser';
import type { ChatAnswer } from '#lib/assistant/contracts.ts';

export interface ChatQuestion {
  message: string;
  conversation_id?: string;
  project_id?: string;
  audience?: 'developer';
}

type Source = ChatAnswer['sources'][number];

export interface Listeners {
  onText: (text: string) => void;
  onSource: (source: Source) => void;
}

const detailOf = (text: string): string => {
  try {
    return (JSON.parse(text) as { detail?: string }).detail ?? '';
  } catch {
    return '';
  }
};

/**
 * Asks the assistant and hears the answer as it is written: `onText` gets each part, `onSource` each page that it rests on.
 * Resolves with the whole answer; throws an Error in plain words when it breaks off, and an AbortError when it was stopped.
 */
export async function streamChat(
  question: ChatQuestion,
  { onText, onSource }: Listeners,
  signal: AbortSignal,
): Promise<ChatAnswer> {
  const response = await fetch('/api/ai-agent/chat', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify(question),
    signal,
  }).catch((err: unknown) => {
    if (signal.aborted) throw err;
    throw new Error('The assistant did not answer. Check your connection and ask again.');
  });
  if (!response.ok || response.body === null) {
    throw new Error(detailOf(await response.text()) || `The assistant answered ${response.status}.`);
  }
  let whole: ChatAnswer | null = null;
  let fault = '';
  const parser = createParser({
    onEvent({ event, data }) {
      if (event === 'delta') onText((JSON.parse(data) as { text: string }).text);
      else if (event === 'source') onSource(JSON.parse(data) as Source);
      else if (event === 'done') whole = JSON.parse(data) as ChatAnswer;
      else if (event === 'error') fault = detailOf(data) || 'The answer broke off.';
    },
  });
  const decoder = new TextDecoder();
  const reader = response.body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    parser.feed(decoder.decode(value, { stream: true }));
  }
  if (fault !== '') throw new Error(fault);
  if (whole === null) throw new Error('The answer broke off. Ask again.');
  return whole;
}
