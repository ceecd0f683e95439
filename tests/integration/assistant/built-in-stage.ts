import type { Card, Question, Source } from '#lib/assistant/answerer.ts';
import { builtInAnswerer } from '#lib/assistant/built-in/index.ts';
import type { Ctx } from '#lib/ctx.ts';

export interface Answered {
  text: string;
  sources: Source[];
  cards: Card[];
}

/** Asks the built-in assistant and gathers the whole answer. */
export async function ask(ctx: Ctx, message: string, more: Partial<Question> = {}): Promise<Answered> {
  const answered: Answered = { text: '', sources: [], cards: [] };
  const question = { message, history: [], ...more };
  for await (const chunk of builtInAnswerer.answer(ctx, question, new AbortController().signal)) {
    if (chunk.kind === 'text') answered.text += chunk.text;
    else if (chunk.kind === 'source') answered.sources.push(chunk.source);
    else answered.cards.push(chunk.card);
  }
  return answered;
}

/** The answer to the last of several messages of one conversation. */
export async function converse(ctx: Ctx, messages: readonly string[], more: Partial<Question> = {}): Promise<Answered> {
  const history: Question['history'][number][] = [];
  let last: Answered = { text: '', sources: [], cards: [] };
  for (const message of messages) {
    last = await ask(ctx, message, { ...more, history: [...history] });
    history.push({ role: 'user', text: message }, { role: 'assistant', text: last.text });
  }
  return last;
}
