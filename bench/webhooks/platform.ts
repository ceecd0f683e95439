import { sql } from 'drizzle-orm';
import { textArray } from '#lib/base/bulk.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { nowMs } from './now.ts';
import type { System } from './system.ts';
import type { Target, World } from './world.ts';

/** The platform: events by the outbox, a wake after the commit, slices called back by the queue. */
export function openPlatform(world: World): System {
  let receivers: readonly Target[] = [];
  return {
    name: 'tranche',
    async prepare(targets) {
      receivers = targets;
    },
    async fill(events) {
      await world.publish(events, null);
      return events * receivers.length;
    },
    start: () => wakeDispatch(world.ctx),
    async publish({ projectId }) {
      const [eventId = ''] = await world.publish(1, projectId);
      const committedAtMs = nowMs();
      await wakeDispatch(world.ctx);
      return { eventId, committedAtMs };
    },
    async isDone() {
      const result = await world.database.db.execute<{ open: boolean }>(sql`
        select exists (select from events where not fanned_out)
          or exists (
            select from deliveries where status in ('pending', 'retrying')
              and webhook_id = any (${textArray(receivers.map(({ webhookId }) => webhookId))})
          ) as open`);
      return result.rows[0]?.open === false;
    },
    rest: async () => undefined,
  };
}
