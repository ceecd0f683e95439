import { Text } from '#lib/api/answer.ts';
import { operation, resource } from '#lib/api/route.ts';
import { getSystemMetricsContract, PROMETHEUS_TEXT } from '#lib/ops/status/contracts.ts';
import { getMetrics } from '#lib/ops/status/get-metrics.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

export const { GET, POST, PATCH, PUT, DELETE, OPTIONS } = resource(
  operation(getSystemMetricsContract, async (ctx) => new Text(PROMETHEUS_TEXT, await getMetrics(ctx)), {
    ledger: lazyLedger,
  }),
);
