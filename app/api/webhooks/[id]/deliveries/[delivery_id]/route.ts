import { operation, resource } from '#lib/api/route.ts';
import { getDeliveryContract } from '#lib/webhooks/log/contracts.ts';
import { getDelivery } from '#lib/webhooks/log/read-deliveries.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getDeliveryContract, (ctx, { params }) => getDelivery(ctx, params.webhook_id, params.delivery_id)),
);
