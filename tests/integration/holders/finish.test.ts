import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { holderPages, holderSyncs, holdersByAccount, holdersByRank } from '#drizzle/schema/holders.ts';
import { finishSync, sortByAccount, sortByRank } from '#lib/accounts/holders/finish-sync.ts';
import { pruneBalances } from '#lib/accounts/holders/prune-balances.ts';
import { readHolding } from '#lib/accounts/holders/read-holding.ts';
import { startSync, syncToken } from '#lib/accounts/holders/sync-token.ts';
import { applyEnv } from '#lib/base/env.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows, rowsOf } from '#tests/support/rows.ts';
import { writeRead } from '#tests/support/snapshot-pages.ts';
import { testWallet, testWallets } from '#tests/support/token-crowd.ts';

const TOKEN = { kind: 'iou' as const, currency: 'DMO', issuer: testWallet(1).address };
const NAME = `DMO.${TOKEN.issuer}`;
const CROWD = testWallets(1_200, 10).map(({ address }, n) => ({ account: address, balance: `${1 + (n % 700)}` }));

let fresh: FreshDatabase;
let ctx: TestCtx;
beforeAll(async () => {
  fresh = await freshDatabase();
  applyEnv(testEnv());
  ctx = testCtx({ db: fresh.db });
});
afterAll(() => fresh.close());
beforeEach(async () => {
  for (const table of [holderSyncs, holderPages, holdersByRank, holdersByAccount]) await fresh.db.delete(table);
});

let read = 0;
const readWhole = (held = CROWD) => {
  read += 1;
  return writeRead(fresh.db, { id: `sync_${read}`, token: NAME, ledgerIndex: read }, held);
};
const rowCountsOf = async (syncId: string) => {
  const counts = [holderPages, holdersByRank, holdersByAccount].map((table) =>
    fresh.db.$count(table, eq(table.syncId, syncId)),
  );
  return Promise.all(counts);
};
const expectWhole = async () => {
  const balances = CROWD.map(({ balance }) => Number(balance));
  for (const { account, balance } of [CROWD[0]!, CROWD[700]!, CROWD[699]!]) {
    const rank = 1 + balances.filter((each) => each > Number(balance)).length;
    expect(await readHolding(fresh.db, TOKEN, account)).toMatchObject({ balance: `${balance}.000000`, rank });
  }
};

test.each([
  ['the last page', async () => undefined],
  ['sorting by rank', (id: string) => sortByRank(fresh.db, id, [])],
  ['sorting by account', (id: string) => sortByAccount(fresh.db, id)],
])('a synchronisation that was interrupted after %s goes on, and nothing is written twice', async (_, step) => {
  const sync = await readWhole();
  await step(sync.id);
  expect(await readHolding(fresh.db, TOKEN, CROWD[0]!.account), 'not shown yet').toBeNull();
  const wanted = { token: TOKEN, position: NAME };
  const done = await syncToken(ctx, { wanted, resume: sync.id, restarts: 0, deadlineMs: 0 });
  expect(done).toMatchObject({ sync: { id: sync.id, status: 'complete', holders: 1_200 } });
  expect((await rowCountsOf(sync.id))[1]).toBe(3);
  await expectWhole();
});

test('two that finish the same synchronisation at once show it once and whole', async () => {
  const sync = await readWhole();
  const finishes = await Promise.allSettled([1, 2, 3].map(() => finishSync(ctx, TOKEN, sync)));
  const shown = finishes.filter((finish) => finish.status === 'fulfilled' && finish.value !== null);
  expect(shown).toHaveLength(1);
  expect(await rowCountsOf(sync.id)).toEqual([1, 3, expect.any(Number)]);
  await expectWhole();
});

test('a synchronisation that is abandoned while it is finished leaves nothing', async () => {
  const old = await finishSync(ctx, TOKEN, await readWhole());
  const lost = await readWhole(CROWD.slice(0, 900));
  const opened = { ...lost, hash: lost.ledgerHash, closedAtMs: 0, first: { holders: [], marker: null } };
  const [finish] = await Promise.allSettled([
    finishSync(ctx, TOKEN, lost),
    startSync(ctx, TOKEN, opened),
    pruneBalances(ctx, Number.POSITIVE_INFINITY),
  ]);
  await pruneBalances(ctx, Number.POSITIVE_INFINITY);
  const [row] = await rowsOf(fresh.db, 'holderSyncs', { id: lost.id });
  if (row!.status === 'abandoned') {
    expect(finish).not.toMatchObject({ value: { status: 'complete' } });
    expect(await rowCountsOf(lost.id)).toEqual([0, 0, 0]);
    expect((await rowCountsOf(old!.id))[1]).toBe(3);
    await expectWhole();
  } else {
    expect(finish).toMatchObject({ value: { status: 'complete', holders: 900 } });
    expect((await rowCountsOf(lost.id))[1]).toBe(2);
  }
  expect(await sortByRank(fresh.db, lost.id, []), 'nothing comes after').toBe(false);
  expect(await sortByAccount(fresh.db, lost.id)).toBe(false);
});

test('an account that came twice makes no snapshot', async () => {
  const sync = await readWhole([...CROWD, CROWD[3]!]);
  await expect(finishSync(ctx, TOKEN, sync)).rejects.toThrow();
  expect(await readHolding(fresh.db, TOKEN, CROWD[0]!.account)).toBeNull();
  expect((await rowCountsOf(sync.id))[1]).toBe(0);
});

test('a page that comes again, and arrays of two lengths, are refused by the database', async () => {
  const sync = await readWhole();
  const page = { syncId: sync.id, page: 2, accounts: [CROWD[0]!.account], balances: ['1'] };
  await expect(addRows(fresh.db, 'holderPages', page)).rejects.toThrow();
  await expect(
    addRows(fresh.db, 'holderPages', { ...page, accounts: ['r1', 'r2'], balances: ['1'] }),
  ).rejects.toThrow();
});
