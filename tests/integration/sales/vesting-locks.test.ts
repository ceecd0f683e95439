import { vestingLocks } from '@tranche/rules/locks.ts';
import { distributionParts } from '@tranche/rules/vesting.ts';
import { sql } from 'drizzle-orm';
import { describe, expect, it } from 'vitest';
import { MPTokenIssuanceCreateFlags, type Wallet } from 'xrpl';
import { examineAccounts } from '#lib/payouts/monitor/check-accounts.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { readLaunchChecklist } from '#lib/sales/actions/launch-readiness.ts';
import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { planVestingLocks } from '#lib/sales/plan-vesting-locks.ts';
import { exportPayouts } from '#lib/sales/published/export-payouts.ts';
import { getLockedVesting } from '#lib/sales/published/get-locked-vesting.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { RIPPLE_EPOCH_SECONDS } from './escrows.ts';
import { authorize, issue, payUnits } from './issuance.ts';
import { tokenAmount, type UnsoldParties, type UnsoldSale, unsoldDraft } from './unsold-sale.ts';
import {
  byHand,
  comes,
  DAY_MS,
  due,
  end,
  ended,
  escrowsOf,
  finishByStranger,
  give,
  giveBack,
  held,
  later,
  launched,
  one,
  openVestingStage,
  owedBy,
  planned,
  QUARTERS,
  rows,
  slice,
  slices,
  soon,
  stage,
  statuses,
} from './vesting-desk.ts';

openVestingStage();

describe('a completed sale whose terms lock what vesting owes', () => {
  it('puts exactly what is due on each later day in escrow until that day begins, and pays what is due at once', async () => {
    const sale = await ended();
    const [project] = await rowsOf(stage.database.db, 'projects', { id: sale.project.id });
    const endedAtMs = project?.endedAt?.getTime() ?? 0;
    const day = (days: number) => new Date(Math.floor((endedAtMs + days * DAY_MS) / DAY_MS) * DAY_MS);
    const lock = (part: number, days: number) => ({
      part,
      amount: 50_000_000n,
      account: sale.distributor.address,
      destination: sale.distributor.address,
      lockedUntil: day(days),
      status: 'scheduled',
    });
    expect(await rows(sale, 'lock')).toMatchObject([lock(2, 20), lock(3, 30), lock(4, 40)]);
    expect(await rows(sale, 'unlock')).toMatchObject(
      [lock(2, 20), lock(3, 30), lock(4, 40)].map((each) => ({ ...each, dueAt: each.lockedUntil })),
    );
    expect(await owedBy(sale)).toEqual([200_000_000n]);
    await slices(sale);
    expect(await statuses(sale, 'lock')).toEqual(['validated', 'validated', 'validated']);
    expect(await statuses(sale, 'unlock')).toEqual(['scheduled', 'scheduled', 'scheduled']);
    expect(await escrowsOf(sale)).toMatchObject(
      [20, 30, 40].map((days) => ({
        Destination: sale.distributor.address,
        Amount: tokenAmount(sale.issuer, '50'),
        FinishAfter: day(days).getTime() / 1_000 - RIPPLE_EPOCH_SECONDS,
      })),
    );
    for (const investor of sale.investors) expect(await held(investor, sale)).toBe('25');
    expect([await held(sale.distributor, sale), await owedBy(sale)]).toEqual(['5800', [0n]]);
  });

  it('owes the same locks as the pure rule, over the days of an immediate sale, whatever is paid already', async () => {
    const sale = await launched({ distribution: 'immediate' }, { investors: 3 });
    await slices(sale);
    // They have invested on three days.
    const bought = await rowsOf(stage.database.db, 'investments', { projectId: sale.project.id });
    const shift = async (investmentId: string, days: number) =>
      stage.database.db.execute(sql`update payouts set due_at = due_at - ${days} * interval '1 day'
        where investment_id = ${investmentId} and kind = 'distribution'`);
    for (const [index, { id }] of bought.entries()) await shift(id, index * 19);
    await end(sale);
    const [project] = await rowsOf(stage.database.db, 'projects', { id: sale.project.id });
    const owed = await rows(sale, 'distribution');
    expect(owed.map(({ status }) => status)).toContain('validated');
    await planned();
    const expected = vestingLocks(
      owed.map(({ amount: units, dueAt }) => ({ units, dueAtMs: dueAt.getTime() })),
      project?.endedAt?.getTime() ?? 0,
    );
    expect(expected.length).toBeGreaterThan(3);
    expect(
      (await rows(sale, 'lock')).map(({ part, amount: units, lockedUntil }) => ({
        part,
        units,
        untilMs: lockedUntil?.getTime(),
      })),
    ).toEqual(expected);
  });

  it('owes each lock and its end once, by any number of planners at once, and none before its distributions are planned', async () => {
    const sale = await launched();
    await end(sale);
    const [project] = await rowsOf(stage.database.db, 'projects', { id: sale.project.id });
    if (project === undefined) throw new Error('There is no such sale');
    expect(await planVestingLocks(stage.ctx, project)).toBe(false);
    expect(await rows(sale, 'lock')).toEqual([]);
    expect(await getLockedVesting(stage.ctx, sale.project.id)).toBeNull();
    await Promise.all(Array.from({ length: 4 }, () => planDistributions(stage.ctx, later())));
    const again = await Promise.all(Array.from({ length: 4 }, () => planVestingLocks(stage.ctx, project)));
    expect(again).toEqual([false, false, false, false]);
    expect([await rows(sale, 'lock'), await rows(sale, 'unlock')].map(({ length }) => length)).toEqual([3, 3]);
  });

  it('owes none when it sold nothing, or all is due within two days of its end, or it is cancelled', async () => {
    const empty = await ended({}, { investors: 0 });
    const quick = await ended({ vesting: { immediate_bps: 0, cliff_days: 0, period_days: 1, periods: 1 } });
    const cancelled = await launched();
    await end(cancelled, 'cancel');
    await planned();
    for (const sale of [empty, quick, cancelled]) {
      expect([await rows(sale, 'lock'), await rows(sale, 'unlock')]).toEqual([[], []]);
    }
    const shown = async ({ project }: UnsoldSale) => getLockedVesting(stage.ctx, project.id);
    const nothing = { tokens: '0.000000', in_escrow: '0.000000', days: [] };
    expect([await shown(empty), await shown(quick), await shown(cancelled)]).toEqual([nothing, nothing, null]);
    const open = await rowsOf(stage.database.db, 'projects', { status: 'completed', vestingLocksOwed: false });
    expect(open.filter(({ vestingLocked }) => vestingLocked)).toEqual([]);
  });

  it('publishes its locks and what they hold, and never their ends, which pay nobody', async () => {
    const sale = await due();
    await slices(sale);
    expect(await statuses(sale, 'unlock')).toEqual(['validated', 'scheduled', 'scheduled']);
    await stage.settle(sale.deposit);
    for (const order of ['payment', 'ledger'] as const) {
      const { chunks } = await exportPayouts(stage.ctx, { id: sale.project.id, format: 'jsonl', order, limit: 100 });
      const text = (await Array.fromAsync(chunks)).join('');
      const published = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
      const kinds = new Set(published.map(({ kind }) => kind));
      expect(kinds).toEqual(new Set(['distribution', 'lock']));
      expect(
        published
          .filter(({ kind }) => kind === 'lock')
          .map(({ part }) => part)
          .toSorted(),
      ).toEqual([2, 3, 4]);
    }
  });
});

