import { operation, resource } from '#lib/api/route.ts';
import { resendDeliveryContract } from '#lib/webhooks/log/contracts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(resendDeliveryContract, (ctx, { params }) =>
    import('#lib/webhooks/log/resend-delivery.ts').then(({ resendDelivery }) =>
      resendDelivery(ctx, params.webhook_id, params.delivery_id),
    ),
  ),
);
