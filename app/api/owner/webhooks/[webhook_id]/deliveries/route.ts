import { operation, resource } from '#lib/api/route.ts';
import { listOwnDeliveriesContract } from '#lib/webhooks/log/contracts.ts';
import { listDeliveries } from '#lib/webhooks/log/read-deliveries.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listOwnDeliveriesContract, (ctx, { params, query }) => listDeliveries(ctx, params.webhook_id, query)),
);
