import { operation, resource } from '#lib/api/route.ts';
import { discardOwnListContract } from '#lib/sales/lists/contracts.ts';
import { discardList } from '#lib/sales/lists/discard-list.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(discardOwnListContract, (ctx, { params, query }) =>
    discardList(ctx, { projectId: params.id, listId: params.list_id, reason: query.reason }),
  ),
);
