import { randomBytes } from 'node:crypto';
import { authenticateApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { SCOPES } from '#lib/base/contract.ts';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { type Ctx, createCtx } from '#lib/ctx.ts';
import { appendEvents } from '#lib/events/append.ts';
import { eventId, type NewEvent } from '#lib/events/envelope.ts';
import { wakeDispatch } from '#lib/webhooks/delivery/wake.ts';
import { registerWebhook } from '#lib/webhooks/registry/register-webhook.ts';
import { SAMPLE_ACCOUNT, SAMPLE_AMOUNT_DROPS, sampleData } from '#lib/webhooks/testing/samples.ts';
import { type RunningQStash, startQStash } from '#sandbox/qstash/index.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { Crew } from '#tests/faults/app-crew.ts';
import { openFront } from '#tests/faults/front.ts';
import { type Receivers, startReceivers } from '#tests/faults/receiver.ts';
import { testEnv } from '#tests/support/env.ts';

/** Of the pairs of event and webhook, so many have a receiver that fails at first. */
const SHARE_FAILING = 0.2;
/** Of the failures, so many hang; fewer of many events: who hangs is left one place, and so holds all that follow up. */
const SHARE_HANGING = 0.225;
const SHARE_HANGING_OF_MANY = 0.08;
const MANY_EVENTS = 1_000;
/** What a receiver that hangs costs. */
const TIMEOUT_MS = 600;
const SLICE_MS = 3_000;
const MOST_FIRST_CALLS = 20;

/** Everything real but the time: Postgres, processes of the app behind one address, the queue's and Redis's protocols. */
export interface Scene {
  ctx: Ctx;
  database: Database;
  settings: Record<string, string | undefined>;
  baseUrl: string;
  qstash: RunningQStash;
  redis: RunningRedisRest;
  receivers: Receivers;
  crew: Crew;
  /** The webhooks in order. */
  webhookIds: string[];
  /** Every event that the campaign has committed. */
  eventIds: string[];
  /** Reports facts number `from` to `to` in one transaction, as verbs do, and wakes the dispatch. */
  publish(from: number, to: number): Promise<void>;
  close(): Promise<void>;
}

/** A call to Redis ends within a second, which the first ones of a busy machine may take: until then no key is made. */
async function newApiKey(ctx: Ctx): Promise<string> {
  for (let call = 1; ; call++) {
    try {
      return (await createApiKey(ctx, { wallet_address: SAMPLE_ACCOUNT, scopes: [...SCOPES] })).api_key;
    } catch (error) {
      if (call === MOST_FIRST_CALLS) throw error;
    }
  }
}

/** Registers a webhook for a new developer: for all events, so also for those with which the platform tells of its own health. */
async function newWebhook(url: string): Promise<{ id: string; secret: string }> {
  const ctx = await createCtx(newId('req', randomBytes), { kind: 'anonymous' });
  const actor = await authenticateApiKey(ctx, await newApiKey(ctx));
  if (actor === null) throw new Error('A new key must authenticate');
  ctx.actor = actor;
  return registerWebhook(ctx, { url, active: true, description: '' });
}

function newEvent(seed: string, n: number): NewEvent {
  const occurredAt = new Date(Date.UTC(2026, 10, 21) + n);
  const data = sampleData({ amountDrops: SAMPLE_AMOUNT_DROPS, investorAccount: SAMPLE_ACCOUNT, now: occurredAt });
  return {
    type: 'investment.created',
    subject: `${seed}/${n}`,
    projectId: null,
    occurredAt,
    data: data['investment.created'],
  };
}

export async function openScene(input: {
  seed: string;
  databaseUrl: string;
  script: string;
  processes: number;
  webhooks: number;
  /** How many it is going to publish. */
  events: number;
}): Promise<Scene> {
  const { seed, databaseUrl, script, processes, webhooks, events } = input;
  const shareHanging = events > MANY_EVENTS ? SHARE_HANGING_OF_MANY : SHARE_HANGING;
  const receivers = await startReceivers({ seed, webhooks, shareFailing: SHARE_FAILING, shareHanging });
  const crew: { current?: Crew } = {};
  const front = await openFront(async () => (await crew.current?.nextPort()) ?? null);
  const settings = testEnv({
    POSTGRES_URL: databaseUrl,
    POSTGRES_POOL_SIZE: '5',
    BASE_URL: front.url,
    WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
    SLICE_BUDGET_MS: String(SLICE_MS),
  });
  const qstash = await startQStash({
    token: settings.QSTASH_TOKEN ?? '',
    currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  const redis = await startRedisRest({ token: settings.KV_REST_API_TOKEN ?? '' });
  Object.assign(settings, { QSTASH_URL: qstash.url, KV_REST_API_URL: redis.url });
  applyEnv(settings);
  const database = await openDatabase(databaseUrl, 3);
  const ctx = await createCtx(newId('req', randomBytes), { kind: 'system' });
  const webhookIds: string[] = [];
  for (let n = 0; n < webhooks; n++) {
    const webhook = await newWebhook(receivers.urlOf(n));
    receivers.setSecret(n, webhook.secret);
    webhookIds.push(webhook.id);
  }
  const started = new Crew(script, settings, processes);
  crew.current = started;
  const eventIds: string[] = [];
  return {
    ctx,
    database,
    settings,
    baseUrl: front.url,
    qstash,
    redis,
    receivers,
    crew: started,
    webhookIds,
    eventIds,
    async publish(from, to) {
      const events = Array.from({ length: to - from }, (_, index) => newEvent(seed, from + index));
      await database.db.transaction((tx) => appendEvents(tx, events));
      eventIds.push(...events.map(({ type, subject }) => eventId(type, subject)));
      await wakeDispatch(ctx);
    },
    async close() {
      started.end();
      await qstash.close();
      await redis.close();
      await front.close();
      await receivers.close();
      await database.close();
    },
  };
}
