import { Client } from 'pg';
import { inject } from 'vitest';
// The linter takes any `use…` inside a function for a React hook.
import { applyEnv } from '#lib/base/env.ts';
import { closeLedger, lazyLedger } from '#lib/xrpl/lazy.ts';
import { type RunningQStash, startQStash } from '#sandbox/qstash/index.ts';
import { type RunningRedisRest, startRedisRest } from '#sandbox/redis/index.ts';
import { type LedgerDesk, NETWORK_ID, openDesk } from '#tests/integration/xrpl/desk.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { CLOSED_AT_MS } from '#tests/support/sale.ts';

/** Every part of the platform, each of which can be made to fail. The ledger closes on demand. */
export interface World {
  desk: LedgerDesk;
  redis: RunningRedisRest;
  qstash: RunningQStash;
  database: FreshDatabase;
  ctx: TestCtx;
  /** The settings over these ledger servers, and a ctx that asks them; `ctx` from then on. */
  servers(...urls: string[]): Promise<TestCtx>;
  /** The database ends every connection and takes no new one, until the returned function was called. */
  refuseConnections(): Promise<() => Promise<void>>;
  close(): Promise<void>;
}

/** How long a connection may take to end on a busy machine. */
const END_TIMEOUT_MS = 30_000;

/** A world whose clock and ledger stand at the same time. */
export async function openWorld(): Promise<World> {
  const desk = await openDesk({ startTime: new Date(CLOSED_AT_MS) });
  const database = await freshDatabase({ maxConnections: 5 });
  const given = testEnv();
  applyEnv(given);
  const redis = await startRedisRest({ token: given.KV_REST_API_TOKEN ?? '' });
  const qstash = await startQStash({
    token: given.QSTASH_TOKEN ?? '',
    currentSigningKey: given.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: given.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  const administer = async (statement: string) => {
    const client = new Client({ connectionString: inject('postgresUrl') });
    await client.connect();
    await client.query(statement).finally(() => client.end());
  };
  const name = new URL(database.url).pathname.slice(1);

  const world: World = {
    desk,
    redis,
    qstash,
    database,
    ctx: testCtx({ db: database.db }),
    async servers(...urls) {
      await closeLedger();
      applyEnv(
        testEnv({
          POSTGRES_URL: database.url,
          KV_REST_API_URL: redis.url,
          QSTASH_URL: qstash.url,
          XRPL_URLS: urls.join(','),
          XRPL_NETWORK_ID: String(NETWORK_ID),
        }),
      );
      world.ctx = testCtx({ db: database.db, overrides: { ledger: lazyLedger(), clock: world.ctx.clock } });
      return world.ctx;
    },
    async refuseConnections() {
      await administer(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS false`);
      // Until they have ended: one that has only been told to may still take a statement, and fails it.
      await administer(
        `SELECT pg_terminate_backend(pid, ${END_TIMEOUT_MS}) FROM pg_stat_activity WHERE datname = '${name}'`,
      );
      return () => administer(`ALTER DATABASE ${name} WITH ALLOW_CONNECTIONS true`);
    },
    async close() {
      await closeLedger();
      await qstash.close();
      await redis.close();
      await database.close();
      await desk.end();
    },
  };
  world.ctx.clock.set(CLOSED_AT_MS);
  await world.servers(desk.ledger.wsUrl);
  return world;
}
