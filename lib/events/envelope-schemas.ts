import { z } from 'zod';
import { EVENT_CATALOGUE, EVENT_DESCRIPTIONS, EVENT_TYPES, type EventType } from './catalogue.ts';
import { API_VERSION, typeName } from './envelope.ts';

/** The whole body of one event type as it is sent (docs/webhooks.md#receive). */
const envelopeOf = (type: EventType) =>
  z.lazy(() =>
    z
      .object({
        event_type: z.literal(type),
        event_id: z.string().meta({
          description: 'The same on every attempt: use it to drop duplicates',
          example: 'evt_4qUZk0r2bJ8sVd1mX7nTqL',
        }),
        timestamp: z.iso.datetime().meta({ description: 'Time of the fact, ISO 8601 UTC' }),
        api_version: z.literal(API_VERSION),
        test: z.literal(true).optional().meta({ description: 'Only in test events' }),
        data: EVENT_CATALOGUE[type],
      })
      .meta({ id: `${typeName(type)}Event`, description: EVENT_DESCRIPTIONS[type] }),
  );

/** The body of each event type. */
export const EVENT_ENVELOPES = Object.fromEntries(EVENT_TYPES.map((type) => [type, envelopeOf(type)])) as Record<
  EventType,
  ReturnType<typeof envelopeOf>
>;
