import { encodeProgress, readProgress } from '@tranche/verifier/progress.ts';
import type { PublishedPayout } from '@tranche/verifier/published.ts';
import { verifySale } from '@tranche/verifier/verify-sale.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { payouts } from '#drizzle/schema/payouts.ts';
import { formatLedgerValue } from '#lib/base/money.ts';
import { assignPayment } from '#lib/sales/held/assign-payment.ts';
import { databaseSource } from '#lib/sales/verification/database-source.ts';
import { holders } from '#tests/integration/sales/cancelled-sales.ts';
import { lateDiscovery } from '#tests/integration/sales/forgetful-feed.ts';
import { openListsDesk } from '#tests/integration/sales/lists-world.ts';
import { CURRENCY, openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { namesOf, quiet, replacing, verifyAltered } from './altered.ts';
import { dropPaidOnce, named, verify } from './scene.ts';
import { type Served, serveRoutes } from './serve.ts';

let stage: Stage;
let served: Served;
beforeAll(async () => {
  stage = await openStage();
  served = await serveRoutes();
});
afterAll(async () => {
  await served?.close();
  await stage?.end();
});

async function smallSale(): Promise<{ sale: Sale; investor: Wallet; hash: string }> {
  const sale = await stage.launched();
  const [investor] = (await holders(stage, sale, 1)) as [Wallet];
  const hash = await stage.pay(investor, sale, 10);
  await quiet(stage, sale);
  return { sale, investor, hash };
}

const payoutOf = async (hash: string, kind: 'distribution' | 'refund') => {
  const [row] = await rowsOf(stage.database.db, 'payouts', { paymentHash: hash, kind });
  if (row === undefined) throw new Error(`No ${kind} of ${hash}`);
  return row;
};

async function sendTokens(sale: Sale, to: string, value: string): Promise<string> {
  const hash = await stage.desk.send(sale.issuer, {
    TransactionType: 'Payment',
    Account: sale.issuer.address,
    Destination: to,
    Amount: { currency: CURRENCY, issuer: sale.issuer.address, value },
  });
  await stage.settle(sale.deposit);
  return hash;
}

const ANOTHER_ID = 'pay_0000000000000000000000';
/** The row, and before it one that says that the same is still owed. */
const owedOnceMore = (row: PublishedPayout): PublishedPayout[] => [
  { ...row, id: ANOTHER_ID, status: 'owed', transaction_hash: null, ledger_index: null },
  row,
];

it('a payout that is published twice hides no double payment, whichever reading shows it', async () => {
  const { sale, investor, hash } = await smallSale();
  const { id, amount } = await payoutOf(hash, 'distribution');
  const double = (row: PublishedPayout) => (row.id === id ? owedOnceMore(row) : [row]);
  const single = await verifyAltered(stage, sale, (honest) => ({
    payouts: (of, asOf, cursor) => replacing(honest.payouts(of, asOf, cursor), double),
  }));
  expect(namesOf(single)).toContainEqual(['payout_extra', expect.stringMatching(/^pay_/)]);
  await sendTokens(sale, investor.address, formatLedgerValue(BigInt(amount), 6));
  const always = await verifyAltered(stage, sale, (honest) => ({
    payouts: (of, asOf, cursor) => replacing(honest.payouts(of, asOf, cursor), double),
  }));
  expect(namesOf(always)).toContainEqual(['payout_extra', expect.stringMatching(/^pay_/)]);
  for (const lying of [1, 2, 3]) {
    let readings = 0;
    const once = await verifyAltered(stage, sale, (honest) => ({
      payouts(of, asOf, cursor) {
        readings += 1;
        const rows = honest.payouts(of, asOf, cursor);
        return readings >= lying ? replacing(rows, double) : rows;
      },
    }));
    expect(once.verdict, `from reading ${lying} on`).toBe('differs');
  }
});

it('a row of /payments that only the second reading shows is found', async () => {
  const { sale, investor } = await smallSale();
  const gift = await sendTokens(sale, investor.address, '0.123456');
  let readings = 0;
  const report = await verifyAltered(stage, sale, (honest) => ({
    payments(of, asOf, cursor) {
      readings += 1;
      const rows = honest.payments(of, asOf, cursor);
      return readings > 1 ? replacing(rows, (row) => [{ ...row, sender: sale.deposit.address }]) : rows;
    },
  }));
  expect(namesOf(report)).toContainEqual(['answers_differ', `${sale.project.id}/payments`]);
  expect(namesOf(await verifyAltered(stage, sale, () => ({})))).toEqual([['unexplained_payment', gift]]);
});

it('one transaction that two sales of the same accounts both name as theirs is found in either', async () => {
  const one = await stage.launched({ min_investment_xrp: '5' });
  const two = await stage.launched({ slug: 'shares-the-account', min_investment_xrp: '5' }, one);
  const investor = await stage.account();
  const paid = await stage.pay(investor, one, 3);
  const unpaid = await stage.pay(investor, two, 3);
  await stage.settle(one.deposit);
  await stage.database.db.execute(sql`update ${payouts} set status = 'held' where payment_hash = ${unpaid}`);
  await quiet(stage, one);
  for (const sale of [one, two]) expect((await verify(stage, served, sale)).code).toBe(0);
  const { txHash, ledgerIndex } = await payoutOf(paid, 'refund');
  await dropPaidOnce(stage);
  await stage.database.db.execute(sql`update ${payouts} set status = 'validated', tx_hash = ${txHash},
    ledger_index = ${ledgerIndex} where payment_hash = ${unpaid}`);
  for (const [sale, hash] of [
    [one, paid],
    [two, unpaid],
  ] as const) {
    const { id } = await payoutOf(hash, 'refund');
    expect(named(await verify(stage, served, sale))).toEqual([['transaction_used_twice', id]]);
  }
});

it('what another sale says of a transaction explains it only when it went to where that sale owed it', async () => {
  const { sale, investor } = await smallSale();
  const other = await stage.launched({ slug: 'says-it-was-for-me' }, sale);
  const stranger = await stage.account();
  const hash = await stage.pay(stranger, other, 10);
  await quiet(stage, other);
  const gift = await sendTokens(sale, investor.address, '7');
  expect(named(await verify(stage, served, sale))).toEqual([['unexplained_payment', gift]]);
  const sent = await stage.desk.client.request({ command: 'tx', transaction: gift });
  await stage.database.db.execute(sql`update ${payouts} set status = 'validated', reason = null, tx_hash = ${gift},
    ledger_index = ${sent.result.ledger_index} where payment_hash = ${hash} and kind = 'distribution'`);
  expect(named(await verify(stage, served, sale))).toEqual([['unexplained_payment', gift]]);
});

it('a refund that is published as cancelled is found', async () => {
  const sale = await stage.launched({ min_investment_xrp: '5' });
  const hash = await stage.pay(await stage.account(), sale, 3);
  await stage.settle(sale.deposit);
  await stage.database.db.execute(sql`update ${payouts} set status = 'cancelled' where payment_hash = ${hash}`);
  const { id } = await payoutOf(hash, 'refund');
  await stage.act(sale, 'cancel');
  await stage.settle(sale.deposit);
  expect(named(await verify(stage, served, sale))).toEqual([['payout_differs', id, 'status']]);
});

it('tokens below the unit that an investor got beside every payout are named', async () => {
  const { sale, investor } = await smallSale();
  const gift = await sendTokens(sale, investor.address, '100.0000001');
  const found = await verify(stage, served, sale);
  expect(found.code).toBe(1);
  expect(named(found)).toEqual([['unexplained_payment', gift]]);
  expect(found.report.differences[0]?.message).toContain('100.0000001');
});

it('a made-up exception that a payment was sent back wipes no assign out', async () => {
  const sale = await stage.launched();
  const late = await lateDiscovery(stage, sale, await stage.account(), 5);
  await assignPayment(stage.ctx, { transactionHash: late, projectId: sale.project.id, reason: 'in time' });
  await quiet(stage, sale);
  expect((await verify(stage, served, sale)).code).toBe(0);
  const report = await verifyAltered(stage, sale, (honest) => ({
    exceptions: async (of) =>
      (await honest.exceptions(of)).map((each) => {
        if (each.kind !== 'assign') return each;
        const { ledger_index, transaction_index, payment_hash, investor_account, amount_xrp } = each;
        const about = { ledger_index, transaction_index, payment_hash, investor_account, amount_xrp };
        return { kind: 'refund', ...about, payout_id: ANOTHER_ID };
      }),
    payments: (of, asOf, cursor) =>
      replacing(honest.payments(of, asOf, cursor), (row) => (row.assigned_by === null ? [row] : [])),
    allocations: (of, asOf, cursor) =>
      replacing(honest.allocations(of, asOf, cursor), (row) => (row.assigned_by === null ? [row] : [])),
    payouts: (of, asOf, cursor) =>
      replacing(honest.payouts(of, asOf, cursor), (row) => (row.payment_hash === late ? [] : [row])),
  }));
  expect(namesOf(report)).toEqual([['exception_not_on_ledger', ANOTHER_ID]]);
});

it('a difference of payouts that is known is reported though newer ledgers could not be read', async () => {
  const { sale, hash } = await smallSale();
  stage.desk.close(6);
  await stage.settle(sale.deposit);
  const { as_of_ledger: asOf } = (await verify(stage, served, sale)).report;
  const held: [number, number][] = [[1, asOf - 2]];
  const { ledger } = stage.ctx;
  const state = { ...(await ledger.serverState()), completeLedgers: held, validatedIndex: asOf - 2 };
  const short = { ...ledger, serverState: async () => state };
  const known = await verifyAltered(stage, sale, () => ({}), { asOf, ledger: short });
  expect(known.verdict).toBe('unchecked');
  const { id } = await payoutOf(hash, 'distribution');
  await stage.database.db.execute(sql`update ${payouts} set amount = amount - 1000000 where id = ${id}`);
  const report = await verifyAltered(stage, sale, () => ({}), { asOf, ledger: short });
  expect(report.verdict).toBe('differs');
  expect(namesOf(report)).toContainEqual(['payout_differs', id]);
  expect(report.unchecked).not.toEqual([]);
});

it('an allowlist that differs is counted once, however many slices the run has', async () => {
  const sale = await stage.draft({ access: 'allowlist' });
  const [investor] = (await holders(stage, sale, 1)) as [Wallet];
  await openListsDesk(stage).inForce(sale, [{ wallet_address: investor.address }]);
  await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
  await stage.pay(investor, sale, 3);
  await quiet(stage, sale);
  const honest = databaseSource(stage.ctx);
  const asked = {
    source: {
      ...honest,
      async *listText(of: string, list: string) {
        yield* honest.listText(of, list);
        yield `{"wallet_address":"${sale.deposit.address}","cap_xrp":null}\n`;
      },
    },
    // A ledger a page.
    ledger: {
      ...stage.ctx.ledger,
      readFeed: (request: Parameters<typeof stage.ctx.ledger.readFeed>[0]) =>
        stage.ctx.ledger.readFeed({ ...request, maxEntries: 1 }),
    },
    projectId: sale.project.id,
    asOf: null,
  };
  let run = await verifySale({ ...asked, progress: null, pageDone: async () => false });
  for (let slices = 1; run.progress.phase !== 'done'; slices++) {
    if (slices > 200) throw new Error('The run does not end');
    const kept = readProgress(encodeProgress(sale.project.id, run.progress), sale.project.id);
    run = await verifySale({ ...asked, progress: kept, pageDone: async () => false });
  }
  expect(run.progress.findings.differences.map(({ kind }) => kind)).toEqual(['list_differs']);
  expect(run.progress.findings.differencesTotal).toBe(1);
});
