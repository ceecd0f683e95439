import { operation, resource } from '#lib/api/route.ts';
import { eraseEventContract } from '#lib/webhooks/events/contracts.ts';
import { eraseEvent } from '#lib/webhooks/events/erase-event.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(eraseEventContract, (ctx, { params, query }) => eraseEvent(ctx, params.id, query.reason)),
);
