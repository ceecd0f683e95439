import { z } from 'zod';

/** A schedule as QStash shows it: what matters here. */
export const foundSchedule = z.object({
  scheduleId: z.string(),
  destination: z.string(),
  cron: z.string(),
  method: z.string(),
  header: z.record(z.string(), z.array(z.string())).optional(),
  isPaused: z.boolean(),
});
export type FoundSchedule = z.output<typeof foundSchedule>;
