import { operation, resource } from '#lib/api/route.ts';
import { Stream } from '#lib/api/stream.ts';
import { publishedPaymentsContract } from '#lib/sales/published/contracts.ts';
import { exportPayments } from '#lib/sales/published/export-payments.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(publishedPaymentsContract, async (ctx, { params, query, mediaType }) => {
    const format = query.format ?? (mediaType === 'text/csv' ? 'csv' : 'jsonl');
    return new Stream(await exportPayments(ctx, { ...params, ...query, format }));
  }),
);
