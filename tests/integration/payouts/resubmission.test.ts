import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { payoutAttempts, payouts, ticketRequests } from '#drizzle/schema/payouts.ts';
import type { SubmitResult } from '#lib/xrpl/types.ts';
import { countingLedger } from '#tests/support/counting-ledger.ts';
import { openWorld, type World } from './world.ts';

/** While a heartbeat is 4 s, about so many slices fall into the time in which a ledger stood still for a quarter of an hour. */
const SLICES = 20;
/** A server that takes everything and passes nothing on. */
const TAKEN: SubmitResult = { engineResult: 'tesSUCCESS' };

let world: World;
let holder: Wallet;
beforeAll(async () => {
  world = await openWorld();
  [holder] = (await world.holders(1)) as [Wallet];
});
beforeEach(async () => {
  const { db } = world.database;
  for (const table of [payoutAttempts, ticketRequests, payouts]) await db.delete(table);
  await world.ctx.redis.flushdb();
});
afterAll(() => world.end());

async function runSlices(ctx: World['ctx']): Promise<void> {
  for (let slice = 0; slice < SLICES; slice++) {
    await world.checkAgain();
    await world.run(ctx);
  }
}

describe('while the ledger stands still', () => {
  it('a TicketCreate is handed in once, and once again with each ledger that leaves it out', async () => {
    await world.owe({ to: holder.address, amount: 1_000_000n });
    const { ledger, submissions } = countingLedger(world.ctx.ledger, TAKEN);
    const ctx = { ...world.ctx, ledger };
    await runSlices(ctx);
    expect(submissions).toHaveLength(1);
    for (const count of [2, 3]) {
      world.desk.close();
      await runSlices(ctx);
      expect(submissions).toHaveLength(count);
    }
    expect(new Set(submissions).size).toBe(1);
    // What was left out all the time arrives when a server passes it on.
    world.desk.close();
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('1');
  });

  it('a payment that ledgers leave out is handed in once with each of them', async () => {
    await world.desk.send(world.distributor, {
      TransactionType: 'TicketCreate',
      Account: world.distributor.address,
      TicketCount: 20,
    });
    world.desk.close();
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    const { ledger, submissions } = countingLedger(world.ctx.ledger, TAKEN);
    const ctx = { ...world.ctx, ledger };
    await runSlices(ctx);
    expect(submissions).toHaveLength(1);
    // It counts as lost after four ledgers.
    world.desk.close(4);
    await runSlices(ctx);
    expect(submissions).toHaveLength(2);
    world.desk.close();
    await runSlices(ctx);
    expect(submissions).toHaveLength(3);
    world.desk.close();
    await world.runUntilDone();
    expect(await world.attempts(id)).toMatchObject([{ attempt: 1, status: 'validated' }]);
  });
});
