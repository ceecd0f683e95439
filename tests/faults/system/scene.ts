import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { Client } from 'xrpl';
import { webhooks } from '#drizzle/schema/events.ts';
import { authenticateApiKey } from '#lib/accounts/api-keys/authenticate-api-key.ts';
import { createApiKey } from '#lib/accounts/api-keys/create-api-key.ts';
import { SCOPES } from '#lib/base/contract.ts';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { type Ctx, createCtx } from '#lib/ctx.ts';
import { registerWebhook } from '#lib/webhooks/registry/register-webhook.ts';
import { SAMPLE_ACCOUNT } from '#lib/webhooks/testing/samples.ts';
import { closeLedger, lazyLedger } from '#lib/xrpl/lazy.ts';
import { type RunningQStash, startQStash } from '#sandbox/qstash/index.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { Crew } from '#tests/faults/app-crew.ts';
import { Draw } from '#tests/faults/draw.ts';
import { openFront } from '#tests/faults/front.ts';
import { type Receivers, startReceivers } from '#tests/faults/receiver.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { testEnv } from '#tests/support/env.ts';
import { type Environment, openEnvironment } from './ground.ts';
import { type Ledgers, openLedgers } from './ledgers.ts';
import type { RestartablePostgres } from './postgres.ts';
import { createSales, type Sale } from './sales.ts';

const SHARE_FAILING = 0.2;
/** Few: all goes wrong for a dozen seconds, and who hangs keeps its webhook's only place for one and a half of them. */
const SHARE_HANGING = 0.08;
/** Of the seven attempts, the others are left for what the storm does. */
const MOST_FAILURES = 2;
const TIMEOUT_MS = 1_500;
const SLICE_MS = 3_000;
const LEDGER_MS = 400;
const INSTANCES = 3;
const WEBHOOKS = 4;
const DEAD_WEBHOOK = 3;
const PAYOUT_EVENTS = ['investment.tokens_distributed', 'investment.refunded'] as const;

/** A webhook of the campaign, by the number of its receiver. */
export interface Subscribed {
  id: string;
  /** Null is all that a developer may have. */
  events: readonly string[] | null;
  projectId: string | null;
  /** Its receiver never takes anything. */
  isDead: boolean;
}

/** Everything real but the time and the network outside: what one seed is played with. */
export interface Scene {
  postgres: RestartablePostgres;
  /** Past the relay. */
  database: Database;
  ledgers: Ledgers;
  client: Client;
  ground: Environment;
  sales: readonly [Sale, ...Sale[]];
  /** The ledger before the first payment. */
  startLedger: number;
  baseUrl: string;
  qstash: RunningQStash;
  redis: RunningRedisRest;
  receivers: Receivers;
  webhooks: readonly Subscribed[];
  crew: Crew;
  close(): Promise<void>;
}

/** For a developer of its own. */
async function subscribe(ctx: Ctx, receivers: Receivers, sales: readonly [Sale, ...Sale[]]): Promise<Subscribed[]> {
  const subscribed: Subscribed[] = [];
  const wanted: Omit<Subscribed, 'id'>[] = [
    { events: null, projectId: null, isDead: false },
    { events: null, projectId: sales[0].project.id, isDead: false },
    { events: PAYOUT_EVENTS, projectId: null, isDead: false },
    { events: PAYOUT_EVENTS, projectId: null, isDead: true },
  ];
  for (const [n, each] of wanted.entries()) {
    const { api_key: key } = await createApiKey(ctx, { wallet_address: SAMPLE_ACCOUNT, scopes: [...SCOPES] });
    const actor = await authenticateApiKey(ctx, key);
    if (actor === null) throw new Error('A new key must authenticate');
    const body = { url: receivers.urlOf(n), active: true, description: '' };
    const made = await registerWebhook(
      Object.create(ctx, { actor: { value: actor } }) as Ctx,
      each.events === null ? body : { ...body, events: [...PAYOUT_EVENTS] },
    );
    receivers.setSecret(n, made.secret);
    // A developer can name a project only once it is launched; here it is there from the first.
    await ctx.db.update(webhooks).set({ projectId: each.projectId }).where(eq(webhooks.id, made.id));
    subscribed.push({ ...each, id: made.id });
  }
  return subscribed;
}

