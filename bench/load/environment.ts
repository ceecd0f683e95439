import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Client, Wallet } from 'xrpl';
import { GENESIS_SEED } from 'xrpl-sandbox/index.ts';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { tenants } from '#drizzle/schema/access.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { seal } from '#lib/base/secretbox.ts';
import { type Ctx, createCtx } from '#lib/ctx.ts';
import type { EventType } from '#lib/events/catalogue.ts';
import { API_VERSION } from '#lib/events/envelope.ts';
import { submitAction } from '#lib/sales/actions/submit-action.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { projectInput } from '#lib/sales/schemas.ts';
import { newSecret } from '#lib/webhooks/secret.ts';
import { closeLedger, lazyLedger } from '#lib/xrpl/lazy.ts';
import { DEMO_CURRENCY, prepareAccounts } from '#sandbox/crowd/accounts.ts';
import { connectLedger } from '#sandbox/crowd/ledger.ts';
import { startPostgres } from '#sandbox/postgres/index.ts';
import { startQStash } from '#sandbox/qstash/index.ts';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { startScheduler } from '#sandbox/scheduler/index.ts';
import { TEST_CRON_SECRET, testEnv } from '#tests/support/env.ts';
import { NETWORK_ID } from '../spawn-ledger.ts';
import { type Fleet, openFleet } from './app.ts';
import { COPY } from './build.ts';
import { type Child, startChild } from './child.ts';
import { openWallets, type Payer } from './wallets.ts';

/** Drops of each payment, and what a token costs in the tiers. */
export const AMOUNT_DROPS = '10000000';
const TOKENS_EACH = 100;
/** Ledgers after that of a payment, the last of which confirms it. */
export const CONFIRMATIONS = 1;
const ACTIVE_TIMEOUT_MS = 60_000;

export interface EnvironmentOptions {
  wallets: number;
  webhooks: number;
  instances: number;
  payouts: boolean;
  heartbeatSeconds: number;
  follow: boolean;
}

/** Everything that one run stands on: nothing of it is shared with another run. */
export interface Environment {
  client: Client;
  ledgerUrl: string;
  ledger: Child;
  receiver: Child;
  readers: Child;
  database: Database;
  fleet: Fleet;
  project: { id: string; slug: string; address: string; tag: number };
  payers: readonly Payer[];
  /** Messages that the queue has taken in so far. */
  queueMessages(): Promise<number>;
  end(): Promise<void>;
}

/** Production's settings but for what points to the stand-ins, and one caller who is everybody. */
function settingsOf(given: Record<string, string>): Record<string, string | undefined> {
  return testEnv({
    XRPL_NETWORK_ID: String(NETWORK_ID),
    VALIDATE_RESPONSES: '0',
    RATE_LIMIT_SCALE: '1000',
    // The ceiling is for what nobody expects; here so many payouts are expected.
    PAYOUT_HOURLY_LIMIT: '1000000',
    LOG_LEVEL: 'info',
    ...given,
  });
}

async function register(database: Database, urls: readonly string[]): Promise<string[]> {
  const secrets = urls.map(() => newSecret(randomBytes));
  const events: EventType[] = ['investment.confirmed'];
  await database.db.insert(tenants).values({ id: 'ten_load' });
  const rows = secrets.map((secret, n) => {
    const id = newId('wh', randomBytes);
    const sealedSecret = seal(secret, id, randomBytes);
    return { id, tenantId: 'ten_load', url: urls[n] ?? '', host: '127.0.0.1', events, sealedSecret };
  });
  if (rows.length > 0)
    await database.db.insert(webhooks).values(rows.map((row) => ({ ...row, apiVersion: API_VERSION })));
  return secrets;
}

/** A sale that takes every payment, the first tier of which is full when a quarter of the wallets have paid. */
async function createSale(
  ctx: Ctx,
  accounts: { deposit: string; distributor: string; issuer: string },
  { wallets, payouts }: EnvironmentOptions,
) {
  const project = await createProject(
    ctx,
    projectInput.parse({
      name: 'Load',
      slug: 'load',
      token: { kind: 'iou', currency: DEMO_CURRENCY, issuer: accounts.issuer, decimals: 6 },
      distributor: accounts.distributor,
      deposit_address: accounts.deposit,
      treasury: accounts.issuer,
      min_investment_xrp: null,
      distribution: payouts ? 'immediate' : 'at_end',
      tiers: [
        { price_per_token: '0.10', total_tokens: String(Math.ceil((wallets * TOKENS_EACH) / 4)) },
        { price_per_token: '0.125', total_tokens: String(wallets * TOKENS_EACH * 2) },
      ],
    }),
  );
  await submitAction(ctx, { projectId: project.id, action: 'launch', reason: 'Load benchmark' });
  return project;
}

