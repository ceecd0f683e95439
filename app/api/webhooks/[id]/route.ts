import { operation, resource } from '#lib/api/route.ts';
import { deleteWebhookContract, getWebhookContract, updateWebhookContract } from '#lib/webhooks/contracts.ts';
import { deleteWebhook, updateWebhook } from '#lib/webhooks/registry/change-webhook.ts';
import { getWebhook } from '#lib/webhooks/registry/read-webhooks.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getWebhookContract, (ctx, { params }) => getWebhook(ctx, params.id)),
  operation(updateWebhookContract, (ctx, { params, body }) => updateWebhook(ctx, params.id, body)),
  operation(deleteWebhookContract, (ctx, { params }) => deleteWebhook(ctx, params.id)),
);
