import { asc, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { actions, depositAccounts, investments, payments } from '#drizzle/schema/sale.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { confirm } from '#lib/sales/feed/confirm.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { advanceAccount } from '#tests/integration/sales/advance-account.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { addRows, changeRows, rowsOf } from '#tests/support/rows.ts';
import {
  closeOf,
  confirmedAtMs,
  DEPOSIT,
  PRICE_ONE,
  pageOf,
  paymentEntry,
  positionOf,
  seedSale,
  XRP,
} from '#tests/support/sale.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

const MANY_TOKENS = [{ price_per_token: '0.10', total_tokens: '100000000' }];

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => {
  stage.desk.ledger.faults.clear();
  stage.set({ CONFIRMATIONS: undefined });
});
afterAll(() => stage?.end());

/** What became of every payment to a sale's deposit account, in ledger order. */
const outcomesOf = async ({ deposit }: Sale) =>
  (
    await stage.database.db
      .select()
      .from(payments)
      .where(eq(payments.account, deposit.address))
      .orderBy(asc(payments.ledgerIndex), asc(payments.transactionIndex))
  ).map(({ outcome, reason }) => [outcome, reason]);
const feedOf = ({ deposit }: Sale) => positionOf(stage.database.db, deposit.address);
const validatedIndex = async () => (await stage.ctx.ledger.serverState()).validatedIndex;

// First: it needs a ledger that is younger than the confirmations asked for.
describe('a ledger younger than the confirmations asked for', () => {
  it('decides nothing, and asks for no ledger that cannot exist, until there are enough', async () => {
    const endsAtMs = stage.ctx.clock.nowMs() + 60_000;
    const sale = await stage.launched({ ends_at: new Date(endsAtMs).toISOString() });
    stage.set({ CONFIRMATIONS: '20' });
    await stage.pay(await stage.account(), sale, 5);
    stage.desk.close();
    expect(await validatedIndex()).toBeLessThan(20);
    stage.ctx.clock.set(endsAtMs);
    try {
      // The end is near: the close time of the last decided ledger would be asked for.
      expect(await stage.advance(sale.deposit)).toMatchObject({ recognised: 1, confirmed: 0, more: false });
      stage.desk.close(20);
      expect(await stage.advance(sale.deposit)).toMatchObject({ recognised: 0, confirmed: 1 });
    } finally {
      stage.ctx.clock.set(endsAtMs - 60_000);
    }
  });
});

describe('late discovery', () => {
  let database: FreshDatabase;
  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database?.close());

  // A ledger never does this: the pages are made by hand.
  it('a payment below the confirmed watermark is held for a person, and changes nothing that was decided', async () => {
    const ctx = testCtx({ db: database.db });
    const { db } = database;
    await seedSale(db, { tierList: [{ price: PRICE_ONE, totalUnits: 10n * XRP }] });
    const read = (afterLedger: number, through: number, entries: ReturnType<typeof paymentEntry>[]) =>
      recognise(ctx, { account: DEPOSIT, afterLedger, page: pageOf(entries, through) });
    const decide = (throughLedger: number) =>
      confirm(ctx, { account: DEPOSIT, throughLedger, closedAtMs: null, confirmedAtMs });
    await read(100, 105, [paymentEntry(105, 0, 5n * XRP)]);
    await decide(105);
    await read(105, 106, [paymentEntry(103, 0, 4n * XRP), paymentEntry(106, 0, 5n * XRP)]);
    await decide(106);
    const rows = await db.select().from(payments).orderBy(asc(payments.ledgerIndex));
    expect(rows.map((row) => [row.ledgerIndex, row.outcome, row.reason, row.heldDrops])).toEqual([
      [103, 'held', 'late_discovery', 4n * XRP],
      [105, 'invested', null, 0n],
      [106, 'invested', null, 0n],
    ]);
    // Nobody is told of an investment that nobody decided, and nothing is sent back by itself.
    expect(await db.$count(investments)).toBe(2);
    expect(await db.$count(events, eq(events.type, 'investment.created'))).toBe(2);
    expect(await db.$count(payouts, eq(payouts.kind, 'refund'))).toBe(0);
  });

  it('an action below the confirmed watermark has no effect, however it got there', async () => {
    await database.close();
    database = await freshDatabase();
    const ctx = testCtx({ db: database.db });
    const { projectId } = await seedSale(database.db);
    const read = (afterLedger: number, through: number, entries: FeedEntry[]) =>
      recognise(ctx, { account: DEPOSIT, afterLedger, page: pageOf(entries, through) });
    const decide = (throughLedger: number) =>
      confirm(ctx, { account: DEPOSIT, throughLedger, closedAtMs: null, confirmedAtMs });
    await read(100, 105, [paymentEntry(105, 0, 5n * XRP)]);
    await decide(105);
    const pause = JSON.stringify({ v: 1, project: projectId, move: 'pause' });
    const index = {
      hash: 'C'.repeat(64),
      ledgerIndex: 103,
      transactionIndex: 0,
      closedAtMs: closeOf(103),
      changeDrops: -10n,
      feeDrops: 10n,
    };
    await read(105, 106, [{ kind: 'self', signers: [], ...index, memos: [pause] }, paymentEntry(106, 0, 5n * XRP)]);
    await decide(106);
    expect((await getProject(ctx, projectId)).status).toBe('active');
    expect(await rowsOf(database.db, 'actions')).toMatchObject([{ status: 'ineffective', detail: 'late_discovery' }]);
    const outcomes = await database.db.select({ outcome: payments.outcome }).from(payments);
    expect(outcomes.map((row) => row.outcome)).toEqual(['invested', 'invested']);
  });
});