export async function openEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const closing: (() => Promise<unknown> | unknown)[] = [];
  const end = async (): Promise<void> => {
    for (const close of closing.reverse()) await close();
  };
  try {
    const postgres = await startPostgres();
    closing.push(() => postgres.close());
    const url = await postgres.createDatabase('load');
    await migrateDatabase(url);
    const { child: ledger, ready: ledgerUrl } = await startChild<string>('ledger.ts', { networkId: NETWORK_ID });
    closing.push(() => ledger.end());
    const { child: receiver, ready: urls } = await startChild<string[]>('receiver.ts', { webhooks: options.webhooks });
    closing.push(() => receiver.end());
    const setUp = await connectLedger(
      ledgerUrl,
      `${ledgerUrl.replace('ws', 'http')}/accounts`,
      AbortSignal.timeout(120_000),
    );
    const [deposit, distributor, issuer] = [Wallet.generate(), Wallet.generate(), Wallet.generate()].map(
      ({ address, seed }) => ({ address, seed: seed ?? '' }),
    ) as [{ address: string; seed: string }, { address: string; seed: string }, { address: string; seed: string }];
    await prepareAccounts(setUp, { deposit, distributor, issuer });
    await setUp.close();
    const client = new Client(ledgerUrl, { timeout: 120_000 });
    await client.connect();
    closing.push(() => client.disconnect());
    const genesis = Wallet.fromSeed(GENESIS_SEED);
    const payers = await openWallets(client, options.wallets, genesis, {
      currency: DEMO_CURRENCY,
      issuer: issuer.address,
    });

    const fleet = await openFleet();
    closing.push(() => fleet.close());
    const settings = settingsOf({
      BASE_URL: fleet.baseUrl,
      POSTGRES_URL: url,
      XRPL_URLS: ledgerUrl,
      HEARTBEAT_SECONDS: String(options.heartbeatSeconds),
      FOLLOW_LEDGER: options.follow ? '1' : '0',
      CONFIRMATIONS: String(CONFIRMATIONS),
      SIGNING_KEYS: [deposit, distributor].map(({ address, seed }) => `${address}=ed25519:${seed}`).join(),
    });
    const qstash = await startQStash({
      token: settings.QSTASH_TOKEN ?? '',
      currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY ?? '',
      nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY ?? '',
    });
    closing.push(() => qstash.close());
    const redis = await startRedisRest({ token: settings.KV_REST_API_TOKEN ?? '' });
    closing.push(() => redis.close());
    Object.assign(settings, { QSTASH_URL: qstash.url, KV_REST_API_URL: redis.url });
    // What this process itself does is no concern of who reads the figures.
    applyEnv({ ...settings, LOG_LEVEL: 'warn' });
    const database = await openDatabase(url, 3);
    closing.push(() => database.close());
    const ctx = await createCtx(newId('req', randomBytes), { kind: 'system' }, lazyLedger);
    closing.push(() => closeLedger());
    const project = await createSale(
      ctx,
      { deposit: deposit.address, distributor: distributor.address, issuer: issuer.address },
      options,
    );
    await receiver.order({ kind: 'secrets', secrets: await register(database, urls) });
    await client.request({ command: 'ledger_accept' } as never);
    await client.request({ command: 'ledger_accept' } as never);

    await fleet.start(settings, options.instances);
    const cron = (): Promise<Response> =>
      fetch(`${fleet.baseUrl}/api/cron/process-payments`, { headers: { authorization: `Bearer ${TEST_CRON_SECRET}` } });
    for (const giveUpAtMs = Date.now() + ACTIVE_TIMEOUT_MS; ; await pause(100)) {
      await (await cron()).text();
      if ((await getProject(ctx, project.id)).status === 'active') break;
      if (Date.now() > giveUpAtMs) throw new Error('The sale did not become active');
      await client.request({ command: 'ledger_accept' } as never);
    }
    const scheduler = await startScheduler({
      cronFile: `${COPY}/vercel.json`,
      baseUrl: fleet.baseUrl,
      cronSecret: TEST_CRON_SECRET,
      onFailure: (line) => void process.stderr.write(`cron: ${line}\n`),
    });
    closing.push(() => scheduler.close());
    const { child: readers } = await startChild('readers.ts', { baseUrl: fleet.baseUrl });
    closing.push(() => readers.end());
    return {
      client,
      ledgerUrl,
      ledger,
      receiver,
      readers,
      database,
      fleet,
      project: { id: project.id, slug: project.slug, address: deposit.address, tag: project.destination_tag },
      payers,
      async queueMessages() {
        const answer = (await (await fetch(`${qstash.url}/sandbox/health`)).json()) as { messages: number };
        return answer.messages;
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}
