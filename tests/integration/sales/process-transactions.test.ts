import { desc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { auditEntries } from '#drizzle/schema/access.ts';
import { events } from '#drizzle/schema/events.ts';
import { accountChanges, allocations, investments, payments } from '#drizzle/schema/sale.ts';
import { processTransactions } from '#lib/jobs/process-transactions.ts';
import { MAX_REREAD_ENTRIES } from '#lib/jobs/reread-ledger.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import * as route from '../../../app/api/system/process-transactions/route.ts';
import { advanceForgetting, asked, lateDiscovery, paymentOf } from './forgetful-feed.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => {
  stage.desk.ledger.faults.clear();
  stage.set({ CONFIRMATIONS: undefined });
});
afterAll(() => stage?.end());

const post = (body: unknown) => call(route, 'POST', { apiKey: TEST_ADMIN_TOKEN, body });
const positionOf = async ({ deposit }: Sale) => {
  const [row] = await rowsOf(stage.database.db, 'depositAccounts', { address: deposit.address });
  if (row === undefined) throw new Error('No such deposit account');
  return row;
};
const lastAudit = async () => {
  const [entry] = await stage.database.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.action, 'transactions.process'))
    .orderBy(desc(auditEntries.createdAt))
    .limit(1);
  return entry;
};
const tiersOf = async (hash: string) =>
  (
    await stage.database.db
      .select({ tier: allocations.tier, units: allocations.units })
      .from(allocations)
      .innerJoin(investments, eq(investments.id, allocations.investmentId))
      .where(eq(investments.txHash, hash))
      .orderBy(allocations.tier)
  ).map(({ tier, units }) => [tier, units]);

/** A payment that the feed lost, and one after it, both read but not decided: the books end with the second. */
async function lostBeforeAnother() {
  const sale = await stage.launched({
    tiers: [
      { price_per_token: '0.10', total_tokens: '100' },
      { price_per_token: '0.20', total_tokens: '5000' },
    ],
  });
  stage.set({ CONFIRMATIONS: '20' });
  const lost = await stage.pay(await stage.account(), sale, 10);
  stage.desk.close();
  const after = await stage.pay(await stage.account(), sale, 10);
  stage.desk.close();
  await advanceForgetting(stage, sale, lost);
  return { sale, lost, after };
}

