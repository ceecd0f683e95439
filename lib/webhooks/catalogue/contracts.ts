import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import * as schemas from '#lib/webhooks/schemas.ts';

export const eventTypeEntry = z.object({
  type: schemas.eventTypeField,
  category: z.enum(['investment', 'project', 'system']),
  description: z.string(),
  recipients: z.enum(['everyone', 'owner', 'administrators']).meta({
    description: 'Whose webhooks receive it: of everyone, of the owner of what it is about, or of administrators only',
  }),
  example: z
    .object({
      event_type: schemas.eventTypeField,
      event_id: z.string(),
      timestamp: schemas.instant,
      api_version: z.string(),
      data: z.record(z.string(), z.unknown()),
    })
    .meta({ description: 'A whole event as it is sent' }),
});
export type EventTypeEntry = z.output<typeof eventTypeEntry>;

export const listEventTypesContract = defineContract({
  id: 'listEventTypes',
  method: 'GET',
  path: '/api/webhooks/event-types',
  alias: '/webhooks/event-types',
  tag: 'webhooks',
  summary: 'Every event type that a webhook may receive, with an example',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  responses: { 200: z.object({ event_types: z.array(eventTypeEntry) }) },
  cacheControl: 'public, max-age=300',
});
