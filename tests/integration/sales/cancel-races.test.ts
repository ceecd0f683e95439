import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Wallet } from 'xrpl';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { payments } from '#drizzle/schema/sale.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { refundCancelledSales } from '#lib/sales/cancelled-refunds/refund-cancelled-sales.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { addRows, rowsOf } from '#tests/support/rows.ts';
import { expectRecordsAgree, holders, launchedUnder, payoutsOf, sentTo, untilQuiet } from './cancelled-sales.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

const XRP = 1_000_000n;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.desk.ledger.faults.clear());
afterAll(() => stage?.end());

/** A ctx whose payer does `meanwhile` once: after it has read what is due and judged it, before it signs. */
function payerThatStops(meanwhile: (tickets: number[]) => Promise<number[] | undefined>) {
  const real = stage.ctx.ledger;
  let stopped = false;
  const ledger: Ledger = {
    ...real,
    async tickets(account) {
      const held = await real.tickets(account);
      if (stopped) return held;
      stopped = true;
      return (await meanwhile(held)) ?? held;
    },
  };
  return testCtx({ db: stage.database.db, overrides: { ledger } });
}

const payFrom = (sale: Sale, ctx = stage.ctx) =>
  runPayouts(ctx, { account: sale.issuer.address, deadlineMs: ctx.clock.nowMs() + 60_000 });
const refundCancelled = () => refundCancelledSales(stage.ctx, stage.ctx.clock.nowMs() + 60_000);
const cancel = async (sale: Sale) => {
  await stage.act(sale, 'cancel');
  await stage.settle(sale.deposit);
};

/** A sale whose distributor has tickets already, with one payment of 5 XRP of each of so many investors, not distributed yet. */
async function saleOwing(investors: number): Promise<{ sale: Sale; wallets: Wallet[] }> {
  const sale = await launchedUnder(stage, {});
  const [first, ...wallets] = (await holders(stage, sale, investors + 1)) as [Wallet, ...Wallet[]];
  await stage.pay(first, sale, 1);
  await untilQuiet(stage, sale);
  for (const wallet of wallets) await stage.pay(wallet, sale, 5);
  await stage.settle(sale.deposit);
  return { sale, wallets };
}

const distributionsTo = async (sale: Sale, wallets: readonly Wallet[]) => {
  const addresses = new Set(wallets.map(({ address }) => address));
  return (await payoutsOf(stage, sale)).filter((row) => row.kind === 'distribution' && addresses.has(row.destination));
};

/** Both in the order in which a payer locks them. */
async function twoOwed(sale: Sale, wallets: readonly Wallet[]) {
  const [first, second] = await distributionsTo(sale, wallets);
  if (first === undefined || second === undefined) throw new Error('Two payouts are owed');
  return [first, second] as const;
}

/** Every investor has tokens for 5 XRP, or the 5 XRP: on the ledger. Says which. */
async function expectTokensOrXrp(sale: Sale, wallets: readonly Wallet[]): Promise<('tokens' | 'xrp')[]> {
  await expectRecordsAgree(stage, sale);
  return Promise.all(
    wallets.map(async ({ address }) => {
      const sent = await sentTo(stage, sale, address);
      expect([
        { drops: 0n, units: 50n * XRP },
        { drops: 5n * XRP, units: 0n },
      ]).toContainEqual(sent);
      return sent.units > 0n ? 'tokens' : 'xrp';
    }),
  );
}

const waitingSessions = async () => {
  const { rows } = await stage.database.db.execute<{ waiting: number }>(sql`
    select count(*)::integer as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`);
  return rows[0]?.waiting ?? 0;
};
const untilWaiting = (sessions: number) =>
  vi.waitFor(async () => expect(await waitingSessions()).toBe(sessions), { timeout: 10_000, interval: 10 });

/** A transaction of the test's own that holds what `take` takes, until it is let go. */
async function holding(
  take: (tx: Parameters<Parameters<Stage['ctx']['db']['transaction']>[0]>[0]) => Promise<unknown>,
) {
  const held = Promise.withResolvers<void>();
  const letGo = Promise.withResolvers<void>();
  const done = stage.database.db
    .transaction(async (tx) => {
      await take(tx);
      held.resolve();
      await letGo.promise;
      tx.rollback();
    })
    .catch(() => undefined);
  await held.promise;
  return async () => {
    letGo.resolve();
    await done;
  };
}

