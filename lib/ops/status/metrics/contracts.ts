import { z } from 'zod';
import { defineContract } from '#lib/base/contract.ts';

export const PROMETHEUS_TEXT = 'text/plain; version=0.0.4; charset=utf-8';

export const getSystemMetricsContract = defineContract({
  id: 'getSystemMetrics',
  method: 'GET',
  path: '/api/system/metrics',
  tag: 'admin',
  summary: 'The figures of the system status as Prometheus text, for a scraper with an administrator’s token',
  access: [{ kind: 'administrator', role: 'read_only' }],
  rateLimit: 'internal',
  responses: {
    200: z.string().meta({
      description: 'Prometheus text format 0.0.4; what is not known has no sample',
      example: 'tranche_status{status="operational"} 1',
    }),
  },
  textType: 'text/plain',
});
