import { migrateDatabase } from '#drizzle/migrate.ts';
import { openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { startPostgres } from '#sandbox/postgres/index.ts';
import { startQStash } from '#sandbox/qstash/index.ts';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { testEnv } from '#tests/support/env.ts';
import { NETWORK_ID, spawnLedger } from '../spawn-ledger.ts';
import { type Fixtures, writeFixtures } from './fixtures.ts';

/** A load test is one caller. */
const RATE_LIMIT_SCALE = '1000';

/** What the product stands on, with one of each thing that is read in it. */
export interface Stage extends Fixtures {
  settings: Record<string, string | undefined>;
  end(): Promise<void>;
}

export async function openStage(): Promise<Stage> {
  const [postgres, ledger] = await Promise.all([startPostgres(), spawnLedger()]);
  const databaseUrl = await postgres.createDatabase('bench_api');
  await migrateDatabase(databaseUrl);
  const settings = testEnv({
    POSTGRES_URL: databaseUrl,
    XRPL_URLS: ledger.wsUrl,
    XRPL_NETWORK_ID: String(NETWORK_ID),
    VALIDATE_RESPONSES: '0',
    RATE_LIMIT_SCALE,
    LOG_LEVEL: 'info',
  });
  const redis = await startRedisRest({ token: settings.KV_REST_API_TOKEN ?? '' });
  const qstash = await startQStash({
    token: settings.QSTASH_TOKEN ?? '',
    currentSigningKey: settings.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: settings.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  Object.assign(settings, { KV_REST_API_URL: redis.url, QSTASH_URL: qstash.url });
  applyEnv(settings);
  const database = await openDatabase(databaseUrl, 1);
  const opened = openLedger({ urls: [ledger.wsUrl], networkId: NETWORK_ID });
  const { validatedIndex } = await opened.serverState();
  await opened.close();
  const things = await writeFixtures(database.db, validatedIndex);
  await database.close();
  return {
    settings,
    ...things,
    async end() {
      await qstash.close();
      await redis.close();
      ledger.child.kill();
      await postgres.close();
    },
  };
}
