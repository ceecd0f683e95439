import { operation, resource } from '#lib/api/route.ts';
import { Stream } from '#lib/api/stream.ts';
import { getListContract } from '#lib/sales/lists/contracts.ts';
import { getList } from '#lib/sales/lists/get-list.ts';

/** A slow reader of 100,000 lines. */
export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getListContract, async (ctx, { params, mediaType }) => {
    const { hash, lines } = await getList(ctx, { projectId: params.id, listId: params.list_id });
    return new Stream({ contentType: mediaType, chunks: lines, etag: `"${hash}"` });
  }),
);