describe('an end that more payments precede than one transaction decides', () => {
  it('refuses none of them: the time of the last ledger ends the sale only once everything before it is decided', async () => {
    const database = await freshDatabase();
    const ctx = testCtx({ db: database.db });
    const { db } = database;
    const { projectId } = await seedSale(db, { tierList: [{ price: PRICE_ONE, totalUnits: 1_000_000n * XRP }] });
    await changeRows(db, 'projects', {}, { endsAt: new Date(closeOf(103)) });
    const inLedger = (ledgerIndex: number, count: number) =>
      Array.from({ length: count }, (_, index) => paymentEntry(ledgerIndex, index, 5n * XRP));
    // Too many for one transaction, and a ledger is never cut in two.
    const [first, second] = [inLedger(101, 1_500), inLedger(102, 1_000)];
    const entries = [...first, ...second, paymentEntry(104, 0, 5n * XRP)];
    await recognise(ctx, { account: DEPOSIT, afterLedger: 100, page: pageOf(entries, 105) });
    const decide = () =>
      confirm(ctx, { account: DEPOSIT, throughLedger: 105, closedAtMs: closeOf(105), confirmedAtMs });
    expect(await decide()).toMatchObject({ confirmedLedger: 101, confirmed: 1_500, refused: 0 });
    expect((await getProject(ctx, projectId)).status).toBe('active');
    expect(await decide()).toMatchObject({ confirmedLedger: 105, confirmed: 1_000, refused: 1 });
    expect((await getProject(ctx, projectId)).status).toBe('completed');
    await database.close();
  });
});

describe('an action that the feed brings', () => {
  let database: FreshDatabase;
  let projectId: string;
  beforeEach(async () => {
    database = await freshDatabase();
    ({ projectId } = await seedSale(database.db));
  });
  afterEach(() => database.close());

  const actionEntry = (ledgerIndex: number, transactionIndex: number, memo: object): FeedEntry => ({
    ...paymentEntry(ledgerIndex, transactionIndex, -10n),
    kind: 'self',
    signers: [],
    feeDrops: 10n,
    memos: [JSON.stringify({ v: 1, project: projectId, ...memo })],
  });
  async function decide(entries: FeedEntry[]): Promise<void> {
    const ctx = testCtx({ db: database.db });
    await recognise(ctx, { account: DEPOSIT, afterLedger: 100, page: pageOf(entries, 110) });
    await confirm(ctx, { account: DEPOSIT, throughLedger: 110, closedAtMs: null, confirmedAtMs });
  }
  const actionsOf = () =>
    database.db
      .select({ status: actions.status, detail: actions.detail })
      .from(actions)
      .orderBy(asc(actions.ledgerIndex), asc(actions.transactionIndex));

  it('is real also when the platform took it for expired: the ledger decides, and no server that missed it', async () => {
    const pause = actionEntry(105, 0, { move: 'pause' });
    const written = { txHash: pause.hash, account: DEPOSIT, projectId, action: 'pause', status: 'expired' } as const;
    await addRows(database.db, 'actions', written);
    await decide([pause]);
    expect(await actionsOf()).toEqual([{ status: 'applied', detail: null }]);
    expect((await getProject(testCtx({ db: database.db }), projectId)).status).toBe('paused');
  });

  it('assigns what is held whole and nobody’s yet, and nothing else, whoever signed it', async () => {
    const held = (index: number, over: Partial<typeof payments.$inferInsert> = {}) => ({
      txHash: String(index).repeat(64),
      account: DEPOSIT,
      ledgerIndex: 90,
      transactionIndex: index,
      closedAt: new Date(closeOf(90)),
      sender: `rSender${index}`,
      receivedDrops: 5n * XRP,
      heldDrops: 5n * XRP,
      outcome: 'held' as const,
      reason: 'no_tag',
      ...over,
    });
    const rows = [
      held(1),
      held(2, { transactionType: 'CheckCash' }),
      held(3, { refundedDrops: XRP, heldDrops: 4n * XRP }),
      held(4, { projectId }),
    ];
    await addRows(database.db, 'payments', rows);
    // It has failed already, and stays that.
    await addRows(database.db, 'investments', {
      id: 'inv_failed',
      txHash: '4'.repeat(64),
      projectId,
      investorAccount: 'rSender4',
      amountDrops: 5n * XRP,
      status: 'failed',
      quoteTier: 1,
      quotePrice: PRICE_ONE,
      quoteUnits: 0n,
      paidAt: new Date(closeOf(90)),
    });
    await decide(rows.map(({ txHash }, index) => actionEntry(105, index, { move: 'assign', payment: txHash })));
    const none = { status: 'ineffective', detail: 'no such payment is held' };
    expect(await actionsOf()).toEqual([{ status: 'applied', detail: null }, none, none, none]);
    const outcomes = await database.db
      .select({ outcome: payments.outcome, investedDrops: payments.investedDrops })
      .from(payments)
      .orderBy(asc(payments.transactionIndex));
    const stillHeld = { outcome: 'held', investedDrops: 0n };
    expect(outcomes).toEqual([{ outcome: 'invested', investedDrops: 5n * XRP }, stillHeld, stillHeld, stillHeld]);
  });
});

