import { writeReplays } from '#lib/webhooks/replay/write-replays.ts';
import { defineJob } from './engine.ts';

/** Brings running replays further. What is left is written by the slices that deliver. */
export const replays = defineJob({
  name: 'replays',
  schedule: 'every slice',
  budgetMs: 250,
  leaseSeconds: 15,
  run: async (ctx, { deadlineMs }) => ({ written: await writeReplays(ctx, deadlineMs) }),
});
