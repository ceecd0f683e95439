import { operation, resource } from '#lib/http/route.ts';
import { Text } from '#lib/http/text.ts';
import { lazyLedger } from '#lib/ledger/lazy.ts';
import { getSystemMetricsContract, PROMETHEUS_TEXT } from '#lib/system/metrics/contracts.ts';
import { getMetrics } from '#lib/system/metrics/get-metrics.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getSystemMetricsContract, async (ctx) => new Text(PROMETHEUS_TEXT, await getMetrics(ctx)), {
    ledger: lazyLedger,
  }),
);
