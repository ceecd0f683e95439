import { randomBytes } from 'node:crypto';
import { authenticateApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { SCOPES } from '#lib/base/contract.ts';
import type { Db } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import type { Actor } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { fanOutSlice } from '#lib/webhooks/delivery/fan-out.ts';
import { registerWebhook } from '#lib/webhooks/registry/register-webhook.ts';
import { sampleData } from '#lib/webhooks/testing/samples.ts';
import { type RunningQStash, startQStash } from '#sandbox/qstash/index.ts';
import { START_MS, type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { registerSecrets } from '#tests/support/secrets.ts';
import { serveRoutes } from './callbacks.ts';

export const WALLET = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

/** A message that waits in the queue. */
export interface Waiting {
  messageId: string;
  url: string;
  body: string;
  delaySeconds: number;
  dueInSeconds: number;
  deduplicationId: string | null;
}

/** Everything real: Postgres, QStash's protocol with signed callbacks, and the route that takes them. */
export interface Stage {
  database: FreshDatabase;
  ctx: TestCtx;
  /** What it put in force, for tests that change one of them. */
  settings: Record<string, string | undefined>;
  answers: { status: number; body: unknown }[];
  /** Of the queue. Gone with the next `reset`. */
  queueFaults: RunningQStash['faults'];
  /** What waits in the queue and was published since the last `reset`. */
  waiting(): Promise<Waiting[]>;
  /** Moves the queue's clock and returns when what came due was called back. */
  advance(seconds: number): Promise<void>;
  /** Empties the database and forgets the queue's messages: the route's clients are made once a process, so the stage stays. */
  reset(): Promise<void>;
  close(): Promise<void>;
}

export async function openStage(overrides: Record<string, string> = {}): Promise<Stage> {
  const database = await freshDatabase({ maxConnections: 10 });
  const routes = await serveRoutes({
    '/api/queue/deliver': () => import('../../../app/api/queue/deliver/route.ts'),
  });
  const settings = testEnv({
    BASE_URL: `http://127.0.0.1:${routes.port}`,
    POSTGRES_URL: database.url,
    WEBHOOK_TIMEOUT_MS: '2000',
    ...overrides,
  });
  const qstash = await startQStash({
    token: settings.QSTASH_TOKEN ?? '',
    currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  const inForce = { ...settings, QSTASH_URL: qstash.url };
  applyEnv(inForce);
  const ctx = testCtx({ db: database.db });
  ctx.clock.set(Date.now());
  const allWaiting = async () => (await (await fetch(`${qstash.url}/sandbox/messages`)).json()) as Waiting[];
  let forgotten = new Set<string>();
  return {
    database,
    ctx,
    settings: inForce,
    answers: routes.answers,
    queueFaults: qstash.faults,
    waiting: async () => (await allWaiting()).filter(({ messageId }) => !forgotten.has(messageId)),
    advance: async (seconds) => {
      await fetch(`${qstash.url}/sandbox/advance`, { method: 'POST', body: JSON.stringify({ seconds }) });
    },
    reset: async () => {
      qstash.faults.clear();
      await database.db.execute(
        'truncate delivery_attempts, deliveries, replays, events, webhooks, portal_audit_entries, portal_links, api_keys, leases, job_runs, job_schedules',
      );
      // Not truncated: sales stay.
      await database.db.execute('delete from tenants');
      forgotten = new Set((await allWaiting()).map(({ messageId }) => messageId));
    },
    close: async () => {
      await qstash.close();
      await routes.close();
      await database.close();
    },
  };
}

/** The ctx of a developer with a new API key, and so a tenant of its own. */
export async function asDeveloper(ctx: TestCtx): Promise<TestCtx & { actor: Actor; apiKey: string }> {
  const { api_key: apiKey } = await createApiKey(ctx, { wallet_address: WALLET, scopes: [...SCOPES] });
  registerSecrets(apiKey);
  const actor = await authenticateApiKey(ctx, apiKey);
  if (actor === null) throw new Error('A new key must authenticate');
  return { ...ctx, queue: ctx.queue, redis: ctx.redis, actor, apiKey };
}

/** Registers a webhook for a new developer. */
export async function newWebhook(ctx: TestCtx, url: string) {
  const developer = await asDeveloper(ctx);
  const webhook = await registerWebhook(developer, { url, active: true, description: '' });
  registerSecrets(webhook.secret);
  return { developer, webhook };
}

/** Reports `count` investments and fans them out; gives how many deliveries that makes. */
export async function reportInvestments(db: Db, count = 1, projectId: string | null = null): Promise<number> {
  await appendInvestments(db, count, projectId);
  return (await fanOutSlice(db, 10_000)).deliveries;
}

/** Reports `count` investments, in one transaction. */
export async function appendInvestments(db: Db, count: number, projectId: string | null = null): Promise<void> {
  const occurredAt = new Date(START_MS);
  const sample = sampleData({ amountDrops: 1_000_000n, investorAccount: WALLET, now: occurredAt });
  await db.transaction((tx) =>
    appendEvents(
      tx,
      Array.from({ length: count }, () => ({
        type: 'investment.created' as const,
        subject: randomBytes(8).toString('hex'),
        projectId,
        occurredAt,
        data: sample['investment.created'],
      })),
    ),
  );
}
