import { operation, resource } from '#lib/api/route.ts';
import { listDeliveriesContract } from '#lib/webhooks/log/contracts.ts';
import { listDeliveries } from '#lib/webhooks/log/read-deliveries.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listDeliveriesContract, (ctx, { params, query }) => listDeliveries(ctx, params.webhook_id, query)),
);
