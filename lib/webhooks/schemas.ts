import { z } from 'zod';
import { xrpAmount } from '#lib/base/money.ts';
import { NO_ZERO, ZERO_FAULT } from '#lib/base/plain-text.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { HEALTH_STATUSES } from '#lib/events/data.ts';

export const instant = z.iso.datetime().meta({ description: 'ISO 8601 UTC', example: '2026-11-21T12:00:00.000Z' });
export const eventType = z.enum(EVENT_TYPES);

const EARLIEST_MS = Date.UTC(1970, 0, 1);
const LATEST_MS = Date.UTC(9999, 0, 1);

/** A time that a client gives; Postgres does not take every one that ISO 8601 can say. */
export const givenTime = z.iso
  .datetime({ offset: true, error: 'must be an ISO 8601 time with a zone, such as 2026-11-21T12:00:00Z' })
  .transform((text) => new Date(text))
  .refine((time) => time.getTime() >= EARLIEST_MS && time.getTime() < LATEST_MS, {
    error: 'must lie in the years 1970 to 9998 (UTC)',
  });

/** A range holds its `from` and not its `to`; either end may be left open. */
export const isForward = ({ from, to }: { from?: Date | undefined; to?: Date | undefined }): boolean =>
  from === undefined || to === undefined || from < to;
export const FORWARD_FAULT = { path: ['to'], error: 'must be later than `from`' };

export const DELIVERY_STATUSES = ['pending', 'retrying', 'success', 'failed', 'cancelled'] as const;

/** Delay after the end of attempt 1, 2, … before the next one, in seconds (docs/webhooks.md#retries). */
export const RETRY_DELAYS_SECONDS = [5, 25, 120, 600, 3600, 21600] as const;

/** The first attempt and its six retries. */
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/** Seconds from the end of failed attempt number `attempt` (from 1) to the next; null when it was the last. */
export const delaySecondsAfter = (attempt: number): number | null => RETRY_DELAYS_SECONDS[attempt - 1] ?? null;

/** An answer that says `Retry-After` with one of these says when its receiver can take more (RFC 9110, 10.2.3; RFC 6585, 4). */
const POSTPONING_CODES: readonly (number | null)[] = [429, 503];
/** The form of a date in which HTTP says it; RFC 9110 lets nobody write the older ones. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Seconds from `nowMs` that a `Retry-After` asks for; null when it is neither a number of seconds nor a date. */
function secondsAskedFor(retryAfter: string, nowMs: number): number | null {
  const text = retryAfter.trim();
  if (/^\d+$/.test(text)) return Number(text);
  const atMs = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(atMs) ? null : Math.ceil((atMs - nowMs) / 1000);
}

/**
 * Seconds from the end of failed attempt `attempt` to the next, as its answer asks for: never sooner than the schedule, and not
 * after the delay that would come next, so a receiver gets every attempt within the time that the schedule promises
 * (docs/webhooks.md#retries). Null when the attempt was the last.
 */
export function delaySecondsAsked(
  attempt: number,
  { responseCode, retryAfter }: { responseCode: number | null; retryAfter: string | null },
  nowMs: number,
): number | null {
  const scheduled = delaySecondsAfter(attempt);
  if (scheduled === null || retryAfter === null || !POSTPONING_CODES.includes(responseCode)) return scheduled;
  const latest = delaySecondsAfter(attempt + 1) ?? scheduled;
  return Math.max(scheduled, Math.min(secondsAskedFor(retryAfter, nowMs) ?? 0, latest));
}

export const webhookId = z
  .string()
  .max(64)
  .regex(/^wh_[0-9A-Za-z]+$/, 'must be a webhook id (wh_…)')
  .meta({ description: 'Identifier of the webhook', example: 'wh_4qUZk0r2bJ8sVd1mX7nTqL' });

export const deliveryId = z
  .string()
  .max(64)
  .regex(/^del_[0-9A-Za-z]+$/, 'must be a delivery id (del_…)')
  .meta({ description: 'Identifier of the delivery', example: 'del_4qUZk0r2bJ8sVd1mX7nTqL' });

export const eventTypeField = eventType.meta({
  description: 'Type of the event',
  example: 'investment.confirmed',
});

export const urlText = z.string().min(1).max(2048);
export const urlMeta = {
  description: 'HTTPS address of the receiver, port 443 or 8443, a public host',
  example: 'https://receiver.example.com/tranche',
};
export const url = urlText.meta(urlMeta);
export const active = z.boolean().meta({ description: 'Events are sent while true', example: true });

export const descriptionText = z.string().max(500).regex(NO_ZERO, ZERO_FAULT);
export const descriptionMeta = { description: 'Free text of your own', example: 'Production receiver' };
export const description = descriptionText.meta(descriptionMeta);

export const projectFilterMeta = {
  description: 'Events of this project only, and those of no project (`system.…`); null: of every project',
  example: null,
};
export const minAmountMeta = {
  description:
    'Only events whose `amount_xrp` (of `investment.confirmed`: `confirmed_amount_xrp`) is at least this, and those without an amount; null: of any amount',
  example: null,
};

