import { sql } from 'drizzle-orm';
import { afterAll, beforeEach, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { isMinor, readAllowance } from '#lib/payouts/ceiling.ts';
import { countDue, loadDue } from '#lib/payouts/load.ts';
import { readAccountCommitments } from '#lib/payouts/release/read-amounts.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { addDepositAccount, addProject } from '#tests/support/sale.ts';
import { type FreshDatabase, freshDatabase } from '../../support/database.ts';
import { testEnv } from '../../support/env.ts';
import { explainedDb, rowsFetched } from '../../support/explain.ts';

const ACCOUNT = 'rDistributor';
const BATCH = 50;

let database: FreshDatabase;
beforeEach(async () => {
  await database?.close();
  database = await freshDatabase();
});
afterAll(() => database.close());

interface Obligation {
  due: number;
  /** Every how many of them is worth less than 1 XRP; 0 for none. */
  dustEvery?: number;
  /** The last so many are releases. */
  releases?: number;
  /** Paid before. */
  paid?: number;
}

/** Payouts of one account, each of a payment of its own; those with a lower number wait for longer. */
async function owe(
  { due, dustEvery = 0, releases = 0, paid = 0 }: Obligation,
  { isAnalysed = true } = {},
): Promise<void> {
  const { db } = database;
  await addDepositAccount(db, 'rDeposit');
  await db.execute(sql`insert into payments (tx_hash, account, ledger_index, transaction_index, closed_at, sender, received_drops)
    select 'HASH' || n, 'rDeposit', 10, n, now(), 'rBuyer' || n,
      case when ${dustEvery}::integer > 0 and n % greatest(1, ${dustEvery}::integer) = 0 then 1 else 1000000 end
    from generate_series(1, ${due + paid}::integer) n`);
  await addProject(db, { id: 'proj_1', distributor: ACCOUNT, depositAddress: 'rDeposit' });
  // What was paid stands first in the table, as it does after a while.
  await db.execute(sql`insert into payouts (id, kind, project_id, payment_hash, account, destination, amount, status, due_at, tx_hash)
    select 'paid_' || n, 'distribution', 'proj_1', 'HASH' || n, ${ACCOUNT}, 'rBuyer' || n, 1, 'validated', now() - interval '1 day',
      'PAID' || n from generate_series(${due + 1}::integer, ${due + paid}::integer) n`);
  // A refund's amount would tell what it is worth; a distribution's payment has to be looked up.
  await db.execute(sql`insert into payouts (id, kind, project_id, payment_hash, account, destination, amount, status, due_at, next_check_at)
    select 'pay_' || lpad(n::text, 8, '0'), case when n > ${due - releases}::integer then 'release' else 'distribution' end, 'proj_1',
      case when n > ${due - releases}::integer then null else 'HASH' || n end, ${ACCOUNT}, 'rBuyer' || n, 1, 'scheduled',
      now() - interval '1 hour', now() - interval '1 hour' + n * interval '1 millisecond'
    from generate_series(1, ${due}::integer) n`);
  if (isAnalysed) await db.execute(sql`vacuum analyze payouts, payments, projects`);
}

const load = (db: FreshDatabase['db']) => loadDue(db, ACCOUNT, new Date(), BATCH, isMinor([]));

test.each([
  { what: 'all of them are worth more than dust', dustEvery: 0, most: BATCH },
  { what: 'every other one is dust', dustEvery: 2, most: BATCH * 4 },
])('for a batch few payments are looked up, however many payouts are due, when $what', async ({ dustEvery, most }) => {
  await owe({ due: 4_000, dustEvery });
  expect(await rowsFetched(database.db, 'payments', load)).toBeLessThanOrEqual(most);
});

test('a batch of a long line has those that are no dust first, then dust, then releases, each by how long they waited', async () => {
  await owe({ due: 100, dustEvery: 3, releases: 20 });
  const all = await loadDue(database.db, ACCOUNT, new Date(), 100, isMinor([]));
  for (const limit of [20, 54, 60, 80, 85, 99]) {
    const batch = await loadDue(database.db, ACCOUNT, new Date(), limit, isMinor([]));
    expect(batch.map(({ id }) => id)).toEqual(all.slice(0, limit).map(({ id }) => id));
  }
  const kinds = all.map(({ kind, isMinor: minor }) => (kind === 'release' ? 'release' : minor ? 'dust' : 'other'));
  expect(kinds).toEqual([
    ...Array.from({ length: 54 }, () => 'other'),
    ...Array.from({ length: 26 }, () => 'dust'),
    ...Array.from({ length: 20 }, () => 'release'),
  ]);
});

test('counting some of what is due goes through nothing that was paid before', async () => {
  await owe({ due: 5_000, paid: 5_000 });
  const counted = async (db: FreshDatabase['db']) => expect(await countDue(db, ACCOUNT, new Date(), 200)).toBe(200);
  expect(await rowsFetched(database.db, 'payouts', counted)).toBeLessThanOrEqual(1_000);
});

/** Rows that the database handles to read the books of a deposit account with so many investments, each with a part paid out. */
async function workForRecords(investments: number): Promise<number> {
  await database.close();
  database = await freshDatabase();
  const { db } = database;
  // A burst that nobody has analysed yet.
  for (const table of ['payments', 'payouts', 'investments', 'projects'])
    await db.execute(sql`alter table ${sql.identifier(table)} set (autovacuum_enabled = off)`);
  await owe({ due: 0, paid: investments }, { isAnalysed: false });
  await db.execute(sql`insert into investments (id, tx_hash, project_id, investor_account, amount_drops, status, quote_tier, quote_price,
      quote_units, confirmed_drops, total_units, confirmed_at, paid_at)
    select 'inv_' || n, 'HASH' || n, 'proj_1', 'rBuyer' || n, 1000000, 'confirmed', 1, 1, 1, 1000000, 4, now(), now()
    from generate_series(1, ${investments}::integer) n`);
  await db.execute(sql`update payouts set investment_id = 'inv_' || substr(id, 6)`);
  const explained = explainedDb(db);
  await expect(readAccountCommitments(explained.db, 'rDeposit', { reserveIncrementDrops: 200_000n })).rejects.toThrow(
    'no deposit account',
  );
  return explained.rowsHandled();
}

test('the work of reading an account’s books grows with its investments, not with their square, before anybody analysed them', async () => {
  const few = await workForRecords(1_000);
  const many = await workForRecords(4_000);
  expect(many / few).toBeLessThan(6);
});

test('what an hour still allows is read from its attempts alone, and from the payouts of those that do not say whom they pay', async () => {
  applyEnv(testEnv({ PAYOUT_HOURLY_XRP: '1000' }));
  await owe({ due: 0, paid: 3_000 });
  const { db } = database;
  await db.execute(
    sql`update payouts set kind = 'refund', destination = 'rOften', amount = 7 where substr(id, 6)::integer <= 25`,
  );
  await db.execute(sql`insert into payout_attempts (tx_hash, payout_id, attempt, account, destination, drops, tx_blob, ticket, fee_drops,
      first_ledger, last_ledger_sequence, status)
    select tx_hash, id, 1, account, destination, case when kind = 'refund' then amount else 0 end, '', substr(id, 6)::integer, 12, 1, 20,
      'validated' from payouts`);
  await db.execute(sql`vacuum analyze payout_attempts`);
  const read = (tx: FreshDatabase['db']) => readAllowance(testCtx({ db: tx }), ACCOUNT);
  const allowance = await read(db);
  expect(allowance).toMatchObject({ payouts: allowance.limitPayouts - 3_000, frequent: ['rOften'] });
  expect(allowance.drops).toBe((allowance.limitDrops ?? 0n) - 25n * 7n);
  expect(await rowsFetched(db, 'payouts', read)).toBe(0);

  // Some of them, of whom no part was paid often by itself; then all.
  for (const upTo of [10, 3_000]) {
    await db.execute(sql`update payout_attempts set destination = null, drops = null where ticket <= ${upTo}`);
    expect(await read(db)).toEqual(allowance);
  }
});
