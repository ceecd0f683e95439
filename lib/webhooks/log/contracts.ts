import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { readers, writers } from '#lib/webhooks/access.ts';
import * as schemas from '#lib/webhooks/schemas.ts';

export const listDeliveriesQuery = z
  .strictObject({
    ...cursorQuery,
    status: z.enum(schemas.DELIVERY_STATUSES).optional().meta({ description: 'Only deliveries with this status' }),
    event_type: schemas.eventTypeField.optional().meta({ description: 'Only deliveries of this type of event' }),
    from: schemas.givenTime.optional().meta({ description: 'Only deliveries made at this time or later' }),
    to: schemas.givenTime.optional().meta({ description: 'Only deliveries made before this time' }),
  })
  .refine(schemas.isForward, schemas.FORWARD_FAULT);

export const listDeliveriesContract = defineContract({
  id: 'listDeliveries',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries',
  alias: '/api/webhooks/{webhook_id}/deliveries',
  tag: 'webhooks',
  summary: 'List the deliveries of a webhook, newest first',
  access: readers,
  rateLimit: 'read',
  params: z.strictObject({ webhook_id: schemas.webhookId }),
  query: listDeliveriesQuery,
  responses: {
    200: z.lazy(() => z.object({ deliveries: z.array(schemas.deliveryRecord), next_cursor: schemas.nextCursor })),
  },
  errors: ['webhook_not_found'],
});

const ofMembers = { tag: 'owners', access: [{ kind: 'member', role: 'viewer' }] } as const;
const { alias: _, ...listDeliveries } = listDeliveriesContract;

export const listOwnDeliveriesContract = defineContract({
  ...listDeliveries,
  ...ofMembers,
  id: 'listOwnDeliveries',
  path: '/api/owner/webhooks/{webhook_id}/deliveries',
  summary: 'List the deliveries of one of the tenant’s webhooks, newest first',
});

const headers = z.record(z.string(), z.string()).nullable();
const url = z.string().nullable();

/** One attempt. An interrupted one broke off on our side and was made again under the same number. */
export const attemptRecord = z.lazy(() =>
  z.object({
    number: z.int().min(1).max(schemas.MAX_ATTEMPTS),
    started_at: schemas.instant,
    url: url.meta({ description: 'Where it was sent: the URL of the webhook at that time' }),
    request_headers: headers.meta({ description: 'Names in lower case; null while it is under way' }),
    response_code: z.int().nullable().meta({ description: 'Null where no status line came', example: 503 }),
    response_headers: headers,
    response_body: z.string().nullable().meta({ description: 'The first 2 KiB' }),
    error_kind: z
      .enum(['dns', 'refused', 'tls', 'timeout', 'policy', 'status', 'interrupted', 'network'])
      .nullable()
      .meta({ description: 'Why it failed; null after a success, and while it is under way' }),
    duration_ms: z.int().nullable().meta({ description: 'Milliseconds; null while it is under way or interrupted' }),
    retry_after: z
      .string()
      .nullable()
      .meta({ description: 'What the receiver asked for; it does not change the schedule' }),
  }),
);

const deliveryDetail = z.lazy(() =>
  schemas.deliveryRecord.unwrap().extend({
    request: z
      .object({
        method: z.literal('POST'),
        url,
        headers,
        body: z
          .string()
          .nullable()
          .meta({ description: 'The signed bytes, the same on every attempt; null once pruned' }),
      })
      .meta({ description: 'As sent by the newest attempt; url and headers are null before the first' }),
    attempt_log: z.array(attemptRecord).meta({ description: 'Every attempt, the oldest first; none once pruned' }),
  }),
);
export type DeliveryDetail = z.output<typeof deliveryDetail>;

export const getDeliveryContract = defineContract({
  id: 'getDelivery',
  method: 'GET',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}',
  alias: '/api/webhooks/{webhook_id}/deliveries/{delivery_id}',
  tag: 'webhooks',
  summary: 'Get a delivery: what was sent, and each attempt with its answer',
  access: readers,
  rateLimit: 'read',
  params: z.strictObject({ webhook_id: schemas.webhookId, delivery_id: schemas.deliveryId }),
  responses: { 200: deliveryDetail },
  errors: ['webhook_not_found', 'not_found'],
});

