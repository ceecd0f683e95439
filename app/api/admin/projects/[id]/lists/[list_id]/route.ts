import { operation, resource } from '#lib/http/route.ts';
import { discardListContract } from '#lib/sale/lists/contracts.ts';
import { discardList } from '#lib/sale/lists/discard-list.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(discardListContract, (ctx, { params, query }) =>
    discardList(ctx, { projectId: params.id, listId: params.list_id, reason: query.reason }),
  ),
);
