import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { z } from 'zod';
import { env } from '#lib/base/env.ts';
import type { Answerer, Chunk, Question, Tool } from '../answerer.ts';
import type { Evidence } from '../safety/figures.ts';
import { unfinished } from './failures.ts';
import { LIMITS } from './limits.ts';
import { type LookedUp, LookUps } from './look-up.ts';
import { readRound, type ToolCall } from './read-round.ts';
import { requestCompletion } from './request.ts';
import { SYSTEM_PROMPT } from './system-prompt.ts';

function declared({ name, description, input }: Tool): ChatCompletionFunctionTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return { type: 'function', function: { name, description, parameters } };
}

const known = new WeakMap<Tool, ChatCompletionFunctionTool>();

/** A tool as the model is shown it; its arguments in their wire form. Made once a tool. */
function declaredTool(tool: Tool): ChatCompletionFunctionTool {
  const found = known.get(tool) ?? declared(tool);
  known.set(tool, found);
  return found;
}

/** How a conversation stands before the model's turn. What the visitor gives is JSON: nothing in it can pass for our words. */
const openingMessages = (
  { message, history, walletAddress, projectId, audience }: Question,
  nowMs: number,
): ChatCompletionMessageParam[] => [
  { role: 'system', content: `${SYSTEM_PROMPT}\n\nThe time is ${new Date(nowMs).toISOString()}.` },
  ...history.map(({ role, text }) => ({ role, content: role === 'user' ? JSON.stringify({ message: text }) : text })),
  {
    role: 'user',
    content: JSON.stringify({ message, wallet_address: walletAddress, project_id: projectId, audience }),
  },
];

/** The calls of a round, and what was found for each. */
const lookedUpMessages = (
  text: string,
  calls: readonly ToolCall[],
  found: readonly LookedUp[],
): ChatCompletionMessageParam[] => [
  {
    role: 'assistant',
    content: text === '' ? null : text,
    tool_calls: calls.map(({ id, name, arguments: given }) => ({
      id,
      type: 'function',
      function: { name, arguments: given },
    })),
  },
  ...calls.map(({ id }, place) => ({ role: 'tool' as const, tool_call_id: id, content: found[place]?.content ?? '' })),
];

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
    const messages = openingMessages(question, ctx.clock.nowMs());
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
