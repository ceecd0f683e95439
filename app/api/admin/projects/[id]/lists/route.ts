import { operation, resource } from '#lib/api/route.ts';
import { adminListListsContract, createListContract } from '#lib/sales/lists/contracts.ts';
import { createList } from '#lib/sales/lists/create-list.ts';
import { listLists } from '#lib/sales/lists/list-lists.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(adminListListsContract, (ctx, { params, query }) =>
    listLists(ctx, { projectId: params.id, ...query, withDrafts: true }),
  ),
  operation(createListContract, (ctx, { params, body }) =>
    createList(ctx, { projectId: params.id, reason: body.reason }),
  ),
);
