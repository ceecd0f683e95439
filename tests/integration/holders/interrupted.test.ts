import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startLedger } from 'xrpl-sandbox/index.ts';
import { holderSyncs } from '#drizzle/schema/holders.ts';
import { getStats } from '#lib/accounts/holders/get-stats.ts';
import { readHolding } from '#lib/accounts/holders/read-holding.ts';
import { continueJob } from '#lib/jobs/continue-job.ts';
import { continueContract } from '#lib/jobs/contracts.ts';
import { syncHolders } from '#lib/jobs/sync-holders.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { changeRows, deleteRows, rowsOf } from '#tests/support/rows.ts';
import { payBack } from '#tests/support/token-crowd.ts';
import { beforePage } from './paging.ts';
import { CURRENCY, grant, holdersAt, openStage, type Stage, storedHolders } from './stage.ts';

/** Three pages of 400. */
const HOLDERS = 1_100;
let stage: Stage;
beforeAll(async () => {
  stage = await openStage(HOLDERS);
  await grant(
    stage,
    stage.holders.map((_, n) => [n, String(n + 1)] as const),
  );
});
afterAll(() => stage.end());
beforeEach(async () => {
  const { db } = stage.database;
  await deleteRows(db, 'holderPages');
  await deleteRows(db, 'holdersByRank');
  await deleteRows(db, 'holdersByAccount');
  await deleteRows(db, 'holderSyncs');
  await deleteRows(db, 'leases');
});

const on = (ledger: Ledger): TestCtx => ({ ...stage.ctx, queue: stage.ctx.queue, redis: stage.ctx.redis, ledger });
/** Everybody gives a token back, and a ledger closes: whatever a later ledger shows is another distribution. */
const everybodyMoves = () =>
  payBack(
    stage.desk.client,
    stage.issuer,
    CURRENCY,
    stage.holders.slice(0, 700).map((to) => ({ to, value: '0.001' })),
  );
const lastMessage = async () => {
  const [lease] = await rowsOf(stage.database.db, 'leases');
  const messages = (await stage.messages()) as { job: string; run: string }[];
  const message = messages.findLast(({ run }) => run === lease!.holder)!;
  expect(message.job).toBe('sync-holders');
  return continueContract.body.parse(message);
};
const continueSync = async (ctx: TestCtx, message: Awaited<ReturnType<typeof lastMessage>>) =>
  (await continueJob(ctx, message)).continued;
const expectExact = async () => {
  const { sync_id: id, ledger_index: at } = await getStats(stage.ctx, {});
  const inLedger = await holdersAt(stage.desk.client, stage.issuer.address, at);
  expect(await storedHolders(stage, id)).toEqual(inLedger);
  expect(inLedger.size).toBe(HOLDERS);
  return at;
};
const syncs = () => stage.database.db.select().from(holderSyncs).orderBy(holderSyncs.ledgerIndex);
const pagesOf = (syncId: string) => rowsOf(stage.database.db, 'holderPages', { syncId });
/** A slice that runs out of time while it reads the second page. */
const firstTwoPages = () => syncHolders(on(beforePage(stage.ledger, () => stage.ctx.clock.advance(60_000))));

test('holders that move while it runs change nothing: the snapshot is of one ledger', async () => {
  const done = await syncHolders(on(beforePage(stage.ledger, everybodyMoves)));
  expect(done).toMatchObject({ status: 'complete', pages: 3, holders: HOLDERS });
  await expectExact();
});

test('a slice that runs out of time is continued by the queue, and readers see the old snapshot until the new one is whole', async () => {
  await syncHolders(stage.ctx);
  const old = await getStats(stage.ctx, {});
  await everybodyMoves();
  const first = await firstTwoPages();
  expect(first).toMatchObject({ status: 'running', pages: 2, continued: true });
  await everybodyMoves();
  expect(await getStats(stage.ctx, {})).toEqual(old);
  const wallet = stage.holders[0]!.address;
  expect(await readHolding(stage.database.db, stage.token, wallet)).toMatchObject({ ledgerIndex: old.ledger_index });
  const message = await lastMessage();
  expect(await continueSync(stage.ctx, message)).toBe(false);
  expect(await expectExact()).toBe(first.ledger_index);
  expect(await continueSync(stage.ctx, message), 'the same message once more').toBe(false);
  expect(await syncs()).toHaveLength(2);
});

test('two synchronisations exclude each other', async () => {
  const second = beforePage(stage.ledger, async (page) => {
    if (page === 2) await expect(syncHolders(stage.ctx)).rejects.toMatchObject({ code: 'conflict' });
  });
  expect(await syncHolders(on(second))).toMatchObject({ status: 'complete', pages: 3 });
  await expectExact();
});

