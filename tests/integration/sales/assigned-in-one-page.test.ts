import { asc } from 'drizzle-orm';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { events } from '#drizzle/schema/events.ts';
import { investments } from '#drizzle/schema/sale.ts';
import { applyEnv } from '#lib/base/env.ts';
import { confirm } from '#lib/sales/feed/confirm.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows, rowsOf } from '#tests/support/rows.ts';
import {
  closeOf,
  confirmedAtMs,
  DEPOSIT,
  ISSUER,
  pageOf,
  paymentEntry,
  START_LEDGER,
  seedSale,
  XRP,
} from '#tests/support/sale.ts';

let database: FreshDatabase;
let ctx: TestCtx;
let projectId: string;

beforeAll(() => applyEnv(testEnv()));
beforeEach(async () => {
  database = await freshDatabase();
  ctx = testCtx({ db: database.db });
  ({ projectId } = await seedSale(database.db));
});
afterEach(() => database?.close());

/** Held: the issuer's own money, without a tag. */
const operating = paymentEntry(101, 0, 20n * XRP, { sender: ISSUER, destinationTag: null });

const assign = (ledgerIndex: number): FeedEntry => ({
  kind: 'self',
  signers: [],
  hash: 'C'.repeat(64),
  ledgerIndex,
  transactionIndex: 0,
  closedAtMs: closeOf(ledgerIndex),
  changeDrops: -12n,
  feeDrops: 12n,
  memos: [JSON.stringify({ v: 1, project: projectId, move: 'assign', payment: operating.hash })],
});

const read = (afterLedger: number, through: number, entries: FeedEntry[], account = DEPOSIT) =>
  recognise(ctx, { account, afterLedger, page: pageOf(entries, through) });
const decide = (throughLedger: number, account = DEPOSIT) =>
  confirm(ctx, { account, throughLedger, closedAtMs: null, confirmedAtMs });

const told = async () =>
  (await database.db.select({ type: events.type }).from(events).orderBy(asc(events.sequence))).map(({ type }) => type);

// A process that catches up may read a payment and the action that assigns it at once: the action was signed elsewhere.
describe('a held payment and the action that assigns it', () => {
  const paging: [string, number[]][] = [
    ['in one page', [103]],
    ['in pages of their own', [101, 103]],
  ];
  it.each(paging)('make the same investment %s', async (_, pages) => {
    const entries = [operating, assign(102), paymentEntry(103, 0, 5n * XRP)];
    let after = START_LEDGER;
    for (const through of pages) {
      await read(
        after,
        through,
        entries.filter(({ ledgerIndex }) => ledgerIndex > after && ledgerIndex <= through),
      );
      await decide(through);
      after = through;
    }
    const rows = await database.db.select().from(investments).orderBy(asc(investments.paidAt));
    expect(rows).toMatchObject([
      { txHash: operating.hash, status: 'confirmed', amountDrops: 20n * XRP, quoteTier: 1, totalUnits: 200n * XRP },
      { status: 'confirmed', totalUnits: 50n * XRP },
    ]);
    expect((await told()).toSorted()).toEqual([
      'investment.confirmed',
      'investment.confirmed',
      'investment.created',
      'investment.created',
    ]);
  });
});

describe('a payment held on another deposit account', () => {
  it('is not credited by an action of this one: its XRP never came here', async () => {
    const elsewhere = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
    const [own] = await rowsOf(database.db, 'depositAccounts');
    if (own === undefined) throw new Error('The sale has no deposit account');
    await addRows(database.db, 'depositAccounts', { ...own, address: elsewhere });
    const dust = { ...operating, deliveredDrops: 999n, sender: 'rInvestor1' };
    await read(START_LEDGER, 101, [dust], elsewhere);
    await decide(101, elsewhere);
    await read(START_LEDGER, 102, [assign(102)]);
    await decide(102);
    expect(await rowsOf(database.db, 'actions')).toMatchObject([{ status: 'ineffective' }]);
    const [payment] = await rowsOf(database.db, 'payments', { txHash: operating.hash });
    expect(payment).toMatchObject({ outcome: 'held', heldDrops: 999n, investedDrops: 0n });
    expect(await database.db.$count(investments)).toBe(0);
  });
});
