import { operation, resource } from '#lib/http/route.ts';
import { listListsContract } from '#lib/sale/lists/contracts.ts';
import { listLists } from '#lib/sale/lists/list-lists.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(listListsContract, (ctx, { params, query }) =>
    listLists(ctx, { projectId: params.id, ...query, withDrafts: false }),
  ),
);
