import { sql } from 'drizzle-orm';
import { PgBoss } from 'pg-boss';
import { eventId, serialiseEvent } from '#lib/events/envelope.ts';
import { nowMs } from './now.ts';
import { type PeerJob, type PeerProcess, QUEUE } from './peer-process.ts';
import type { System } from './system.ts';
import { CONNECTIONS, newEvent, type Target, type World } from './world.ts';

/** admin_shutdown: its idle connections end with the database. */
const SHUTDOWN = '57P01';

/** Jobs of one insert. */
const BATCH = 1_000;

function jobsOf(targets: readonly Target[]): PeerJob[] {
  const event = newEvent(null);
  const id = eventId(event.type, event.subject);
  const body = serialiseEvent(event, id);
  return targets.map(({ url, webhookId, sealedSecret }) => ({ url, webhookId, sealedSecret, eventId: id, body }));
}

/** pg-boss in the same database: one job a delivery. */
export async function openPgBoss(world: World, peer: PeerProcess): Promise<System & { end(): Promise<void> }> {
  const { databaseUrl, settings } = world;
  const boss = new PgBoss({ connectionString: databaseUrl, max: CONNECTIONS, supervise: false, schedule: false });
  boss.on('error', (error) => {
    if (!('code' in error) || error.code !== SHUTDOWN) process.stderr.write(`pg-boss: ${error.message}\n`);
  });
  await boss.start();
  await boss.createQueue(QUEUE, { notify: true });
  await peer.order({ kind: 'open', databaseUrl, connections: CONNECTIONS, settings });
  let receivers: readonly Target[] = [];
  return {
    name: 'pg-boss',
    async prepare(targets) {
      receivers = targets;
      await boss.deleteAllJobs(QUEUE);
    },
    async fill(events) {
      const jobs = Array.from({ length: events }, () => jobsOf(receivers)).flat();
      for (let from = 0; from < jobs.length; from += BATCH) {
        await boss.insert(
          QUEUE,
          jobs.slice(from, from + BATCH).map((data) => ({ data })),
        );
      }
      return jobs.length;
    },
    start: () => peer.order({ kind: 'work' }),
    async publish(target) {
      const [job] = jobsOf([target]);
      if (job === undefined) throw new Error('One receiver makes one job');
      await boss.send(QUEUE, job);
      return { eventId: job.eventId, committedAtMs: nowMs() };
    },
    async isDone() {
      const result = await world.database.db.execute<{ open: boolean }>(
        sql`select exists (select from pgboss.job where name = ${QUEUE} and state < 'completed') as open`,
      );
      return result.rows[0]?.open === false;
    },
    rest: () => peer.order({ kind: 'rest' }),
    end: () => boss.stop(),
  };
}
