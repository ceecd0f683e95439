import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { payoutAttempts } from '#drizzle/schema/payouts.ts';
import { MAX_FEE_DROPS } from '#lib/xrpl/server-state.ts';
import { testCtx } from '../../support/ctx.ts';
import { openWorld, type World } from './world.ts';

/** Transactions that an open ledger takes at the base fee. */
const ROOM = 20;
/** The ledger's own limit of queued transactions an account (docs/ledger-facts.md, 16). */
const QUEUE_OF_AN_ACCOUNT = 10;

let world: World;
let holder: Wallet;
let busy: Wallet;
beforeEach(async () => {
  world = await openWorld({ expectedLedgerSize: ROOM, ledgerGrowthPercent: 0 });
  [holder] = (await world.holders(1)) as [Wallet];
  [busy] = (await world.desk.accounts(1)) as [Wallet];
  await world.desk.send(world.distributor, {
    TransactionType: 'TicketCreate',
    Account: world.distributor.address,
    TicketCount: 40,
  });
  world.desk.close();
});
afterEach(() => world.end());

/** Others fill the open ledger: from here on it asks for thousands of drops. */
async function crowd(): Promise<void> {
  for (let i = 0; i < ROOM + 2; i++) {
    await world.desk.send(busy, { TransactionType: 'AccountSet', Account: busy.address, Fee: '1000000' });
  }
}

/** A slice that signs while the ledger is calm and submits once it is full. */
function runIntoTheCrowd() {
  let crowded: Promise<void> | undefined;
  const submit = async (blob: string) => {
    crowded ??= crowd();
    await crowded;
    return world.ctx.ledger.submit(blob);
  };
  return world.run(testCtx({ db: world.database.db, overrides: { ledger: { ...world.ctx.ledger, submit } } }));
}
const answers = async () =>
  (
    await world.database.db
      .select({ result: payoutAttempts.engineResult })
      .from(payoutAttempts)
      .where(eq(payoutAttempts.status, 'open'))
  ).map(({ result }) => result);

describe('when the open ledger is full', () => {
  test('terQUEUED: what is queued is paid by a later ledger, with the fee it was signed with', async () => {
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await runIntoTheCrowd();
    expect(await answers()).toEqual(['terQUEUED']);
    expect((await world.payout(id)).status).toBe('submitted');
    await world.runUntilDone();
    expect(await world.attempts(id)).toMatchObject([
      { status: 'validated', engineResult: 'tesSUCCESS', feeDrops: 12n },
    ]);
  });

  test('telCAN_NOT_QUEUE: more than the queue takes is handed in again, and all of it is paid once', async () => {
    const count = 18;
    for (let i = 0; i < count; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
    await runIntoTheCrowd();
    const given = await answers();
    expect(given.filter((result) => result === 'terQUEUED')).toHaveLength(QUEUE_OF_AN_ACCOUNT);
    expect(given.filter((result) => /^telCAN_NOT_QUEUE/.test(result ?? ''))).toHaveLength(count - QUEUE_OF_AN_ACCOUNT);
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe(String(count));
  });

  test('a fee is the one that the open ledger asks for, and never above the ceiling', async () => {
    await crowd();
    const { loadFactor, loadBase } = await world.ctx.ledger.serverState();
    expect(loadFactor / loadBase).toBeGreaterThan(100n);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run();
    const [attempt] = await world.attempts(id);
    expect(attempt?.feeDrops).toBeGreaterThan(1_000n);
    expect(attempt?.feeDrops).toBeLessThanOrEqual(MAX_FEE_DROPS);
    expect(attempt?.engineResult).toBe('tesSUCCESS');
    await world.runUntilDone();
    expect((await world.payout(id)).status).toBe('validated');
  });
});
