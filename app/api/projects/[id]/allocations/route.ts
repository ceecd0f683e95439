import { etagOf } from '#lib/api/answer.ts';
import { operation, resource } from '#lib/api/route.ts';
import { Stream } from '#lib/api/stream.ts';
import { allocationsContract } from '#lib/sales/allocations/contracts.ts';
import { exportAllocations } from '#lib/sales/published/export-allocations.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(allocationsContract, async (ctx, { params, query, mediaType }) => {
    const format = query.format ?? (mediaType === 'text/csv' ? 'csv' : 'jsonl');
    const { name, ...parts } = await exportAllocations(ctx, { ...params, ...query, format });
    return new Stream({ ...parts, etag: etagOf(name) });
  }),
);
