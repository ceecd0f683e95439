import { type Job, type JobResult, PgBoss } from 'pg-boss';
import { applyEnv } from '#lib/base/env.ts';
import { openSender, Signers } from '#lib/webhooks/delivery/send.ts';
import { type PeerJob, type PeerOrder, QUEUE, WORK } from './peer-process.ts';

/** A process of pg-boss workers that make the POSTs of the platform: the same bytes, headers, signatures and connections. */

const signers = new Signers();
let boss: PgBoss | undefined;
let sender: ReturnType<typeof openSender> | undefined;

async function deliver({ id, data }: Job<PeerJob>, post: ReturnType<typeof openSender>['post']): Promise<JobResult> {
  const { sign } = signers.of({ ...data, nextSealedSecret: null, sealedHeaders: null });
  const headers = sign({ eventId: data.eventId, body: data.body, attemptedAtMs: Date.now() });
  const { errorKind, ...exchange } = await post(data.url, headers, data.body);
  return { id, status: errorKind === null ? 'completed' : 'failed', output: exchange };
}

async function obey(order: PeerOrder): Promise<void> {
  switch (order.kind) {
    case 'open':
      applyEnv(order.settings);
      boss = new PgBoss({ connectionString: order.databaseUrl, max: order.connections, useListenNotify: true });
      boss.on('error', (error) => process.stderr.write(`pg-boss: ${error.message}\n`));
      await boss.start();
      break;
    case 'work': {
      const opened = openSender();
      const { post } = opened;
      sender = opened;
      await boss?.work<PeerJob, unknown, typeof WORK>(QUEUE, WORK, (jobs) =>
        Promise.all(jobs.map((job) => deliver(job, post))),
      );
      break;
    }
    case 'rest':
      await boss?.offWork(QUEUE);
      await sender?.close();
      break;
  }
  process.send?.(order.kind);
}

process.on('message', (order: PeerOrder) => void obey(order));
process.on('disconnect', () => process.exit());
process.send?.('ready');
