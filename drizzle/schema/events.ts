import { sql } from 'drizzle-orm';
import { bigserial, boolean, check, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { tenants } from './access.ts';
import { amount, createdAt, id, instant, wholeNumber } from './columns.ts';

/** The outbox: one row an event, written in the transaction of the change it reports; its deliveries are written later. */
export const events = pgTable(
  'events',
  {
    id: id(),
    sequence: bigserial({ mode: 'number' }).notNull().unique(),
    type: text().notNull(),
    projectId: text(),
    /** The body as serialised once: these bytes are signed and sent on every attempt. Empty once it was pruned. */
    body: text().notNull(),
    /** When the body went, and the attempts of its deliveries with it. */
    prunedAt: instant(),
    /** When an operator had the body removed before its time; then it is pruned too. */
    erasedAt: instant(),
    isTest: boolean().notNull().default(false),
    /** Every webhook that is to get it has its delivery. */
    fannedOut: boolean().notNull().default(false),
    /** An event with more webhooks than one transaction takes on: the last one, by id, that has its delivery. */
    fannedOutThrough: text(),
    /**
     * Its place in the list of events: when it was listed, in microseconds since the epoch, and later than every place given
     * before. Null until it is listed, after its fan-out; a test event never is.
     */
    listPosition: wholeNumber(),
    createdAt: createdAt(),
  },
  (t) => [
    index('events_time').on(t.createdAt),
    index('events_to_fan_out').on(t.sequence).where(sql`not ${t.fannedOut}`),
    // Projects take turns, and so do the types of a project. "Not true" keeps the plans that look for turns to this index: with the
    // one before they would go through all that wait, and sort it.
    index('events_to_fan_out_by_turns')
      .on(sql`coalesce(${t.projectId}, '')`, t.type, t.sequence)
      .where(sql`${t.fannedOut} is not true`),
    index('events_to_prune').on(t.createdAt).where(sql`${t.prunedAt} is null`),
    uniqueIndex('events_list').on(t.listPosition).where(sql`${t.listPosition} is not null`),
    index('events_to_list')
      .on(t.sequence)
      .where(sql`${t.listPosition} is null and ${t.fannedOut} and not ${t.isTest} and ${t.prunedAt} is null`),
    // A cursor before the last of these has missed events.
    index('events_pruned').on(t.listPosition).where(sql`${t.prunedAt} is not null`),
  ],
);

export const webhooks = pgTable(
  'webhooks',
  {
    id: id(),
    tenantId: text()
      .notNull()
      .references(() => tenants.id),
    url: text().notNull(),
    /** The URL's host, normalised, without port: strangers' webhooks at one host are counted. */
    host: text().notNull(),
    events: text().array().notNull(),
    active: boolean().notNull().default(true),
    description: text().notNull().default(''),
    projectId: text(),
    /** Events of a smaller amount are not for it, nor those of another status; null: of any. */
    minAmountDrops: amount(),
    statuses: text().array(),
    /** Sealed with AES-256-GCM; the webhook's id is authenticated with it. */
    sealedSecret: text().notNull(),
    /** The secret that a rotation brings, sealed alike; null while none is under way. */
    nextSealedSecret: text(),
    /** When that rotation began; it is committed by the tenant, or by time. */
    rotatedAt: instant(),
    /** Headers of its receiver's own, sealed with the webhook's id; null without any. Their names stand beside it. */
    sealedHeaders: text(),
    headerNames: text().array().notNull().default(sql`'{}'`),
    /** Attempts that it takes a second; null without a limit. */
    rateLimit: integer(),
    /** Until when the attempts claimed so far use that up; null before the first. */
    pacedUntil: instant(),
    /** Since when it is inactive, as its tenant or the platform made it: for a time its log tells what it missed. */
    inactiveSince: instant(),
    /** When its receiver first took an event at this URL; null until then. */
    firstSuccessAt: instant(),
    /** The first of the failures that nothing but failures followed; null after a success. */
    failingSince: instant(),
    /** It had too many undelivered when the sweep looked last, as matters only while it fails and has never taken an event. */
    backlogFull: boolean().notNull().default(false),
    /** When and why the platform switched it off by itself; null since somebody switched it on again. */
    disabledAt: instant(),
    disabledReason: text({ enum: ['gone', 'failing'] }),
    apiVersion: text().notNull(),
    deletedAt: instant(),
    createdAt: createdAt(),
    updatedAt: createdAt(),
  },
  (t) => [
    index('webhooks_tenant').on(t.tenantId),
    index('webhooks_active').on(t.active).where(sql`${t.active}`),
    index('webhooks_inactive').on(t.inactiveSince).where(sql`${t.inactiveSince} is not null`),
    index('webhooks_host').on(t.host).where(sql`${t.deletedAt} is null`),
    index('webhooks_rotating').on(t.rotatedAt).where(sql`${t.nextSealedSecret} is not null`),
    check('webhooks_rotation', sql`(${t.nextSealedSecret} is null) = (${t.rotatedAt} is null)`),
    check('webhooks_disabled', sql`(${t.disabledAt} is null) = (${t.disabledReason} is null)`),
  ],
);

/** A range of deliveries that a tenant asked to be sent once more; they are written a few at a time. */
export const replays = pgTable(
  'replays',
  {
    id: id(),
    webhookId: text()
      .notNull()
      .references(() => webhooks.id),
    /** Events of this time, from (inclusive) and to (exclusive). */
    fromTime: instant().notNull(),
    toTime: instant().notNull(),
    /** `failed`: only where nothing was delivered; `all`: everything. */
    selection: text({ enum: ['failed', 'all'] }).notNull(),
    /** Null means every type. */
    eventTypes: text().array(),
    status: text({ enum: ['running', 'finished', 'cancelled'] })
      .notNull()
      .default('running'),
    /** Deliveries that it will write, counted when it was asked for. */
    total: integer().notNull(),
    written: integer().notNull().default(0),
    /** The last event, by sequence, that it has dealt with. */
    throughSequence: wholeNumber().notNull().default(0),
    requestedBy: text().notNull(),
    createdAt: createdAt(),
    endedAt: instant(),
  },
  (t) => [
    uniqueIndex('replays_one_running').on(t.webhookId).where(sql`${t.status} = 'running'`),
    index('replays_of_webhook').on(t.webhookId, t.createdAt),
  ],
);

/** One delivery a (event, webhook), and one more each time it was sent again; its attempts stand beneath. */
export const deliveries = pgTable(
  'deliveries',
  {
    id: id(),
    eventId: text()
      .notNull()
      .references(() => events.id),
    webhookId: text()
      .notNull()
      .references(() => webhooks.id),
    /** The delivery that somebody had sent once more by this one; null for the one that the event brought. */
    resendOf: text(),
    /** The replay that wrote it. */
    replayId: text().references(() => replays.id),
    /** The event's: first attempts of a webhook are claimed in this order. */
    eventSequence: wholeNumber().notNull(),
    status: text({ enum: ['pending', 'retrying', 'success', 'failed', 'cancelled'] })
      .notNull()
      .default('pending'),
    /** Why it was cancelled; null of one that was cancelled before this was kept. */
    cancelReason: text({
      enum: [
        'webhook_paused',
        'webhook_disabled',
        'webhook_deleted',
        'backlog_full',
        'replay_cancelled',
        'event_pruned',
        'event_erased',
      ],
    }),
    /** Number of the attempt that is due next, from 1; the compare-and-set claim moves it on. */
    nextAttempt: integer().notNull().default(1),
    /** When the next attempt is due; null once the delivery has ended. */
    dueAt: instant().defaultNow(),
    /** An attempt is under way until this time (database clock). */
    leasedUntil: instant(),
    /** How often the next attempt's callback was republished, by the sweeper or because there was no room; -1 while the queue has not taken the first one. */
    sweeps: integer().notNull().default(0),
    responseCode: integer(),
    durationMs: integer(),
    deliveredAt: instant(),
    createdAt: createdAt(),
  },
  (t) => [
    uniqueIndex('deliveries_once').on(t.eventId, t.webhookId).where(sql`${t.resendOf} is null`),
    uniqueIndex('deliveries_once_a_replay').on(t.replayId, t.eventId).where(sql`${t.replayId} is not null`),
    // How many of a replay's are unfinished decides whether it goes on.
    index('deliveries_unfinished_of_replay')
      .on(t.replayId)
      .where(sql`${t.replayId} is not null and ${t.status} in ('pending', 'retrying')`),
    index('deliveries_resent').on(t.eventId).where(sql`${t.resendOf} is not null`),
    // "Not null" is implied by any comparison of the column, and keeps it out of the plans of claims (lib/webhooks/delivery/claim.ts).
    index('deliveries_due').on(t.dueAt).where(sql`${t.status} in ('pending', 'retrying') and ${t.dueAt} is not null`),
    index('deliveries_retrying').on(t.dueAt).where(sql`${t.status} = 'retrying'`),
    // How many of a webhook are undelivered decides whether it gets more, while it has never taken one.
    index('deliveries_retrying_of_webhook').on(t.webhookId).where(sql`${t.status} = 'retrying'`),
    // A dispatch slice steps through the webhooks that have a first attempt waiting.
    index('deliveries_waiting').on(t.webhookId, t.eventSequence).where(sql`${t.status} = 'pending'`),
    index('deliveries_leased').on(t.leasedUntil).where(sql`${t.leasedUntil} is not null`),
    index('deliveries_log').on(t.webhookId, t.createdAt, t.id),
    // What a tenant looks for in the log is rare.
    index('deliveries_failed').on(t.webhookId, t.createdAt, t.id).where(sql`${t.status} = 'failed'`),
    check('deliveries_attempts', sql`${t.nextAttempt} between 1 and 8`),
  ],
);

export const deliveryAttempts = pgTable(
  'delivery_attempts',
  {
    id: id(),
    deliveryId: text()
      .notNull()
      .references(() => deliveries.id),
    /** 1 to 7; an interrupted attempt is made again under the same number. */
    attempt: integer().notNull(),
    startedAt: instant().notNull(),
    /** Where it was sent: the webhook's URL at that time. */
    url: text(),
    /** What was sent beside the body, and what came back; names in lower case. Null while under way. */
    requestHeaders: jsonb().$type<Record<string, string>>(),
    responseHeaders: jsonb().$type<Record<string, string>>(),
    /** Null while under way. */
    durationMs: integer(),
    responseCode: integer(),
    errorKind: text({ enum: ['dns', 'refused', 'tls', 'timeout', 'policy', 'status', 'interrupted', 'network'] }),
    responseBody: text(),
    retryAfter: text(),
  },
  (t) => [
    index('delivery_attempts_delivery').on(t.deliveryId, t.attempt),
    // What is counted by the minute.
    index('delivery_attempts_time').on(t.startedAt),
    // At most one outcome a number: only interrupted tries may stand beside it.
    uniqueIndex('delivery_attempts_once')
      .on(t.deliveryId, t.attempt)
      .where(sql`${t.errorKind} is distinct from 'interrupted'`),
  ],
);