test('a slice that was killed leaves nothing to readers, and the next run begins in a newer ledger', async () => {
  await syncHolders(stage.ctx);
  const old = await getStats(stage.ctx, {});
  await everybodyMoves();
  expect(await firstTwoPages()).toMatchObject({ status: 'running', pages: 2, continued: true });
  // A function that is killed runs no line more: this one never does again.
  const killed = new Promise<void>(() => undefined);
  const { promise: reached, resolve: reach } = Promise.withResolvers<void>();
  const dying = beforePage(stage.ledger, () => {
    reach();
    return killed;
  });
  void continueSync(on(dying), await lastMessage());
  await reached;
  const left = (await syncs()).at(-1)!;
  expect(left).toMatchObject({ status: 'running', pages: 2, holders: 800 });
  expect(await pagesOf(left.id)).toMatchObject([{ page: 2, accounts: { length: 800 } }]);
  await everybodyMoves();
  await expect(syncHolders(stage.ctx)).rejects.toMatchObject({ code: 'conflict' });
  expect(await getStats(stage.ctx, {})).toEqual(old);
  await changeRows(stage.database.db, 'leases', {}, { leasedUntil: new Date(Date.now() - 1_000) });
  await syncHolders(stage.ctx);
  expect(await expectExact()).toBeGreaterThan(old.ledger_index);
  expect((await syncs()).map(({ status, pruned }) => ({ status, pruned }))).toEqual([
    { status: 'complete', pruned: true },
    { status: 'abandoned', pruned: true },
    { status: 'complete', pruned: false },
  ]);
  expect(await pagesOf(left.id)).toEqual([]);
  expect(await storedHolders(stage, left.id)).toEqual(new Map());
});

test('a run that another has taken over writes no page more', async () => {
  const overtaken = beforePage(stage.ledger, async (page) => {
    if (page === 3) await changeRows(stage.database.db, 'holderSyncs', {}, { status: 'abandoned' });
  });
  expect(await syncHolders(on(overtaken))).toMatchObject({
    status: 'failed',
    faults: [expect.stringContaining('taken over')],
  });
  const [left] = await syncs();
  expect(left).toMatchObject({ status: 'abandoned', statistics: null });
  expect(left!.pages).toBeLessThan(3);
});

test('a marker that expires starts anew in a newer ledger', async () => {
  const forgetful = beforePage(stage.ledger, async (page) => {
    if (page !== 3) return;
    await everybodyMoves();
    await stage.desk.client.request({ command: 'sandbox_faults', expire_markers: true } as never);
  });
  const done = await syncHolders(on(forgetful));
  expect(done).toMatchObject({ status: 'complete', pages: 3 });
  await expectExact();
  const [lost, whole] = await syncs();
  expect(lost).toMatchObject({ status: 'abandoned', pages: 2 });
  expect(whole!.ledgerIndex).toBeGreaterThan(lost!.ledgerIndex);
});

test('a server that never keeps its place is given up, and the run ends', async () => {
  const useless = beforePage(stage.ledger, async () => {
    await stage.desk.client.request({ command: 'sandbox_faults', expire_markers: true } as never);
  });
  const done = await syncHolders(on(useless));
  expect(done).toMatchObject({ status: 'failed', continued: false, faults: [expect.stringContaining('too often')] });
});

test('when its server is gone it starts anew on another one, in a ledger that this one has', async () => {
  const peer = await startLedger({ peerOf: stage.desk.ledger });
  const leaving = await startLedger({ peerOf: stage.desk.ledger });
  const both = openLedger({ urls: [leaving.wsUrl, peer.wsUrl], networkId: NETWORK_ID });
  try {
    const switching = beforePage(both, async (page) => {
      if (page !== 3) return;
      await everybodyMoves();
      await leaving.close();
    });
    expect(await syncHolders(on(switching))).toMatchObject({ status: 'complete', pages: 3 });
    await expectExact();
    expect(await syncs()).toMatchObject([
      { status: 'abandoned', server: leaving.wsUrl },
      { status: 'complete', server: peer.wsUrl },
    ]);
  } finally {
    await both.close();
    await peer.close();
  }
});

test('a slice that continues without its server among the configured ones starts anew', async () => {
  await firstTwoPages();
  stage.desk.close();
  const peer = await startLedger({ peerOf: stage.desk.ledger });
  const other = openLedger({ urls: [peer.wsUrl], networkId: NETWORK_ID });
  try {
    expect(await continueSync(on(other), await lastMessage())).toBe(false);
    await expectExact();
    expect(await syncs()).toMatchObject([
      { status: 'abandoned', server: stage.desk.ledger.wsUrl },
      { status: 'complete', server: peer.wsUrl },
    ]);
  } finally {
    await other.close();
    await peer.close();
  }
});

test('while no ledger answers the run waits, and goes on later', async () => {
  const nowhere = openLedger({ urls: ['ws://127.0.0.1:9'], networkId: NETWORK_ID });
  expect(await syncHolders(on(nowhere))).toMatchObject({ status: 'failed', sync_id: null, continued: true });
  expect(await continueSync(stage.ctx, await lastMessage())).toBe(false);
  await expectExact();
});