describe('a payment that the feed lost', () => {
  it('is found by its hash above the watermark, and decided in its own place before later ones', async () => {
    const { sale, lost, after } = await lostBeforeAnother();
    expect(await processTransactions(stage.ctx, { ...asked, transaction_hashes: [lost, after] })).toMatchObject({
      found: 2,
      known: 1,
      recorded: 1,
      transactions: [
        {
          transaction_hash: lost,
          outcome: 'recorded',
          kind: 'payment',
          change_xrp: '10.000000',
          late_discovery: false,
        },
        { transaction_hash: after, outcome: 'known', differences: [] },
      ],
    });
    expect(await paymentOf(stage, lost)).toMatchObject({ outcome: 'pending', heldDrops: 0n });
    stage.set({ CONFIRMATIONS: undefined });
    await stage.settle(sale.deposit);
    // The first tier holds what exactly one of them buys: it is the earlier one's.
    expect(await tiersOf(lost)).toEqual([[1, 100_000_000n]]);
    expect(await tiersOf(after)).toEqual([[2, 50_000_000n]]);
    expect(await stage.database.db.$count(events, eq(events.projectId, sale.project.id))).toBeGreaterThanOrEqual(4);
  });

  it('is found in a range of ledgers, and nothing is written twice', async () => {
    const { sale, lost } = await lostBeforeAnother();
    const { cursorLedger, registeredLedger } = await positionOf(sale);
    const range = { ...asked, account: sale.deposit.address, from_ledger: registeredLedger, to_ledger: cursorLedger };
    const before = (await positionOf(sale)).recordedBalanceDrops ?? 0n;
    const [first, second] = await Promise.all([
      processTransactions(stage.ctx, range),
      processTransactions(stage.ctx, range),
    ]);
    expect(first.recorded + second.recorded).toBe(1);
    expect([...first.transactions, ...second.transactions]).toMatchObject([{ transaction_hash: lost }]);
    expect(first).toMatchObject({ through_ledger: cursorLedger, next_from_ledger: null, differs: 0, ahead: 0 });
    expect(await processTransactions(stage.ctx, range)).toMatchObject({ recorded: 0, transactions: [] });
    // The books have it once, too.
    expect((await positionOf(sale)).recordedBalanceDrops).toBe(before + 10_000_000n);
    expect(await stage.database.db.$count(events, eq(events.projectId, sale.project.id))).toBe(3);
  });

  it('is held below the watermark, and changes nothing that was decided', async () => {
    const sale = await stage.launched();
    const hash = await stage.pay(await stage.account(), sale, 10);
    stage.desk.close(2);
    await advanceForgetting(stage, sale, hash);
    const before = await getProject(stage.ctx, sale.project.id);
    expect(await processTransactions(stage.ctx, { ...asked, transaction_hashes: [hash] })).toMatchObject({
      recorded: 1,
      transactions: [{ outcome: 'recorded', late_discovery: true }],
    });
    expect(await paymentOf(stage, hash)).toMatchObject({ outcome: 'held', reason: 'late_discovery' });
    await stage.settle(sale.deposit);
    expect((await getProject(stage.ctx, sale.project.id)).progress).toEqual(before.progress);
    expect(await stage.database.db.$count(investments, eq(investments.txHash, hash))).toBe(0);
    const alerts = await rowsOf(stage.database.db, 'events', { type: 'system.alert' });
    expect(alerts.filter(({ body }) => body.includes(hash)).map(({ body }) => JSON.parse(body).data.kind)).toEqual([
      'late_discovery',
    ]);
  });

  it('is filled in while the account is halted, before anything after it is decided', async () => {
    const { sale, lost } = await lostBeforeAnother();
    const { db } = stage.database;
    await changeRows(db, 'depositAccounts', { address: sale.deposit.address }, { halted: true });
    stage.set({ CONFIRMATIONS: undefined });
    expect(await processTransactions(stage.ctx, { ...asked, transaction_hashes: [lost] })).toMatchObject({
      transactions: [{ outcome: 'recorded', late_discovery: false }],
    });
    await changeRows(db, 'depositAccounts', { address: sale.deposit.address }, { halted: false });
    await stage.settle(sale.deposit);
    expect(await tiersOf(lost)).toEqual([[1, 100_000_000n]]);
  });
});

describe('an action that the feed lost', () => {
  it('takes effect in its own place when it is found above the watermark', async () => {
    const sale = await stage.launched();
    stage.set({ CONFIRMATIONS: '20' });
    await stage.act(sale, 'pause');
    const [pause] = await rowsOf(stage.database.db, 'actions', { projectId: sale.project.id, action: 'pause' });
    const hash = pause?.txHash ?? '';
    stage.desk.close();
    const refused = await stage.pay(await stage.account(), sale, 10);
    stage.desk.close();
    await advanceForgetting(stage, sale, hash);
    expect(await processTransactions(stage.ctx, { ...asked, transaction_hashes: [hash] })).toMatchObject({
      transactions: [{ outcome: 'recorded', kind: 'action', late_discovery: false }],
    });
    stage.set({ CONFIRMATIONS: undefined });
    await stage.settle(sale.deposit);
    expect(await paymentOf(stage, refused)).toMatchObject({ outcome: 'refunded', reason: 'not_active' });
    // Its fee stands in the books like every other.
    expect(await stage.database.db.$count(accountChanges, eq(accountChanges.txHash, hash))).toBe(1);
  });
});

