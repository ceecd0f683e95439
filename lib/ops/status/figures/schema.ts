import { z } from 'zod';
import { isoTime } from '#lib/base/clock.ts';

const count = z.int().min(0);
const oldest = z.number().min(0).nullable().meta({ description: 'Age of the oldest, in seconds; null where none is' });

/** States of a payout that is not done with. */
export const OPEN_PAYOUT_STATES = ['scheduled', 'waiting_holder', 'ready', 'submitted', 'held'] as const;

export const systemMetrics = z
  .object({
    deliveries: z.object({
      waiting: count.meta({ description: 'First attempts not made yet; counted up to 10,000' }),
      waiting_oldest_seconds: oldest,
      retries_due: count.meta({ description: 'Retries whose time has come; counted up to 10,000' }),
      retries_due_oldest_seconds: oldest,
    }),
    deliveries_24h: z
      .object({
        delivered: count,
        given_up: count.meta({ description: 'Deliveries whose last attempt failed' }),
        failed_attempts: count,
        success_ratio: z.number().min(0).max(1).nullable().meta({
          description: 'Of the deliveries that ended, those that were taken; null where none ended',
        }),
        latency_ms: z.object({ p50: z.int().nullable(), p95: z.int().nullable() }).meta({
          description: 'From the making of a delivery to the receiver’s 2xx, retries included; to a tenth or so',
        }),
      })
      .meta({
        description: 'Attempts that began within 24 hours, as far as they are counted: up to three minutes ago',
      }),
    payouts: z
      .array(z.object({ status: z.enum(OPEN_PAYOUT_STATES), count, oldest_seconds: oldest }))
      .meta({ description: 'What is owed by state; the age counts from when it was due, and is 0 before that' }),
    held_payments: z.object({ count, oldest_seconds: oldest }),
    jobs: z.array(
      z.object({
        name: z.string().meta({ example: 'process-payments' }),
        last_started_at: isoTime.nullable(),
        last_finished_at: isoTime.nullable(),
        late: z.boolean().nullable().meta({
          description: 'True when its cron has not begun it for too long; null without a cron, or before its first run',
        }),
      }),
    ),
  })
  .meta({ id: 'SystemMetrics' });

export type SystemMetrics = z.output<typeof systemMetrics>;
