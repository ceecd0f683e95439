import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { tenants } from '#drizzle/schema/access.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/base/secretbox.ts';
import { type Ctx, createCtx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { API_VERSION, eventId, type NewEvent } from '#lib/events/envelope.ts';
import { newSecret } from '#lib/webhooks/secret.ts';
import { SAMPLE_ACCOUNT, SAMPLE_AMOUNT_DROPS, sampleData } from '#lib/webhooks/testing/samples.ts';
import { startPostgres } from '#sandbox/postgres/index.ts';
import { startQStash } from '#sandbox/qstash/index.ts';
import { testEnv } from '#tests/support/env.ts';
import { startApp, type Usage } from './app-process.ts';
import { cpuOfTreeMs } from './processor-time.ts';

const TENANT = 'ten_bench';
const OTHER_TENANT = 'ten_beside';
/** As in production: a commit waits for the disk. The sandbox's own settings trade that for speed. */
const DURABLE = ['fsync=on', 'synchronous_commit=on', 'full_page_writes=on', 'max_wal_size=2GB'];
/** Connections of either system. */
export const CONNECTIONS = 10;

/** A registered receiver. Events of its project go to it alone, those of no project to all. */
export interface Target {
  webhookId: string;
  url: string;
  sealedSecret: string;
  projectId: string;
}

export interface World {
  databaseUrl: string;
  settings: Record<string, string | undefined>;
  /** As production makes it. */
  ctx: Ctx;
  database: Database;
  /** Takes away all webhooks, events and deliveries, and registers these receivers, and others of another tenant after them. */
  register(urls: readonly string[], ofAnother?: readonly string[]): Promise<Target[]>;
  /** The same, with one project for all those of the first tenant. */
  registerTogether(urls: readonly string[], ofAnother?: readonly string[]): Promise<Target[]>;
  /** Writes events as production does: in one transaction, by the outbox. Gives their ids. */
  publish(count: number, projectId: string | null): Promise<string[]>;
  /** Messages that the queue has taken in so far. */
  queueMessages(): Promise<number>;
  /** From now on the app measures how late its event loop is. */
  watchLoop(): Promise<void>;
  /** What the app has used since it was last asked. */
  takeUsage(): Promise<Usage>;
  /** Of the database server with all its processes, since its start. */
  databaseCpuMs(): Promise<number>;
  /** Another database on that server. */
  createDatabase(name: string): Promise<string>;
  end(): Promise<void>;
}

/** An event of a new fact, as the intake reports it. */
export function newEvent(projectId: string | null): NewEvent {
  const now = new Date();
  const data = sampleData({ amountDrops: SAMPLE_AMOUNT_DROPS, investorAccount: SAMPLE_ACCOUNT, now });
  return {
    type: 'investment.created',
    subject: randomBytes(8).toString('hex'),
    projectId,
    occurredAt: now,
    data: data['investment.created'],
  };
}

/** A database, a queue and a process of the app. */
export async function openWorld(): Promise<World> {
  const app = await startApp();
  const postgres = await startPostgres({ settings: DURABLE });
  const databaseUrl = await postgres.createDatabase('webhooks');
  await migrateDatabase(databaseUrl);
  const settings = testEnv({
    POSTGRES_URL: databaseUrl,
    POSTGRES_POOL_SIZE: String(CONNECTIONS),
    BASE_URL: `http://127.0.0.1:${app.port}`,
    VALIDATE_RESPONSES: '0',
    LOG_LEVEL: 'warn',
  });
  const qstash = await startQStash({
    token: settings.QSTASH_TOKEN ?? '',
    currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  settings.QSTASH_URL = qstash.url;
  applyEnv(settings);
  await app.applyEnv(settings);
  const database = await openDatabase(databaseUrl, CONNECTIONS);
  const ctx = await createCtx(newId('req', randomBytes), { kind: 'system' });
  await database.db.insert(tenants).values([{ id: TENANT }, { id: OTHER_TENANT }]);
  return {
    databaseUrl,
    settings,
    ctx,
    database,
    register: (urls, ofAnother) => register(urls, ofAnother),
    registerTogether: (urls, ofAnother) => register(urls, ofAnother, newId('proj', randomBytes)),
    async publish(count, projectId) {
      const events = Array.from({ length: count }, () => newEvent(projectId));
      await database.db.transaction((tx) => appendEvents(tx, events));
      return events.map(({ type, subject }) => eventId(type, subject));
    },
    async queueMessages() {
      const answer = (await (await fetch(`${qstash.url}/sandbox/health`)).json()) as { messages: number };
      return answer.messages;
    },
    watchLoop: () => app.watchLoop(),
    takeUsage: () => app.takeUsage(),
    databaseCpuMs: () => cpuOfTreeMs(postgres.pid),
    createDatabase: (name) => postgres.createDatabase(name),
    async end() {
      app.end();
      await database.close();
      await qstash.close();
      await postgres.close();
    },
  };

  /** One at work knows the receivers of before, and without its lease another would begin beside it. */
  async function slicesEnded(): Promise<void> {
    for (;;) {
      const { rows } = await database.db.execute(
        sql`select from leases where holder is not null and leased_until > now()`,
      );
      if (rows.length === 0) return;
      await pause(50);
    }
  }

  async function register(
    urls: readonly string[],
    ofAnother: readonly string[] = [],
    shared?: string,
  ): Promise<Target[]> {
    await slicesEnded();
    await database.db.execute(
      sql`truncate delivery_attempts, deliveries, events, webhooks, leases, job_runs, job_schedules cascade`,
    );
    const targets = [...urls, ...ofAnother].map((url, n) => {
      const webhookId = newId('wh', randomBytes);
      const sealedSecret = seal(newSecret(randomBytes), webhookId, randomBytes);
      const own = n < urls.length ? shared : undefined;
      return { webhookId, url, sealedSecret, projectId: own ?? newId('proj', randomBytes) };
    });
    await database.db.insert(webhooks).values(
      targets.map(({ webhookId, url, sealedSecret, projectId }, n) => ({
        id: webhookId,
        tenantId: n < urls.length ? TENANT : OTHER_TENANT,
        url,
        host: new URL(url).hostname,
        events: [...EVENT_TYPES],
        projectId,
        sealedSecret,
        apiVersion: API_VERSION,
      })),
    );
    return targets;
  }
}
