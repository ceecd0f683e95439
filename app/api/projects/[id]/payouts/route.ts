import { operation, resource } from '#lib/api/route.ts';
import { Stream } from '#lib/api/stream.ts';
import { publishedPayoutsContract } from '#lib/sales/published/contracts.ts';
import { exportPayouts } from '#lib/sales/published/export-payouts.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const maxDuration = 60;

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(
    publishedPayoutsContract,
    async (ctx, { params, query, mediaType }) => {
      const format = query.format ?? (mediaType === 'text/csv' ? 'csv' : 'jsonl');
      return new Stream(await exportPayouts(ctx, { ...params, ...query, format }));
    },
    { ledger: lazyLedger },
  ),
);