/** The values that `data.status` of an event may have. */
export const EVENT_STATUSES = ['pending_confirmation', 'confirmed', 'failed', ...HEALTH_STATUSES] as const;
export type EventStatus = (typeof EVENT_STATUSES)[number];
export const statusesMeta = {
  description: 'Only events whose `status` is one of these, and those without a status; null: of any status',
  example: null,
};
export const rateLimitMeta = {
  description:
    'Attempts that begin a second, at most, on average; half as many may begin at once. The others wait; null: only the limits that all webhooks have',
  example: null,
};

/** A webhook in answers. */
export const webhook = z.lazy(() =>
  z.object({
    id: webhookId,
    url,
    events: z.array(eventType).meta({ description: 'Event types it receives' }),
    project_id: z.string().nullable().meta(projectFilterMeta),
    min_amount_xrp: xrpAmount.nullable().meta(minAmountMeta),
    statuses: z.array(z.enum(EVENT_STATUSES)).nullable().meta(statusesMeta),
    active,
    description,
    header_names: z
      .array(z.string())
      .meta({ description: 'Names of the `headers` that are sent with every attempt', example: ['x-api-key'] }),
    rate_limit: z.int().nullable().meta(rateLimitMeta),
    disabled_at: instant
      .nullable()
      .meta({ description: 'When the platform deactivated it; null once it is active again' }),
    disabled_reason: z
      .enum(['gone', 'failing'])
      .nullable()
      .meta({ description: 'Why: a last attempt was answered 410, or every attempt failed for five days' }),
    failing_since: instant
      .nullable()
      .meta({ description: 'Since when every attempt has failed; null after a success', example: null }),
    backlog_full: z.boolean().meta({
      description:
        'True for a failing webhook that has never accepted an event and has 1,000 or more undelivered deliveries: new deliveries are `cancelled` with the reason `backlog_full` until its first success. Replay them afterwards',
      example: false,
    }),
    api_version: z.string().meta({ description: 'Version of its events, pinned at registration', example: '2026-11' }),
    secret_rotation: z.object({ started_at: instant, ends_at: instant }).nullable().meta({
      description: 'While a rotation of the secret is under way: since when, and when it commits itself',
      example: null,
    }),
    created_at: instant,
    updated_at: instant,
  }),
);

/** A webhook in the one answer that shows a new secret. */
export const webhookWithSecret = z.lazy(() =>
  webhook.unwrap().extend({
    secret: z.string().meta({ description: 'Signing secret (whsec_…); store it now, it is never shown again' }),
  }),
);

/** A line of the delivery log: the documented fields, with the event's type, the attempts made and the start. */
export const deliveryRecord = z.lazy(() =>
  z.object({
    id: deliveryId,
    event_id: z.string().meta({ description: 'Identifier of the event', example: 'evt_4qUZk0r2bJ8sVd1mX7nTqL' }),
    event_type: eventTypeField,
    status: z.enum(DELIVERY_STATUSES).meta({ description: 'Where the delivery stands', example: 'success' }),
    cancelled_reason: z
      .enum([
        'webhook_paused',
        'webhook_disabled',
        'webhook_deleted',
        'backlog_full',
        'replay_cancelled',
        'event_pruned',
        'event_erased',
      ])
      .nullable()
      .meta({
        description:
          'Why it was cancelled: you paused the webhook (`active` false), the platform disabled it, it was deleted, its backlog was full (`backlog_full` of the webhook), its replay was cancelled, the payload had been removed, or the platform erased it; null for any other status',
        example: null,
      }),
    response_code: z.int().nullable().meta({
      description: 'HTTP status of the newest answer; null where none came',
      example: 200,
    }),
    delivered_at: instant.nullable(),
    duration_ms: z.int().nullable().meta({ description: 'Duration of the newest attempt, milliseconds', example: 87 }),
    attempts: z.int().min(0).max(MAX_ATTEMPTS).meta({ description: 'Attempts made, of at most seven', example: 1 }),
    resend_of: deliveryId.nullable().meta({
      description: 'The first delivery of the same event, which this one repeats; null for that one itself',
      example: null,
    }),
    replay_id: z.string().nullable().meta({ description: 'The replay that made it, if one did', example: null }),
    pruned: z.boolean().meta({
      description:
        'The payload and the attempts are gone, after the retention time or because the platform erased them; such an event cannot be sent again',
      example: false,
    }),
    created_at: instant,
  }),
);

/** What the audit logs call that which is done with a webhook. */
export const WEBHOOK_ACTS = [
  'webhook.register',
  'webhook.update',
  'webhook.delete',
  'webhook.rotate_secret',
  'webhook.commit_secret',
  'webhook.cancel_rotation',
  'webhook.test',
  'webhook.resend',
  'webhook.replay',
  'webhook.cancel_replay',
] as const;
export type WebhookAct = (typeof WEBHOOK_ACTS)[number];

export const deletedWebhook = z.object({ id: webhookId, deleted_at: instant });
export const nextCursor = z.string().nullable().meta({ description: 'Cursor of the next page; null at the end' });
export type Webhook = z.output<typeof webhook>;
export type DeliveryRecord = z.output<typeof deliveryRecord>;

/**
 * What a queue callback led to. `not_claimed`: the attempt was made already, is under way, or its delivery has ended;
 * `postponed`: too many retries are under way, and this one is called back later.
 */
export const callbackOutcome = z.enum(['success', 'failed', 'retrying', 'cancelled', 'not_claimed', 'postponed']);
export type CallbackOutcome = z.output<typeof callbackOutcome>;
