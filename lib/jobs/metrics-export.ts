import { exportMetrics } from '#lib/ops/status/export-metrics.ts';
import { defineJob } from './engine.ts';

/** Sends the metrics to an OTLP receiver, where there is one. The last job of a slice: one that hangs keeps no other waiting. */
export const metricsExport = defineJob({
  name: 'metrics-export',
  schedule: { everySeconds: 60 },
  budgetMs: 250,
  leaseSeconds: 15,
  async run(ctx) {
    const fault = await exportMetrics(ctx);
    if (fault === null) return {};
    ctx.log.warn({ reason: fault }, 'the OTLP receiver has not taken the metrics');
    return { faults: [`metrics-export: ${fault}`] };
  },
});