describe('what is not missing', () => {
  it('is left to the feed when the feed has not come to it', async () => {
    const sale = await stage.launched();
    const hash = await stage.pay(await stage.account(), sale, 10);
    stage.desk.close(2);
    expect(await processTransactions(stage.ctx, { ...asked, transaction_hashes: [hash] })).toMatchObject({
      found: 1,
      recorded: 0,
      ahead: 1,
      transactions: [{ transaction_hash: hash, outcome: 'ahead', account: sale.deposit.address }],
    });
    expect(await stage.database.db.$count(payments, eq(payments.txHash, hash))).toBe(0);
  });

  it('is told apart: a transaction of others, and one that is nowhere', async () => {
    const sale = await stage.launched();
    const [payer, payee] = [await stage.account(), await stage.account()];
    const foreign = await stage.desk.send(payer, {
      TransactionType: 'Payment',
      Account: payer.address,
      Destination: payee.address,
      Amount: '1000000',
    });
    await stage.settle(sale.deposit);
    const nowhere = 'AB'.repeat(32);
    expect(await processTransactions(stage.ctx, { ...asked, transaction_hashes: [foreign, nowhere] })).toMatchObject({
      found: 0,
      not_ours: 1,
      not_found: 1,
      transactions: [
        { transaction_hash: foreign, outcome: 'not_ours' },
        { transaction_hash: nowhere, outcome: 'not_found' },
      ],
    });
  });

  it('is reported and never overwritten when the books say otherwise than the ledger', async () => {
    const sale = await stage.launched();
    const hash = await lateDiscovery(stage, sale, await stage.account(), 10);
    const { db } = stage.database;
    await changeRows(
      db,
      'payments',
      { txHash: hash },
      { receivedDrops: 9_000_000n, heldDrops: 9_000_000n, transactionIndex: 77 },
    );
    const wrong = await paymentOf(stage, hash);
    const answer = await processTransactions(stage.ctx, { ...asked, transaction_hashes: [hash] });
    expect(answer).toMatchObject({ found: 1, differs: 1, recorded: 0 });
    expect(answer.transactions[0]?.differences).toEqual([
      { field: 'transaction_index', recorded: 77, ledger: expect.any(Number) },
      { field: 'received_xrp', recorded: '9.000000', ledger: '10.000000' },
    ]);
    expect(await paymentOf(stage, hash)).toEqual(wrong);
  });
});

describe('a range that holds more than one call reads', () => {
  it('is read whole ledger by whole ledger, and the answer says where to go on', async () => {
    const sale = await stage.launched();
    const written = stage.desk.ledger.writePayments({
      count: MAX_REREAD_ENTRIES + 2_500,
      destination: sale.deposit.address,
      destinationTag: sale.project.destination_tag,
      amountDrops: 1_000_000n,
    });
    const ask = (from: number) =>
      processTransactions(stage.ctx, {
        ...asked,
        dry_run: true,
        account: sale.deposit.address,
        from_ledger: from,
        to_ledger: written.lastLedgerIndex,
      });
    const first = await ask(written.firstLedgerIndex);
    expect(first.found).toBeLessThanOrEqual(MAX_REREAD_ENTRIES);
    expect(first.transactions).toHaveLength(500);
    const second = await ask(first.next_from_ledger ?? 0);
    expect(first.next_from_ledger).toBe((first.through_ledger ?? 0) + 1);
    expect(second).toMatchObject({ through_ledger: written.lastLedgerIndex, next_from_ledger: null });
    expect(first.ahead + second.ahead).toBe(written.count);
  });
});

describe('a dry run', () => {
  it('reports what would be written and writes nothing, not even an audit entry', async () => {
    const { lost } = await lostBeforeAnother();
    const { db } = stage.database;
    const audits = await db.$count(auditEntries);
    const answer = await processTransactions(stage.ctx, { ...asked, dry_run: true, transaction_hashes: [lost] });
    expect(answer).toMatchObject({ dry_run: true, recorded: 1, transactions: [{ outcome: 'recorded' }] });
    expect(await db.$count(payments, eq(payments.txHash, lost))).toBe(0);
    expect(await db.$count(auditEntries)).toBe(audits);
  });
});

describe('the audit log', () => {
  it('holds who asked, why, and what came of it', async () => {
    const { lost } = await lostBeforeAnother();
    const answer = await post({ transaction_hashes: [lost.toLowerCase()], reason: 'a holder complained' });
    expect(answer).toMatchObject({ status: 200, body: { recorded: 1 } });
    expect(await lastAudit()).toMatchObject({
      actor: 'administrator:operator',
      reason: 'a holder complained',
      before: { transaction_hashes: [lost] },
      after: { recorded: 1, recorded_hashes: [lost] },
    });
  });
});

