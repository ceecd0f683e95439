import { randomBytes } from 'node:crypto';
import { AccountSetAsfFlags, Client, type SubmittableTransaction, Wallet } from 'xrpl';
import { GENESIS_SEED } from 'xrpl-sandbox/index.ts';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { tenants } from '#drizzle/schema/access.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import { logger } from '#lib/base/log.ts';
import { queue } from '#lib/base/queue.ts';
import { redis } from '#lib/base/redis.ts';
import type { Ctx } from '#lib/ctx.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { submitAction } from '#lib/sales/actions/submit-action.ts';
import { createProject } from '#lib/sales/projects/create-project.ts';
import { projectInput } from '#lib/sales/projects/project-input.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { startPostgres } from '#sandbox/postgres/index.ts';
import { testEnv } from '#tests/support/env.ts';
import { NETWORK_ID, spawnLedger } from '../spawn-ledger.ts';

export interface World {
  ctx: Ctx;
  database: Database;
  client: Client;
  deposit: string;
  /** Issues the token too. */
  distributor: Wallet;
  projectId: string;
  destinationTag: number;
  accept(count?: number): Promise<void>;
  end(): Promise<void>;
}

/** A ledger and a database of their own, a launched sale large enough for every payment, and one webhook for all events. */
export async function openWorld(terms: { tiers: { price_per_token: string; total_tokens: string }[] }): Promise<World> {
  const postgres = await startPostgres();
  const url = await postgres.createDatabase('intake');
  await migrateDatabase(url);
  const { wsUrl, child } = await spawnLedger();
  const client = new Client(wsUrl);
  await client.connect();
  const genesis = Wallet.fromSeed(GENESIS_SEED);
  const [deposit, issuer] = [Wallet.generate(), Wallet.generate()];
  const accept: World['accept'] = async (count = 1) => {
    for (let i = 0; i < count; i++) await client.request({ command: 'ledger_accept' } as never);
  };
  const send = async (wallet: Wallet, transaction: SubmittableTransaction): Promise<void> => {
    await client.request({ command: 'submit', tx_blob: wallet.sign(await client.autofill(transaction)).tx_blob });
    await accept();
  };
  for (const { address } of [deposit, issuer]) {
    await send(genesis, {
      TransactionType: 'Payment',
      Account: genesis.address,
      Destination: address,
      Amount: '1000000000',
    });
  }
  await send(issuer, {
    TransactionType: 'AccountSet',
    Account: issuer.address,
    SetFlag: AccountSetAsfFlags.asfDefaultRipple,
  });

  const keys = [deposit, issuer].map(({ address, seed }) => `${address}=ed25519:${seed}`);
  applyEnv(
    testEnv({ POSTGRES_URL: url, XRPL_URLS: wsUrl, XRPL_NETWORK_ID: String(NETWORK_ID), SIGNING_KEYS: keys.join(',') }),
  );
  const database = await openDatabase(url, 5);
  const ledger = openLedger({ urls: [wsUrl], networkId: NETWORK_ID });
  const ctx: Ctx = {
    db: database.db,
    get redis() {
      return redis();
    },
    get queue() {
      return queue();
    },
    ledger,
    clock: { nowMs: Date.now },
    random: randomBytes,
    actor: { kind: 'system' },
    requestId: newId('req', randomBytes),
    log: logger(),
  };
  const project = await createProject(
    ctx,
    projectInput.parse({
      name: 'Intake',
      token: { kind: 'iou', currency: 'DMO', issuer: issuer.address },
      distributor: issuer.address,
      deposit_address: deposit.address,
      treasury: issuer.address,
      min_investment_xrp: null,
      ...terms,
    }),
  );
  await submitAction(ctx, { projectId: project.id, action: 'launch', reason: 'benchmark' });
  await accept();
  await database.db.insert(tenants).values({ id: 'ten_bench' });
  await database.db.insert(webhooks).values({
    id: 'wh_bench',
    tenantId: 'ten_bench',
    url: 'https://receiver.example/hook',
    host: 'receiver.example',
    events: [...EVENT_TYPES],
    sealedSecret: 'sealed',
    apiVersion: '2026-11',
  });
  return {
    ctx,
    database,
    client,
    deposit: deposit.address,
    distributor: issuer,
    projectId: project.id,
    destinationTag: project.destination_tag,
    accept,
    async end() {
      await ledger.close();
      await database.close();
      await client.disconnect();
      child.kill();
      await postgres.close();
    },
  };
}
