import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { getPlatformIdProfileContract } from '#lib/accounts/platform-ids/contracts.ts';
import { readInvestments } from '#lib/accounts/platform-ids/profile.ts';
import { showPlatformIdProfile } from '#lib/accounts/platform-ids/show-profile.ts';
import { showPlatformIdStatus } from '#lib/accounts/platform-ids/show-status.ts';
import { syncHolders } from '#lib/jobs/sync-holders.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { askProfile, askToGenerate } from './ask.ts';
import { writeSnapshot } from './snapshots.ts';

let stage: Stage;
let token: string;

beforeAll(async () => {
  stage = await openStage();
  token = `PLT.${(await stage.account()).address}`;
  stage.set({ PLATFORM_TOKEN: token });
});
afterAll(() => stage.end());

const profileNow = async (wallet: Pick<Wallet, 'address'>) =>
  getPlatformIdProfileContract.responses[200].parse(await showPlatformIdProfile(stage.ctx, wallet.address));
const NO_INVESTMENTS = { count: 0, projects: 0, total_xrp: '0.000000', first_at: null, last_at: null };

describe('a profile', () => {
  test('is there for a wallet with a Platform ID only', async () => {
    const { address } = await stage.account();
    await writeSnapshot(stage.database.db, token, [{ account: address, balance: '5' }]);
    expect(await askProfile(address)).toMatchObject({ status: 404, body: { code: 'platform_id_not_found' } });
    expect(await askProfile('PID-2222-2222')).toMatchObject({ status: 404, body: { code: 'platform_id_not_found' } });
    expect(await askProfile('PID-2222-2223')).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'wallet_address', message: expect.stringMatching(/Platform ID/) }] },
    });
  });

  test('shows holdings, share and rank of the last snapshot; who holds as much shares a rank', async () => {
    const wallets = await stage.desk.accounts(4);
    const balances = ['600', '300', '300', '0.000000000000123'];
    const ledger = await writeSnapshot(
      stage.database.db,
      token,
      wallets.map(({ address }, index) => ({ account: address, balance: balances[index]! })),
    );
    for (const { address } of wallets) await askToGenerate({ wallet_address: address });
    const profiles = await Promise.all(wallets.map(profileNow));
    expect(profiles.map(({ rank, share, holdings, level }) => ({ rank, share, holdings, level }))).toEqual([
      { rank: 1, share: 0.5, holdings: '600.000000', level: 'bronze' },
      { rank: 2, share: 0.25, holdings: '300.000000', level: 'bronze' },
      { rank: 2, share: 0.25, holdings: '300.000000', level: 'bronze' },
      { rank: 4, share: 0, holdings: '0.000000000000123', level: 'holder' },
    ]);
    for (const profile of profiles) {
      expect(profile).toMatchObject({ investments: NO_INVESTMENTS, ledger_index: ledger });
      expect(profile.badges).toEqual([{ name: 'top_100_holder', earned_at: profile.synced_at }]);
    }
  });

  test('sums what was confirmed, over projects, to the drop; what failed or waits counts for nothing', async () => {
    const wallet = await stage.account();
    await writeSnapshot(stage.database.db, token, [{ account: wallet.address, balance: '1' }]);
    await askToGenerate({ wallet_address: wallet.address });
    const [first, second, third] = [await stage.launched(), await stage.launched(), await stage.launched()];
    await stage.pay(wallet, first, 20.000_001);
    await stage.settle(first.deposit);
    const before = await readInvestments(stage.database.db, wallet.address);
    await stage.pay(wallet, first, 30);
    await stage.settle(first.deposit);
    await stage.pay(wallet, second, 10);
    await stage.settle(second.deposit);
    // The first tier of the third sale is bought out by somebody else.
    await stage.pay(await stage.account(), third, 100);
    await stage.settle(third.deposit);
    expect((await profileNow(wallet)).badges.map(({ name }) => name)).not.toContain('multi_project_investor');
    await stage.pay(wallet, third, 15);
    await stage.settle(third.deposit);
    // Neither confirmed: nothing of it was bought.
    await stage.act(second, 'pause');
    await stage.settle(second.deposit);
    await stage.pay(wallet, second, 40);
    await stage.settle(second.deposit);

    const facts = await readInvestments(stage.database.db, wallet.address);
    expect(facts).toMatchObject({ count: 4, projects: 3, firstAt: before.firstAt, firstTierAt: before.firstAt });
    expect(facts.manyProjectsAt).toEqual(facts.lastAt);
    const profile = await profileNow(wallet);
    expect(profile.investments).toEqual({
      count: 4,
      projects: 3,
      total_xrp: '75.000001',
      first_at: facts.firstAt?.toISOString(),
      last_at: facts.lastAt?.toISOString(),
    });
    expect(profile.badges.map(({ name }) => name)).toEqual([
      'early_investor',
      'investor',
      'multi_project_investor',
      'top_100_holder',
    ]);
  });

  test('of who bought in later tiers only shows no early investor', async () => {
    const [early, late] = [await stage.account(), await stage.account()];
    await writeSnapshot(stage.database.db, token, [{ account: late.address, balance: '1' }]);
    await askToGenerate({ wallet_address: late.address });
    const sale = await stage.launched();
    await stage.pay(early, sale, 100);
    await stage.settle(sale.deposit);
    await stage.pay(late, sale, 10);
    await stage.settle(sale.deposit);
    expect((await profileNow(late)).badges.map(({ name }) => name)).toEqual(['investor', 'top_100_holder']);
  });
});

test('who holds the token on the ledger is eligible after a synchronisation, and no longer once it has gone', async () => {
  const { desk, ctx } = stage;
  const issuer = await stage.issuer();
  const [wallet, other] = (await desk.accounts(2)) as [Wallet, Wallet];
  stage.set({ PLATFORM_TOKEN: `PLT.${issuer.address}` });
  const tokens = (value: string) => ({ currency: 'PLT', issuer: issuer.address, value });
  const send = async (from: Wallet, to: Wallet, value: string) => {
    await desk.send(from, {
      TransactionType: 'Payment',
      Account: from.address,
      Destination: to.address,
      Amount: tokens(value),
    });
    desk.close();
  };
  for (const account of [wallet, other]) {
    await desk.send(account, { TransactionType: 'TrustSet', Account: account.address, LimitAmount: tokens('1000000') });
  }
  desk.close();
  await send(issuer, wallet, '1000.000000000001');
  expect(await showPlatformIdStatus(ctx, wallet.address)).toMatchObject({ eligible: false, reason: 'no_snapshot' });

  await syncHolders(ctx);
  expect(await showPlatformIdStatus(ctx, wallet.address)).toMatchObject({
    eligible: true,
    level: 'silver',
    balance: '1000.000000000001',
  });
  expect(await askToGenerate({ wallet_address: wallet.address })).toMatchObject({ status: 201 });
  expect(await showPlatformIdStatus(ctx, issuer.address)).toMatchObject({
    eligible: false,
    reason: 'excluded_account',
  });
  expect(await showPlatformIdStatus(ctx, other.address)).toMatchObject({ eligible: false, reason: 'no_balance' });

  await send(wallet, other, '1000.000000000001');
  await syncHolders(ctx);
  expect(await showPlatformIdStatus(ctx, wallet.address)).toMatchObject({ has_platform_id: true, eligible: false });
  expect(await showPlatformIdStatus(ctx, other.address)).toMatchObject({ has_platform_id: false, eligible: true });
  expect(await profileNow(wallet)).toMatchObject({ level: null, holdings: '0.000000', rank: null, share: 0 });
});
