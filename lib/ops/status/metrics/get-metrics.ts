import { Gauge, Registry } from 'prom-client';
import type { Ctx } from '#lib/ctx.ts';
import type { SystemStatus } from '../contracts.ts';
import { getStatus } from '../get-status.ts';
import { metricsOf } from './all-metrics.ts';

const PREFIX = 'tranche_';

/** A status as Prometheus text. A registry a call: what is gone since the last one must not be told again. */
export async function toPrometheus(status: SystemStatus): Promise<string> {
  const registry = new Registry();
  for (const { name, help, samples } of metricsOf(status)) {
    const [first] = samples;
    if (first === undefined) continue;
    const gauge = new Gauge({
      name: `${PREFIX}${name}`,
      help,
      labelNames: Object.keys(first.labels),
      registers: [registry],
    });
    for (const { labels, value } of samples) gauge.set(labels, value);
  }
  return registry.metrics();
}

/** The figures of the system status, at most three seconds old, as Prometheus text. Answers also while parts are away. */
export const getMetrics = async (ctx: Ctx): Promise<string> => toPrometheus(await getStatus(ctx));
