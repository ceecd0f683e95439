import { operation, resource } from '#lib/http/route.ts';
import { addEntries } from '#lib/sale/lists/add-entries.ts';
import { addEntriesContract } from '#lib/sale/lists/contracts.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(addEntriesContract, (ctx, { params, body }) =>
    addEntries(ctx, { projectId: params.id, listId: params.list_id, ...body }),
  ),
);
