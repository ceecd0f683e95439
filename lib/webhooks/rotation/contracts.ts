import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';
import * as schemas from '#lib/webhooks/schemas.ts';

const write = [
  { kind: 'api_key', scope: 'webhooks:write' },
  { kind: 'administrator', role: 'operator' },
] as const;

const shared = {
  tag: 'webhooks',
  access: write,
  rateLimit: 'write',
  params: z.strictObject({ webhook_id: schemas.webhookId }),
  errors: ['webhook_not_found', 'conflict'],
} as const;
const place = {
  path: '/webhooks/{webhook_id}/rotate-secret',
  alias: '/api/webhooks/{webhook_id}/rotate-secret',
} as const;

export const rotateSecretContract = defineContract({
  ...shared,
  ...place,
  id: 'rotateWebhookSecret',
  method: 'POST',
  idempotent: true,
  summary: 'Begin a rotation of the signing secret. The new one is shown once, in this answer.',
  responses: { 200: schemas.webhookWithSecret },
});

export const cancelRotationContract = defineContract({
  ...shared,
  ...place,
  id: 'cancelWebhookSecretRotation',
  method: 'DELETE',
  summary: 'Cancel the rotation under way: the old secret stays',
  responses: { 200: schemas.webhook },
});

export const commitRotationContract = defineContract({
  ...shared,
  path: '/webhooks/{webhook_id}/rotate-secret/commit',
  alias: '/api/webhooks/{webhook_id}/rotate-secret/commit',
  id: 'commitWebhookSecretRotation',
  method: 'POST',
  idempotent: true,
  summary: 'Commit the rotation under way: the new secret is the only one',
  responses: { 200: schemas.webhook },
});
