import { operation, resource } from '#lib/api/route.ts';
import { createOwnListContract, listOwnListsContract } from '#lib/sales/lists/contracts.ts';
import { createList } from '#lib/sales/lists/create-list.ts';
import { listLists } from '#lib/sales/lists/list-lists.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listOwnListsContract, (ctx, { params, query }) =>
    listLists(ctx, { projectId: params.id, ...query, withDrafts: true }),
  ),
  operation(createOwnListContract, (ctx, { params, body }) =>
    createList(ctx, { projectId: params.id, reason: body.reason }),
  ),
);
