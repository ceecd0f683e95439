import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { holderBalances, holderPages, holderSyncs, holdersByAccount, holdersByRank } from '#drizzle/schema/holders.ts';
import type { Sync } from '#lib/accounts/holders/finish-sync.ts';
import { finishSync } from '#lib/accounts/holders/finish-sync.ts';
import { pruneBalances } from '#lib/accounts/holders/prune-balances.ts';
import { readHolding } from '#lib/accounts/holders/read-holding.ts';
import { openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { changeRows } from '#tests/support/rows.ts';
import { testWallet } from '#tests/support/token-crowd.ts';

/** Enough that a join of all with all takes far longer than the statements may. */
const HOLDERS = 60_000;
const ISSUER = testWallet(1).address;
const TOKEN = { kind: 'iou' as const, currency: 'DMO', issuer: ISSUER };

let fresh: FreshDatabase;
let impatient: Awaited<ReturnType<typeof openDatabase>>;
beforeAll(async () => {
  fresh = await freshDatabase();
  await fresh.db.execute(sql`
    do $$ begin execute format('alter database %I set statement_timeout = 10000', current_database()); end $$`);
  impatient = await openDatabase(fresh.url, 2);
  applyEnv(testEnv());
});
afterAll(async () => {
  await impatient.close();
  await fresh.close();
});

/** A synchronisation that has been read whole; its holders are numbered from `from` on. */
async function readWhole(id: string, from: number): Promise<Sync> {
  await impatient.db.execute(sql`
    insert into ${holderPages} (sync_id, page, accounts, balances)
    select ${id}, n / 400, array_agg('r' || md5(n::text)), array_agg(n + 0.5)
    from generate_series(${from}::integer, ${from + HOLDERS - 1}::integer) as n group by n / 400`);
  const [sync] = await impatient.db
    .insert(holderSyncs)
    .values({
      id,
      token: `DMO.${ISSUER}`,
      ledgerIndex: from,
      ledgerHash: 'A'.repeat(64),
      ledgerClosedAt: new Date(),
      server: 'ws://127.0.0.1:9',
      pages: 100,
      holders: HOLDERS,
      startedAt: new Date(),
    })
    .returning();
  return sync!;
}

test('a snapshot that the planner knows nothing about is finished, read and removed all the same', async () => {
  const ctx = testCtx({ db: impatient.db });
  await finishSync(ctx, TOKEN, await readWhole('sync_first', 1));
  // What the planner then knows of the first one makes it expect a single row of the second.
  await impatient.db.execute(sql`analyze`);
  const second = await finishSync(ctx, TOKEN, await readWhole('sync_second', 1_001));
  expect(second).toMatchObject({ status: 'complete', holders: HOLDERS, added: 1_000, removed: 1_000 });
  const { rows } = await impatient.db.execute<{ account: string }>(sql`select 'r' || md5('1001') as account`);
  expect(await readHolding(impatient.db, TOKEN, rows[0]!.account)).toMatchObject({ rank: HOLDERS });
  expect(await pruneBalances(ctx, Number.POSITIVE_INFINITY)).toBe(false);
  expect(await impatient.db.$count(holderBalances)).toBe(HOLDERS);
});

test('old pages and holders are removed a bounded number at a time, and the rest later', async () => {
  const ctx = testCtx({ db: impatient.db });
  await finishSync(ctx, TOKEN, await readWhole('sync_third', 1));
  const rows = async () => {
    const tables = [holderPages, holdersByRank, holdersByAccount];
    const counts = await Promise.all(tables.map((table) => impatient.db.$count(table)));
    return counts.reduce((sum, count) => sum + count);
  };
  const removed: number[] = [];
  for (let before = await rows(), left = true; left; ) {
    left = await pruneBalances(ctx, ctx.clock.nowMs());
    const after = await rows();
    removed.push(before - after);
    before = after;
  }
  expect(Math.max(...removed)).toBeLessThanOrEqual(300);
  expect(removed.length).toBeGreaterThan(2);
  expect(await impatient.db.$count(holderBalances)).toBe(HOLDERS);
  expect(await impatient.db.$count(holderPages)).toBe(0);
});

test.each([1, 200_001, 10_000_001])('of a crowd of %i each account is found, with its rank', async (crowd) => {
  const ctx = testCtx({ db: impatient.db });
  const read = await readWhole(`sync_crowd_${crowd}`, 1);
  await changeRows(impatient.db, 'holderSyncs', { id: read.id }, { holders: crowd });
  await finishSync(ctx, TOKEN, read);
  const endings = await impatient.db.$count(holdersByAccount, eq(holdersByAccount.syncId, read.id));
  expect(endings).toBe({ 1: 16, 200001: 16 ** 2, 10000001: 16 ** 3 }[crowd]);
  for (const n of [1, 501, HOLDERS]) {
    const { rows } = await impatient.db.execute<{ account: string }>(sql`select 'r' || md5(${n}::text) as account`);
    expect(await readHolding(impatient.db, TOKEN, rows[0]!.account)).toMatchObject({ rank: HOLDERS + 1 - n });
  }
});