describe('a payer that read a payout as due before the cancellation', () => {
  it('signs nothing after the cancellation', async () => {
    const { sale, wallets } = await saleOwing(2);
    const payer = payerThatStops(async () => {
      await cancel(sale);
      return undefined;
    });
    expect(await payFrom(sale, payer)).toMatchObject({ submitted: 0 });
    await untilQuiet(stage, sale);
    expect(await expectTokensOrXrp(sale, wallets)).toEqual(['xrp', 'xrp']);
  });

  it('signs nothing after the refund is owed', async () => {
    const { sale, wallets } = await saleOwing(2);
    const payer = payerThatStops(async () => {
      await cancel(sale);
      expect(await refundCancelled()).toMatchObject({ investments: 3, broken: 0 });
      return undefined;
    });
    expect(await payFrom(sale, payer)).toMatchObject({ submitted: 0 });
    await untilQuiet(stage, sale);
    expect(await expectTokensOrXrp(sale, wallets)).toEqual(['xrp', 'xrp']);
  });

  it('and signs while the sale is cancelled and refunded, is waited for, and its tokens stay', async () => {
    const { sale, wallets } = await saleOwing(1);
    const [investor] = wallets as [Wallet];
    const [paid] = await rowsOf(stage.database.db, 'payoutAttempts', { account: sale.issuer.address });
    // It has one ticket, and somebody is about to use it: the payer holds its payout's lock and waits.
    let release = async (): Promise<void> => undefined;
    const payer = payerThatStops(async ([ticket = 0, ...others]) => {
      const used = await stage.database.db
        .select({ ticket: payoutAttempts.ticket })
        .from(payoutAttempts)
        .where(eq(payoutAttempts.account, sale.issuer.address));
      const free = [ticket, ...others].find((each) => !used.some((row) => row.ticket === each)) ?? 0;
      release = await holding((tx) =>
        addRows(tx, 'payoutAttempts', {
          ...paid!,
          txHash: 'F'.repeat(64),
          attempt: 99,
          ticket: free,
          status: 'failed',
        }),
      );
      return [free];
    });
    const paying = payFrom(sale, payer);
    await untilWaiting(1);
    await cancel(sale);
    // The payer's transaction began before the cancellation and has not ended: refunding passes its payout over.
    expect(await refundCancelled()).toMatchObject({ investments: 1, broken: 0 });
    await release();
    expect(await paying).toMatchObject({ submitted: 1 });
    expect((await distributionsTo(sale, [investor])).map(({ status }) => status)).toEqual(['submitted']);
    expect(await refundCancelled()).toMatchObject({ investments: 0, broken: 0 });

    await untilQuiet(stage, sale);
    expect(await expectTokensOrXrp(sale, wallets)).toEqual(['tokens']);
  });

  it('and finds one payout locked and the next cancelled meanwhile, pays the first only', async () => {
    const { sale, wallets } = await saleOwing(2);
    const [first, second] = await twoOwed(sale, wallets);
    const release = await holding((tx) => tx.select().from(payouts).where(eq(payouts.id, first.id)).for('update'));
    const paying = payFrom(sale);
    await untilWaiting(1);
    await cancel(sale);
    expect(await refundCancelled()).toMatchObject({ investments: 2, broken: 0 });
    await release();
    expect(await paying).toMatchObject({ submitted: 1 });
    expect((await distributionsTo(sale, wallets)).map(({ id, status }) => [id, status]).toSorted()).toEqual([
      [first.id, 'submitted'],
      [second.id, 'cancelled'],
    ]);
    await untilQuiet(stage, sale);
    expect((await expectTokensOrXrp(sale, wallets)).toSorted()).toEqual(['tokens', 'xrp']);
  });

  it('and finds it cancelled by a transaction that has not ended, waits for it and pays nothing', async () => {
    const { sale, wallets } = await saleOwing(2);
    const [first, second] = await twoOwed(sale, wallets);
    const releaseFirst = await holding((tx) => tx.select().from(payouts).where(eq(payouts.id, first.id)).for('update'));
    const paying = payFrom(sale);
    await untilWaiting(1);
    await cancel(sale);
    // Unwinding gets as far as the second's books, its payout cancelled.
    const releaseCommitments = await holding((tx) =>
      tx
        .select()
        .from(payments)
        .where(eq(payments.txHash, second.paymentHash ?? ''))
        .for('update'),
    );
    const refunding = refundCancelled();
    await untilWaiting(2);
    await releaseFirst();
    // The payer has the first now and waits for the second.
    await untilWaiting(2);
    await releaseCommitments();
    await Promise.all([paying, refunding]);
    expect((await distributionsTo(sale, wallets)).map(({ id, status }) => [id, status]).toSorted()).toEqual([
      [first.id, 'submitted'],
      [second.id, 'cancelled'],
    ]);
    await untilQuiet(stage, sale);
    expect((await expectTokensOrXrp(sale, wallets)).toSorted()).toEqual(['tokens', 'xrp']);
  });
});

describe('a payment that was submitted before the cancellation', () => {
  it('and is on its way, is waited for: no refund is owed until its outcome is known', async () => {
    const { sale, wallets } = await saleOwing(1);
    expect(await payFrom(sale)).toMatchObject({ submitted: 1 });
    // The ledger has decided already, but nobody has looked it up.
    await cancel(sale);
    expect(await refundCancelled()).toMatchObject({ investments: 1, broken: 0 });
    expect((await payoutsOf(stage, sale)).filter(({ kind }) => kind === 'refund')).toEqual([]);
    await untilQuiet(stage, sale);
    expect(await expectTokensOrXrp(sale, wallets)).toEqual(['tokens']);
  });

  it('and got lost is not handed to the ledger again: it expires, and only then the XRP goes back', async () => {
    const { sale, wallets } = await saleOwing(1);
    stage.desk.ledger.faults.set({ loseSubmits: 1 });
    expect(await payFrom(sale)).toMatchObject({ submitted: 1 });
    stage.desk.ledger.faults.clear();
    await cancel(sale);
    const [attempt] = await stage.database.db
      .select()
      .from(payoutAttempts)
      .where(eq(payoutAttempts.account, sale.issuer.address))
      .orderBy(asc(payoutAttempts.lastLedgerSequence))
      .offset(1);
    const { validatedIndex } = await stage.ctx.ledger.serverState();
    for (let index = validatedIndex; index < (attempt?.lastLedgerSequence ?? 0); index++) {
      stage.desk.close();
      await payFrom(sale);
      await refundCancelled();
      expect((await distributionsTo(sale, wallets)).map(({ status }) => status)).toEqual(['submitted']);
    }
    await untilQuiet(stage, sale);
    expect((await distributionsTo(sale, wallets)).map(({ status }) => status)).toEqual(['cancelled']);
    expect(await expectTokensOrXrp(sale, wallets)).toEqual(['xrp']);
  });
});
