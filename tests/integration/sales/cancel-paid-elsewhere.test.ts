import { and, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { formatLedgerValue } from '#lib/base/money.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { LEDGERS_TO_LIVE } from '#lib/xrpl/transactions.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { beat, expectRecordsAgree, holders, payBeat, sentTo } from './cancelled-sales.ts';
import { CURRENCY, openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const XRP = 1_000_000n;
const distributionOf = async (hash: string) => {
  const { db } = stage.database;
  const condition = and(eq(payouts.paymentHash, hash), eq(payouts.kind, 'distribution'));
  const [row] = await db.select().from(payouts).where(condition);
  if (row === undefined) throw new Error('Nothing is distributed for that payment');
  return row;
};
const cancellationCompletedAt = async ({ project }: Sale) => {
  const [row] = await rowsOf(stage.database.db, 'projects', { id: project.id });
  return row?.cancellationCompletedAt ?? null;
};

/** A cancelled sale with one payout that the issuer has paid by hand, with its ticket, and one that was never paid. */
async function paidByHand() {
  const sale = await stage.launched();
  const [byHand, unpaid] = (await holders(stage, sale, 2)) as [Wallet, Wallet];
  const Account = sale.issuer.address;
  await stage.desk.send(sale.issuer, { TransactionType: 'TicketCreate', Account, TicketCount: 10 });
  const hashes = [await stage.pay(byHand, sale, 10), await stage.pay(unpaid, sale, 20)] as const;
  await stage.settle(sale.deposit);
  const submit = () => Promise.reject(ledgerUnavailable('The connection broke'));
  await payBeat(
    stage,
    sale,
    testCtx({ db: stage.database.db, overrides: { ledger: { ...stage.ctx.ledger, submit } } }),
  );
  const part = await distributionOf(hashes[0]);
  const [attempt] = await rowsOf(stage.database.db, 'payoutAttempts', { payoutId: part.id });
  const settledBy = await stage.desk.send(sale.issuer, {
    TransactionType: 'Payment',
    Account,
    Destination: byHand.address,
    Sequence: 0,
    TicketSequence: attempt?.ticket ?? 0,
    Amount: { currency: CURRENCY, issuer: Account, value: formatLedgerValue(part.amount, 6) },
  });
  await stage.act(sale, 'cancel');
  stage.desk.close(LEDGERS_TO_LIVE + 5);
  for (let beats = 0; beats < 4; beats++) await beat(stage, sale);
  return { sale, byHand, unpaid, part, settledBy };
}

describe('a cancelled sale with a payout that may have been paid by hand', () => {
  it('gives nothing back for it and everything to others, until it is settled by that transaction', async () => {
    const { sale, byHand, unpaid, part, settledBy } = await paidByHand();
    expect(await sentTo(stage, sale, unpaid.address)).toEqual({ drops: 20n * XRP, units: 0n });
    expect(await sentTo(stage, sale, byHand.address)).toEqual({ drops: 0n, units: part.amount });
    expect(await cancellationCompletedAt(sale)).toBeNull();

    const transaction_hash = settledBy;
    await actOnPayout(stage.ctx, { id: part.id, action: 'settle', reason: 'we paid it by hand', transaction_hash });
    for (let beats = 0; beats < 2; beats++) await beat(stage, sale);
    expect(await cancellationCompletedAt(sale)).not.toBeNull();
    expect(await sentTo(stage, sale, byHand.address)).toEqual({ drops: 0n, units: part.amount });
    await expectRecordsAgree(stage, sale);
  });

  it('gives the XRP back once a person has said that the tokens were for something else', async () => {
    const { sale, byHand, part } = await paidByHand();
    await actOnPayout(stage.ctx, { id: part.id, action: 'release', reason: 'a gift' });
    for (let beats = 0; beats < 3; beats++) await beat(stage, sale);
    expect(await cancellationCompletedAt(sale)).not.toBeNull();
    expect(await sentTo(stage, sale, byHand.address)).toEqual({ drops: 10n * XRP, units: part.amount });
    await expectRecordsAgree(stage, sale);
  });
});
