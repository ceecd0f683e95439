import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { SubmittableTransaction, Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { actOnPayoutContract } from '#lib/payouts/operate/contracts.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { LEDGERS_TO_LIVE } from '#lib/xrpl/transactions.ts';
import type { Ledger, LookUp } from '#lib/xrpl/types.ts';
import { addRows, rowsOf } from '#tests/support/rows.ts';
import { testCtx } from '../../support/ctx.ts';
import { openWorld, TOKEN, type World } from './world.ts';

const REASON = 'paid by hand';
let world: World;
let holder: Wallet;
let other: Wallet;
beforeEach(async () => {
  world = await openWorld();
  [holder, other] = (await world.holders(2)) as [Wallet, Wallet];
  await world.desk.send(world.distributor, {
    TransactionType: 'TicketCreate',
    Account: world.distributor.address,
    TicketCount: 10,
  });
  world.desk.close();
});
afterEach(() => world.end());

const ctxWith = (over: Partial<Ledger>) =>
  testCtx({ db: world.database.db, overrides: { ledger: { ...world.ctx.ledger, ...over } } });
/** Signs and persists; nothing reaches the ledger. */
const mute = () => ctxWith({ submit: () => Promise.reject(ledgerUnavailable('The connection broke')) });
const owe = (to: Wallet, amount = 5_000_000n, tag: number | null = null) => world.owe({ to: to.address, amount, tag });

const payment = (to: Wallet, value: string, DestinationTag?: number): SubmittableTransaction => ({
  TransactionType: 'Payment',
  Account: world.distributor.address,
  Destination: to.address,
  Amount: { currency: TOKEN.currency, issuer: world.issuer.address, value },
  ...(DestinationTag === undefined ? {} : { DestinationTag }),
});
/** Signed with the payer's key outside the platform. */
async function byHand(transaction: SubmittableTransaction): Promise<string> {
  const hash = await world.desk.send(world.distributor, transaction);
  world.desk.close();
  return hash;
}
/** The same, using up the ticket of the payout's attempt. */
async function withTicketOf(id: string, transaction: SubmittableTransaction): Promise<string> {
  const [attempt] = await world.attempts(id);
  return byHand({ ...transaction, Sequence: 0, TicketSequence: attempt?.ticket ?? 0 });
}
const expire = () => world.desk.close(LEDGERS_TO_LIVE + 5);
const statusOf = async (id: string) => {
  const { status, reason } = await world.payout(id);
  return reason === null ? status : `${status} ${reason}`;
};
const eventsOf = async (type: 'system.alert' | 'investment.tokens_distributed') =>
  (await world.database.db.select({ body: events.body }).from(events).where(eq(events.type, type))).map(
    ({ body }) => JSON.parse(body).data,
  );

describe('a ticket of ours that paid somebody by hand', () => {
  test('holds every unfinished payout of the account to whom it paid, and no other', async () => {
    const id = await owe(holder);
    await world.run(mute());
    await withTicketOf(id, payment(other, '5'));
    const [meant, alsoMeant, third] = [await owe(other), await owe(other, 7_000_000n), await owe(holder)];
    expire();
    await world.run();
    expect(await Promise.all([meant, alsoMeant].map(statusOf))).toEqual(['held paid_elsewhere', 'held paid_elsewhere']);
    await world.runUntilDone();
    expect(await Promise.all([id, third].map(statusOf))).toEqual(['validated', 'validated']);
    expect(await world.tokens(other.address)).toBe('5');
    expect(await world.tokens(holder.address)).toBe('10');
  });

  test('holds one that is on its way once that has failed, and lets it be paid when it has not', async () => {
    const id = await owe(holder);
    await world.run(mute());
    await withTicketOf(id, payment(other, '5'));
    world.desk.close(15);
    const [lost, arrives] = [await owe(other), await owe(other, 7_000_000n)];
    await world.run(mute());
    world.desk.close(10);
    const [attempt] = await world.attempts(arrives);
    await world.ctx.ledger.submit(attempt?.txBlob ?? '');
    await world.run(mute());
    expect(await statusOf(lost)).toBe('submitted paid_elsewhere');
    expire();
    await world.run();
    expect(await Promise.all([lost, arrives].map(statusOf))).toEqual(['held paid_elsewhere', 'validated']);
    await world.runUntilDone();
    expect(await world.tokens(other.address)).toBe('12');
  });

  test('holds its own payout when it is none that shows whom it pays', async () => {
    const id = await owe(holder);
    await world.run(mute());
    await withTicketOf(id, { TransactionType: 'AccountSet', Account: world.distributor.address });
    expire();
    const real = world.ctx.ledger;
    // A Batch, a Check and an escrow are not of this ledger; ticket-search.test.ts shows how they are read.
    const ticketUses: Ledger['ticketUses'] = async (search) =>
      (await real.ticketUses(search)).map((use) => ({ ...use, unclear: true }));
    await world.run(ctxWith({ ticketUses }));
    expect(await statusOf(id)).toBe('held paid_elsewhere');
  });
});

describe('an attempt that is past its last ledger', () => {
  test('ends where any server proves its absence, also when the first one is short of history; a ticket request too', async () => {
    const id = await owe(holder);
    await world.run(mute());
    const [attempt] = await world.attempts(id);
    await addRows(world.database.db, 'ticketRequests', {
      txHash: 'C'.repeat(64),
      account: world.distributor.address,
      txBlob: '00',
      count: 10,
      sequence: 1,
      firstLedger: attempt?.firstLedger ?? 0,
      lastLedgerSequence: attempt?.lastLedgerSequence ?? 0,
    });
    expire();
    const real = world.ctx.ledger;
    const { validatedIndex } = await real.serverState();
    const short = (hashes: readonly string[]): LookUp[] =>
      hashes.map(() => ({
        state: 'not_validated',
        history: { validatedIndex, completeLedgers: [[validatedIndex - 3, validatedIndex]] },
      }));
    const first: Partial<Ledger> = { lookUpAll: async (hashes) => short(hashes), lookUp: async () => short([''])[0]! };
    const alone = ctxWith({ ...first, lookUpEverywhere: async (hashes) => [short(hashes)] });
    expect(await world.run(alone)).toMatchObject({ expired: 0 });
    const both = ctxWith({
      ...first,
      lookUpEverywhere: async (hashes) => [short(hashes), await real.lookUpAll(hashes)],
    });
    expect(await world.run(both)).toMatchObject({ expired: 1, submitted: 1 });
    const [request] = await rowsOf(world.database.db, 'ticketRequests');
    expect(request?.status).toBe('expired');
  });

  test('ends also where a gap lies before it, and the server answers only from that gap on', async () => {
    const gap = world.desk.close(5);
    world.desk.close(10);
    const id = await owe(holder);
    await world.run(mute());
    await withTicketOf(id, payment(other, '1'));
    expire();
    world.desk.ledger.faults.set({ missingLedgers: [{ from: gap, to: gap }] });
    expect(await world.run()).toMatchObject({ expired: 1 });
  });

  test('stays open while servers contradict each other about its ticket, with an error and one alert', async () => {
    const id = await owe(holder);
    await world.run();
    expire();
    const real = world.ctx.ledger;
    const [attempt] = await world.attempts(id);
    const { validatedIndex } = await real.serverState();
    const blind = (hashes: readonly string[]): LookUp[] =>
      hashes.map(() => ({
        state: 'not_validated',
        history: { validatedIndex, completeLedgers: [[1, validatedIndex]] },
      }));
    const strange = { ticket: attempt?.ticket ?? 0, hash: 'F'.repeat(64), ledgerIndex: validatedIndex - 3 };
    for (const order of ['ours first', 'ours last']) {
      const ctx = ctxWith({
        lookUpAll: async (hashes) => blind(hashes),
        lookUpEverywhere: async (hashes) => [blind(hashes)],
        ticketUses: async (search) => {
          const uses = [...(await real.ticketUses(search)), { ...strange, paid: [], payment: null, unclear: false }];
          return order === 'ours last' ? uses.toReversed() : uses;
        },
      });
      const alarm = vi.spyOn(ctx.log, 'error');
      expect(await world.run(ctx)).toMatchObject({ expired: 0, submitted: 0 });
      expect(alarm).toHaveBeenCalled();
    }
    expect(await eventsOf('system.alert')).toMatchObject([{ kind: 'servers_disagree' }]);
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('5');
  });
});

describe('an operator settles a held payout', () => {
  const settle = (id: string, transaction_hash?: string, action: 'settle' | 'release' = 'settle') =>
    actOnPayout(world.ctx, { id, action, reason: REASON, transaction_hash });
  /** The refusal's code and detail. */
  const refused = (promise: Promise<unknown>) =>
    promise.then(
      () => 'settled',
      (error: { code: string; detail: string }) => `${error.code}: ${error.detail}`,
    );

  test('by the transaction that has paid it: event, audit, and nothing is paid again', async () => {
    const id = await owe(holder, 5_000_000n, 4711);
    await world.run(mute());
    const hash = await withTicketOf(id, payment(holder, '5', 4711));
    expire();
    await world.run();
    expect(await statusOf(id)).toBe('held paid_elsewhere');
    const { transaction_hash } = actOnPayoutContract.body.parse({
      reason: REASON,
      transaction_hash: hash.toLowerCase(),
    });
    expect(await settle(id, transaction_hash)).toMatchObject({
      status: 'validated',
      reason: null,
      transaction_hash: hash,
      possible: [],
    });
    expect(await eventsOf('investment.tokens_distributed')).toMatchObject([
      { payout_id: id, tokens: '5.000000', transaction: { hash } },
    ]);
    const audited = await rowsOf(world.database.db, 'auditEntries');
    expect(audited).toMatchObject([
      { action: 'payout.settle', subject: id, reason: REASON, after: { status: 'validated', transaction_hash: hash } },
    ]);
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('5');
  });

  test('and is refused whatever is not exactly that payment, by what differs', async () => {
    const paid = await owe(holder);
    await world.runUntilDone();
    const id = await owe(holder);
    await actOnPayout(world.ctx, { id, action: 'hold', reason: REASON });
    const ofAnother = (await world.payout(paid)).txHash ?? '';
    const right = await byHand(payment(holder, '5'));
    const refusals: [string, string][] = [
      ['0'.repeat(64), 'conflict: No ledger server shows'],
      [await byHand(payment(holder, '99000000')), 'conflict: No ledger server shows'],
      [
        await byHand({ TransactionType: 'AccountSet', Account: world.distributor.address }),
        'conflict: No ledger server',
      ],
      [await byHand(payment(holder, '5.000001')), 'delivered {"value":"5.000001"'],
      [await byHand({ ...payment(holder, '5'), Amount: '5000000' } as SubmittableTransaction), 'delivered "5000000"'],
      [await byHand(payment(other, '5')), `went to ${other.address}`],
      [await byHand(payment(holder, '5', 9)), 'destination tag is 9, and that of the payout none'],
      [ofAnother, `is the transaction of another payout, ${paid}`],
    ];
    for (const [hash, why] of refusals) expect(await refused(settle(id, hash))).toContain(why);
    expect(await refused(settle(id))).toMatch(/^invalid_request: transaction_hash: give/);
    expect(await refused(settle(id, right, 'release'))).toMatch(/^invalid_request: transaction_hash: leave/);
    expect(await refused(settle(paid, right))).toBe(
      'conflict: The payout is validated: nothing can be done with it now.',
    );
    expect(await refused(settle(`pay_${'0'.repeat(22)}`, right))).toMatch(/^not_found/);
    expect(await statusOf(id)).toBe('held operator_hold');
    expect((await settle(id, right)).status).toBe('validated');
  });

  test('not by a payment that the platform has made for another one and has not looked up yet', async () => {
    const id = await owe(holder);
    await actOnPayout(world.ctx, { id, action: 'hold', reason: REASON });
    const paid = await owe(holder);
    await world.run();
    world.desk.close();
    const [attempt] = await world.attempts(paid);
    expect(await statusOf(paid)).toBe('submitted');
    expect(await refused(settle(id, attempt?.txHash))).toContain(`is the transaction of another payout, ${paid}`);
    expect(await statusOf(id)).toBe('held operator_hold');
  });

  test('one transaction settles one payout, also when two operators are at it at once', async () => {
    const ids = [await owe(holder), await owe(holder)];
    for (const id of ids) await actOnPayout(world.ctx, { id, action: 'hold', reason: REASON });
    const hash = await byHand(payment(holder, '5'));
    const settled = await Promise.all(ids.map((id) => refused(settle(id, hash).then(() => Promise.resolve()))));
    expect(settled.filter((answer) => answer === 'settled')).toHaveLength(1);
    expect(settled.filter((answer) => answer.includes('is the transaction of another payout'))).toHaveLength(1);
  });
});
