import { operation, resource } from '#lib/api/route.ts';
import { attemptDelivery } from '#lib/webhooks/delivery/attempt-delivery.ts';
import { attemptDeliveryContract } from '#lib/webhooks/log/contracts.ts';

/** One exchange with the receiver (at most 30 s), within this many seconds. */
export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(attemptDeliveryContract, (ctx, { body }) => attemptDelivery(ctx, body)),
);
