import { describe, expect, it } from 'vitest';
import { loadDue } from '#lib/payouts/load.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { getPayout } from '#lib/payouts/operate/read-payouts.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { changeRows } from '#tests/support/rows.ts';
import { dying, passLedgerSeconds } from './escrows.ts';
import {
  due,
  ended,
  escrowsOf,
  finishByStranger,
  held,
  one,
  openVestingStage,
  owedBy,
  slice,
  slices,
  soon,
  stage,
} from './vesting-desk.ts';

openVestingStage();

describe('the day of a part', () => {
  it('ends the escrow, and pays what is due from what it gives back', async () => {
    const sale = await due();
    await slices(sale, stage.ctx, 5);
    const unlock = await one(sale, 'unlock', 2);
    expect(unlock).toMatchObject({ status: 'validated', reason: null });
    const { result } = await stage.desk.client.request({ command: 'tx', transaction: unlock.txHash ?? '' });
    expect(result.tx_json).toMatchObject({ TransactionType: 'EscrowFinish', Account: sale.distributor.address });
    expect(await escrowsOf(sale)).toHaveLength(2);
    for (const investor of sale.investors) expect(await held(investor, sale)).toBe('50');
    expect([await held(sale.distributor, sale), await owedBy(sale)]).toEqual(['0', [0n]]);
  });

  it('ends the escrow before it looks at what waits for it, and pays that with the next ledger', async () => {
    const sale = await due();
    const projectId = sale.project.id;
    const { db } = stage.database;
    // It was looked at once, before the ledger had reached its time; all else has waited longer since.
    await changeRows(db, 'payouts', { projectId, kind: 'unlock', part: 2 }, { nextCheckAt: new Date() });
    await changeRows(db, 'payouts', { projectId, kind: 'distribution', part: 2 }, { nextCheckAt: new Date(0) });
    const { validatedAtMs } = await stage.ctx.ledger.serverState();
    expect(await loadDue(db, sale.distributor.address, new Date(validatedAtMs), 1)).toMatchObject([{ kind: 'unlock' }]);
    // Signed, validated and paid: none of them is looked at for another reason than that it is due again.
    for (let n = 0; n < 4; n++) {
      await slice(sale);
      stage.desk.close();
    }
    expect((await one(sale, 'unlock', 2)).status).toBe('validated');
    for (const investor of sale.investors) expect(await held(investor, sale)).toBe('50');
  });

  it('ends no escrow before the ledger has reached it, whatever the clock of the database says', async () => {
    const sale = await ended();
    const seconds = await soon(sale, 2);
    await slices(sale, stage.ctx, 3);
    expect(await one(sale, 'unlock', 2)).toMatchObject({ status: 'ready', reason: 'escrow_not_due' });
    expect(await escrowsOf(sale)).toHaveLength(3);
    await passLedgerSeconds(stage, seconds);
    await slices(sale);
    expect((await one(sale, 'unlock', 2)).status).toBe('validated');
  });

  it('settles the unlock, and pays, when a stranger has ended the escrow first', async () => {
    const sale = await due();
    await finishByStranger(sale);
    await slices(sale);
    expect(await one(sale, 'unlock', 2)).toMatchObject({ status: 'validated', txHash: null });
    for (const investor of sale.investors) expect(await held(investor, sale)).toBe('50');
    expect(await escrowsOf(sale)).toHaveLength(2);
  });

  it('settles it also when the stranger comes between signing and the ledger', async () => {
    const sale = await due();
    await slices(sale, dying(stage.ctx), 1);
    expect((await one(sale, 'unlock', 2)).status).toBe('submitted');
    await finishByStranger(sale);
    await slices(sale);
    const { attempts } = await getPayout(stage.ctx.db, (await one(sale, 'unlock', 2)).id);
    expect(attempts).toMatchObject([{ status: 'failed', engine_result: 'tecNO_TARGET' }]);
    expect(await one(sale, 'unlock', 2)).toMatchObject({ status: 'validated', txHash: null });
    expect(await escrowsOf(sale)).toHaveLength(2);
  });

  it('does not believe one server that an escrow is gone when another one shows it', async () => {
    const sale = await due();
    const disagreeing: TestCtx = {
      ...stage.ctx,
      ledger: {
        ...stage.ctx.ledger,
        escrowStands: async () => false,
        escrowStandsEverywhere: async () => [false, true],
      },
    };
    await slices(sale, disagreeing);
    expect(await one(sale, 'unlock', 2)).toMatchObject({ status: 'ready', reason: 'facts_unreadable' });
  });

  it('asks no server that has not reached the lock whether its escrow is gone', async () => {
    const sale = await due();
    const { ledgerIndex } = await one(sale, 'lock', 2);
    const lagging: TestCtx = {
      ...stage.ctx,
      ledger: {
        ...stage.ctx.ledger,
        serverState: async () => ({
          ...(await stage.ctx.ledger.serverState()),
          validatedIndex: (ledgerIndex ?? 0) - 1,
        }),
        escrowStands: async () => false,
      },
    };
    await slices(sale, lagging, 1);
    expect(await one(sale, 'unlock', 2)).toMatchObject({ status: 'ready', reason: 'escrow_not_due' });
  });

  it.each(['before the ledger', 'behind it'] as const)(
    'ends the escrow once when the process dies %s',
    async (when) => {
      const sale = await due();
      await slices(sale, dying(stage.ctx, when), 1);
      await slices(sale, testCtx({ db: stage.database.db, overrides: { ledger: stage.ctx.ledger } }));
      const unlock = await one(sale, 'unlock', 2);
      expect(unlock.status).toBe('validated');
      const { attempts } = await getPayout(stage.ctx.db, unlock.id);
      expect(attempts).toMatchObject([{ status: 'validated', transaction_hash: unlock.txHash }]);
      expect(await escrowsOf(sale)).toHaveLength(2);
      for (const investor of sale.investors) expect(await held(investor, sale)).toBe('50');
    },
  );

  it('is held by an operator like any payout, and settled by no hand: it settles itself', async () => {
    const sale = await due();
    const { id } = await one(sale, 'unlock', 2);
    await actOnPayout(stage.ctx, { id, action: 'hold', reason: 'a test' });
    const transaction_hash = await finishByStranger(sale);
    const settle = actOnPayout(stage.ctx, { id, action: 'settle', reason: 'a test', transaction_hash });
    await expect(settle).rejects.toMatchObject({ code: 'conflict' });
    await actOnPayout(stage.ctx, { id, action: 'release', reason: 'a test' });
    await slices(sale);
    expect((await one(sale, 'unlock', 2)).status).toBe('validated');
  });
});
