import { operation, resource } from '#lib/api/route.ts';
import { listWebhooksContract, registerWebhookContract } from '#lib/webhooks/contracts.ts';
import { listWebhooks } from '#lib/webhooks/registry/read-webhooks.ts';
import { registerWebhook } from '#lib/webhooks/registry/register-webhook.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listWebhooksContract, (ctx, { query }) => listWebhooks(ctx, query)),
  operation(registerWebhookContract, (ctx, { body }) => registerWebhook(ctx, body), { ledger: lazyLedger }),
);