interface Input {
  seed: string;
  postgres: RestartablePostgres;
  /** Of a migrated, empty database, past the relay. */
  databaseUrl: string;
  script: string;
}
type Closers = (() => unknown)[];

async function closeAll(closers: Closers): Promise<void> {
  for (const close of closers.reverse()) await close();
}

/** Opens everything; what was open is closed again when the rest cannot be. */
export async function openScene(input: Input): Promise<Scene> {
  const closers: Closers = [];
  try {
    const opened = await open(input, closers);
    return { ...opened, close: () => closeAll(closers) };
  } catch (error) {
    await closeAll(closers);
    throw error;
  }
}

async function open({ seed, postgres, databaseUrl, script }: Input, closers: Closers): Promise<Omit<Scene, 'close'>> {
  const draw = new Draw(`${seed} scene`);
  const ledgers = await openLedgers();
  closers.push(() => ledgers.close());
  const client = new Client(ledgers.clean.wsUrl);
  await client.connect();
  closers.push(() => client.disconnect());
  const ground = await openEnvironment(client, ledgers, draw);
  const receivers = await startReceivers({
    seed,
    webhooks: WEBHOOKS,
    shareFailing: SHARE_FAILING,
    shareHanging: SHARE_HANGING,
    clocksMayBeOff: true,
    mostFailures: MOST_FAILURES,
    dead: new Set([DEAD_WEBHOOK]),
  });
  closers.push(() => receivers.close());
  const crew: { current?: Crew } = {};
  const front = await openFront(async () => (await crew.current?.nextPort()) ?? null);
  closers.push(() => front.close());
  const settings = settingsOf(front.url, databaseUrl, ledgers, ground);
  const qstash = await startQStash({
    token: settings.QSTASH_TOKEN ?? '',
    currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  closers.push(() => qstash.close());
  const redis = await startRedisRest({ token: settings.KV_REST_API_TOKEN ?? '' });
  closers.push(() => redis.close());
  Object.assign(settings, { QSTASH_URL: qstash.url, KV_REST_API_URL: redis.url });
  applyEnv(settings);
  const database = await openDatabase(databaseUrl, 3);
  closers.push(
    () => database.close(),
    () => closeLedger(),
  );
  const made = await createCtx(newId('req', randomBytes), { kind: 'system' }, lazyLedger);
  const ctx = Object.create(made, {
    db: { value: database.db },
    random: { value: (size: number) => Buffer.from(draw.bytes(size)) },
  }) as Ctx;
  const sales = await createSales(ctx, ground, draw);
  const startLedger = ledgers.newest();
  const webhooks = await subscribe(ctx, receivers, sales);
  crew.current = new Crew(
    script,
    { ...settings, POSTGRES_URL: postgres.throughRelay(databaseUrl), XRPL_URLS: ledgers.urls.join(',') },
    INSTANCES,
  );
  closers.push(() => crew.current?.end());
  ledgers.begin(LEDGER_MS);
  const baseUrl = front.url;
  return {
    ...{ postgres, database, ledgers, client, ground, sales, startLedger, baseUrl, qstash, redis, receivers, webhooks },
    crew: crew.current,
  };
}

/** As the campaign itself has them: the app's addresses of database and ledger are other ones. */
function settingsOf(
  baseUrl: string,
  databaseUrl: string,
  ledgers: Ledgers,
  { issuer, distributor, deposits }: Environment,
): Record<string, string | undefined> {
  const signers = [issuer, distributor, ...deposits];
  return testEnv({
    BASE_URL: baseUrl,
    POSTGRES_URL: databaseUrl,
    POSTGRES_POOL_SIZE: '5',
    XRPL_URLS: ledgers.clean.wsUrl,
    XRPL_NETWORK_ID: String(NETWORK_ID),
    SIGNING_KEYS: signers.map(({ address, seed }) => `${address}=ed25519:${seed}`).join(','),
    WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS),
    SLICE_BUDGET_MS: String(SLICE_MS),
    HEARTBEAT_SECONDS: '1',
    RATE_LIMIT_SCALE: '1000',
  });
}