describe('a server that lacks history', () => {
  it('is answered 503 with the missing ledgers, and nothing is written', async () => {
    const { sale, lost } = await lostBeforeAnother();
    const { cursorLedger, registeredLedger } = await positionOf(sale);
    const first = registeredLedger + 2;
    stage.desk.ledger.faults.set({ missingLedgers: [{ from: first, to: first + 1 }] });
    const range = await post({
      from_ledger: first - 1,
      to_ledger: cursorLedger,
      account: sale.deposit.address,
      reason: 'gap',
    });
    expect(range).toMatchObject({ status: 503, body: { code: 'ledger_unavailable' } });
    expect(range.body.detail).toContain(`lacks ledgers ${first} to ${first + 1}.`);
    // Not found on a server with holes proves nothing.
    const unknown = await post({ transaction_hashes: ['CD'.repeat(32)], account: sale.deposit.address, reason: 'gap' });
    expect(unknown).toMatchObject({ status: 503 });
    expect(unknown.body.detail).toContain(`${first} to ${first + 1}`);
    expect(await stage.database.db.$count(payments, eq(payments.txHash, lost))).toBe(0);
  });

  it('is asked again for what it left out in silence, and answered 503 when that does not help', async () => {
    const { sale, lost } = await lostBeforeAnother();
    const { cursorLedger } = await positionOf(sale);
    const ask = (toLedger: number) =>
      post({ from_ledger: cursorLedger - 3, to_ledger: toLedger, account: sale.deposit.address, reason: 'gap' });
    stage.desk.ledger.faults.set({ narrowAccountTx: { dropOldest: 1, dropNewest: 0 } });
    expect((await ask(cursorLedger)).body.detail).toContain(`Ledgers ${cursorLedger - 3} to ${cursorLedger}`);
    stage.desk.ledger.faults.set({ narrowAccountTx: { dropOldest: 0, dropNewest: 2 } });
    expect(await ask(cursorLedger)).toMatchObject({
      status: 200,
      body: { through_ledger: cursorLedger, recorded: 1, transactions: [{ transaction_hash: lost }] },
    });
  });

  it('is refused when its history is another than the one that the books were read from', async () => {
    const { sale, lost } = await lostBeforeAnother();
    await changeRows(
      stage.database.db,
      'depositAccounts',
      { address: sale.deposit.address },
      { cursorHash: 'F'.repeat(64) },
    );
    const answer = await post({ transaction_hashes: [lost], account: sale.deposit.address, reason: 'gap' });
    expect(answer).toMatchObject({ status: 503, body: { code: 'service_unavailable' } });
    expect(await stage.database.db.$count(payments, eq(payments.txHash, lost))).toBe(0);
  });
});

describe('ledgers that are not validated yet', () => {
  it('are refused with the field and the newest ledger that is, and may be asked for when they are', async () => {
    const { sale } = await lostBeforeAnother();
    const { validatedIndex } = await stage.ctx.ledger.serverState();
    const ask = (fromLedger: number, toLedger: number) =>
      post({ from_ledger: fromLedger, to_ledger: toLedger, account: sale.deposit.address, reason: 'gap' });
    const message = `must be a validated ledger; the newest one is ${validatedIndex}`;
    expect(await ask(validatedIndex - 3, validatedIndex + 1)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'to_ledger', message }] },
    });
    expect(await ask(validatedIndex + 1, validatedIndex + 2)).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'from_ledger', message }, { field: 'to_ledger' }] },
    });
    stage.desk.close();
    expect(await ask(validatedIndex - 3, validatedIndex + 1)).toMatchObject({ status: 200 });
  });
});

describe('a body that asks for nothing clear', () => {
  const hash = 'AB'.repeat(32);
  it.each([
    ['hashes and a range', { transaction_hashes: [hash], from_ledger: 1, to_ledger: 2 }, 'body'],
    ['neither', {}, 'body'],
    ['half a range', { from_ledger: 5 }, 'to_ledger'],
    ['a range backwards', { from_ledger: 5, to_ledger: 4 }, 'to_ledger'],
    ['more than 10,000 ledgers', { from_ledger: 1, to_ledger: 10_001 }, 'to_ledger'],
    ['51 hashes', { transaction_hashes: Array.from({ length: 51 }, () => hash) }, 'transaction_hashes'],
    ['no deposit account', { from_ledger: 1, to_ledger: 2, account: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' }, 'account'],
  ])('is refused: %s', async (_, body, field) => {
    const answer = await post({ ...body, reason: 'a test' });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect((answer.body.errors as { field: string }[]).map((error) => error.field)).toContain(field);
  });
});
