import { operation, resource } from '#lib/api/route.ts';
import { listListsContract } from '#lib/sales/lists/contracts.ts';
import { listLists } from '#lib/sales/lists/list-lists.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listListsContract, (ctx, { params, query }) =>
    listLists(ctx, { projectId: params.id, ...query, withDrafts: false }),
  ),
);
