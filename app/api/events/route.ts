import { operation, resource } from '#lib/api/route.ts';
import { listEventsContract } from '#lib/webhooks/events/contracts.ts';
import { listEvents } from '#lib/webhooks/events/read-events.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listEventsContract, (ctx, { query }) => listEvents(ctx, query)),
);
