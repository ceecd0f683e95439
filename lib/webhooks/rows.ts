import { deliveries, events, webhooks } from '#drizzle/schema/events.ts';
import { toIso, toIsoOrNull } from '#lib/base/clock.ts';
import { formatDrops } from '#lib/base/money.ts';
import { EVENT_TYPES, type EventType } from '#lib/events/catalogue.ts';
import { type DeliveryRecord, EVENT_STATUSES, type Webhook } from './schemas.ts';
import { ROTATION_HOURS, rotationStart } from './secret.ts';

/** A stored webhook as selected for answers: never with its secret. */
export const webhookColumns = {
  id: webhooks.id,
  url: webhooks.url,
  events: webhooks.events,
  projectId: webhooks.projectId,
  minAmountDrops: webhooks.minAmountDrops,
  statuses: webhooks.statuses,
  active: webhooks.active,
  description: webhooks.description,
  headerNames: webhooks.headerNames,
  rateLimit: webhooks.rateLimit,
  disabledAt: webhooks.disabledAt,
  disabledReason: webhooks.disabledReason,
  failingSince: webhooks.failingSince,
  backlogFull: webhooks.backlogFull,
  apiVersion: webhooks.apiVersion,
  rotatedAt: rotationStart(),
  createdAt: webhooks.createdAt,
  updatedAt: webhooks.updatedAt,
};

type WebhookRow = Pick<typeof webhooks.$inferSelect, keyof typeof webhookColumns>;

const toRotation = (startedAt: Date | null): Webhook['secret_rotation'] =>
  startedAt === null
    ? null
    : { started_at: toIso(startedAt), ends_at: toIso(new Date(startedAt.getTime() + ROTATION_HOURS * 3_600_000)) };

export const toWebhook = (row: WebhookRow): Webhook => ({
  id: row.id,
  url: row.url,
  events: EVENT_TYPES.filter((type) => row.events.includes(type)),
  project_id: row.projectId,
  min_amount_xrp: row.minAmountDrops === null ? null : formatDrops(row.minAmountDrops),
  statuses: row.statuses === null ? null : EVENT_STATUSES.filter((status) => row.statuses?.includes(status)),
  active: row.active,
  description: row.description,
  header_names: row.headerNames,
  rate_limit: row.rateLimit,
  disabled_at: toIsoOrNull(row.disabledAt),
  disabled_reason: row.disabledReason,
  failing_since: toIsoOrNull(row.failingSince),
  backlog_full: row.active && row.failingSince !== null && row.backlogFull,
  api_version: row.apiVersion,
  secret_rotation: toRotation(row.rotatedAt),
  created_at: toIso(row.createdAt),
  updated_at: toIso(row.updatedAt),
});

/** A stored delivery with its event's type, as selected for the log. */
export const deliveryColumns = {
  id: deliveries.id,
  eventId: deliveries.eventId,
  eventType: events.type,
  status: deliveries.status,
  cancelReason: deliveries.cancelReason,
  responseCode: deliveries.responseCode,
  deliveredAt: deliveries.deliveredAt,
  durationMs: deliveries.durationMs,
  nextAttempt: deliveries.nextAttempt,
  resendOf: deliveries.resendOf,
  replayId: deliveries.replayId,
  prunedAt: events.prunedAt,
  createdAt: deliveries.createdAt,
};

type DeliveryRow = Pick<
  typeof deliveries.$inferSelect,
  Exclude<keyof typeof deliveryColumns, 'eventType' | 'prunedAt'>
> & {
  eventType: string;
  prunedAt: Date | null;
};

const knownType = (text: string): EventType => {
  const type = EVENT_TYPES.find((candidate) => candidate === text);
  if (type === undefined) throw new Error(`A stored event has the unknown type ${text}`);
  return type;
};

export const toDeliveryRecord = (row: DeliveryRow): DeliveryRecord => ({
  id: row.id,
  event_id: row.eventId,
  event_type: knownType(row.eventType),
  status: row.status,
  cancelled_reason: row.cancelReason,
  response_code: row.responseCode,
  delivered_at: toIsoOrNull(row.deliveredAt),
  duration_ms: row.durationMs,
  attempts: row.nextAttempt - 1,
  resend_of: row.resendOf,
  replay_id: row.replayId,
  pruned: row.prunedAt !== null,
  created_at: toIso(row.createdAt),
});
