import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MPTokenIssuanceCreateFlags, type Wallet } from 'xrpl';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { authorize, issue, payUnits } from './issuance.ts';
import { forbidEscrows, launchFaultsOf, patch, payDrops, putUnderCustody, reserveOf } from './lock-terms.ts';
import { openStage, type Sale, type Stage } from './stage.ts';
import { UNSOLD_UNTIL, unsoldDraft, unsoldParties } from './unsold-sale.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

describe('the launch of a sale that promises to lock what it does not sell', () => {
  const faultsOf = (sale: Sale) => launchFaultsOf(stage, sale);

  it('goes when the ledger takes the escrow, and the term is fixed from then on', async () => {
    const sale = await unsoldDraft(stage);
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({
      status: 'active',
      unsold_until: UNSOLD_UNTIL,
    });
    await expect(patch(stage, sale, { unsold_until: null })).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is refused while the issuer does not allow escrows of its token', async () => {
    const parties = await unsoldParties(stage);
    const sale = await unsoldDraft(stage, {}, parties);
    await forbidEscrows(stage, parties);
    expect(await faultsOf(sale)).toEqual([
      { field: 'token.issuer', message: expect.stringMatching(/AllowTrustLineLocking.*or remove unsold_until$/) },
    ]);
  });

  it('is refused for an MPT that cannot be held in escrow', async () => {
    const [deposit, issuer, distributor] = (await stage.desk.accounts(3)) as [Wallet, Wallet, Wallet];
    stage.entrust(distributor);
    const { tfMPTCanTransfer, tfMPTCanEscrow } = MPTokenIssuanceCreateFlags;
    const faults = [];
    for (const flags of [tfMPTCanTransfer, tfMPTCanTransfer | tfMPTCanEscrow]) {
      const issuance_id = await issue(stage, issuer, { flags });
      await authorize(stage, distributor, issuance_id);
      await payUnits(stage, issuer, distributor, issuance_id, '600000');
      const token = { kind: 'mpt', issuance_id, decimals: 2 } as const;
      const sale = await unsoldDraft(stage, { token }, { deposit, issuer, distributor });
      if (flags === tfMPTCanTransfer) faults.push(...(await faultsOf(sale)));
      else await stage.act(sale, 'launch');
    }
    expect(faults).toEqual([
      { field: 'token.issuance_id', message: 'cannot be held in escrow (CanEscrow): remove unsold_until' },
    ]);
  });

  it('is refused when the distributor lacks the reserve of the escrow, to the drop', async () => {
    const parties = await unsoldParties(stage);
    const sale = await unsoldDraft(stage, {}, parties);
    const { leave, lacking } = await reserveOf(stage, parties);
    await leave(1, 1n);
    expect(await faultsOf(sale)).toEqual([lacking(1)]);
    await payDrops(stage, parties.issuer, parties.distributor, 1n);
    await stage.act(sale, 'launch');
  });

  it('is refused for the escrow of another launch of the distributor, also of another token and asked for at once', async () => {
    for (let round = 0; round < 3; round++) {
      const parties = await unsoldParties(stage);
      const others = await unsoldParties(stage, '6000', { distributor: parties.distributor });
      const pair = [await unsoldDraft(stage, {}, parties), await unsoldDraft(stage, {}, others)];
      const { leave, lacking } = await reserveOf(stage, parties);
      await leave(1);
      const settled = await Promise.allSettled(pair.map((sale) => stage.act(sale, 'launch')));
      expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: { code: 'launch_not_ready', errors: [lacking(2)] },
      });
    }
  });

  it('is refused under custody, however the draft came to it', async () => {
    const sale = await unsoldDraft(stage);
    await putUnderCustody(stage, sale);
    expect(await faultsOf(sale)).toContainEqual({
      field: 'unsold_until',
      message: expect.stringContaining('is not possible under custody'),
    });
  });
});
