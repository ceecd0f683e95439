import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { getProject } from '#lib/sales/projects/get-project.ts';
import {
  errorsOf,
  forbidEscrows,
  launchFaultsOf,
  patch,
  payDrops,
  putUnderCustody,
  reserveOf,
  termsOf,
} from './lock-terms.ts';
import { openStage, type Sale, type Stage } from './stage.ts';
import { ENDS_AT, unsoldParties } from './unsold-sale.ts';
import { daysAfterEnd, VESTING, vestingDraft } from './vesting-sale.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const faultOf = (text: string) => [{ field: 'vesting_locked', message: expect.stringContaining(text) }];

describe('a draft that promises to lock what its vesting owes', () => {
  it('says so in the project and in the terms, and one that does not has the terms of before', async () => {
    const sale = await vestingDraft(stage);
    expect(sale.project.vesting_locked).toBe(true);
    expect((await termsOf(stage, sale)).vesting_locked).toBe(true);
    expect((await patch(stage, sale, { vesting_locked: false })).vesting_locked).toBe(false);
    expect(await termsOf(stage, sale)).not.toHaveProperty('vesting_locked');
  });

  it('needs vesting, an end, and a distributor that is not the issuer, also when one is taken away later', async () => {
    const sale = await vestingDraft(stage);
    expect(await errorsOf(patch(stage, sale, { vesting: null }), 'invalid_request')).toEqual(faultOf('needs vesting'));
    expect(await errorsOf(patch(stage, sale, { ends_at: null }), 'invalid_request')).toEqual(faultOf('needs ends_at'));
    const own = stage.draft({ ends_at: ENDS_AT, distribution: 'at_end', vesting: VESTING, vesting_locked: true });
    expect(await errorsOf(own, 'invalid_request')).toEqual(faultOf('a distributor that is not the issuer'));
  });

  it('makes tokens due on a hundred days at most', async () => {
    const periods = (count: number, distribution: 'at_end' | 'immediate', ends_at = ENDS_AT) =>
      vestingDraft(stage, { distribution, ends_at, vesting: { ...VESTING, periods: count } });
    expect((await periods(100, 'at_end')).project.vesting.periods).toBe(100);
    expect(await errorsOf(periods(101, 'at_end'), 'invalid_request')).toEqual(faultOf('Use fewer periods'));
    expect((await periods(3, 'immediate', daysAfterEnd(7))).project.distribution).toBe('immediate');
    const long = await errorsOf(periods(12, 'immediate', daysAfterEnd(30)), 'invalid_request');
    expect(long).toEqual(faultOf('or use distribution "at_end"'));
  });
});

describe('the launch of a sale that promises to lock what its vesting owes', () => {
  const faultsOf = (sale: Sale) => launchFaultsOf(stage, sale);

  it('goes when the ledger takes the escrows, and the term is fixed from then on', async () => {
    const sale = await vestingDraft(stage);
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    const launched = await getProject(stage.ctx, sale.project.id);
    expect(launched).toMatchObject({ status: 'active', vesting_locked: true });
    await expect(patch(stage, sale, { vesting_locked: false })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is refused while the issuer does not allow escrows of its token', async () => {
    const parties = await unsoldParties(stage);
    const sale = await vestingDraft(stage, {}, parties);
    await forbidEscrows(stage, parties);
    expect(await faultsOf(sale)).toEqual([
      { field: 'token.issuer', message: expect.stringMatching(/AllowTrustLineLocking.*or remove vesting_locked$/) },
    ]);
  });

  it('is refused when the distributor lacks the reserve of an escrow for each day, to the drop', async () => {
    const parties = await unsoldParties(stage);
    const sale = await vestingDraft(stage, {}, parties);
    const { leave, lacking } = await reserveOf(stage, parties);
    await leave(VESTING.periods, 1n);
    expect(await faultsOf(sale)).toEqual([lacking(VESTING.periods)]);
    await payDrops(stage, parties.issuer, parties.distributor, 1n);
    await stage.act(sale, 'launch');
  });

  it('counts the reserve of the escrows that other sales of the distributor have still to make', async () => {
    const parties = await unsoldParties(stage, '12000');
    const first = await vestingDraft(stage, { unsold_until: daysAfterEnd(10) }, parties);
    await stage.act(first, 'launch');
    await stage.settle(first.deposit);
    const [deposit] = (await stage.desk.accounts(1)) as [Wallet];
    const second = await vestingDraft(stage, {}, { ...parties, deposit });
    const all = VESTING.periods + 1 + VESTING.periods;
    const { leave, lacking } = await reserveOf(stage, parties);
    await leave(all, 1n);
    expect(await faultsOf(second)).toEqual([lacking(all)]);
  });

  it('is refused under custody, however the draft came to it', async () => {
    const sale = await vestingDraft(stage);
    await putUnderCustody(stage, sale);
    expect(await faultsOf(sale)).toContainEqual({
      field: 'vesting_locked',
      message: expect.stringContaining('is not possible under custody'),
    });
  });
});
