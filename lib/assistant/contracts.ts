import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { idPattern } from '#lib/base/ids.ts';
import { NO_ZERO, ZERO_FAULT } from '#lib/base/plain-text.ts';
import { accountAddress } from '#lib/xrpl/address.ts';

const MAX_MESSAGE_LENGTH = 4_000;

const suggestion = z.lazy(() => z.object({ title: z.string(), prompt: z.string() }));
const source = z.lazy(() =>
  z.object({
    title: z.string(),
    url: z.url().meta({ example: 'https://tranche.example/projects/demo-sale' }),
  }),
);
const card = z.lazy(() =>
  z.object({
    kind: z.enum(['pay', 'quote', 'sale', 'tag', 'exchange', 'refund', 'delivery', 'key']),
    title: z.string(),
    facts: z.record(z.string(), z.string()).meta({ description: 'What the card shows, by name; amounts as decimals' }),
  }),
);
const conversationId = z
  .string()
  .regex(idPattern('chat'))
  .meta({ description: 'Send it with the next message. Kept for an hour after the last one' });
const model = z.string().meta({
  description: 'Who wrote the reply: a language model by its name, `built-in`, or `safety` for a fixed reply',
});

const chatAnswer = z.lazy(() =>
  z.object({
    conversation_id: conversationId,
    reply: z
      .string()
      .meta({ description: 'Markdown without HTML and images; links lead to this platform or the explorer' }),
    sources: z.array(source).meta({ description: 'The pages where the figures of the reply stand' }),
    cards: z.array(card).meta({
      description:
        'What the reply shows from live data, for programs. A `pay` card is there only while a payment would buy something',
    }),
    suggestions: z.array(suggestion).meta({ description: 'What may be asked next' }),
    model,
  }),
);

const problem = z.lazy(() =>
  z.object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string(),
    code: z.string(),
    request_id: z.string(),
  }),
);

/** The data of each server-sent event of a chat. */
export const chatEvents = {
  start: z.object({ conversation_id: conversationId, model }).meta({ description: 'The first event' }),
  delta: z.object({ text: z.string() }).meta({ description: 'The next part of the reply, whole blocks of Markdown' }),
  source: source.meta({ description: 'A page that the reply rests on' }),
  card: card.meta({ description: 'What the reply shows from live data' }),
  done: chatAnswer.meta({ description: 'The last event of a whole answer: the same as the JSON answer' }),
  error: problem.meta({
    description: 'The last event when the answer could not be finished: what came before is a part of none',
  }),
};

export type ChatAnswer = z.output<typeof chatAnswer>;
type EventData = { [Name in keyof typeof chatEvents]: z.output<(typeof chatEvents)[Name]> };
export type ChatEvent = {
  [Name in Exclude<keyof EventData, 'error'>]: { event: Name; data: EventData[Name] };
}[Exclude<keyof EventData, 'error'>];

export const chatWithAssistantContract = defineContract({
  id: 'chatWithAssistant',
  method: 'POST',
  path: '/api/ai-agent/chat',
  tag: 'assistant',
  summary: 'Chat with the AI assistant',
  access: [{ kind: 'public' }],
  rateLimit: 'chat',
  body: z.strictObject({
    message: z.string().trim().min(1).max(MAX_MESSAGE_LENGTH).regex(NO_ZERO, ZERO_FAULT),
    conversation_id: z
      .string()
      .regex(/^[0-9A-Za-z_-]{1,64}$/, 'is not a conversation id')
      .optional()
      .meta({ description: 'From an earlier answer; continues that conversation. One that is over begins a new one' }),
    wallet_address: accountAddress.optional(),
    project_id: z.string().regex(idPattern('proj'), 'must be proj_<id>').optional(),
    audience: z.enum(['investor', 'developer', 'operator']).optional().meta({
      description: 'Who asks: their questions and guides come first. With a `project_id` an investor, unless given',
    }),
  }),
  responses: { 200: chatAnswer },
  events: chatEvents,
});

export const getAssistantSuggestionsContract = defineContract({
  id: 'getAssistantSuggestions',
  method: 'GET',
  path: '/api/ai-agent/suggestions',
  tag: 'assistant',
  summary: 'AI suggestions and help',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: 'public, max-age=30',
  query: z.strictObject({
    wallet_address: accountAddress.optional().meta({ description: 'Who asks: what waits for this wallet comes first' }),
    project_id: z.string().regex(idPattern('proj'), 'must be proj_<id>').optional(),
  }),
  responses: {
    200: z.lazy(() =>
      z.object({
        suggestions: z.array(suggestion),
        help: z.array(z.object({ title: z.string(), text: z.string() })),
      }),
    ),
  },
});
