import type { SystemStatus } from '../contracts.ts';
import type { Metric } from './metric.ts';
import { partMetrics } from './part-metrics.ts';
import { invariantMetrics, wholeMetrics } from './whole-metrics.ts';
import { deliveryMetrics, workMetrics } from './work-metrics.ts';

/** Every figure of a status as gauges, without their prefix. Pure. */
export const metricsOf = (status: SystemStatus): Metric[] => [
  ...wholeMetrics(status),
  ...partMetrics(status),
  ...deliveryMetrics(status.metrics),
  ...workMetrics(status.metrics),
  ...invariantMetrics(status),
];
