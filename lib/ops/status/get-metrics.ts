import Gauge from 'prom-client/lib/gauge.js';
import Registry from 'prom-client/lib/registry.js';
import type { Ctx } from '#lib/ctx.ts';
import type { SystemStatus } from './contracts.ts';
import { gaugesOf, PREFIX } from './gauges.ts';
import { getStatus } from './get-status.ts';

/** A status as Prometheus text. A registry a call: what is gone since the last one must not be told again. */
async function toPrometheus(status: SystemStatus): Promise<string> {
  const registry = new Registry();
  for (const { name, help, samples } of gaugesOf(status)) {
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
