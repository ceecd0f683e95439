import { and, asc, eq, TransactionRollbackError } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, payments } from '#drizzle/schema/sale.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { systemAlert } from '#lib/events/data.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { processTransactions } from '#lib/jobs/process-transactions.ts';
import { isViolated, readMetrics } from '#lib/ops/status/read-figures.ts';
import { lockAndLoad } from '#lib/sales/feed/load-state.ts';
import { recordEntries } from '#lib/sales/feed/recognise.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { advanceAccount } from '#tests/integration/sales/advance-account.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { changeRows, deleteRows, rowsOf } from '#tests/support/rows.ts';
import { paymentEntry, XRP } from '#tests/support/sale.ts';
import { CURRENCY, openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
let sale: Sale;
beforeAll(async () => {
  stage = await openStage();
});
beforeEach(async () => {
  sale = await stage.launched();
});
afterAll(() => stage?.end());

const { MAX_SAFE_INTEGER } = Number;

/** The stage's ctx with a ledger that answers some questions in its own way. */
const lying = (answers: Partial<Ledger>): TestCtx =>
  testCtx({ db: stage.database.db, overrides: { ledger: { ...stage.ctx.ledger, ...answers } } });

/** A server that leaves these transactions out of the feed. */
const without = (...hashes: string[]): TestCtx =>
  lying({
    async readFeed(request) {
      const page = await stage.ctx.ledger.readFeed(request);
      return { ...page, entries: page.entries.filter(({ hash }) => !hashes.includes(hash)) };
    },
  });

const advanceBy = async (ctx: TestCtx) =>
  advanceAccount(ctx, {
    account: sale.deposit.address,
    server: await ctx.ledger.serverState(),
    deadlineMs: Number.POSITIVE_INFINITY,
    stillMine: async () => true,
  });

async function settleBy(ctx: TestCtx): Promise<void> {
  stage.desk.close(2);
  await advanceBy(ctx);
}

async function account() {
  const [row] = await rowsOf(stage.database.db, 'depositAccounts', { address: sale.deposit.address });
  return row!;
}

const balance = async () => (await stage.ctx.ledger.account(sale.deposit.address))?.balanceDrops;

/** Alerts that name this test's account, in the order in which they were raised. */
async function alerts() {
  const rows = await stage.database.db
    .select({ body: events.body })
    .from(events)
    .where(eq(events.type, 'system.alert'))
    .orderBy(asc(events.sequence));
  return rows
    .map(({ body }) => systemAlert.parse(JSON.parse(body).data))
    .filter(({ details }) => details.account === sale.deposit.address);
}

const trust = (holder: Wallet) =>
  stage.desk.send(holder, {
    TransactionType: 'TrustSet',
    Account: holder.address,
    LimitAmount: { currency: CURRENCY, issuer: sale.issuer.address, value: '1000000' },
  });

describe('the books of a deposit account', () => {
  it('begin with its balance at registration and agree with the ledger to the drop', async () => {
    const { recordedBalanceDrops, differenceDrops, reconciledLedger, cursorLedger } = await account();
    expect(recordedBalanceDrops).toBe(await balance());
    expect(recordedBalanceDrops).toBeLessThan(1_000n * XRP);
    expect({ differenceDrops, reconciledLedger }).toEqual({ differenceDrops: 0n, reconciledLedger: cursorLedger });
  });

  it('have in them what came up to the ledger in which they began, and nothing of it is booked twice', async () => {
    const before = await account();
    const began = before.recordedFromLedger ?? 0;
    expect(began).toBeGreaterThan(0);
    const recordedWith = async (ledgerIndex: number) => {
      const entry = paymentEntry(ledgerIndex, 9_000, 5n * XRP, { destinationTag: null });
      let booked: bigint | null = null;
      const recorded = stage.database.db.transaction(async (tx) => {
        const loaded = await lockAndLoad(tx, sale.deposit.address);
        expect(await recordEntries(stage.ctx, tx, loaded, [entry], before.cursorLedger)).toMatchObject({ payments: 1 });
        booked = (await lockAndLoad(tx, sale.deposit.address)).account.recordedBalanceDrops;
        tx.rollback();
      });
      await expect(recorded).rejects.toThrow(TransactionRollbackError);
      return booked;
    };
    expect(await recordedWith(began)).toBe(before.recordedBalanceDrops);
    expect(await recordedWith(began + 1)).toBe((before.recordedBalanceDrops ?? 0n) + 5n * XRP);
  });

  it('explain every drop of a whole sale: payments, refunds, tickets, actions and their fees', async () => {
    const [buyer, stranger, late] = [await stage.account(), await stage.account(), await stage.account()];
    await trust(buyer);
    stage.desk.close();
    await stage.pay(buyer, sale, 50.5);
    await stage.pay(stranger, sale, 7, sale.project.destination_tag + 1);
    await stage.pay(stranger, sale, 3, null);
    await stage.settle(sale.deposit);
    await stage.act(sale, 'pause');
    stage.desk.close();
    await stage.pay(late, sale, 5);
    await stage.settle(sale.deposit);
    const owed = () =>
      stage.database.db
        .select({ status: payouts.status })
        .from(payouts)
        .innerJoin(payments, eq(payments.txHash, payouts.paymentHash))
        .where(eq(payments.account, sale.deposit.address));
    for (let run = 0; run < 20 && (await owed()).some(({ status }) => status !== 'validated'); run++) {
      expect((await processPayments(stage.ctx)).faults).toEqual([]);
      stage.desk.close();
    }
    await stage.settle(sale.deposit);

    expect((await owed()).map(({ status }) => status)).toEqual(Array(4).fill('validated'));
    const { recordedBalanceDrops, differenceDrops } = await account();
    expect(differenceDrops).toBe(0n);
    expect(recordedBalanceDrops).toBe(await balance());
    const changes = await rowsOf(stage.database.db, 'accountChanges', { account: sale.deposit.address });
    expect(changes.every(({ ours }) => ours)).toBe(true);
    expect(new Set(changes.map(({ transactionType }) => transactionType))).toEqual(
      new Set(['AccountSet', 'TicketCreate', 'Payment']),
    );
    expect(await alerts()).toEqual([]);
  });
});

describe('a payment that a server leaves out', () => {
  it('shows as a difference with one alert; a further one with another; found again, it is held and the books agree', async () => {
    const investor = await stage.account();
    const first = await stage.pay(investor, sale, 5);
    await settleBy(without(first));
    await settleBy(without(first));
    expect((await account()).differenceDrops).toBe(5n * XRP);
    const [alert, ...more] = await alerts();
    expect(more).toEqual([]);
    expect(alert).toMatchObject({
      kind: 'balance_difference',
      details: { account: sale.deposit.address, difference_xrp: '5.000000' },
    });
    expect((await readMetrics(stage.ctx.db)).invariants).toMatchObject({
      balances: { status: 'violated', accounts: [{ account: sale.deposit.address, difference_xrp: '5.000000' }] },
    });

    const second = await stage.pay(investor, sale, 7);
    await settleBy(without(second));
    await settleBy(without(second));
    expect((await account()).differenceDrops).toBe(12n * XRP);
    expect((await alerts()).map(({ kind }) => kind)).toEqual(['balance_difference', 'balance_difference']);

    for (let times = 0; times < 2; times++) await readAgain();
    await settleBy(stage.ctx);
    const { recordedBalanceDrops, differenceDrops } = await account();
    expect(differenceDrops).toBe(0n);
    expect(recordedBalanceDrops).toBe(await balance());
    const held = await stage.database.db
      .select({ hash: payments.txHash, reason: payments.reason })
      .from(payments)
      .where(and(eq(payments.account, sale.deposit.address), eq(payments.outcome, 'held')))
      .orderBy(asc(payments.ledgerIndex));
    expect(held).toEqual([first, second].map((hash) => ({ hash, reason: 'late_discovery' })));
    expect((await alerts()).slice(2)).toMatchObject([
      { kind: 'late_discovery', details: { transaction: { hash: first, type: 'Payment' }, amount_xrp: '5.000000' } },
      { kind: 'late_discovery', details: { transaction: { hash: second, type: 'Payment' }, amount_xrp: '7.000000' } },
    ]);
    const invariants = (await readMetrics(stage.ctx.db)).invariants;
    expect(invariants).toMatchObject({ balances: { status: 'ok' }, late_discoveries: 2 });
    expect(isViolated(invariants)).toBe(true);
    await deleteRows(stage.database.db, 'payments', { reason: 'late_discovery' });
  });

  /** Everything since registration once more, from an honest server. */
  async function readAgain(): Promise<void> {
    const { registeredLedger, cursorLedger } = await account();
    const page = await stage.ctx.ledger.readFeed({
      account: sale.deposit.address,
      afterLedger: registeredLedger,
      afterHash: null,
      throughLedger: cursorLedger,
      maxEntries: MAX_SAFE_INTEGER,
    });
    await stage.database.db.transaction(async (tx) => {
      const loaded = await lockAndLoad(tx, sale.deposit.address);
      await recordEntries(stage.ctx, tx, loaded, page.entries, cursorLedger);
    });
  }
});

describe('XRP that leaves by a transaction signed elsewhere', () => {
  it('alarms once, stands in the books, and shows in the system status until a person has accounted for it', async () => {
    const elsewhere = await stage.account();
    const hash = await stage.desk.send(sale.deposit, {
      TransactionType: 'Payment',
      Account: sale.deposit.address,
      Destination: elsewhere.address,
      Amount: '12345678',
    });
    await stage.settle(sale.deposit);
    await stage.settle(sale.deposit);
    expect(await alerts()).toMatchObject([
      {
        kind: 'unknown_withdrawal',
        message: expect.stringContaining('12.345678 XRP'),
        details: { transaction: { hash, type: 'Payment' }, amount_xrp: '12.345678' },
      },
    ]);
    const { recordedBalanceDrops, differenceDrops } = await account();
    expect(differenceDrops).toBe(0n);
    expect(recordedBalanceDrops).toBe(await balance());
    const invariants = (await readMetrics(stage.ctx.db)).invariants;
    expect(invariants).toMatchObject({ unknown_withdrawals: 1, foreign_transactions: 1 });
    expect(isViolated(invariants)).toBe(true);
    // docs/runbook.md, `unknown_withdrawal`.
    await changeRows(stage.database.db, 'accountChanges', { txHash: hash }, { ours: true });
    expect(isViolated((await readMetrics(stage.ctx.db)).invariants)).toBe(false);
  });
});

describe('a comparison', () => {
  it('waits for the next cursor when no server holds the ledger, and finds no difference in that', async () => {
    const before = await account();
    await stage.pay(await stage.account(), sale, 5);
    const away = lying({ balanceAt: () => Promise.reject(new PlatformError('ledger_unavailable', 'gone')) });
    await settleBy(away);
    const { reconciledLedger, differenceDrops, recordedBalanceDrops } = await account();
    expect({ reconciledLedger, differenceDrops }).toEqual({
      reconciledLedger: before.reconciledLedger,
      differenceDrops: 0n,
    });
    expect(recordedBalanceDrops).toBe(await balance());
    await settleBy(stage.ctx);
    expect(await account()).toMatchObject({ differenceDrops: 0n, reconciledLedger: (await account()).cursorLedger });
    expect(await alerts()).toEqual([]);
  });

  it('asks for the balance in one ledger: of an account that was not there yet it is null, in a ledger that no server holds an error', async () => {
    const { registeredLedger } = await account();
    await expect(stage.ctx.ledger.balanceAt(sale.deposit.address, registeredLedger + 1_000)).rejects.toMatchObject({
      code: 'ledger_unavailable',
    });
    expect(await stage.ctx.ledger.balanceAt(sale.deposit.address, 3)).toBeNull();
  });

  it('of an account without a first balance is where its books begin', async () => {
    await changeRows(
      stage.database.db,
      'depositAccounts',
      { address: sale.deposit.address },
      { recordedBalanceDrops: null, reconciledLedger: null },
    );
    expect((await readMetrics(stage.ctx.db)).invariants.balances.status).toBe('unknown');
    await stage.pay(await stage.account(), sale, 5);
    await stage.settle(sale.deposit);
    const { recordedBalanceDrops, differenceDrops } = await account();
    expect({ recordedBalanceDrops, differenceDrops }).toEqual({
      recordedBalanceDrops: await balance(),
      differenceDrops: 0n,
    });
    expect(await alerts()).toEqual([]);
  });

  it('that another process overtakes writes nothing: the other’s books are of a later ledger', async () => {
    const investor = await stage.account();
    await stage.pay(investor, sale, 5);
    let overtaken = false;
    const slow = lying({
      async balanceAt(address, ledgerIndex) {
        const drops = await stage.ctx.ledger.balanceAt(address, ledgerIndex);
        if (!overtaken) {
          overtaken = true;
          await stage.pay(investor, sale, 6);
          await settleBy(stage.ctx);
        }
        return drops;
      },
    });
    await settleBy(slow);
    expect(overtaken).toBe(true);
    const { recordedBalanceDrops, differenceDrops, reconciledLedger, cursorLedger } = await account();
    expect({ recordedBalanceDrops, differenceDrops, reconciledLedger }).toEqual({
      recordedBalanceDrops: await balance(),
      differenceDrops: 0n,
      reconciledLedger: cursorLedger,
    });
    expect(await alerts()).toEqual([]);
  });
});

describe('an account whose books began later than its feed', () => {
  it('keeps right books when ledgers from before that are read again', async () => {
    const sale = await stage.launched();
    await stage.pay(await stage.account(), sale, 10);
    await stage.settle(sale.deposit);
    const ofAccount = eq(depositAccounts.address, sale.deposit.address);
    const { db } = stage.database;
    // As the migration leaves an account that was there before its balance was booked.
    await deleteRows(db, 'accountChanges', { account: sale.deposit.address });
    await db.update(depositAccounts).set({ recordedBalanceDrops: null, recordedFromLedger: null }).where(ofAccount);
    await stage.settle(sale.deposit);
    const [began] = await db.select().from(depositAccounts).where(ofAccount);
    if (began === undefined) throw new Error('The account is registered');

    const done = await processTransactions(stage.ctx, {
      from_ledger: began.registeredLedger + 1,
      to_ledger: began.cursorLedger,
      account: sale.deposit.address,
      dry_run: false,
      reason: 'looking',
    });
    await stage.settle(sale.deposit);

    expect(done.recorded).toBeGreaterThan(0);
    expect((await db.select().from(depositAccounts).where(ofAccount))[0]?.differenceDrops).toBe(0n);
  });
});
