import { z } from 'zod';
import { auditReason } from '#lib/base/audit-reason.ts';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery, opaqueCursor } from '#lib/base/cursor.ts';
import { idPattern } from '#lib/base/ids.ts';
import { xrpCodec } from '#lib/base/money-codecs.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { EVENT_ENVELOPES } from '#lib/events/envelope-schemas.ts';
import { eventReaders } from '#lib/webhooks/access.ts';
import * as schemas from '#lib/webhooks/schemas.ts';

const [first, ...others] = EVENT_TYPES.map((type) => EVENT_ENVELOPES[type]);
if (first === undefined) throw new Error('There are no event types');
const event = z.lazy(() => z.discriminatedUnion('event_type', [first, ...others]));

const eventId = z
  .string()
  .regex(idPattern('evt'), 'must be an event id (evt_…)')
  .meta({ description: 'Identifier of the event', example: 'evt_4qUZk0r2bJ8sVd1mX7nTqL' });

const oneType = `(?:${EVENT_TYPES.map((type) => type.replace('.', '\\.')).join('|')})`;

const oneStatus = `(?:${schemas.EVENT_STATUSES.join('|')})`;

const filters = {
  types: z
    .string()
    .max(1_000)
    .regex(
      new RegExp(`^${oneType}(?:,${oneType})*$`),
      'must be event types, separated by commas: GET /api/webhooks/event-types lists them',
    )
    .transform((text) => z.array(z.enum(EVENT_TYPES)).parse(text.split(',')))
    .optional()
    .meta({
      description: 'Only these event types, separated by commas',
      example: 'investment.created,investment.confirmed',
    }),
  project: z
    .string()
    .regex(idPattern('proj'), 'must be a project id (proj_…)')
    .optional()
    .meta({ description: 'Only events of this project, and those of no project (`system.…`)' }),
  min_amount_xrp: xrpCodec
    .optional()
    .meta({ description: 'Only events of at least this amount, and those without an amount' }),
  statuses: z
    .string()
    .max(200)
    .regex(
      new RegExp(`^${oneStatus}(?:,${oneStatus})*$`),
      `must be statuses, separated by commas: ${schemas.EVENT_STATUSES.join(', ')}`,
    )
    .transform((text) => z.array(z.enum(schemas.EVENT_STATUSES)).parse(text.split(',')))
    .optional()
    .meta({ description: 'Only events of these statuses, separated by commas, and those without a status' }),
  since: schemas.givenTime
    .optional()
    .meta({ description: 'Only events that the platform recorded at this time or later' }),
};

export const listEventsContract = defineContract({
  id: 'listEvents',
  method: 'GET',
  path: '/api/events',
  tag: 'webhooks',
  summary: 'List the events that your webhooks could receive, oldest first, to catch up or to poll',
  access: eventReaders,
  rateLimit: 'read',
  query: z.strictObject({ ...cursorQuery, ...filters }),
  responses: {
    200: z.lazy(() =>
      z.object({
        events: z.array(event).meta({ description: 'Each is the same as the body that a webhook receives' }),
        next_cursor: z.string().meta({
          description: 'Continue here, now or later. It is never null, and moves on when `events` is empty too',
        }),
        has_more: z
          .boolean()
          .meta({ description: 'Whether to ask again at once. A page may be short, or empty, and have more' }),
      }),
    ),
  },
  errors: ['gone'],
});

export const getEventContract = defineContract({
  id: 'getEvent',
  method: 'GET',
  path: '/api/events/{id}',
  tag: 'webhooks',
  summary: 'Get an event, as your webhooks could receive it',
  access: eventReaders,
  rateLimit: 'read',
  params: z.strictObject({ id: eventId }),
  responses: { 200: event },
  errors: ['not_found', 'gone'],
});

export const eraseEventContract = defineContract({
  id: 'eraseEvent',
  method: 'DELETE',
  path: '/api/admin/events/{id}/payload',
  tag: 'admin',
  summary:
    'Erase the payload of an event for good, with what receivers answered to it; waiting deliveries are cancelled',
  access: [{ kind: 'administrator', role: 'operator' }],
  rateLimit: 'internal',
  params: z.strictObject({ id: eventId }),
  query: z.strictObject({ reason: auditReason }),
  responses: {
    200: z.lazy(() =>
      z.object({
        event_id: eventId,
        erased_at: schemas.instant,
        deliveries_cancelled: z.int(),
        attempts_removed: z.int().meta({ description: 'Attempts of its deliveries, with the answers' }),
      }),
    ),
  },
  errors: ['not_found', 'gone'],
});

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

export const streamEventsContract = defineContract({
  id: 'streamEvents',
  method: 'GET',
  path: '/api/events/stream',
  tag: 'webhooks',
  summary:
    'Stream events as they happen. It ends after 50 seconds: reconnect with Last-Event-ID to continue without a loss',
  access: eventReaders,
  rateLimit: 'stream',
  lastEventId: true,
  query: z.strictObject({ cursor: opaqueCursor(200).optional(), ...filters }),
  textType: 'text/event-stream',
  events: {
    ...EVENT_ENVELOPES,
    cursor: z.object({ cursor: z.string() }).meta({
      description:
        'Where you are, which is also its `id`: the first event, and sent when the stream has passed events that are not for you',
    }),
    error: problem.meta({ description: 'The last event, when the stream broke off: reconnect' }),
  },
  responses: { 200: z.string() },
  errors: ['gone'],
});
