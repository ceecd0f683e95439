import { operation, resource } from '#lib/api/route.ts';
import { deleteWebhookContract, getWebhookContract, updateWebhookContract } from '#lib/webhooks/contracts.ts';
import { getWebhook } from '#lib/webhooks/registry/read-webhooks.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getWebhookContract, (ctx, { params }) => getWebhook(ctx, params.id)),
  operation(updateWebhookContract, (ctx, { params, body }) =>
    import('#lib/webhooks/registry/change-webhook.ts').then(({ updateWebhook }) => updateWebhook(ctx, params.id, body)),
  ),
  operation(deleteWebhookContract, (ctx, { params }) =>
    import('#lib/webhooks/registry/change-webhook.ts').then(({ deleteWebhook }) => deleteWebhook(ctx, params.id)),
  ),
);
