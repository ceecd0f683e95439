import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountSetAsfFlags, type Wallet } from 'xrpl';
import type { FieldError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { getTerms } from '#lib/sales/projects/get-terms.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import type { ProjectPatch } from '#lib/sales/projects/project-input.ts';
import { payingNeedDrops } from '#lib/xrpl/server-state.ts';
import { changeRows } from '#tests/support/rows.ts';
import { openStage, type Sale, type Stage } from './stage.ts';
import { ENDS_AT, unsoldParties } from './unsold-sale.ts';
import { daysAfterEnd, VESTING, vestingDraft } from './vesting-sale.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const errorsOf = async (asked: Promise<unknown>, code: string): Promise<FieldError[]> => {
  const error = (await asked.then(
    () => null,
    (thrown: unknown) => thrown,
  )) as { code?: string; errors?: FieldError[] } | null;
  expect(error?.code).toBe(code);
  return error?.errors ?? [];
};

const patch = (sale: Sale, change: ProjectPatch) =>
  patchProject(stage.ctx, { id: sale.project.id, patch: change, reason: 'the vesting' });

const termsOf = async (sale: Sale) => JSON.parse((await getTerms(stage.ctx, sale.project.id)).canonical);

const faultOf = (text: string) => [{ field: 'vesting_locked', message: expect.stringContaining(text) }];

describe('a draft that promises to lock what its vesting owes', () => {
  it('says so in the project and in the terms, and one that does not has the terms of before', async () => {
    const sale = await vestingDraft(stage);
    expect(sale.project.vesting_locked).toBe(true);
    expect((await termsOf(sale)).vesting_locked).toBe(true);
    expect((await patch(sale, { vesting_locked: false })).vesting_locked).toBe(false);
    expect(await termsOf(sale)).not.toHaveProperty('vesting_locked');
  });

  it('needs vesting, an end, and a distributor that is not the issuer, also when one is taken away later', async () => {
    const sale = await vestingDraft(stage);
    expect(await errorsOf(patch(sale, { vesting: null }), 'invalid_request')).toEqual(faultOf('needs vesting'));
    expect(await errorsOf(patch(sale, { ends_at: null }), 'invalid_request')).toEqual(faultOf('needs ends_at'));
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
  const faultsOf = (sale: Sale) => errorsOf(stage.act(sale, 'launch'), 'launch_not_ready');

  it('goes when the ledger takes the escrows, and the term is fixed from then on', async () => {
    const sale = await vestingDraft(stage);
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    const launched = await getProject(stage.ctx, sale.project.id);
    expect(launched).toMatchObject({ status: 'active', vesting_locked: true });
    await expect(patch(sale, { vesting_locked: false })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is refused while the issuer does not allow escrows of its token', async () => {
    const parties = await unsoldParties(stage);
    const sale = await vestingDraft(stage, {}, parties);
    await stage.desk.write([
      parties.issuer,
      {
        TransactionType: 'AccountSet',
        Account: parties.issuer.address,
        ClearFlag: AccountSetAsfFlags.asfAllowTrustLineLocking,
      },
    ]);
    expect(await faultsOf(sale)).toEqual([
      { field: 'token.issuer', message: expect.stringMatching(/AllowTrustLineLocking.*or remove vesting_locked$/) },
    ]);
  });

  it('is refused when the distributor lacks the reserve of an escrow for each day, to the drop', async () => {
    const parties = await unsoldParties(stage);
    const { distributor, issuer } = parties;
    const sale = await vestingDraft(stage, {}, parties);
    const server = await stage.ctx.ledger.serverState();
    const held = await stage.ctx.ledger.account(distributor.address);
    const need = payingNeedDrops((held?.ownerCount ?? 0) + VESTING.periods, server);
    const fee = 10n;
    const pay = (from: Wallet, to: Wallet, drops: bigint) =>
      stage.desk.write([
        from,
        {
          TransactionType: 'Payment',
          Account: from.address,
          Destination: to.address,
          Amount: drops.toString(),
          Fee: fee.toString(),
        },
      ]);
    const lacking = {
      field: 'distributor',
      message: `needs at least ${formatDrops(need)} XRP for reserves, tickets and fees`,
    };
    await pay(distributor, issuer, (held?.balanceDrops ?? 0n) - need - fee + 1n);
    expect(await faultsOf(sale)).toEqual([lacking]);
    await pay(issuer, distributor, 1n);
    await stage.act(sale, 'launch');
  });

  it('counts the reserve of the escrows that other sales of the distributor have still to make', async () => {
    const parties = await unsoldParties(stage, '12000');
    const { distributor, issuer } = parties;
    const first = await vestingDraft(stage, { unsold_until: daysAfterEnd(10) }, parties);
    await stage.act(first, 'launch');
    await stage.settle(first.deposit);
    const [deposit] = (await stage.desk.accounts(1)) as [Wallet];
    const second = await vestingDraft(stage, {}, { ...parties, deposit });
    const server = await stage.ctx.ledger.serverState();
    const held = await stage.ctx.ledger.account(distributor.address);
    const all = VESTING.periods + 1 + VESTING.periods;
    const need = payingNeedDrops((held?.ownerCount ?? 0) + all, server);
    await stage.desk.write([
      distributor,
      {
        TransactionType: 'Payment',
        Account: distributor.address,
        Destination: issuer.address,
        Amount: ((held?.balanceDrops ?? 0n) - need - 10n + 1n).toString(),
        Fee: '10',
      },
    ]);
    expect(await faultsOf(second)).toEqual([
      { field: 'distributor', message: `needs at least ${formatDrops(need)} XRP for reserves, tickets and fees` },
    ]);
  });

  it('is refused under custody, however the draft came to it', async () => {
    const sale = await vestingDraft(stage);
    const custody = {
      quorum: 2,
      platform: { account: sale.deposit.address, weight: 1 },
      witnesses: [{ account: sale.issuer.address, weight: 1, operator: 'Somebody' }],
    };
    await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { custody: custody as never });
    expect(await faultsOf(sale)).toContainEqual({
      field: 'vesting_locked',
      message: expect.stringContaining('is not possible under custody'),
    });
  });
});