describe('a payment without a tag', () => {
  it('is its sender’s to get back while the terms that name the sender are a draft’s, and ours from the launch on', async () => {
    const sale = await stage.draft({}, { issuer: await stage.issuer() });
    const treasury = await stage.account();
    const named = await stage.draft({ treasury: treasury.address }, sale);
    await stage.pay(treasury, named, 5, null);
    await stage.settle(sale.deposit);
    expect(await outcomesOf(named)).toEqual([['refunded', 'no_tag']]);

    // Before and after the launch, decided in one go: the place on the ledger decides.
    await stage.pay(treasury, named, 6, null);
    stage.desk.close();
    await stage.act(named, 'launch');
    stage.desk.close();
    await stage.pay(treasury, named, 7, null);
    await stage.settle(sale.deposit);
    expect(await outcomesOf(named)).toEqual([
      ['refunded', 'no_tag'],
      ['refunded', 'no_tag'],
      ['held', 'operating_funds'],
    ]);
  });

  it('of an account that no terms name goes back, whatever else is sold on the account', async () => {
    const sale = await stage.launched();
    await stage.pay(await stage.account(), sale, 5, null);
    await stage.settle(sale.deposit);
    expect(await outcomesOf(sale)).toEqual([['refunded', 'no_tag']]);
  });
});

describe('a sale whose deposit account others pay to', () => {
  it('refuses what comes with a draft’s tag as not active, and goes on', async () => {
    const sale = await stage.launched();
    const draft = await stage.draft({}, sale);
    const investor = await stage.account();
    await stage.pay(investor, draft, 5);
    await stage.pay(investor, sale, 5);
    await stage.settle(sale.deposit);
    expect((await outcomesOf(sale)).toSorted()).toEqual([
      ['invested', null],
      ['refunded', 'not_active'],
    ]);
  });
});

