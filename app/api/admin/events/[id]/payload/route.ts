import { operation, resource } from '#lib/api/route.ts';
import { eraseEventContract } from '#lib/webhooks/events/contracts.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(eraseEventContract, (ctx, { params, query }) =>
    import('#lib/webhooks/events/erase-event.ts').then(({ eraseEvent }) => eraseEvent(ctx, params.id, query.reason)),
  ),
);
