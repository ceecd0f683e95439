import { operation, resource } from '#lib/http/route.ts';
import { adminListListsContract, createListContract } from '#lib/sale/lists/contracts.ts';
import { createList } from '#lib/sale/lists/create-list.ts';
import { listLists } from '#lib/sale/lists/list-lists.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(adminListListsContract, (ctx, { params, query }) =>
    listLists(ctx, { projectId: params.id, ...query, withDrafts: true }),
  ),
  operation(createListContract, (ctx, { params, body }) =>
    createList(ctx, { projectId: params.id, reason: body.reason }),
  ),
);
