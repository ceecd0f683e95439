import { operation, resource } from '#lib/api/route.ts';
import { getEventContract } from '#lib/webhooks/events/contracts.ts';
import { getEvent } from '#lib/webhooks/events/read-events.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getEventContract, (ctx, { params }) => getEvent(ctx, params.id)),
);
