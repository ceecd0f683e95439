import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tiers } from '#drizzle/schema/sale.ts';
import { applyEnv } from '#lib/base/env.ts';
import { closeLedger } from '#lib/xrpl/lazy.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { PRICE_ONE, XRP } from '#tests/support/sale.ts';
import { closeLedgers } from './commands.ts';
import { launchMemo } from './draw-action.ts';
import { publishProject, registerAccount } from './publish.ts';
import type { Terms } from './terms.ts';
import { workUntilDone } from './worker.ts';
import { World } from './world.ts';

const TERMS: Terms = {
  decimals: 6,
  access: 'open',
  startsAtMs: null,
  endsAtMs: null,
  minInvestmentDrops: null,
  maxPerWalletDrops: null,
  softCapDrops: null,
  refundMinDrops: 1_000n,
  distribution: 'immediate',
  vesting: { immediate_bps: 10_000, cliff_days: 0, period_days: 0, periods: 0 },
  tiers: [{ price: PRICE_ONE, totalUnits: 5n * XRP, access: 'open', startsAtMs: null }],
};

let database: FreshDatabase;
let hash: string;

beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
  const world = new World(1);
  await registerAccount(database.db, world);
  const project = world.addProject(TERMS);
  await publishProject(database.db, world, project);
  world.addAction(launchMemo(project));
  const received = { changeDrops: 8n * XRP, feeDrops: 0n, deliveredDrops: 8n * XRP };
  hash = world.add({
    kind: 'payment',
    ...received,
    sender: 'rInvestor0',
    destinationTag: project.tag,
    sourceTag: null,
  });
  closeLedgers(world, 2, null);
  await workUntilDone(database.db, world);
});
afterAll(async () => {
  await database?.close();
  await closeLedger();
});

describe('the database itself', () => {
  it('has a decided payment whose parts are the whole', async () => {
    const [row] = await rowsOf(database.db, 'payments', { txHash: hash });
    expect(row).toMatchObject({ investedDrops: 5n * XRP, refundedDrops: 3n * XRP, heldDrops: 0n });
  });

  it.each(['invested_drops', 'refunded_drops', 'held_drops', 'received_drops'])(
    'refuses a decided payment with one drop more in %s',
    async (column) => {
      const changed = database.db.execute(
        sql`update payments set ${sql.identifier(column)} = ${sql.identifier(column)} + 1 where tx_hash = ${hash}`,
      );
      await expect(changed).rejects.toMatchObject({ cause: { constraint: 'payments_conserved' } });
    },
  );

  it('refuses a tier that sold one unit more than it has', async () => {
    const changed = changeRows(database.db, 'tiers', {}, { soldUnits: sql`${tiers.soldUnits} + 1` });
    await expect(changed).rejects.toMatchObject({ cause: { constraint: 'tiers_never_oversold' } });
  });
});