describe('reading an account forward', () => {
  it('confirms what is recognised when the server that answers has nothing newer', async () => {
    const sale = await stage.launched();
    await stage.pay(await stage.account(), sale, 5);
    stage.desk.close();
    expect(await stage.advance(sale.deposit)).toMatchObject({ recognised: 1, confirmed: 0 });
    stage.desk.close();
    const server = await stage.ctx.ledger.serverState();
    // The next answers come from a server that is a ledger behind.
    stage.desk.ledger.faults.set({ lagLedgers: 1 });
    const advanced = await advanceAccount(stage.ctx, {
      account: sale.deposit.address,
      server,
      deadlineMs: Number.POSITIVE_INFINITY,
      stillMine: async () => true,
    });
    expect(advanced).toMatchObject({ recognised: 0, confirmed: 1, more: false });
  });

  it('never moves its place back for a server that lags', async () => {
    const sale = await stage.launched();
    await stage.pay(await stage.account(), sale, 5);
    await stage.settle(sale.deposit);
    const before = await feedOf(sale);
    stage.desk.ledger.faults.set({ lagLedgers: 3 });
    expect(await stage.advance(sale.deposit)).toMatchObject({ recognised: 0, confirmed: 0, more: false });
    expect(await feedOf(sale)).toEqual(before);
  });

  it('goes in the steps that the server’s answers really reach, and misses nothing', async () => {
    const sale = await stage.launched();
    const investor = await stage.account();
    for (let i = 0; i < 4; i++) {
      await stage.pay(investor, sale, 5);
      stage.desk.close();
    }
    stage.desk.ledger.faults.set({ narrowAccountTx: { dropOldest: 0, dropNewest: 2 } });
    expect(await stage.advance(sale.deposit)).toMatchObject({ recognised: 4, more: false });
    expect((await feedOf(sale)).cursor).toBe(await validatedIndex());
  });

  it('stays where it is when the answer begins later than asked, and reads all of it afterwards', async () => {
    const sale = await stage.launched();
    const investor = await stage.account();
    for (let i = 0; i < 3; i++) {
      await stage.pay(investor, sale, 5);
      stage.desk.close();
    }
    const before = await feedOf(sale);
    stage.desk.ledger.faults.set({ narrowAccountTx: { dropOldest: 1, dropNewest: 0 } });
    await expect(stage.advance(sale.deposit)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    expect(await feedOf(sale)).toEqual(before);
    stage.desk.ledger.faults.clear();
    expect(await stage.advance(sale.deposit)).toMatchObject({ recognised: 3 });
  });
});

describe('a run while no ledger server can be reached', () => {
  it('names its fault and loses nothing; the next run goes on where the last one stopped', async () => {
    const sale = await stage.launched();
    const before = await feedOf(sale);
    await stage.pay(await stage.account(), sale, 5);
    stage.desk.close(2);
    expect((await processPayments(stage.cutOff)).faults).toContain('read_feeds');
    expect(await feedOf(sale)).toEqual(before);
    expect(await processPayments(stage.ctx)).toMatchObject({ faults: [] });
    expect(await outcomesOf(sale)).toEqual([['invested', null]]);
  });

  it('of one account stops no other account', async () => {
    const sale = await stage.launched();
    const broken = await stage.launched();
    const setHash = (cursorHash: string) =>
      stage.database.db
        .update(depositAccounts)
        .set({ cursorHash })
        .where(eq(depositAccounts.address, broken.deposit.address))
        .returning({ address: depositAccounts.address });
    const [{ hash } = { hash: '' }] = await stage.database.db
      .select({ hash: depositAccounts.cursorHash })
      .from(depositAccounts)
      .where(eq(depositAccounts.address, broken.deposit.address));
    const investor: Wallet = await stage.account();
    for (const each of [broken, sale]) await stage.pay(investor, each, 5);
    stage.desk.close(2);
    // As if the ledger had been reset since: its history is another one.
    await setHash('F'.repeat(64));
    expect((await processPayments(stage.ctx)).faults).toEqual([`read_feeds ${broken.deposit.address}`]);
    expect(await outcomesOf(broken)).toEqual([]);
    expect(await outcomesOf(sale)).toEqual([['invested', null]]);
    await setHash(hash);
    expect((await processPayments(stage.ctx)).faults).toEqual([]);
    expect(await outcomesOf(broken)).toEqual([['invested', null]]);
  });
});

// Last: a run of everything would pay all of these out.
describe('reading more than a page', () => {
  it('stops at its deadline, or when another has taken over, between two pages; the next run goes on', async () => {
    for (const stop of [{ deadlineMs: 0 }, { stillMine: async () => false }]) {
      const sale = await stage.launched({ tiers: MANY_TOKENS });
      // A page is about 2,000 entries.
      stage.desk.ledger.writePayments({
        count: 2_400,
        destination: sale.deposit.address,
        destinationTag: sale.project.destination_tag,
        amountDrops: 1_000_000n,
        perLedger: 800,
      });
      stage.desk.close();
      expect(await stage.advance(sale.deposit, stop)).toMatchObject({ recognised: 1_600, more: true });
      expect(await stage.advance(sale.deposit)).toMatchObject({ recognised: 800, more: false });
      expect((await getProject(stage.ctx, sale.project.id)).progress).toMatchObject({
        total_raised_xrp: '2400.000000',
      });
    }
  });

  it('writes and decides a ledger larger than a page whole', async () => {
    const sale = await stage.launched({ tiers: MANY_TOKENS });
    const investor = await stage.account();
    stage.desk.ledger.writePayments({
      count: 2_500,
      destination: sale.deposit.address,
      destinationTag: sale.project.destination_tag,
      amountDrops: 1_000_000n,
      perLedger: 2_500,
    });
    await stage.pay(investor, sale, 5);
    stage.desk.close(2);
    expect(await stage.advance(sale.deposit, { deadlineMs: 0 })).toMatchObject({
      recognised: 2_500,
      confirmed: 2_500,
      more: true,
    });
  });
});