describe('an MPT', () => {
  it('is locked and given back alike', async () => {
    const { tfMPTCanTransfer, tfMPTCanEscrow } = MPTokenIssuanceCreateFlags;
    const [deposit, issuer, distributor, investor] = (await stage.desk.accounts(4)) as [Wallet, Wallet, Wallet, Wallet];
    stage.entrust(distributor);
    const issuance_id = await issue(stage, issuer, { flags: tfMPTCanTransfer | tfMPTCanEscrow });
    for (const holder of [distributor, investor]) await authorize(stage, holder, issuance_id);
    await payUnits(stage, issuer, distributor, issuance_id, '600000');
    const token = { kind: 'mpt', issuance_id, decimals: 2 } as const;
    const parties = { deposit, issuer, distributor };
    const sale = await launched({ token }, { parties, investors: 0 });
    await stage.pay(investor, sale, 10);
    await stage.settle(deposit);
    await end(sale);
    await planned();
    const seconds = await soon(sale, 2);
    await slices(sale);
    const amount = { mpt_issuance_id: issuance_id, value: '2500' };
    expect(await escrowsOf(sale)).toMatchObject([{ Amount: amount }, { Amount: amount }, { Amount: amount }]);
    const heldUnits = async (holder: Wallet) =>
      (await stage.ctx.ledger.mptHolding(holder.address, issuance_id))?.amount;
    expect([await heldUnits(distributor), await heldUnits(investor)]).toEqual([590_000n, 2_500n]);
    expect(await owedBy(sale)).toEqual([25_000_000n]);
    await comes(sale, 2, seconds);
    await slices(sale);
    expect((await one(sale, 'unlock', 2)).status).toBe('validated');
    expect([await heldUnits(distributor), await heldUnits(investor)]).toEqual([590_000n, 5_000n]);
  });
});

