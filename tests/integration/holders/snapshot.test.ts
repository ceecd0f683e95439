import { afterAll, beforeAll, expect, test } from 'vitest';
import { holderBalances } from '#drizzle/schema/holders.ts';
import { getStats } from '#lib/accounts/holders/get-stats.ts';
import { readHolding } from '#lib/accounts/holders/read-holding.ts';
import { syncHolders } from '#lib/jobs/sync-holders.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { payBack } from '#tests/support/token-crowd.ts';
import { addProject, CURRENCY, grant, holdersAt, openStage, type Stage, storedHolders } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage(12);
});
afterAll(() => stage.end());

const stats = () => getStats(stage.ctx, {});

test('before the first synchronisation the answer says what to do', async () => {
  await expect(stats()).rejects.toMatchObject({ code: 'not_found', detail: expect.stringContaining('PLATFORM_TOKEN') });
  expect(await readHolding(stage.database.db, stage.token, stage.holders[0]!.address)).toBeNull();
});

test('a token that nobody holds has an empty snapshot', async () => {
  expect(await syncHolders(stage.ctx)).toMatchObject({ status: 'complete', holders: 0, pages: 1, continued: false });
  expect(await stats()).toMatchObject({ holders: 0, supply: '0.000000', gini: null, median: null, top_10_share: null });
});

test('the snapshot equals the ledger at its index, to the last of 15 digits', async () => {
  await grant(stage, [
    [0, '5'],
    [1, '0.000000000000001'],
    [2, '123456789012345e60'],
    [3, '5'],
    [4, '9999999999999999e-90'],
  ]);
  const synced = await syncHolders(stage.ctx);
  expect(synced).toMatchObject({ status: 'complete', holders: 5, added: 5, removed: 0 });
  expect(await storedHolders(stage, synced.sync_id ?? '')).toEqual(
    await holdersAt(stage.desk.client, stage.issuer.address, synced.ledger_index ?? 0),
  );
});

test('a holding has its balance, its rank among equals and its share', async () => {
  const of = (n: number) => readHolding(stage.database.db, stage.token, stage.holders[n]!.address);
  expect(await of(2)).toMatchObject({ balance: `123456789012345${'0'.repeat(60)}.000000`, rank: 1, share: 1 });
  expect(await of(0)).toMatchObject({ balance: '5.000000', rank: 2, share: 0, excluded: false });
  expect(await of(3)).toMatchObject({ rank: 2 });
  expect(await of(1)).toMatchObject({ balance: '0.000000000000001', rank: 4 });
  expect(await of(9)).toMatchObject({ balance: '0.000000', rank: null, share: 0, excluded: false });
});

test('who has paid all back is gone, and who came is told', async () => {
  await payBack(stage.desk.client, stage.issuer, CURRENCY, [
    { to: stage.holders[2]!, value: '123456789012345e60' },
    { to: stage.holders[1]!, value: '0.000000000000001' },
    { to: stage.holders[4]!, value: '9999999999999999e-90' },
  ]);
  await grant(stage, [[5, '10']]);
  const before = await stats();
  const synced = await syncHolders(stage.ctx);
  expect(synced).toMatchObject({ holders: 3, added: 1, removed: 3 });
  expect(await stats()).toMatchObject({
    holders: 3,
    supply: '20.000000',
    median: '5.000000',
    top_10_share: 1,
    gini: 0.166667,
    change: { since: before.synced_at, ledger_index: before.ledger_index, holders: -2, added: 1, removed: 3 },
  });
});

test('what a project has not sold and what is excluded by name is no holding', async () => {
  const [shop, chest, exchange] = [stage.holders[6]!, stage.holders[7]!, stage.holders[8]!];
  await grant(stage, [
    [6, '1000'],
    [7, '200'],
    [8, '30'],
  ]);
  await addProject(stage, { id: 'proj_A', distributor: shop.address, treasury: chest.address });
  await addProject(stage, { id: 'proj_B', distributor: stage.holders[5]!.address, status: 'draft' });
  stage.set({ HOLDERS_EXCLUDED: exchange.address });
  expect(await syncHolders(stage.ctx)).toMatchObject({ holders: 3, added: 0, removed: 0 });
  expect(await stats()).toMatchObject({ supply: '20.000000', excluded: { accounts: 3, balance: '1230.000000' } });
  expect(await readHolding(stage.database.db, stage.token, shop.address)).toMatchObject({
    balance: '1000.000000',
    rank: null,
    share: 0,
    excluded: true,
  });
  stage.set({});
});

test('of superseded snapshots the statistics stay and the balances go', async () => {
  const { db } = stage.database;
  const rows = await rowsOf(db, 'holderSyncs', { status: 'complete' });
  const { sync_id: latest } = await stats();
  expect(rows.length).toBeGreaterThan(3);
  expect(rows.filter(({ pruned }) => !pruned).map(({ id }) => id)).toEqual([latest]);
  expect(rows.every(({ statistics }) => statistics !== null)).toBe(true);
  expect(await db.selectDistinct({ id: holderBalances.syncId }).from(holderBalances)).toEqual([{ id: latest }]);
});
