import { randomBytes } from 'node:crypto';
import type { Wallet } from 'xrpl';
import { newToken } from '#lib/accounts/administrators/command.ts';
import { formatEntry } from '#lib/accounts/administrators/find-administrator.ts';
import { applyEnv } from '#lib/base/env.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { type Diagnosis, examine } from '#lib/ops/doctor/examine.ts';
import { closeLedger } from '#lib/xrpl/lazy.ts';
import { type RunningQStash, startQStash } from '#sandbox/qstash/index.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from '#tests/integration/xrpl/desk.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { type ServedDeployment, serveDeployment } from './deployment.ts';

export type Settings = Record<string, string | undefined>;

/** A whole deployment that is well: database, Redis, QStash, two addresses of a ledger, two accounts, the app's own routes. */
export interface World {
  settings: Settings;
  desk: LedgerDesk;
  database: FreshDatabase;
  redis: RunningRedisRest;
  qstash: RunningQStash;
  deployment: ServedDeployment;
  payer: Wallet;
  /**
   * Examines it with some settings changed; `aheadMs` puts this machine's clock wrong. Exchanges take no time unless the
   * stopwatch says so: this machine may be slow, and the deployment is well all the same.
   */
  examine(changed?: Settings, aheadMs?: number, stopwatchMs?: () => number): Promise<Diagnosis>;
  close(): Promise<void>;
}

/** A first reading loads the ledger library and connects everywhere: on a slow machine longer than a check may take. */
async function untilWell(url: string): Promise<void> {
  for (;;) {
    const { status } = (await (await fetch(`${url}/api/system/status`)).json()) as { status: string };
    if (status === 'operational') return;
  }
}

const secret = () => randomBytes(32).toString('hex');

export async function openWorld(): Promise<World> {
  const [desk, database] = await Promise.all([openDesk({ intervalMs: 1000 }), freshDatabase({ maxConnections: 10 })]);
  const [payer] = (await desk.accounts(1)) as [Wallet];
  const credentials = {
    KV_REST_API_TOKEN: secret(),
    QSTASH_TOKEN: secret(),
    QSTASH_CURRENT_SIGNING_KEY: `sig_${secret()}`,
    QSTASH_NEXT_SIGNING_KEY: `sig_${secret()}`,
  };
  const redis = await startRedisRest({ token: credentials.KV_REST_API_TOKEN });
  const qstash = await startQStash({
    token: credentials.QSTASH_TOKEN,
    currentSigningKey: credentials.QSTASH_CURRENT_SIGNING_KEY,
    nextSigningKey: credentials.QSTASH_NEXT_SIGNING_KEY,
  });
  const deployment = await serveDeployment({
    '/api/system/status': () => import('../../../app/api/system/status/route.ts'),
    '/api/cron/process-payments': () => import('../../../app/api/cron/process-payments/route.ts'),
  });
  const { tokenHash } = newToken(randomBytes);
  const settings = testEnv({
    ...credentials,
    BASE_URL: deployment.url,
    POSTGRES_URL: database.url,
    KV_REST_API_URL: redis.url,
    QSTASH_URL: qstash.url,
    XRPL_URLS: `${desk.ledger.wsUrl},${desk.ledger.wsUrl.replace('127.0.0.1', 'localhost')}`,
    XRPL_NETWORK_ID: String(NETWORK_ID),
    SIGNING_KEYS: `${payer.address}=ed25519:${payer.seed}`,
    CRON_SECRET: secret(),
    ADMIN_TOKENS: formatEntry({ name: 'alice', role: 'operator', tokenHash }),
    WEBHOOK_ENCRYPTION_KEYS: `k1:${randomBytes(32).toString('base64')}`,
  });
  applyEnv(settings);
  await processPayments(testCtx({ db: database.db }));
  await untilWell(deployment.url);
  return {
    settings,
    desk,
    database,
    redis,
    qstash,
    deployment,
    payer,
    examine: (changed = {}, aheadMs = 0, stopwatchMs = () => 0) =>
      examine({ ...settings, ...changed }, { nowMs: () => Date.now() + aheadMs, stopwatchMs }),
    close: async () => {
      await closeLedger();
      await deployment.close();
      await qstash.close();
      await redis.close();
      await database.close();
      await desk.end();
    },
  };
}
