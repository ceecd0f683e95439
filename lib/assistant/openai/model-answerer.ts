import { env } from '#lib/base/env.ts';
import type { Answerer, Chunk, Tool } from '../answerer.ts';
import type { Evidence } from '../safety/evidence.ts';
import { unfinished } from './failures.ts';
import { LIMITS } from './limits.ts';
import { LookUps } from './look-up.ts';
import { declaredTool, lookedUpMessages, openingMessages } from './messages.ts';
import { readRound } from './read-round.ts';
import { requestCompletion } from './request.ts';

/**
 * Answers by a language model that speaks the chat completions API: of OpenAI's two, the one that compatible servers have.
 * The model looks things up in rounds; each result is added to `evidence`. What it writes is not judged here.
 * Throws `service_unavailable` when it cannot finish.
 */
export const modelAnswerer = (tools: readonly Tool[], evidence: Evidence, leftMs: () => number): Answerer => ({
  model: env().OPENAI_MODEL,
  async *answer(ctx, question, signal): AsyncGenerator<Chunk> {
    const lookUps = new LookUps(ctx, tools, evidence);
    const declared = tools.map(declaredTool);
    const messages = openingMessages(question);
    for (let round = 1; ; round += 1) {
      const mayCall = round < LIMITS.rounds && lookUps.hasMore;
      const chunks = await requestCompletion(
        {
          messages,
          tools: declared,
          tool_choice: mayCall ? 'auto' : 'none',
          max_completion_tokens: LIMITS.replyTokens,
        },
        { signal, leftMs },
      );
      const { text, calls } = yield* readRound(chunks, signal);
      if (calls.length === 0) return;
      if (!mayCall) throw unfinished('calls without end');
      if (text !== '') yield { kind: 'text', text: '\n\n' };
      const found = await Promise.all(calls.map((call) => lookUps.run(call)));
      for (const { sources } of found) for (const source of sources) yield { kind: 'source', source };
      messages.push(...lookedUpMessages(text, calls, found));
    }
  },
});
