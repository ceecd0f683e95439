import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { authenticateApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { SCOPES } from '#lib/base/contract.ts';
import type { Db } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { type Actor, type Ctx, createCtx } from '#lib/ctx.ts';
import { registerWebhook } from '#lib/webhooks/registry/register-webhook.ts';
import { SAMPLE_ACCOUNT } from '#lib/webhooks/testing/samples.ts';
import { closeLedger, lazyLedger } from '#lib/xrpl/lazy.ts';
import { type RunningQStash, startQStash } from '#sandbox/qstash/index.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { TEST_CRON_SECRET, testEnv } from '#tests/support/env.ts';
import type { Run } from './campaign.ts';
import { Crew } from './crew.ts';
import { openFront } from './front.ts';
import { advanceQueue, ageDatabase, agePayouts } from './passing-time.ts';
import { type ReceiverOptions, type Receivers, startReceivers } from './receiver.ts';

type Settings = Record<string, string | undefined>;

/** A webhook of the campaign, by the number of its receiver. */
export interface Subscribed {
  id: string;
  /** Null is all that a developer may have. */
  events: readonly string[] | null;
  projectId: string | null;
  /** Whose it is, where several are one tenant's: each is told of what the others missed. */
  tenant?: number;
  /** Events of a smaller amount, or of another status, are not for it. */
  minAmountXrp?: number | null;
  statuses?: readonly string[] | null;
}

/** Processes of the app behind one address, with the queue, Redis and receivers that they talk to. */
export interface Platform {
  run: Run<unknown>;
  db: Db;
  /** Of the campaign itself, to set things up by verbs. */
  ctx: Ctx;
  baseUrl: string;
  qstash: RunningQStash;
  redis: RunningRedisRest;
  receivers: Receivers;
  crew: Crew;
  /** Starts the processes, once there is something for them to do. */
  startCrew(settings?: Settings): void;
}

export async function openPlatform(
  run: Run<unknown>,
  given: { receivers: Omit<ReceiverOptions, 'seed'>; processes: number; settings: Settings },
): Promise<Platform> {
  const { seed, database, defer, script } = run;
  const receivers = await startReceivers({ ...given.receivers, seed });
  defer(() => receivers.close());
  let crew: Crew | undefined;
  const front = await openFront(async () => (await crew?.nextPort()) ?? null);
  defer(() => front.close());
  const base = testEnv();
  const qstash = await startQStash({
    token: base.QSTASH_TOKEN ?? '',
    currentSigningKey: base.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: base.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  defer(() => qstash.close());
  const redis = await startRedisRest({ token: base.KV_REST_API_TOKEN ?? '' });
  defer(() => redis.close());
  const settings = testEnv({
    BASE_URL: front.url,
    POSTGRES_URL: database.url,
    POSTGRES_POOL_SIZE: '5',
    QSTASH_URL: qstash.url,
    KV_REST_API_URL: redis.url,
    ...given.settings,
  });
  applyEnv(settings);
  const made = await createCtx(newId('req', randomBytes), { kind: 'system' }, lazyLedger);
  defer(() => closeLedger());
  const draw = run.draw('ids');
  const ctx = Object.create(made, {
    db: { value: database.db },
    random: { value: (size: number) => Buffer.from(draw.bytes(size)) },
  }) as Ctx;
  return {
    ...{ run, db: database.db, ctx, baseUrl: front.url, qstash, redis, receivers },
    get crew() {
      if (crew === undefined) throw new Error('The processes are not started yet');
      return crew;
    },
    startCrew(others = {}) {
      const started = new Crew(script, { ...settings, ...others }, given.processes);
      crew = started;
      defer(() => started.end());
    },
  };
}

const ASK_AGAIN_MS = 100;
const MOST_CALLS = 100;

/** A call to Redis ends within a second, which the first ones of a busy machine may take: until then no key is made. */
async function newApiKey(ctx: Ctx): Promise<string> {
  for (let call = 1; ; call++) {
    try {
      return (await createApiKey(ctx, { wallet_address: SAMPLE_ACCOUNT, scopes: [...SCOPES] })).api_key;
    } catch (error) {
      if (call === MOST_CALLS) throw error;
      await pause(ASK_AGAIN_MS);
    }
  }
}

/** A developer with a tenant of its own. */
export async function newDeveloper({ ctx }: Platform): Promise<Actor> {
  const actor = await authenticateApiKey(ctx, await newApiKey(ctx));
  if (actor === null) throw new Error('A new key must authenticate');
  return actor;
}

type Settled = Omit<Parameters<typeof registerWebhook>[1], 'url' | 'active' | 'description'>;

/** Registers webhook number `n` for a developer, with what its receiver wants. Gives its id. */
export async function subscribe(
  { ctx, receivers }: Platform,
  n: number,
  developer: Actor,
  wanted: Settled,
): Promise<string> {
  const made = await registerWebhook(Object.create(ctx, { actor: { value: developer } }) as Ctx, {
    ...wanted,
    url: receivers.urlOf(n),
    active: true,
    description: '',
  });
  receivers.expect(n, { secret: made.secret, headers: wanted.headers ?? {} });
  return made.id;
}

/** With all processes well, a slice ends within this. */
export const PATIENT_SECONDS = 15;
/** Longer than a killed slice keeps others out, shorter than a claim. */
export const SLICE_LEASE_SECONDS = 6;
/** Longer than any lease, claim or wake, and than QStash's first retries. */
export const LONG_SECONDS = 300;
/** The longest delay of the schedule of 6 hours, and some. */
export const LONGEST_SECONDS = 22_000;

/** The scheduler calls; it may find nobody, or somebody who dies over it. */
export const cron = ({ baseUrl }: Platform, patienceSeconds: number): Promise<void> =>
  fetch(`${baseUrl}/api/cron/process-payments`, {
    headers: { authorization: `Bearer ${TEST_CRON_SECRET}` },
    signal: AbortSignal.timeout(patienceSeconds * 1000),
  })
    .then(async (answer) => void (await answer.text()))
    .catch(() => undefined);

/** Time passes on the clocks of database and queue alike. */
export async function pass({ db, qstash }: Platform, seconds: number, patienceSeconds: number): Promise<void> {
  await ageDatabase(db, seconds);
  await agePayouts(db);
  await advanceQueue(qstash.url, seconds, patienceSeconds);
}

/** Those who hang go on. */
export function continueStopped({ crew, run: { report } }: Platform): void {
  for (const worker of crew.workers.filter(({ isStopped }) => isStopped)) {
    report.count('stops', 'stops');
    worker.arm();
    worker.goOn();
  }
}

/** Nobody is struck any more, who hangs goes on, who was killed comes up. One that was about to be struck just now may have been. */
export function calm({ crew, run: { report } }: Platform): void {
  report.countEnded(crew.refill());
  for (const worker of crew.workers) {
    worker.arm();
    worker.goOn();
  }
}

/**
 * The scheduler calls and the queue calls back until neither has anything to do; gives false when that took too long. While
 * slices are at work nobody's claim is held to have run out.
 */
export async function workUntilIdle(platform: Platform): Promise<boolean> {
  await cron(platform, PATIENT_SECONDS);
  return advanceQueue(platform.qstash.url, 0, PATIENT_SECONDS);
}
