import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world.end());

test('tickets for everything that is due are asked for in one ledger, and the next ledger pays it', async () => {
  const [holder] = (await world.holders(1)) as [Wallet];
  for (let i = 0; i < 160; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
  await world.run();
  world.desk.close();
  expect(await world.run()).toMatchObject({ submitted: 160 });
  world.desk.close();
  await world.run();
  const rows = await world.database.db.select({ status: payouts.status }).from(payouts);
  expect(rows.filter(({ status }) => status === 'validated')).toHaveLength(160);
});

test('no more tickets are asked for than may be under way at once', async () => {
  const [holder] = (await world.holders(1)) as [Wallet];
  for (let i = 0; i < 240; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
  await world.run();
  world.desk.close();
  expect(await world.ctx.ledger.tickets(world.distributor.address)).toHaveLength(205);
  expect(await world.run()).toMatchObject({ submitted: 200 });
});
