import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { readers, writers } from '#lib/webhooks/access.ts';
import { subscribedEvents } from '#lib/webhooks/given-fields.ts';
import * as schemas from '#lib/webhooks/schemas.ts';

const count = z.int().min(0);
const replayId = z
  .string()
  .max(64)
  .regex(/^rpl_[0-9A-Za-z]+$/, 'must be a replay id (rpl_…)')
  .meta({ description: 'Identifier of the replay', example: 'rpl_4qUZk0r2bJ8sVd1mX7nTqL' });
const selection = z.enum(['failed', 'all']).meta({
  description:
    'failed: events of which nothing was delivered since the webhook is there, also those it missed while it was inactive; all: every event that it subscribes to now, also what was delivered, and what is older than it',
  example: 'failed',
});

const replayResource = z.lazy(() =>
  z.object({
    id: replayId,
    webhook_id: schemas.webhookId,
    from: schemas.instant,
    to: schemas.instant,
    selection,
    event_types: z
      .array(z.string())
      .nullable()
      .meta({ description: 'Null: every type that the webhook subscribes to' }),
    status: z.enum(['running', 'finished', 'cancelled']).meta({
      description: 'finished: every delivery is created; attempts continue',
      example: 'running',
    }),
    total: count.meta({ description: 'Deliveries to create, counted at the start', example: 1200 }),
    written: count.meta({ description: 'Of them, made so far', example: 300 }),
    delivered: count.meta({ description: 'Of those written, ended with success', example: 250 }),
    failed: count.meta({ description: 'Of those written, ended without', example: 2 }),
    cancelled: count.meta({ description: 'Of those written, cancelled' }),
    created_at: schemas.instant,
    ended_at: schemas.instant.nullable(),
  }),
);
export type Replay = z.output<typeof replayResource>;

const replayCount = z.object({
  dry_run: z.literal(true),
  total: count.meta({
    description: 'Deliveries that the replay would make; counting ends at 100001, one more than a replay takes on',
    example: 1200,
  }),
  missed: count.meta({ description: 'Of them, for events that were never sent to this webhook' }),
  pruned: count.meta({
    description: 'Events that cannot be sent again: their payload was removed, not in `total`; counted alike',
  }),
});
export type ReplayCount = z.output<typeof replayCount>;

const position = {
  path: '/webhooks/{webhook_id}/replays',
  alias: '/api/webhooks/{webhook_id}/replays',
  tag: 'webhooks',
  params: z.strictObject({ webhook_id: schemas.webhookId }),
} as const;
const oneSlot = {
  path: '/webhooks/{webhook_id}/replays/{replay_id}',
  alias: '/api/webhooks/{webhook_id}/replays/{replay_id}',
  tag: 'webhooks',
  params: z.strictObject({ webhook_id: schemas.webhookId, replay_id: replayId }),
} as const;

const startReplayBody = z
  .strictObject({
    from: schemas.givenTime.meta({ description: 'Events of this time or later' }),
    to: schemas.givenTime.optional().meta({ description: 'Events before this time; now when left out or later' }),
    selection: selection.default('failed'),
    event_types: subscribedEvents.optional().meta({ description: 'Only these types of event' }),
    dry_run: z.boolean().default(false).meta({ description: 'Only count' }),
  })
  .refine(schemas.isForward, schemas.FORWARD_FAULT);
export type StartReplay = z.output<typeof startReplayBody>;

export const startReplayContract = defineContract({
  ...position,
  id: 'startReplay',
  method: 'POST',
  summary: 'Replay the events of a time range, at a low rate beside live events. Count them first with `dry_run`.',
  access: writers,
  rateLimit: 'write',
  idempotent: true,
  body: startReplayBody,
  responses: { 200: replayCount, 202: replayResource },
  errors: ['webhook_not_found', 'conflict'],
});

export const listReplaysContract = defineContract({
  ...position,
  id: 'listReplays',
  method: 'GET',
  summary: 'List the replays of a webhook, newest first',
  access: readers,
  rateLimit: 'read',
  query: z.strictObject(cursorQuery),
  responses: { 200: z.lazy(() => z.object({ replays: z.array(replayResource), next_cursor: schemas.nextCursor })) },
  errors: ['webhook_not_found'],
});

export const getReplayContract = defineContract({
  ...oneSlot,
  id: 'getReplay',
  method: 'GET',
  summary: 'Get the progress of a replay',
  access: readers,
  rateLimit: 'read',
  responses: { 200: replayResource },
  errors: ['webhook_not_found', 'not_found'],
});

export const cancelReplayContract = defineContract({
  ...oneSlot,
  path: `${oneSlot.path}/cancel`,
  alias: `${oneSlot.alias}/cancel`,
  id: 'cancelReplay',
  method: 'POST',
  summary: 'Cancel a replay: no more deliveries are created, and its unfinished ones are cancelled',
  access: writers,
  rateLimit: 'write',
  idempotent: true,
  responses: { 200: replayResource },
  errors: ['webhook_not_found', 'not_found', 'conflict'],
});
