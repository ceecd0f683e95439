import { exactText } from '@tranche/rules/exact-decimal.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startLedger } from 'xrpl-sandbox/index.ts';
import { getStats } from '#lib/accounts/holders/get-stats.ts';
import { readHolding } from '#lib/accounts/holders/read-holding.ts';
import { syncHolders } from '#lib/jobs/sync-holders.ts';
import { openLedger } from '#lib/xrpl/ledger.ts';
import { NETWORK_ID } from '#tests/integration/xrpl/desk.ts';
import { giveMpt, issueMpt, testWallet } from '#tests/support/token-crowd.ts';
import { addProject, grant, openStage, type Stage, storedHolders } from './stage.ts';

/** Three pages of an MPT's holders. */
const HOLDERS = 210;
let stage: Stage;
let issuanceId: string;
beforeAll(async () => {
  stage = await openStage(HOLDERS);
  await grant(stage, [[0, '3']]);
  issuanceId = await issueMpt(stage.desk.client, stage.issuer, 2);
  await giveMpt(
    stage.desk.client,
    stage.issuer,
    issuanceId,
    stage.holders.map((to, n) => ({ to, value: String(n) })),
  );
  await addProject(stage, { id: 'proj_mpt', distributor: stage.holders[209]!.address, issuanceId });
});
afterAll(() => stage.end());

const mpt = () => ({ kind: 'mpt' as const, issuanceId });

test('an MPT is read in whole units of its scale, and who holds none is no holder', async () => {
  const done = await syncHolders(stage.ctx);
  expect(done.syncs).toMatchObject([
    { token: `DMO.${stage.issuer.address}`, status: 'complete', holders: 1 },
    { token: issuanceId, status: 'complete', holders: HOLDERS - 2, pages: 3 },
  ]);
  const stored = await storedHolders(stage, done.syncs[1]?.sync_id ?? '');
  const units = stage.holders.map(({ address }, n) => [address, exactText(`${n}e-2`)] as const);
  expect(stored).toEqual(new Map(units.slice(1)));
  expect(await getStats(stage.ctx, { token: mpt() })).toMatchObject({
    holders: 208,
    supply: '217.360000',
    excluded: { accounts: 1, balance: '2.090000' },
  });
  expect(await readHolding(stage.database.db, mpt(), stage.holders[208]!.address)).toMatchObject({
    balance: '2.080000',
    rank: 1,
  });
});

test('a server without mpt_holders is named as the fault, keeps the other tokens’ turn, and the old snapshot stands', async () => {
  const before = await getStats(stage.ctx, { token: mpt() });
  const plain = await startLedger({ peerOf: stage.desk.ledger });
  plain.faults.set({ lacksClioCommands: true });
  const ledger = openLedger({ urls: [plain.wsUrl], networkId: NETWORK_ID });
  try {
    const done = await syncHolders({ ...stage.ctx, queue: stage.ctx.queue, redis: stage.ctx.redis, ledger });
    expect(done).toMatchObject({
      status: 'complete',
      continued: false,
      syncs: [{ status: 'complete' }, { status: 'failed', token: issuanceId }],
      faults: [expect.stringMatching(/unsupported by the server.*Clio/)],
    });
    expect(await getStats(stage.ctx, { token: mpt() })).toEqual(before);
  } finally {
    await ledger.close();
    await plain.close();
  }
});

test('of several servers the one that has mpt_holders is asked, and the other keeps its place for everything else', async () => {
  const plain = await startLedger({ peerOf: stage.desk.ledger });
  plain.faults.set({ lacksClioCommands: true });
  const ledger = openLedger({ urls: [plain.wsUrl, stage.desk.ledger.wsUrl], networkId: NETWORK_ID });
  try {
    expect(await ledger.openHolders(mpt())).toMatchObject({ server: stage.desk.ledger.wsUrl });
    expect(await ledger.openHolders(stage.token)).toMatchObject({ server: plain.wsUrl });
  } finally {
    await ledger.close();
    await plain.close();
  }
});

test('a token whose issuer or issuance the ledger does not know is a fault that names it', async () => {
  expect(() => stage.set({ PLATFORM_TOKEN: 'DMO.rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTj' })).toThrow(
    /PLATFORM_TOKEN.*checksum/,
  );
  stage.set({ PLATFORM_TOKEN: `DMO.${testWallet(7).address}` });
  expect(await syncHolders(stage.ctx)).toMatchObject({
    status: 'failed',
    faults: [expect.stringMatching(/issuer r\w+ is not in ledger/)],
    syncs: [{ status: 'failed' }, { token: issuanceId, status: 'complete' }],
  });
  stage.set({ PLATFORM_TOKEN: `${'0'.repeat(7)}9${issuanceId.slice(8)}` });
  const done = await syncHolders(stage.ctx);
  expect(done).toMatchObject({
    status: 'failed',
    continued: false,
    faults: [expect.stringMatching(/is not in ledger/)],
  });
  stage.set({});
});

test('without any token the run has nothing to do', async () => {
  const empty = await openStage(0);
  try {
    empty.set({ PLATFORM_TOKEN: '' });
    expect(await syncHolders(empty.ctx)).toMatchObject({ status: 'none', sync_id: null, syncs: [], continued: false });
  } finally {
    await empty.end();
    stage.set({});
  }
});

test('a token is begun in the next slice when the time of one is over, and each is synchronised once', async () => {
  const slow = { ...stage.ledger, openHolders: vi.fn(stage.ledger.openHolders) };
  slow.openHolders.mockImplementation(async (token) => {
    stage.ctx.clock.advance(60_000);
    return stage.ledger.openHolders(token);
  });
  const first = await syncHolders({ ...stage.ctx, queue: stage.ctx.queue, redis: stage.ctx.redis, ledger: slow });
  expect(first).toMatchObject({ syncs: [{ status: 'complete' }], continued: true });
  expect(await stage.messages()).toMatchObject([
    { job: 'sync-holders', cursor: { next: `1 ${issuanceId}`, sync: null } },
  ]);
});
