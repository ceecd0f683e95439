import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import { cursorQuery } from '#lib/base/cursor.ts';
import { xrpCodec } from '#lib/base/money-codecs.ts';
import { holdsSeed, SEED_WARNING } from '#lib/base/plain-text.ts';
import { accountAddress } from '#lib/xrpl/address.ts';
import { readers, writers } from './access.ts';
import { givenHeaders } from './custom-headers.ts';
import * as given from './given-fields.ts';
import * as schemas from './schemas.ts';

const onlyId = z.strictObject({ id: schemas.webhookId });

export const registerWebhookBody = z.strictObject({
  url: given.givenUrl,
  events: given.subscribedEvents.optional(),
  project_id: given.givenProjectId.optional(),
  min_amount_xrp: given.givenMinAmount.optional(),
  statuses: given.givenStatuses.optional(),
  active: schemas.active.default(true),
  description: given.givenDescription.default(''),
  headers: givenHeaders.optional(),
  rate_limit: given.givenRateLimit.optional(),
});

export const registerWebhookContract = defineContract({
  id: 'registerWebhook',
  method: 'POST',
  path: '/webhooks',
  alias: '/api/webhooks',
  tag: 'webhooks',
  summary: 'Register a webhook. Its signing secret is shown once, in this answer.',
  access: writers,
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
  summary: 'List webhooks, newest first',
  access: readers,
  rateLimit: 'read',
  query: z.strictObject(cursorQuery),
  responses: { 200: z.lazy(() => z.object({ webhooks: z.array(schemas.webhook), next_cursor: schemas.nextCursor })) },
});

const { alias: _, ...listWebhooks } = listWebhooksContract;

export const listOwnWebhooksContract = defineContract({
  ...listWebhooks,
  tag: 'owners',
  access: [{ kind: 'member', role: 'viewer' }],
  id: 'listOwnWebhooks',
  path: '/api/owner/webhooks',
  summary: 'List the webhooks of the tenant, newest first; its API keys change them',
});

export const getWebhookContract = defineContract({
  id: 'getWebhook',
  method: 'GET',
  path: '/api/webhooks/{id}',
  alias: '/webhooks/{id}',
  tag: 'webhooks',
  summary: 'Get a webhook',
  access: readers,
  rateLimit: 'read',
  params: onlyId,
  responses: { 200: schemas.webhook },
  errors: ['webhook_not_found'],
});

export const updateWebhookBody = z.strictObject({
  url: given.givenUrl.optional(),
  events: given.subscribedEvents.optional(),
  project_id: given.givenProjectId.optional(),
  min_amount_xrp: given.givenMinAmount.optional(),
  statuses: given.givenStatuses.optional(),
  active: schemas.active.optional(),
  description: given.givenDescription.optional(),
  headers: givenHeaders.optional(),
  rate_limit: given.givenRateLimit.optional(),
});

export const updateWebhookContract = defineContract({
  id: 'updateWebhook',
  method: 'PATCH',
  path: '/api/webhooks/{id}',
  alias: '/webhooks/{id}',
  tag: 'webhooks',
  summary: 'Update a webhook. Fields left out stay as they are.',
  access: writers,
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
  summary: 'Delete a webhook. Its waiting deliveries are cancelled.',
  access: writers,
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
        'Values that override fields of the sample data. `amount_xrp` and `investor_account` go with `investment.*` events; any other field must be a field of that event’s data',
      example: { amount_xrp: '250.000000', investor_account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh' },
    }),
});

export const sendTestEventContract = defineContract({
  id: 'sendTestEvent',
  method: 'POST',
  path: '/webhooks/test',
  alias: '/api/webhooks/test',
  tag: 'webhooks',
  summary: 'Send a test event once, now, and get the receiver’s answer',
  access: writers,
  rateLimit: 'write',
  idempotent: true,
  body: sendTestEventBody,
  responses: { 200: schemas.deliveryRecord },
  errors: ['webhook_not_found'],
});

const rotation = {
  tag: 'webhooks',
  access: writers,
  rateLimit: 'write',
  params: z.strictObject({ webhook_id: schemas.webhookId }),
  errors: ['webhook_not_found', 'conflict'],
} as const;
const rotationPath = {
  path: '/webhooks/{webhook_id}/rotate-secret',
  alias: '/api/webhooks/{webhook_id}/rotate-secret',
} as const;

export const rotateSecretContract = defineContract({
  ...rotation,
  ...rotationPath,
  id: 'rotateWebhookSecret',
  method: 'POST',
  idempotent: true,
  summary: 'Start a rotation of the signing secret. The new secret is shown once, in this answer.',
  responses: { 200: schemas.webhookWithSecret },
});

export const cancelRotationContract = defineContract({
  ...rotation,
  ...rotationPath,
  id: 'cancelWebhookSecretRotation',
  method: 'DELETE',
  summary: 'Cancel the rotation: the old secret stays',
  responses: { 200: schemas.webhook },
});

export const commitRotationContract = defineContract({
  ...rotation,
  path: '/webhooks/{webhook_id}/rotate-secret/commit',
  alias: '/api/webhooks/{webhook_id}/rotate-secret/commit',
  id: 'commitWebhookSecretRotation',
  method: 'POST',
  idempotent: true,
  summary: 'Commit the rotation: only the new secret remains',
  responses: { 200: schemas.webhook },
});

export const eventTypeEntry = z.lazy(() =>
  z.object({
    type: schemas.eventTypeField,
    category: z.enum(['investment', 'project', 'system']),
    description: z.string(),
    recipients: z.enum(['everyone', 'owner', 'administrators']).meta({
      description:
        'Whose webhooks receive it: of everyone, of the owner of what it is about, or of administrators only',
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
  }),
);
export type EventTypeEntry = z.output<typeof eventTypeEntry>;

export const listEventTypesContract = defineContract({
  id: 'listEventTypes',
  method: 'GET',
  path: '/api/webhooks/event-types',
  alias: '/webhooks/event-types',
  tag: 'webhooks',
  summary: 'List the event types with an example of each',
  access: [{ kind: 'public' }],
  rateLimit: 'read',
  responses: { 200: z.lazy(() => z.object({ event_types: z.array(eventTypeEntry) })) },
  cacheControl: 'public, max-age=300',
});
