import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import type { Committed, Deliverer } from './deliverer.ts';
import { nowMs } from './now.ts';
import type { Target, World } from './world.ts';

/** Events of one transaction: what a page of the ledger brings. */
const PAGE = 1_000;
const POLL_MS = 50;

/** The platform: events by the outbox, a wake after each commit, slices called back by the queue. */
export function openTranche(world: World): Deliverer {
  let targets: readonly Target[] = [];
  let cpuMs = 0;
  const takeUsage = async () => {
    const usage = await world.takeUsage();
    cpuMs += usage.cpuMs;
    return usage;
  };
  const publish = async (count: number, projectId: string): Promise<Committed> => {
    const ids = await world.publish(count, projectId);
    const committedAtMs = nowMs();
    await wakeDispatch(world.ctx);
    return new Map(ids.map((id) => [id, committedAtMs]));
  };
  const targetAt = (n: number): Target => {
    const target = targets.at(n);
    if (target === undefined) throw new Error('There is no such receiver');
    return target;
  };
  return {
    name: 'tranche',
    async register(urls, urlOfAnother, events) {
      const register = events === 'same' ? world.registerTogether : world.register;
      targets = await register(urls, [urlOfAnother]);
    },
    publishTo: (receiver) => publish(1, targetAt(receiver).projectId),
    publishToAnother: () => publish(1, targetAt(-1).projectId),
    async publishAll(events) {
      const committed: Committed = new Map();
      for (let from = 0; from < events; from += PAGE) {
        for (const each of await publish(Math.min(PAGE, events - from), targetAt(0).projectId)) committed.set(...each);
      }
      return committed;
    },
    async settle() {
      for (;;) {
        const { rows } = await world.database.db.execute(sql`
          select from deliveries where status in ('pending', 'retrying') union all select from events where not fanned_out limit 1`);
        if (rows.length === 0) return;
        await pause(POLL_MS);
      }
    },
    async cpuMs() {
      await takeUsage();
      return cpuMs + (await world.databaseCpuMs());
    },
    memoryMb: async () => (await takeUsage()).rssMb,
  };
}
