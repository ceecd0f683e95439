import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountSetAsfFlags, MPTokenIssuanceCreateFlags, type Wallet } from 'xrpl';
import type { FieldError } from '#lib/base/errors.ts';
import { formatDrops } from '#lib/base/money.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { patchProject } from '#lib/sales/projects/patch-project.ts';
import { payingNeedDrops } from '#lib/xrpl/server-state.ts';
import { changeRows } from '#tests/support/rows.ts';
import { authorize, issue, payUnits } from './issuance.ts';
import { openStage, type Sale, type Stage } from './stage.ts';
import { UNSOLD_UNTIL, unsoldDraft, unsoldParties } from './unsold-sale.ts';

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

const patch = (sale: Sale, unsold_until: Date | null) =>
  patchProject(stage.ctx, { id: sale.project.id, patch: { unsold_until }, reason: 'the rest' });

describe('the launch of a sale that promises to lock what it does not sell', () => {
  const faultsOf = (sale: Sale) => errorsOf(stage.act(sale, 'launch'), 'launch_not_ready');

  it('goes when the ledger takes the escrow, and the term is fixed from then on', async () => {
    const sale = await unsoldDraft(stage);
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({
      status: 'active',
      unsold_until: UNSOLD_UNTIL,
    });
    await expect(patch(sale, null)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('is refused while the issuer does not allow escrows of its token', async () => {
    const parties = await unsoldParties(stage);
    const sale = await unsoldDraft(stage, {}, parties);
    await stage.desk.write([
      parties.issuer,
      {
        TransactionType: 'AccountSet',
        Account: parties.issuer.address,
        ClearFlag: AccountSetAsfFlags.asfAllowTrustLineLocking,
      },
    ]);
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
    const { distributor, issuer } = parties;
    const sale = await unsoldDraft(stage, {}, parties);
    const server = await stage.ctx.ledger.serverState();
    const held = await stage.ctx.ledger.account(distributor.address);
    const need = payingNeedDrops((held?.ownerCount ?? 0) + 1, server);
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
    await pay(distributor, issuer, (held?.balanceDrops ?? 0n) - need - fee + 1n);
    expect(await faultsOf(sale)).toEqual([
      { field: 'distributor', message: `needs at least ${formatDrops(need)} XRP for reserves, tickets and fees` },
    ]);
    await pay(issuer, distributor, 1n);
    await stage.act(sale, 'launch');
  });

  it('is refused for the escrow of another launch of the distributor, also of another token and asked for at once', async () => {
    for (let round = 0; round < 3; round++) {
      const parties = await unsoldParties(stage);
      const { distributor } = parties;
      const others = await unsoldParties(stage, '6000', { distributor });
      const pair = [await unsoldDraft(stage, {}, parties), await unsoldDraft(stage, {}, others)];
      const server = await stage.ctx.ledger.serverState();
      const held = await stage.ctx.ledger.account(distributor.address);
      const needOf = (escrows: number) => payingNeedDrops((held?.ownerCount ?? 0) + escrows, server);
      await stage.desk.write([
        distributor,
        {
          TransactionType: 'Payment',
          Account: distributor.address,
          Destination: parties.issuer.address,
          Amount: ((held?.balanceDrops ?? 0n) - needOf(1) - 10n).toString(),
          Fee: '10',
        },
      ]);
      const settled = await Promise.allSettled(pair.map((sale) => stage.act(sale, 'launch')));
      expect(settled.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
      expect(settled.find(({ status }) => status === 'rejected')).toMatchObject({
        reason: {
          code: 'launch_not_ready',
          errors: [
            {
              field: 'distributor',
              message: `needs at least ${formatDrops(needOf(2))} XRP for reserves, tickets and fees`,
            },
          ],
        },
      });
    }
  });

  it('is refused under custody, however the draft came to it', async () => {
    const sale = await unsoldDraft(stage);
    const custody = {
      quorum: 2,
      platform: { account: sale.deposit.address, weight: 1 },
      witnesses: [{ account: sale.issuer.address, weight: 1, operator: 'Somebody' }],
    };
    await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { custody: custody as never });
    expect(await faultsOf(sale)).toContainEqual({
      field: 'unsold_until',
      message: expect.stringContaining('is not possible under custody'),
    });
  });
});
