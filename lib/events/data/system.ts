import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';

export const systemMaintenanceStart = z.object({
  maintenance_id: z.string(),
  message: z.string().meta({ description: 'What the operators announce' }),
  started_at: isoTime,
  expected_end_at: isoTime.nullable(),
});

export const systemMaintenanceEnd = z.object({
  maintenance_id: z.string(),
  message: z.string(),
  started_at: isoTime,
  ended_at: isoTime,
});

/** A webhook that the platform switched off. Its address stays out: it may hold a secret of that receiver. */
export const systemWebhookDisabled = z.object({
  webhook_id: z.string().regex(/^wh_/),
  reason: z.enum(['gone', 'failing']).meta({
    description:
      '`gone`: the last attempt of a delivery was answered 410. `failing`: nothing but failures for five days',
  }),
  message: z.string().meta({ description: 'What happened, and what to do' }),
  failing_since: isoTime.nullable(),
  disabled_at: isoTime,
});
