import { operation, resource } from '#lib/api/route.ts';
import { listOwnWebhooksContract } from '#lib/webhooks/contracts.ts';
import { listWebhooks } from '#lib/webhooks/registry/read-webhooks.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listOwnWebhooksContract, (ctx, { query }) => listWebhooks(ctx, query)),
);
