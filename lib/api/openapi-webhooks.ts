import { z } from 'zod';
import type { ZodOpenApiPathsObject } from 'zod-openapi';
import { EVENT_CATALOGUE, EVENT_DESCRIPTIONS, EVENT_TYPES, type EventType } from '#lib/events/catalogue.ts';
import { API_VERSION } from '#lib/events/envelope.ts';
import { exampleOf } from '#lib/webhooks/testing/samples.ts';

/** The whole body of one event type as it is sent (docs/webhooks.md#receive). */
export const envelopeOf = (type: EventType) =>
  z.object({
    event_type: z.literal(type),
    event_id: z.string().meta({
      description: 'The same on every attempt: use it to drop duplicates',
      example: 'evt_4qUZk0r2bJ8sVd1mX7nTqL',
    }),
    timestamp: z.iso.datetime().meta({ description: 'Time of the fact, ISO 8601 UTC' }),
    api_version: z.literal(API_VERSION),
    test: z.literal(true).optional().meta({ description: 'Only in events that POST /webhooks/test sends' }),
    data: EVENT_CATALOGUE[type],
  });

const text = (description: string) => z.string().meta({ description });

const signatureHeaders = z.object({
  'X-Platform-Signature': text('Lowercase hex HMAC-SHA-256 of the body, keyed with the whole secret string'),
  'webhook-id': text('Standard Webhooks: the event id'),
  'webhook-timestamp': text('Standard Webhooks: seconds since the Unix epoch of this attempt'),
  'webhook-signature': text('Standard Webhooks: one or more `v1,<base64>` signatures, separated by spaces'),
});

/** The `webhooks` section: one entry an event type. */
export function webhooksSection(): ZodOpenApiPathsObject {
  return Object.fromEntries(
    EVENT_TYPES.map((type) => [
      type,
      {
        post: {
          operationId: `on${type.replaceAll(/(?:^|[._])([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
          tags: ['webhooks'],
          summary: `Sent to webhooks that subscribe to ${type}`,
          description: EVENT_DESCRIPTIONS[type],
          // The receiver knows us by the signature; no credential is sent.
          security: [{}],
          requestParams: { header: signatureHeaders },
          requestBody: {
            required: true,
            content: { 'application/json': { schema: envelopeOf(type), example: exampleOf(type) } },
          },
          responses: {
            200: { description: 'Accepted; any 2xx counts' },
            401: { description: 'The signature does not match' },
          },
        },
      },
    ]),
  );
}
