import { operation, resource } from '#lib/api/route.ts';
import { addEntries } from '#lib/sales/lists/add-entries.ts';
import { addOwnEntriesContract } from '#lib/sales/lists/contracts.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(addOwnEntriesContract, (ctx, { params, body }) =>
    addEntries(ctx, { projectId: params.id, listId: params.list_id, ...body }),
  ),
);
