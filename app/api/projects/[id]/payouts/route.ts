import { operation, resource } from '#lib/http/route.ts';
import { Stream } from '#lib/http/stream.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { publishedPayoutsContract } from '#lib/sale/published/contracts.ts';
import { exportPayouts } from '#lib/sale/published/export-payouts.ts';

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
