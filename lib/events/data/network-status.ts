import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';

/** Parts of the platform whose health is told; `platform` is all of them together. */
export const HEALTH_PARTS = ['platform', 'database', 'cache', 'ledger', 'queue'] as const;
export const HEALTH_STATUSES = ['operational', 'degraded', 'down'] as const;

const healthStatus = z.enum(HEALTH_STATUSES);

/** A part of the platform got worse, or better: sent once for each such change. */
export const systemNetworkStatus = z.object({
  part: z.enum(HEALTH_PARTS).meta({
    description: 'What has changed; `platform` is the overall status. Each change is an event of its own',
  }),
  status: healthStatus,
  previous: healthStatus.meta({ description: 'What was announced before' }),
  since: isoTime.meta({ description: 'When it was first seen; a change for the worse is announced a look later' }),
  detail: z.string().meta({ description: 'What it means for who uses the platform', example: 'All is well again.' }),
});
