import { Client } from 'xrpl';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { startPostgres } from '#sandbox/postgres/index.ts';
import { fund, give, type TestWallet, testWallet, testWallets, trust } from '#tests/support/token-crowd.ts';
import { spawnLedger } from '../spawn-ledger.ts';

export const CURRENCY = 'DMO';

/** A ledger and a database of their own, both in other processes. */
export interface World {
  ledgerUrl: string;
  databaseUrl: string;
  /** A new token that so many accounts hold, each another amount; gives its issuer. */
  issueTo(holderCount: number): Promise<string>;
  /** Every answer of the ledger comes that much later. */
  delayAnswers(ms: number): Promise<void>;
  end(): Promise<void>;
}

/** Numbers below are issuers. */
const FIRST_HOLDER = 100;

export async function openWorld(): Promise<World> {
  const postgres = await startPostgres();
  const databaseUrl = await postgres.createDatabase('holders');
  await migrateDatabase(databaseUrl);
  const { wsUrl, child } = await spawnLedger();
  // Writing ten thousand transactions takes a moment.
  const client = new Client(wsUrl, { timeout: 120_000 });
  await client.connect();
  const funded: TestWallet[] = [];
  let issuers = 0;
  return {
    ledgerUrl: wsUrl,
    databaseUrl,
    async issueTo(holderCount) {
      issuers += 1;
      const issuer = testWallet(issuers);
      const more = testWallets(Math.max(0, holderCount - funded.length), FIRST_HOLDER + funded.length);
      await fund(client, [issuer, ...more]);
      funded.push(...more);
      const holders = funded.slice(0, holderCount);
      await trust(client, issuer, CURRENCY, holders);
      const grants = holders.map((to, n) => ({ to, value: `${1 + ((n * 7919) % 100_003)}.${n % 1_000_000}` }));
      await give(client, issuer, CURRENCY, grants);
      return issuer.address;
    },
    async delayAnswers(ms) {
      await client.request({ command: 'sandbox_faults', answer_delay_ms: ms } as never);
    },
    async end() {
      await client.disconnect();
      child.kill();
      await postgres.close();
    },
  };
}
