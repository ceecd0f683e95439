import { operation, resource } from '#lib/http/route.ts';
import { Stream } from '#lib/http/stream.ts';
import { publishedPaymentsContract } from '#lib/sale/published/contracts.ts';
import { exportPayments } from '#lib/sale/published/export-payments.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(publishedPaymentsContract, async (ctx, { params, query, mediaType }) => {
    const format = query.format ?? (mediaType === 'text/csv' ? 'csv' : 'jsonl');
    return new Stream(await exportPayments(ctx, { ...params, ...query, format }));
  }),
);
