import { describe, expect, it } from 'vitest';
import type { EscrowCreate, Wallet } from 'xrpl';
import { PlatformError } from '#lib/base/errors.ts';
import { keepOwedTokens } from '#lib/payouts/keep-owed-tokens.ts';
import { loadDue } from '#lib/payouts/load.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { getPayout } from '#lib/payouts/operate/read-payouts.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { changeRows } from '#tests/support/rows.ts';
import { CONDITION, dying, passLedgerSeconds } from './escrows.ts';
import { tokenAmount } from './unsold-sale.ts';
import {
  allowEscrows,
  byHand,
  comes,
  end,
  ended,
  escrowsOf,
  give,
  giveBack,
  held,
  inADay,
  type Kind,
  launched,
  one,
  openVestingStage,
  owedBy,
  planned,
  rows,
  slices,
  soon,
  stage,
  statuses,
} from './vesting-desk.ts';

openVestingStage();

describe('a lock that cannot be made', () => {
  it('leaves its tokens to be paid from the balance, and its end is owed to nobody', async () => {
    const sale = await launched();
    await allowEscrows(sale, false);
    await end(sale);
    await planned();
    const seconds = await soon(sale, 2);
    await slices(sale);
    expect(await one(sale, 'lock', 2)).toMatchObject({ status: 'held', reason: 'escrow_not_allowed' });
    await comes(sale, 2, seconds);
    await slices(sale);
    expect(await one(sale, 'unlock', 2)).toMatchObject({ status: 'cancelled', reason: 'lock_not_made' });
    for (const investor of sale.investors) expect(await held(investor, sale)).toBe('50');
    expect([await escrowsOf(sale), await owedBy(sale)]).toEqual([[], [100_000_000n]]);
  });

  /** A lock that could not be made, and an escrow by hand that ends a little later than it has to. */
  async function madeByHand(over: Partial<EscrowCreate> = {}) {
    const sale = await launched();
    await allowEscrows(sale, false);
    await end(sale);
    await planned();
    const seconds = await soon(sale, 2);
    await slices(sale);
    await allowEscrows(sale, true);
    const hash = await byHand(sale.distributor, {
      TransactionType: 'EscrowCreate',
      Account: sale.distributor.address,
      Destination: sale.distributor.address,
      Amount: tokenAmount(sale.issuer, '50') as never,
      FinishAfter: seconds + 30,
      ...over,
    });
    const { id } = await one(sale, 'lock', 2);
    const settle = () =>
      actOnPayout(stage.ctx, { id, action: 'settle', reason: 'found', transaction_hash: hash }).then(() => undefined);
    return { sale, seconds, finishAfter: seconds + 30, settle };
  }

  it('whose escrow an operator finds after all has an end again', async () => {
    const { sale, seconds, finishAfter, settle } = await madeByHand();
    await passLedgerSeconds(stage, seconds);
    await slices(sale);
    expect((await one(sale, 'unlock', 2)).status).toBe('cancelled');
    await settle();
    expect((await one(sale, 'unlock', 2)).status).toBe('scheduled');
    await slices(sale, stage.ctx, 1);
    await passLedgerSeconds(stage, finishAfter);
    await slices(sale);
    expect((await one(sale, 'unlock', 2)).status).toBe('validated');
    expect(await escrowsOf(sale)).toHaveLength(0);
  });

  /** On the day no server holds the ledger of the EscrowCreate any more. */
  const forgetful = (): TestCtx => ({
    ...stage.ctx,
    ledger: {
      ...stage.ctx.ledger,
      createdEscrow: () =>
        Promise.reject(new PlatformError('ledger_unavailable', 'The server does not hold that ledger')),
    },
  });

  it('whose escrow an operator has settled is ended on its day, also when no server holds the ledger that created it', async () => {
    const { sale, finishAfter, settle } = await madeByHand();
    await settle();
    await passLedgerSeconds(stage, finishAfter - 15);
    await slices(sale, forgetful(), 1);
    expect(await one(sale, 'unlock', 2)).toMatchObject({ status: 'ready', reason: 'escrow_not_due' });
    await passLedgerSeconds(stage, finishAfter);
    await slices(sale, forgetful());
    expect((await one(sale, 'unlock', 2)).status).toBe('validated');
    expect(await escrowsOf(sale)).toHaveLength(0);
  });

  it('whose escrow was settled before it was booked is ended too, from the ledger that created it', async () => {
    const { sale, finishAfter, settle } = await madeByHand();
    await settle();
    const { id } = await one(sale, 'lock', 2);
    await changeRows(stage.database.db, 'payouts', { id }, { escrowSequence: null, escrowFinishAfter: null });
    await passLedgerSeconds(stage, finishAfter);
    await slices(sale, forgetful(), 2);
    expect(await one(sale, 'unlock', 2)).toMatchObject({ status: 'ready', reason: 'facts_unreadable' });
    await slices(sale);
    expect((await one(sale, 'unlock', 2)).status).toBe('validated');
    expect(await escrowsOf(sale)).toHaveLength(0);
  });

  it.each<[string, Partial<EscrowCreate>]>([
    ['a Condition', { Condition: CONDITION }],
    ['a CancelAfter', { CancelAfter: 900_000_000 }],
  ])('is settled with no escrow that the platform could not end on its day: one that has %s', async (field, over) => {
    const { sale, settle } = await madeByHand(over);
    await expect(settle()).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        new RegExp(`its escrow has ${field}, and .*release the payout, which makes the lock anew`),
      ),
    });
    const { id } = await one(sale, 'lock', 2);
    expect(await getPayout(stage.ctx.db, id)).toMatchObject({ status: 'held', transaction_hash: null });
    await actOnPayout(stage.ctx, { id, action: 'release', reason: 'as the error says' });
    await slices(sale);
    expect((await one(sale, 'lock', 2)).status).toBe('validated');
  });

  it('has its escrow booked whole, once it is made, and no other payout has one', async () => {
    const { sale, settle } = await madeByHand();
    await settle();
    const change = (kind: Kind, part: number, to: Parameters<typeof changeRows<'payouts'>>[3]) =>
      changeRows(stage.database.db, 'payouts', { projectId: sale.project.id, kind, part }, to);
    const { escrowFinishAfter } = await one(sale, 'lock', 2);
    const escrow = { escrowSequence: 7, escrowFinishAfter };
    const refused: Parameters<typeof change>[] = [
      ['lock', 2, { escrowSequence: null }],
      ['lock', 2, { escrowFinishAfter: null }],
      ['lock', 2, { escrowFinishAfter: new Date(0) }],
      ['lock', 2, { status: 'held' }],
      ['lock', 3, escrow],
      ['unlock', 2, escrow],
      ['distribution', 2, escrow],
    ];
    for (const each of refused) {
      await expect(change(...each)).rejects.toMatchObject({ cause: { constraint: 'payouts_escrow' } });
    }
  });

  it('waits for its own outcome before its end is decided', async () => {
    const sale = await ended();
    const seconds = await soon(sale, 2);
    // The first slice asks for tickets.
    await slices(sale, stage.ctx, 1);
    await slices(sale, dying(stage.ctx), 1);
    expect((await one(sale, 'lock', 2)).status).toBe('submitted');
    await comes(sale, 2, seconds);
    const blind: TestCtx = {
      ...dying(stage.ctx),
      ledger: {
        ...dying(stage.ctx).ledger,
        lookUpAll: async (hashes) => {
          const { validatedIndex } = await stage.ctx.ledger.serverState();
          return hashes.map(() => ({ state: 'not_validated', history: { validatedIndex, ranges: [] } }) as never);
        },
      },
    };
    await slices(sale, blind, 1);
    expect((await one(sale, 'unlock', 2)).status).not.toBe('cancelled');
    await slices(sale);
    // Its escrow would have begun after its end.
    expect((await one(sale, 'lock', 2)).status).toBe('held');
    expect((await one(sale, 'unlock', 2)).status).toBe('cancelled');
    expect(await escrowsOf(sale)).toHaveLength(2);
    for (const investor of sale.investors) expect(await held(investor, sale)).toBe('50');
  });

  it('takes no token that is owed to others, when some of what it was to hold is paid before', async () => {
    const sale = await ended();
    await giveBack(sale, '5800');
    const early = (await rows(sale, 'distribution')).find(({ part }) => part === 3);
    await actOnPayout(stage.ctx, { id: early?.id ?? '', action: 'hold', reason: 'early' });
    const transaction_hash = await byHand(sale.distributor, {
      TransactionType: 'Payment',
      Account: sale.distributor.address,
      Destination: early?.destination ?? '',
      Amount: tokenAmount(sale.issuer, '25'),
      SendMax: tokenAmount(sale.issuer, '25'),
    });
    await actOnPayout(stage.ctx, { id: early?.id ?? '', action: 'settle', reason: 'early', transaction_hash });
    await slices(sale);
    expect(await statuses(sale, 'lock')).toEqual(['ready', 'ready', 'ready']);
    for (const investor of sale.investors) expect(Number(await held(investor, sale))).toBeGreaterThanOrEqual(25);
    await give(sale, '25');
    await slices(sale);
    expect(await statuses(sale, 'lock')).toEqual(['validated', 'validated', 'validated']);
    expect([await held(sale.distributor, sale), await owedBy(sale)]).toEqual(['0', [0n]]);
  });

  it('takes no token that another sale of the distributor owes, and goes when there are enough', async () => {
    const sale = await ended();
    await giveBack(sale, '5800.000001');
    await slices(sale);
    expect(await statuses(sale, 'lock')).toEqual(['ready', 'ready', 'ready']);
    expect(await escrowsOf(sale)).toEqual([]);
    await give(sale, '0.000001');
    await slices(sale);
    expect(await statuses(sale, 'lock')).toEqual(['validated', 'validated', 'validated']);
  });

  it('is made also where the distributor takes nothing without a destination tag', async () => {
    const sale = await launched();
    await stage.setFlag(sale.distributor, 'asfRequireDest');
    await end(sale);
    await planned();
    await slices(sale);
    expect(await statuses(sale, 'lock')).toEqual(['validated', 'validated', 'validated']);
  });

  it('waits while the account has not the XRP of its reserve and the fees, costs no fee meanwhile, and goes when it has', async () => {
    const sale = await ended();
    const { distributor } = sale;
    const [friend] = (await stage.desk.accounts(1)) as [Wallet];
    const locks = { projectId: sale.project.id, kind: 'lock' } as const;
    // First tickets, and what is paid with them: each that is used up gives its reserve back.
    await changeRows(stage.database.db, 'payouts', locks, { nextCheckAt: inADay() });
    await slices(sale);
    const spare = async () => {
      const server = await stage.ctx.ledger.serverState();
      const account = await stage.ctx.ledger.account(distributor.address);
      if (account === null) throw new Error('The distributor is gone');
      return account.balanceDrops - server.reserveBaseDrops - server.reserveIncrementDrops * BigInt(account.ownerCount);
    };
    const Fee = '12';
    const Amount = String((await spare()) - BigInt(Fee));
    const Destination = friend.address;
    await byHand(distributor, { TransactionType: 'Payment', Account: distributor.address, Destination, Amount, Fee });
    expect(await spare()).toBe(0n);
    await changeRows(stage.database.db, 'payouts', locks, { nextCheckAt: new Date() });
    await slices(sale, stage.ctx, 6);
    for (const lock of await rows(sale, 'lock')) {
      expect(lock).toMatchObject({ status: 'ready', reason: 'payer_underfunded' });
      expect((await getPayout(stage.ctx.db, lock.id)).attempts).toEqual([]);
    }
    await byHand(friend, {
      TransactionType: 'Payment',
      Account: friend.address,
      Destination: distributor.address,
      Amount: '1000000',
    });
    await slices(sale);
    expect(await statuses(sale, 'lock')).toEqual(['validated', 'validated', 'validated']);
  });

  it('asks once what is owed for all locks of a sale, whether they may go or not', async () => {
    const sale = await ended();
    const { validatedAtMs } = await stage.ctx.ledger.serverState();
    const due = await loadDue(stage.database.db, sale.distributor.address, new Date(validatedAtMs), 50);
    const locks = due.filter(({ kind }) => kind === 'lock');
    const decide = async () => {
      let asked = 0;
      const trustLine: TestCtx['ledger']['trustLine'] = (...question) => {
        asked += 1;
        return stage.ctx.ledger.trustLine(...question);
      };
      const counting: TestCtx = { ...stage.ctx, ledger: { ...stage.ctx.ledger, trustLine } };
      const { payable, postponed } = await keepOwedTokens(counting, { payable: locks, postponed: [] });
      return [payable.length, postponed.length, asked];
    };
    expect(await decide()).toEqual([3, 0, 1]);
    await giveBack(sale, '5800.000001');
    expect(await decide()).toEqual([0, 3, 1]);
  });

  it('does not go by a balance that a server behind the others shows', async () => {
    const sale = await ended();
    const { validatedAtMs, validatedIndex: behind } = await stage.ctx.ledger.serverState();
    const due = await loadDue(stage.database.db, sale.distributor.address, new Date(validatedAtMs), 50);
    await giveBack(sale, '5800.000001');
    const trustLine: TestCtx['ledger']['trustLine'] = async (holder, issuer, currency, ledgerIndex = behind) => {
      if (ledgerIndex > behind) throw new PlatformError('ledger_unavailable', 'The server has no such ledger');
      return stage.ctx.ledger.trustLine(holder, issuer, currency, ledgerIndex);
    };
    const late: TestCtx = { ...stage.ctx, ledger: { ...stage.ctx.ledger, trustLine } };
    const payable = due.filter(({ kind }) => kind === 'lock');
    const { postponed, payable: going } = await keepOwedTokens(late, { payable, postponed: [] });
    expect(going).toEqual([]);
    expect(postponed.map(({ decision }) => decision)).toEqual(
      payable.map(() => ({ kind: 'later', reason: 'facts_unreadable' })),
    );
  });

  it.each(['before the ledger', 'behind it'] as const)('is made once when the process dies %s', async (when) => {
    const sale = await ended();
    await slices(sale, stage.ctx, 1);
    await slices(sale, dying(stage.ctx, when), 1);
    await slices(sale);
    expect(await statuses(sale, 'lock')).toEqual(['validated', 'validated', 'validated']);
    expect(await escrowsOf(sale)).toHaveLength(3);
    expect(await held(sale.distributor, sale)).toBe('5800');
  });
});