describe('what a distributor owes beside its escrows', () => {
  const missing = async (parties: UnsoldParties): Promise<boolean> => {
    const [deposit] = (await stage.desk.accounts(1)) as [Wallet];
    const tiers = [{ price_per_token: '0.10', total_tokens: '100' }];
    const { project } = await unsoldDraft(stage, { unsold_until: null, tiers }, { ...parties, deposit });
    const { faults } = await readLaunchChecklist(stage.ctx, project.id);
    return faults.some(({ message }) => message.includes('the sales that it pays for owe up to'));
  };

  it('lets another sale be launched with what is free, and not with a unit less, at every stage of a lock', async () => {
    const sale = await ended();
    const { distributor, issuer } = sale;
    const parties = { deposit: sale.deposit, distributor, issuer };
    // Another one sells 100.
    const isExact = async (owed: bigint): Promise<void> => {
      expect(await owedBy(sale)).toEqual([owed]);
      expect(await missing(parties)).toBe(false);
      await giveBack(parties, '0.000001');
      expect(await missing(parties)).toBe(true);
      await give(parties, '0.000001');
    };
    await giveBack(parties, '5700');
    await isExact(200_000_000n);
    await slices(sale);
    await isExact(0n);
    // An investor whom an operator pays early by hand: the escrow still holds it.
    const early = (await rows(sale, 'distribution')).find(({ part }) => part === 3);
    await actOnPayout(stage.ctx, { id: early?.id ?? '', action: 'hold', reason: 'early' });
    const transaction_hash = await byHand(distributor, {
      TransactionType: 'Payment',
      Account: distributor.address,
      Destination: early?.destination ?? '',
      Amount: tokenAmount(issuer, '25'),
      SendMax: tokenAmount(issuer, '25'),
    });
    await actOnPayout(stage.ctx, { id: early?.id ?? '', action: 'settle', reason: 'early', transaction_hash });
    expect([await missing(parties), await owedBy(sale)]).toEqual([true, [0n]]);
  });

  it('lacks nothing in the eyes of the monitor from before the end of an escrow until what it gave back is paid', async () => {
    const sale = await due();
    const lacks = async () => {
      const accounts = await examineAccounts(stage.ctx);
      const found = accounts.find(({ address }) => address === sale.distributor.address);
      return [found?.tokens.map(({ owed }) => owed), found?.findings.some(({ code }) => code === 'tokens_short')];
    };
    // It holds nothing, and the escrow of what is due now is still to be ended.
    expect([await held(sale.distributor, sale), await owedBy(sale)]).toEqual(['0', [50_000_000n]]);
    expect(await lacks()).toEqual([['0.000000'], false]);
    const { id } = await one(sale, 'unlock', 2);
    await actOnPayout(stage.ctx, { id, action: 'hold', reason: 'nothing brings it back' });
    expect(await lacks()).toEqual([['50.000000'], true]);
    await actOnPayout(stage.ctx, { id, action: 'release', reason: 'it comes' });
    while ((await one(sale, 'unlock', 2)).status !== 'validated') {
      expect(await lacks()).toEqual([['0.000000'], false]);
      await slice(sale);
      stage.desk.close();
    }
    await slices(sale);
    for (const investor of sale.investors) expect(await held(investor, sale)).toBe('50');
    expect([await held(sale.distributor, sale), await lacks()]).toEqual(['0', [['0.000000'], false]]);
  });

  it('counts an escrow that may have ended as nothing, until what it gave back is paid', async () => {
    const sale = await due();
    const { distributor, issuer } = sale;
    const parties = { deposit: sale.deposit, distributor, issuer };
    await give(parties, '100');
    // 100 are free, and the escrow of part 2 may have come back or not.
    expect([await owedBy(sale), await missing(parties)]).toEqual([[50_000_000n], true]);
    await finishByStranger(sale);
    expect([await held(distributor, sale), await owedBy(sale), await missing(parties)]).toEqual([
      '150',
      [50_000_000n],
      false,
    ]);
    await slices(sale);
    expect([await held(distributor, sale), await owedBy(sale), await missing(parties)]).toEqual(['100', [0n], false]);
  });
});

it('the parts of an investment are the parts of its locks, in these tests', () => {
  expect(distributionParts(100n, QUARTERS, 0).map(({ part, units }) => [part, units])).toEqual([
    [1, 25n],
    [2, 25n],
    [3, 25n],
    [4, 25n],
  ]);
});
