import type { ChatCompletionFunctionTool, ChatCompletionMessageParam } from 'openai/resources/chat/completions';
import { z } from 'zod';
import type { Question, Tool } from '../answerer.ts';
import type { LookedUp } from './look-up.ts';
import type { ToolCall } from './read-round.ts';
import { SYSTEM_PROMPT } from './system-prompt.ts';

function declared({ name, description, input }: Tool): ChatCompletionFunctionTool {
  const { $schema: _, ...parameters } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return { type: 'function', function: { name, description, parameters } };
}

const known = new WeakMap<Tool, ChatCompletionFunctionTool>();

/** A tool as the model is shown it; its arguments in their wire form. Made once a tool. */
export function declaredTool(tool: Tool): ChatCompletionFunctionTool {
  const found = known.get(tool) ?? declared(tool);
  known.set(tool, found);
  return found;
}

/** How a conversation stands before the model's turn. What the visitor gives is JSON: nothing in it can pass for our words. */
export const openingMessages = ({
  message,
  history,
  walletAddress,
  projectId,
}: Question): ChatCompletionMessageParam[] => [
  { role: 'system', content: SYSTEM_PROMPT },
  ...history.map(({ role, text }) => ({ role, content: role === 'user' ? JSON.stringify({ message: text }) : text })),
  { role: 'user', content: JSON.stringify({ message, wallet_address: walletAddress, project_id: projectId }) },
];

/** The calls of a round, and what was found for each. */
export const lookedUpMessages = (
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
