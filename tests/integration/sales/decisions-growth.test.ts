import { investmentId } from '@tranche/rules/ids.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { investments, payments } from '#drizzle/schema/sale.ts';
import { insertRows } from '#lib/base/bulk.ts';
import { createPayouts } from '#lib/payouts/create-payouts.ts';
import { writePayments } from '#lib/sales/feed/write-decisions.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { explainedDb } from '#tests/support/explain.ts';
import { DEPOSIT, DISTRIBUTOR, seedSale, XRP } from '#tests/support/sale.ts';

/** So many that the planner takes reading all of them to cost about as much as what it spares by comparing with few. */
const EARLIER = 60_000;
const DECIDED = 500;
/** A row is given, looked up and written; it is of a payment or of an investment. */
const MOST_HANDLED = 10 * DECIDED;

let database: FreshDatabase;
let projectId: string;
/** Statistics are those that a test makes. */
async function open(): Promise<void> {
  database = await freshDatabase();
  ({ projectId } = await seedSale(database.db));
  for (const table of [payments, investments])
    await database.db.execute(sql`alter table ${table} set (autovacuum_enabled = off)`);
}
beforeAll(async () => {
  await open();
  const { db } = database;
  await db.execute(sql`insert into payments (tx_hash, account, ledger_index, transaction_index, closed_at, sender, received_drops,
      project_id, outcome, invested_drops)
    select 'EARLIER' || n, ${DEPOSIT}, 200, n, now(), 'rBuyer' || n, 1, ${projectId}, 'invested', 1
    from generate_series(1, ${EARLIER}::integer) n`);
  await db.execute(sql`insert into investments (id, tx_hash, project_id, investor_account, amount_drops, status, quote_tier,
      quote_price, quote_units, confirmed_drops, total_units, paid_at, confirmed_at)
    select 'inv_' || n, 'EARLIER' || n, ${projectId}, 'rBuyer' || n, 1, 'confirmed', 1, 1, 1, 1, 1, now(), now()
    from generate_series(1, ${EARLIER}::integer) n`);
  // Of a calm moment: nothing waits to be decided.
  await db.execute(sql`analyze payments, investments`);
});
afterAll(() => database.close());

/** Payments of one ledger that wait to be decided. */
async function arrive(ledgerIndex: number, count: number, { db }: Pick<FreshDatabase, 'db'> = database) {
  const arrived = Array.from({ length: count }, (_, transactionIndex) => ({
    kind: 'payment' as const,
    hash: `LEDGER_${ledgerIndex}_${transactionIndex}`,
    ledgerIndex,
    transactionIndex,
    closedAtMs: 0,
    sender: `rBuyer${transactionIndex}`,
    destinationTag: 77,
    receivedDrops: XRP,
  }));
  const paidAt = new Date(0);
  await db.execute(
    insertRows(
      payments,
      arrived.map(({ hash: txHash, closedAtMs: _, kind: _kind, ...payment }) => ({
        ...payment,
        txHash,
        account: DEPOSIT,
        closedAt: paidAt,
        projectId,
      })),
    ),
  );
  await db.execute(
    insertRows(
      investments,
      arrived.map(({ hash, sender, receivedDrops }) => ({
        id: investmentId(hash),
        txHash: hash,
        projectId,
        investorAccount: sender,
        amountDrops: receivedDrops,
        quoteTier: 1,
        quotePrice: 1n,
        quoteUnits: 1n,
        paidAt,
      })),
    ),
  );
  return arrived;
}

type Arrived = Awaited<ReturnType<typeof arrive>>;

/** Rows that the database handles to write that these were invested. */
async function workToDecide(arrived: Arrived): Promise<number> {
  const invested = arrived.map((payment) => ({
    type: 'invested' as const,
    payment,
    projectId,
    parts: [],
    investedDrops: payment.receivedDrops,
    totalUnits: 1n,
    roundingDrops: 0n,
    refundedDrops: 0n,
    refundReason: null,
    decidedAtMs: 0,
    assignedBy: null,
  }));
  const explained = explainedDb(database.db);
  const confirmedAt = () => new Date(0);
  await writePayments(explained.db, new Map(), { effects: invested, invested, refused: [], confirmedAt });
  return explained.rowsHandled();
}

const undecided = () => database.db.$count(payments, sql`outcome = 'pending'`);

test('the work of deciding payments grows neither with those decided before nor with those that wait beside them', async () => {
  const alone = await workToDecide(await arrive(300, DECIDED));
  expect(await undecided()).toBe(0);
  expect(alone).toBeLessThanOrEqual(MOST_HANDLED);
  const many = await arrive(301, 4 * DECIDED);
  expect(await workToDecide(many.slice(0, DECIDED))).toBe(alone);
  expect(await undecided()).toBe(3 * DECIDED);
});

/** Rows that the database handles to write what is owed for these. */
async function workToOwe(arrived: Arrived): Promise<number> {
  const explained = explainedDb(database.db);
  await createPayouts(
    explained.db,
    arrived.map(({ hash, sender }, index) => ({
      id: `pay_${index}`,
      kind: 'distribution',
      project_id: projectId,
      investment_id: investmentId(hash),
      payment_hash: hash,
      part: 1,
      account: DISTRIBUTOR,
      destination: sender,
      amount: 1n,
      due_at: new Date(0),
    })),
  );
  return explained.rowsHandled();
}

test('nor does that of writing what is owed for them', async () => {
  expect(await workToOwe(await arrive(302, DECIDED))).toBeLessThanOrEqual(MOST_HANDLED);
});

test('nor with the square of those that wait, where the planner expects next to nothing in a table of many pages', async () => {
  await database.close();
  await open();
  const { db } = database;
  await arrive(300, 10);
  // Analysed beside a page that is not committed: its rows do not count, their space does.
  const waiting = await db.transaction(async (tx) => {
    const arrived = await arrive(301, 4 * DECIDED, { db: tx });
    await db.execute(sql`analyze payments, investments`);
    return arrived;
  });
  const decided = waiting.slice(0, DECIDED);
  expect(await workToDecide(decided)).toBeLessThanOrEqual(2 * MOST_HANDLED);
  expect(await workToOwe(decided)).toBeLessThanOrEqual(2 * MOST_HANDLED);
});
