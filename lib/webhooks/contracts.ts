import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { xrpCodec } from '#lib/base/money.ts';
import { holdsSeed, SEED_WARNING } from '#lib/base/seed-text.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { readers as read, writers as write } from './access.ts';
import { MAX_ATTEMPTS } from './delivery/schedule.ts';
import * as schemas from './schemas.ts';

const onlyId = z.strictObject({ id: schemas.webhookId });

export const registerWebhookBody = z.strictObject({
  url: schemas.givenUrl,
  events: schemas.subscribedEvents.optional(),
  project_id: schemas.givenProjectId.optional(),
  active: schemas.active.default(true),
  description: schemas.givenDescription.default(''),
});

export const registerWebhookContract = defineContract({
  id: 'registerWebhook',
  method: 'POST',
  path: '/webhooks',
  alias: '/api/webhooks',
  tag: 'webhooks',
  summary: 'Register a webhook. Its signing secret is shown once, in this answer.',
  access: write,
  rateLimit: 'write',
  idempotent: true,
  body: registerWebhookBody,
  responses: {
    201: schemas.webhookWithSecret,
  },
  errors: ['limit_reached', 'ledger_unavailable'],
});

export const listWebhooksContract = defineContract({
  id: 'listWebhooks',
  method: 'GET',
  path: '/api/webhooks',
  alias: '/webhooks',
  tag: 'webhooks',
  summary: 'List webhooks, the newest first',
  access: read,
  rateLimit: 'read',
  query: z.strictObject(cursorQuery),
  responses: { 200: z.object({ webhooks: z.array(schemas.webhook), next_cursor: schemas.nextCursor }) },
});

export const getWebhookContract = defineContract({
  id: 'getWebhook',
  method: 'GET',
  path: '/api/webhooks/{id}',
  alias: '/webhooks/{id}',
  tag: 'webhooks',
  summary: 'Read a webhook',
  access: read,
  rateLimit: 'read',
  params: onlyId,
  responses: { 200: schemas.webhook },
  errors: ['webhook_not_found'],
});

export const updateWebhookBody = z.strictObject({
  url: schemas.givenUrl.optional(),
  events: schemas.subscribedEvents.optional(),
  project_id: schemas.givenProjectId.optional(),
  active: schemas.active.optional(),
  description: schemas.givenDescription.optional(),
});

export const updateWebhookContract = defineContract({
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  alias: '/webhooks/{id}',
  tag: 'webhooks',
  summary: 'Change a webhook. Fields left out stay as they are.',
  access: write,
  rateLimit: 'write',
  params: onlyId,
  body: updateWebhookBody,
  responses: { 200: schemas.webhook },
  errors: ['webhook_not_found', 'limit_reached'],
});

export const deleteWebhookContract = defineContract({
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/api/webhooks/{id}',
  alias: '/webhooks/{id}',
  tag: 'webhooks',
  summary: 'Delete a webhook. What still waits for it is cancelled.',
  access: write,
  rateLimit: 'write',
  params: onlyId,
  responses: { 200: schemas.deletedWebhook },
  errors: ['webhook_not_found'],
});

export const sendTestEventBody = z.strictObject({
  webhook_id: schemas.webhookId,
  event_type: schemas.eventTypeField,
  test_data: z
    .looseObject({
      amount_xrp: xrpCodec.optional(),
      investor_account: accountAddress.optional(),
    })
    .refine((data) => !holdsSeed(data), SEED_WARNING)
    .default({})
    .meta({
      description:
        'Values laid over the sample’s data. `amount_xrp` and `investor_account` go with `investment.*` events; any other field must be a field of that event’s data',
      example: { amount_xrp: '250.000000', investor_account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' },
    }),
});

export const sendTestEventContract = defineContract({
  id: 'sendTestEvent',
  method: 'POST',
  path: '/webhooks/test',
  alias: '/api/webhooks/test',
  tag: 'webhooks',
  summary: 'Send a test event now, once, and read what the receiver answered',
  access: write,
  rateLimit: 'write',
  idempotent: true,
  body: sendTestEventBody,
  responses: { 200: schemas.deliveryRecord },
  errors: ['webhook_not_found'],
});

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
  summary: 'Read the delivery log of a webhook, the newest first',
  access: read,
  rateLimit: 'read',
  params: z.strictObject({ webhook_id: schemas.webhookId }),
  query: listDeliveriesQuery,
  responses: { 200: z.object({ deliveries: z.array(schemas.deliveryRecord), next_cursor: schemas.nextCursor }) },
  errors: ['webhook_not_found'],
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
    attempt: z.int().min(1).max(MAX_ATTEMPTS).meta({ description: 'Number of the attempt', example: 2 }),
    republished: z
      .int()
      .min(0)
      .default(0)
      .meta({ description: 'How many callbacks of this attempt were published before this one', example: 0 }),
  }),
  responses: { 200: z.object({ outcome: schemas.callbackOutcome }) },
});
