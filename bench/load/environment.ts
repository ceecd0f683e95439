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
import { projectInput } from '#lib/sales/projects/project-input.ts';
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
  /** How many of the wallets have a trust line for the token; all unless it is said. */
  holders?: number;
  /** Payments that the sale has room for; one of each wallet unless it is said. */
  payments?: number;
  webhooks: number;
  instances: number;
  payouts: boolean;
  heartbeatSeconds: number;
  follow: boolean;
  /** Further settings of the database server, as `name=value`. */
  databaseSettings?: readonly string[];
  /** Of the ledger, which holds everything that was ever paid; Node.js decides unless it is said. */
  ledgerHeapMb?: number;
}

/** A sale that takes payments. */
export interface LoadSale {
  id: string;
  slug: string;
  address: string;
  tag: number;
}

export interface SaleOptions {
  name: string;
  /** Payments that it has room for: the first tier is full when a quarter of them were made. */
  payments: number;
  /** Tokens are paid out at once; else at the sale's end. */
  payouts: boolean;
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
  project: LoadSale;
  payers: readonly Payer[];
  /** The process of the database server. */
  databasePid: number;
  /** One more sale on the same accounts, which is active then. */
  openSale(sale: SaleOptions): Promise<LoadSale>;
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

async function createSale(
  ctx: Ctx,
  accounts: { deposit: string; distributor: string; issuer: string },
  { name, payments, payouts }: SaleOptions,
): Promise<LoadSale> {
  const project = await createProject(
    ctx,
    projectInput.parse({
      name,
      token: { kind: 'iou', currency: DEMO_CURRENCY, issuer: accounts.issuer, decimals: 6 },
      distributor: accounts.distributor,
      deposit_address: accounts.deposit,
      treasury: accounts.issuer,
      min_investment_xrp: null,
      distribution: payouts ? 'immediate' : 'at_end',
      tiers: [
        { price_per_token: '0.10', total_tokens: String(Math.ceil((payments * TOKENS_EACH) / 4)) },
        { price_per_token: '0.125', total_tokens: String(payments * TOKENS_EACH * 2) },
      ],
    }),
  );
  await submitAction(ctx, { projectId: project.id, action: 'launch', reason: 'Load benchmark' });
  return { id: project.id, slug: project.slug, address: accounts.deposit, tag: project.destination_tag };
}

export async function openEnvironment(options: EnvironmentOptions): Promise<Environment> {
  const closing: (() => Promise<unknown> | unknown)[] = [];
  const end = async (): Promise<void> => {
    for (const close of closing.reverse()) await close();
  };
  try {
    const postgres = await startPostgres({ settings: options.databaseSettings ?? [] });
    closing.push(() => postgres.close());
    const url = await postgres.createDatabase('load');
    await migrateDatabase(url);
    const { child: ledger, ready: ledgerUrl } = await startChild<string>(
      'ledger.ts',
      { networkId: NETWORK_ID },
      options.ledgerHeapMb === undefined ? [] : [`--max-old-space-size=${options.ledgerHeapMb}`],
    );
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
    const token = { currency: DEMO_CURRENCY, issuer: issuer.address };
    const payers = await openWallets(client, options.wallets, options.holders ?? options.wallets, genesis, token);

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
    const openSale = (sale: SaleOptions): Promise<LoadSale> =>
      createSale(ctx, { deposit: deposit.address, distributor: distributor.address, issuer: issuer.address }, sale);
    const project = await openSale({ ...options, name: 'Load', payments: options.payments ?? options.wallets });
    await receiver.order({ kind: 'secrets', secrets: await register(database, urls) });
    await client.request({ command: 'ledger_accept' } as never);
    await client.request({ command: 'ledger_accept' } as never);

    await fleet.start(settings, options.instances);
    const cron = (): Promise<Response> =>
      fetch(`${fleet.baseUrl}/api/cron/process-payments`, { headers: { authorization: `Bearer ${TEST_CRON_SECRET}` } });
    const untilActive = async ({ id }: LoadSale): Promise<void> => {
      for (const giveUpAtMs = Date.now() + ACTIVE_TIMEOUT_MS; ; await pause(100)) {
        await (await cron()).text();
        if ((await getProject(ctx, id)).status === 'active') break;
        if (Date.now() > giveUpAtMs) throw new Error('The sale did not become active');
        await client.request({ command: 'ledger_accept' } as never);
      }
    };
    await untilActive(project);
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
      project,
      payers,
      databasePid: postgres.pid,
      async openSale(sale) {
        const opened = await openSale(sale);
        await untilActive(opened);
        return opened;
      },
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
