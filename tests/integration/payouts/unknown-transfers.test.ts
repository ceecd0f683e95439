import { randomBytes } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { SubmittableTransaction, Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { unknownTransfers } from '#drizzle/schema/payouts.ts';
import { newId } from '#lib/base/ids.ts';
import { watchDistributors } from '#lib/jobs/distributor-watch.ts';
import { isViolated, readMetrics } from '#lib/ops/status/read-figures.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { recordTransfers } from '#lib/payouts/unknown-transfers.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { addRows, changeRows, deleteRows, rowsOf } from '#tests/support/rows.ts';
import { testCtx } from '../../support/ctx.ts';
import { openWorld, TOKEN, type World } from './world.ts';

let world: World;
let holder: Wallet;
let other: Wallet;
beforeEach(async () => {
  world = await openWorld();
  [holder, other] = (await world.holders(2)) as [Wallet, Wallet];
  await watch();
});
afterEach(() => world.end());

const watch = (ctx = world.ctx) => watchDistributors(ctx, ctx.clock.nowMs() + 60_000);
const alerts = async () =>
  (await world.database.db.select({ body: events.body }).from(events).where(eq(events.type, 'system.alert')))
    .map(({ body }) => JSON.parse(body).data)
    .filter(({ kind }) => kind === 'unknown_transfer');
const unknown = async () => (await readMetrics(world.database.db)).invariants.unknown_transfers;

/** Signed with the distributor's key outside the platform. */
async function byHand(transaction: SubmittableTransaction): Promise<string> {
  const hash = await world.desk.send(world.distributor, transaction);
  world.desk.close();
  return hash;
}
const payment = (to: Wallet, value: string): SubmittableTransaction => ({
  TransactionType: 'Payment',
  Account: world.distributor.address,
  Destination: to.address,
  Amount: { currency: TOKEN.currency, issuer: world.issuer.address, value },
});
const act = (id: string, action: 'hold' | 'release' | 'settle', transactionHash?: string) =>
  actOnPayout(world.ctx, { id, action, reason: 'paid by hand', transaction_hash: transactionHash });

describe('a distributor that pays somebody by a transaction signed elsewhere', () => {
  test('alarms once, and shows in the system status until a person has accounted for it', async () => {
    const hash = await byHand(payment(holder, '5'));
    await watch();
    await watch();
    expect(await alerts()).toMatchObject([
      {
        message: expect.stringContaining(`paid 5 DMO to ${holder.address}`),
        details: {
          account: world.distributor.address,
          transaction: { hash, type: 'Payment' },
          destination: holder.address,
          delivered: '5 DMO',
        },
      },
    ]);
    expect(await unknown()).toBe(1);
    expect(isViolated((await readMetrics(world.database.db)).invariants)).toBe(true);
    // docs/runbook.md, "unknown_transfer".
    await changeRows(world.database.db, 'unknownTransfers', { txHash: hash }, { explained: true });
    expect(await unknown()).toBe(0);
    expect(isViolated((await readMetrics(world.database.db)).invariants)).toBe(false);
  });

  test('alarms for XRP, for a multi-purpose token, and for a promise that moves nothing yet', async () => {
    const { distributor, desk } = world;
    await byHand({
      TransactionType: 'Payment',
      Account: distributor.address,
      Destination: other.address,
      Amount: '2500000',
    });
    await byHand({ TransactionType: 'MPTokenIssuanceCreate', Account: distributor.address, Flags: 0x20 });
    const { result } = await desk.client.request({
      command: 'account_objects',
      account: distributor.address,
      type: 'mpt_issuance',
    });
    const id = String((result.account_objects[0] as { mpt_issuance_id?: string }).mpt_issuance_id);
    await desk.send(holder, { TransactionType: 'MPTokenAuthorize', Account: holder.address, MPTokenIssuanceID: id });
    desk.close();
    await byHand({
      TransactionType: 'Payment',
      Account: distributor.address,
      Destination: holder.address,
      Amount: { mpt_issuance_id: id, value: '7' },
    });
    await watch();
    expect((await alerts()).map(({ details }) => details.delivered).sort()).toEqual(['2.500000 XRP', `7 of ${id}`]);
  });

  test('is found in ledgers that were closed while nobody looked, and in any that follow the launch', async () => {
    const { db } = world.database;
    const hash = await byHand(payment(holder, '5'));
    const { validatedIndex } = await world.ctx.ledger.serverState();
    world.desk.close(5);
    await deleteRows(db, 'distributorCursors');
    await addRows(db, 'actions', {
      txHash: 'A'.repeat(64),
      account: world.deposit.address,
      projectId: world.projectId,
      action: 'launch',
      status: 'applied',
      ledgerIndex: validatedIndex,
    });
    await watch();
    expect(await alerts()).toMatchObject([{ details: { transaction: { hash } } }]);
  });

  test('is watched from now on where no server holds the ledger of the launch', async () => {
    const { db } = world.database;
    await byHand(payment(holder, '5'));
    await deleteRows(db, 'distributorCursors');
    const real = world.ctx.ledger;
    const { validatedIndex } = await real.serverState();
    await addRows(db, 'actions', {
      txHash: 'A'.repeat(64),
      account: world.deposit.address,
      projectId: world.projectId,
      action: 'launch',
      status: 'applied',
      ledgerIndex: validatedIndex - 1,
    });
    const short: Partial<Ledger> = {
      serverState: async () => ({ ...(await real.serverState()), completeLedgers: [[validatedIndex, validatedIndex]] }),
    };
    await watch(testCtx({ db, overrides: { ledger: { ...real, ...short } } }));
    const hash = await byHand(payment(holder, '6'));
    await watch();
    expect(await alerts()).toMatchObject([{ details: { transaction: { hash } } }]);
  });

  test('alarms for tokens that arrive as XRP, also of a deposit account: only XRP that leaves it shows in its feed', async () => {
    const { db } = world.database;
    const { distributor } = world;
    const [deposit] = await rowsOf(db, 'depositAccounts');
    await addRows(db, 'depositAccounts', { ...deposit!, address: distributor.address });
    const [cursor] = await rowsOf(db, 'distributorCursors');
    const readThrough = cursor!.cursorLedger + 1;
    const paid = (hash: string, changeDrops: bigint) => ({
      kind: 'other' as const,
      hash: hash.repeat(64),
      ledgerIndex: readThrough,
      transactionIndex: Number.parseInt(hash, 16),
      closedAtMs: Date.now(),
      feeDrops: 12n,
      changeDrops,
      transactionType: 'Payment',
      counterparty: null,
      sent: { destination: holder.address, destinationTag: null, delivered: '5000000' },
    });
    // The one was paid in XRP, the other in tokens that somebody's offer turned into XRP on the way.
    const entries = [paid('A', -5_000_012n), paid('B', -12n)];
    await recordTransfers(world.ctx, cursor!, { entries, readThrough, readThroughHash: 'C'.repeat(64) });
    expect((await alerts()).map(({ details }) => details.transaction.hash)).toEqual(['B'.repeat(64)]);
  });

  test('looked at by several processes at once alarms once', async () => {
    await byHand(payment(holder, '5'));
    await Promise.all([watch(), watch(), watch(), watch()]);
    expect(await alerts()).toHaveLength(1);
    expect(await unknown()).toBe(1);
  });
});

describe('nothing alarms', () => {
  test('of what the platform signs itself: payouts and tickets, whenever it is looked at', async () => {
    for (let i = 0; i < 15; i++) await world.owe({ to: holder.address, amount: 1_000_000n });
    for (let slices = 0; slices < 6; slices++) {
      await world.run();
      await watch();
      world.desk.close();
      await watch();
    }
    await world.runUntilDone();
    await watch();
    expect(await world.tokens(holder.address)).toBe('15');
    expect(await alerts()).toEqual([]);
    expect(await world.database.db.$count(unknownTransfers)).toBe(0);
  });

  test('of what arrives, of what fails, and of what the account says of itself', async () => {
    const { desk, distributor } = world;
    await desk.send(holder, {
      TransactionType: 'Payment',
      Account: holder.address,
      Destination: distributor.address,
      Amount: '1000000',
    });
    await desk.send(world.issuer, {
      TransactionType: 'Payment',
      Account: world.issuer.address,
      Destination: distributor.address,
      Amount: { currency: TOKEN.currency, issuer: world.issuer.address, value: '3' },
    });
    await byHand(payment(holder, '90000000'));
    await byHand({ TransactionType: 'AccountSet', Account: distributor.address });
    await byHand({ TransactionType: 'TicketCreate', Account: distributor.address, TicketCount: 2 });
    const credential = { Account: distributor.address, Subject: distributor.address, CredentialType: '4B5943' };
    await byHand({ TransactionType: 'CredentialCreate', ...credential });
    await byHand({ TransactionType: 'CredentialDelete', ...credential });
    await watch();
    expect(await world.database.db.$count(unknownTransfers)).toBe(0);
  });

  test('of tokens that go to another distributor of the platform', async () => {
    const [row] = await rowsOf(world.database.db, 'projects');
    const id = newId('proj', randomBytes);
    await addRows(world.database.db, 'projects', {
      ...row!,
      id,
      slug: id.toLowerCase(),
      status: 'draft',
      distributor: other.address,
      destinationTag: 78,
    });
    await byHand(payment(other, '500'));
    await watch();
    expect(await world.database.db.$count(unknownTransfers)).toBe(0);
  });

  test('of a payment by hand that an operator settles a held payout with', async () => {
    const id = await world.owe({ to: holder.address, amount: 5_000_000n });
    await act(id, 'hold');
    const hash = await byHand(payment(holder, '5'));
    await watch();
    expect([await alerts(), await unknown()]).toEqual([[], 0]);
    await act(id, 'settle', hash);
    await watch();
    expect([await alerts(), await unknown()]).toEqual([[], 0]);
    const [row] = await rowsOf(world.database.db, 'unknownTransfers');
    expect(row).toMatchObject({ txHash: hash, payoutId: id, explained: true });
  });
});

describe('payments by hand of equal parts to one holder', () => {
  test('alarm nothing while they settle them, whichever is settled with which, and a later one settles the next part', async () => {
    const ids = [];
    for (let part = 0; part < 3; part++) ids.push(await world.owe({ to: holder.address, amount: 5_000_000n }));
    for (const id of ids) await act(id, 'hold');
    const hashes = [await byHand(payment(holder, '5'))];
    await watch();
    hashes.push(await byHand(payment(holder, '5')));
    await watch();
    const stood = await rowsOf(world.database.db, 'unknownTransfers');
    const payoutOf = (hash?: string) => stood.find(({ txHash }) => txHash === hash)?.payoutId ?? '';
    // Each with the payment that was taken for the other's.
    for (const position of [0, 1]) {
      await act(payoutOf(hashes[1 - position]), 'settle', hashes[position]);
      await watch();
      expect([await alerts(), await unknown()]).toEqual([[], 0]);
    }
    const left = ids.find((id) => !stood.some(({ payoutId }) => payoutId === id)) ?? '';
    const last = await byHand(payment(holder, '5'));
    await watch();
    expect([await alerts(), await unknown()]).toEqual([[], 0]);
    await act(left, 'settle', last);
    await watch();
    expect([await alerts(), await unknown()]).toEqual([[], 0]);
    expect(await world.database.db.$count(unknownTransfers, eq(unknownTransfers.explained, true))).toBe(3);
  });

  test('alarm for the one that has no part left to settle', async () => {
    const ids = [await world.owe({ to: holder.address, amount: 5_000_000n })];
    ids.push(await world.owe({ to: holder.address, amount: 5_000_000n }));
    for (const id of ids) await act(id, 'hold');
    const hashes = [await byHand(payment(holder, '5')), await byHand(payment(holder, '5'))];
    await watch();
    await act(ids[0]!, 'release');
    await world.runUntilDone();
    await watch();
    const stood = await alerts();
    expect(stood).toHaveLength(1);
    const [alarmed] = stood.map(({ details }) => details.transaction.hash);
    await act(
      ids[1]!,
      'settle',
      hashes.find((hash) => hash !== alarmed),
    );
    await watch();
    expect(await alerts()).toHaveLength(1);
    expect(await unknown()).toBe(1);
  });
});

describe('a payment by hand that looks like a settlement', () => {
  test('alarms when the platform has paid the payout too', async () => {
    const id = await world.owe({ to: holder.address, amount: 5_000_000n });
    await act(id, 'hold');
    const hash = await byHand(payment(holder, '5'));
    await watch();
    await act(id, 'release');
    await world.runUntilDone();
    await watch();
    expect(await alerts()).toMatchObject([{ details: { transaction: { hash } } }]);
    expect(await unknown()).toBe(1);
  });

  test('explains one payment only: the same amount once more alarms, and so does another amount or another account', async () => {
    const id = await world.owe({ to: holder.address, amount: 5_000_000n });
    await act(id, 'hold');
    await byHand(payment(holder, '5'));
    const hashes = [
      await byHand(payment(holder, '5')),
      await byHand(payment(holder, '5.000001')),
      await byHand(payment(other, '5')),
    ];
    await watch();
    expect((await alerts()).map(({ details }) => details.transaction.hash).sort()).toEqual(hashes.sort());
  });

  test('alarms for a part that is not due yet: nobody pays that by hand now', async () => {
    const id = await world.owe({ to: holder.address, amount: 5_000_000n });
    await changeRows(world.database.db, 'payouts', { id }, { dueAt: sql`now() + interval '300 days'` });
    await byHand(payment(holder, '5'));
    await watch();
    expect(await alerts()).toHaveLength(1);
  });
});
