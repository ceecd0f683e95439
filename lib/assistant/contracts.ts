import { z } from 'zod';
import { accountAddress } from '#lib/ledger/address.ts';
import { defineContract } from '#lib/platform/contract.ts';
import { idPattern } from '#lib/platform/ids.ts';

const MAX_MESSAGE_LENGTH = 4_000;

const suggestion = z.object({ title: z.string(), prompt: z.string() });

export const chatWithAssistantContract = defineContract({
  id: 'chatWithAssistant',
  method: 'POST',
  path: '/api/ai-agent/chat',
  tag: 'assistant',
  summary: 'Chat with the AI assistant',
  access: [{ kind: 'public' }],
  rateLimit: 'chat',
  body: z.strictObject({
    message: z.string().trim().min(1).max(MAX_MESSAGE_LENGTH),
    conversation_id: z
      .string()
      .regex(/^[0-9A-Za-z_-]{1,64}$/, 'is not a conversation id')
      .optional()
      .meta({ description: 'From an earlier answer; continues that conversation' }),
    wallet_address: accountAddress.optional(),
    project_id: z.string().regex(idPattern('proj'), 'must be proj_<id>').optional(),
  }),
  responses: {
    200: z.object({
      conversation_id: z.string(),
      reply: z.string(),
      sources: z.array(z.object({ title: z.string(), url: z.string() })),
      suggestions: z.array(suggestion),
      model: z.string(),
    }),
  },
  errors: ['service_unavailable', 'not_implemented'],
});

export const getAssistantSuggestionsContract = defineContract({
  id: 'getAssistantSuggestions',
  method: 'GET',
  path: '/api/ai-agent/suggestions',
  tag: 'assistant',
  summary: 'AI suggestions and help',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  cacheControl: 'public, max-age=300',
  responses: {
    200: z.object({
      suggestions: z.array(suggestion),
      help: z.array(z.object({ title: z.string(), text: z.string() })),
    }),
  },
  errors: ['not_implemented'],
});