export const STATISTICS_PERIODS = ['hour', 'day', 'week'] as const;

/** More are not counted: it bounds what one request costs. */
export const MOST_COUNTED = 50_000;

const count = (description: string) => z.int().min(0).meta({ description, example: 0 });
const latencyMs = z.lazy(() =>
  z.object({ p50: z.int().nullable(), p95: z.int().nullable() }).meta({
    description: 'Milliseconds from the making of a delivery to its success, retries included; null without one',
  }),
);
const outcomes = {
  success: count('Deliveries that arrived'),
  failed: count('Deliveries without an attempt left'),
  cancelled: count('Deliveries that were not sent, or no more'),
  unfinished: count('Deliveries that are pending or retrying'),
  latency_ms: latencyMs,
};

const deliveryStatistics = z.lazy(() =>
  z.object({
    period: z.enum(STATISTICS_PERIODS),
    from: schemas.instant.meta({ description: 'Start of the first span' }),
    to: schemas.instant.meta({ description: 'End of the last span; that one is not over' }),
    counted_from: schemas.instant.meta({
      description: `Deliveries made before are not counted: \`from\`, or later where the period has ${MOST_COUNTED.toLocaleString('en')} deliveries or more`,
    }),
    totals: z.object({
      ...outcomes,
      success_rate: z
        .number()
        .min(0)
        .max(1)
        .nullable()
        .meta({ description: '`success` / (`success` + `failed`), rounded down to four digits; null without either' }),
    }),
    spans: z
      .array(z.object({ from: schemas.instant, ...outcomes }))
      .meta({ description: 'Equal spans of the period, the oldest first: 2 minutes, 30 minutes or 4 hours each' }),
  }),
);
export type DeliveryStatistics = z.output<typeof deliveryStatistics>;

export const getDeliveryStatisticsContract = defineContract({
  id: 'getDeliveryStatistics',
  method: 'GET',
  path: '/webhooks/{webhook_id}/statistics',
  alias: '/api/webhooks/{webhook_id}/statistics',
  tag: 'webhooks',
  summary: 'Get the deliveries of a webhook over time, by outcome, with their latency',
  access: readers,
  rateLimit: 'read',
  params: z.strictObject({ webhook_id: schemas.webhookId }),
  query: z.strictObject({
    period: z
      .enum(STATISTICS_PERIODS)
      .default('day')
      .meta({ description: 'The last hour, day or week', example: 'day' }),
  }),
  responses: { 200: deliveryStatistics },
  errors: ['webhook_not_found'],
});

export const resendDeliveryContract = defineContract({
  id: 'resendDelivery',
  method: 'POST',
  path: '/webhooks/{webhook_id}/deliveries/{delivery_id}/resend',
  alias: '/api/webhooks/{webhook_id}/deliveries/{delivery_id}/resend',
  tag: 'webhooks',
  summary: 'Resend the event of an ended delivery as a new delivery with the same bytes',
  access: writers,
  rateLimit: 'write',
  idempotent: true,
  params: z.strictObject({ webhook_id: schemas.webhookId, delivery_id: schemas.deliveryId }),
  responses: { 202: schemas.deliveryRecord },
  errors: ['webhook_not_found', 'not_found', 'conflict', 'gone'],
});

export const attemptDeliveryContract = defineContract({
  id: 'attemptDelivery',
  method: 'POST',
  path: '/api/queue/deliver',
  tag: 'internal',
  summary: 'QStash callback: make one attempt of a delivery',
  access: [{ kind: 'queue' }],
  rateLimit: 'internal',
  body: z.strictObject({
    delivery_id: schemas.deliveryId,
    attempt: z.int().min(1).max(schemas.MAX_ATTEMPTS).meta({ description: 'Number of the attempt', example: 2 }),
    republished: z
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'How many callbacks of this attempt were published before this one', example: 0 }),
  }),
  responses: { 200: z.lazy(() => z.object({ outcome: schemas.callbackOutcome })) },
});
