import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type SubmittableTransaction, Wallet } from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { ticketRequests } from '#drizzle/schema/payouts.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { getPayout } from '#lib/payouts/operate/read-payouts.ts';
import { ledgerUnavailable } from '#lib/xrpl/fault.ts';
import { LEDGERS_TO_LIVE } from '#lib/xrpl/transactions.ts';
import type { Ledger } from '#lib/xrpl/types.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { testCtx } from '../../support/ctx.ts';
import { openWorld, TOKEN, type World } from './world.ts';

let world: World;
let holder: Wallet;
beforeEach(async () => {
  world = await openWorld();
  [holder] = (await world.holders(1)) as [Wallet];
  for (const account of [world.distributor, world.deposit]) {
    await send(account, { TransactionType: 'TicketCreate', Account: account.address, TicketCount: 20 });
  }
});
afterEach(() => world.end());

async function send(wallet: Wallet, transaction: SubmittableTransaction): Promise<void> {
  await world.desk.send(wallet, transaction);
  world.desk.close();
}
const ctxWith = (over: Partial<Ledger>) =>
  testCtx({ db: world.database.db, overrides: { ledger: { ...world.ctx.ledger, ...over } } });

/** The ledger changes after the payout was found payable and signed, and before it is submitted. */
function changing(change: () => Promise<unknown>) {
  let done: Promise<unknown> | undefined;
  return ctxWith({
    submit: async (blob) => {
      done ??= change();
      await done;
      return world.ctx.ledger.submit(blob);
    },
  });
}

const setFlag = (wallet: Wallet, flag: number) =>
  send(wallet, { TransactionType: 'AccountSet', Account: wallet.address, SetFlag: flag });
const clearFlag = (wallet: Wallet, flag: number) =>
  send(wallet, { TransactionType: 'AccountSet', Account: wallet.address, ClearFlag: flag });
const setLine = (wallet: Wallet, to: Wallet, value: string, Flags = 0) =>
  send(wallet, {
    TransactionType: 'TrustSet',
    Account: wallet.address,
    LimitAmount: { currency: TOKEN.currency, issuer: to.address, value },
    Flags,
  });
const FREEZE = 0x0010_0000;
const UNFREEZE = 0x0020_0000;
/** A line is gone once nothing of it differs from the default, which is NoRipple for an account that only holds. */
const removeLine = () => setLine(holder, world.issuer, '0', 0x0002_0000);
const deleteHolder = () =>
  send(holder, {
    TransactionType: 'AccountDelete',
    Account: holder.address,
    Destination: world.issuer.address,
    Fee: '200000',
  });
/** An account can be deleted so many ledgers after its last transaction. */
const LEDGERS_UNTIL_DELETABLE = 260;

async function drain(wallet: Wallet, leaveDrops: bigint): Promise<void> {
  const [state, server] = await Promise.all([world.ctx.ledger.account(wallet.address), world.ctx.ledger.serverState()]);
  const reserve = server.reserveBaseDrops + server.reserveIncrementDrops * BigInt(state?.ownerCount ?? 0);
  await send(wallet, {
    TransactionType: 'Payment',
    Account: wallet.address,
    Destination: world.issuer.address,
    Amount: ((state?.balanceDrops ?? 0n) - reserve - leaveDrops).toString(),
  });
}

interface Case {
  result: string;
  why: string;
  kind?: 'refund';
  amount?: bigint;
  change: () => Promise<unknown>;
  /** Status after it; the reason is the result itself. */
  status: 'waiting_holder' | 'ready' | 'held';
  /** What the next look finds, before anything is mended. */
  reason: string;
  mend: () => Promise<unknown>;
}

const tec: Case[] = [
  {
    result: 'tecPATH_DRY',
    why: 'the holder has removed the line',
    change: removeLine,
    status: 'waiting_holder',
    reason: 'trust_line_missing',
    mend: () => world.trust(holder),
  },
  {
    result: 'tecPATH_DRY',
    why: 'the issuer has frozen what the distributor holds',
    change: () => setLine(world.issuer, world.distributor, '0', FREEZE),
    status: 'waiting_holder',
    reason: 'payer_frozen',
    mend: () => setLine(world.issuer, world.distributor, '0', UNFREEZE),
  },
  {
    result: 'tecPATH_PARTIAL',
    why: 'the holder has lowered the limit',
    change: () => setLine(holder, world.issuer, '0.5'),
    status: 'waiting_holder',
    reason: 'trust_line_limit',
    mend: () => world.trust(holder),
  },
  {
    result: 'tecPATH_DRY',
    why: 'the issuer has frozen everything',
    change: () => setFlag(world.issuer, 7),
    status: 'waiting_holder',
    reason: 'issuer_frozen',
    mend: () => clearFlag(world.issuer, 7),
  },
  {
    result: 'tecDST_TAG_NEEDED',
    why: 'the holder asks for a tag now',
    change: () => setFlag(holder, 1),
    status: 'waiting_holder',
    reason: 'destination_tag_required',
    mend: () => clearFlag(holder, 1),
  },
  {
    result: 'tecNO_PERMISSION',
    why: 'the holder asks for deposit authorisation now',
    change: () => setFlag(holder, 9),
    status: 'waiting_holder',
    reason: 'deposit_authorization_required',
    mend: () => clearFlag(holder, 9),
  },
  {
    result: 'tecDST_TAG_NEEDED',
    why: 'the sender of a refund asks for a tag now',
    kind: 'refund',
    change: () => setFlag(holder, 1),
    status: 'held',
    reason: 'destination_tag_required',
    mend: () => clearFlag(holder, 1),
  },
  {
    result: 'tecUNFUNDED_PAYMENT',
    why: 'the deposit account has been emptied',
    kind: 'refund',
    amount: 100_000_000n,
    change: () => drain(world.deposit, 5_000_000n),
    status: 'ready',
    reason: 'payer_underfunded',
    mend: () =>
      send(world.issuer, {
        TransactionType: 'Payment',
        Account: world.issuer.address,
        Destination: world.deposit.address,
        Amount: '200000000',
      }),
  },
];

/** The counts of the metrics, with how often. */
const counts = async () =>
  (await rowsOf(world.database.db, 'payoutCounts'))
    .map(({ kind, outcome, reason, count }) => `${outcome} ${kind}${reason === '' ? '' : ` ${reason}`} x${count}`)
    .toSorted();

describe('a payout that the ledger refuses in a validated ledger', () => {
  test.each(tec)('with $result because $why: paid nothing, shown, and paid once it is mended', async (given) => {
    const { kind = 'distribution', amount = 1_000_000n, status, reason, result } = given;
    const id = await world.owe({ kind, to: holder.address, amount });
    await world.run(changing(given.change));
    world.desk.close();
    expect(await world.run()).toMatchObject({ failed: 1 });
    const shown = await getPayout(world.ctx.db, id);
    expect(shown).toMatchObject({ status, reason: result, attempt_count: 1 });
    expect(shown.attempts).toMatchObject([
      { status: 'failed', engine_result: result, ledger_index: expect.any(Number) },
    ]);
    expect(Date.parse(shown.next_check_at)).toBeGreaterThan(Date.now() + 10_000);

    // The next look reads the ledger instead of spending another fee on it.
    await changeRows(world.database.db, 'payouts', {}, { status: 'ready', nextCheckAt: new Date(0) });
    await world.run();
    expect(await getPayout(world.ctx.db, id)).toMatchObject({ reason, attempt_count: 1 });

    await given.mend();
    await changeRows(world.database.db, 'payouts', {}, { status: 'ready', nextCheckAt: new Date(0) });
    await world.runUntilDone();
    expect(await getPayout(world.ctx.db, id)).toMatchObject({ status: 'validated', reason: null, attempt_count: 2 });
    expect(await counts()).toEqual(
      [`signed ${kind} x2`, `failed ${kind} ${result} x1`, `validated ${kind} x1`].toSorted(),
    );
  });

  test.each([
    ['tecNO_DST_INSUF_XRP', 900_000n, 'held'],
    ['tesSUCCESS', 2_000_000n, 'validated'],
  ] as const)('a refund to an account deleted meanwhile ends with %s', async (result, amount, status) => {
    await removeLine();
    world.desk.close(LEDGERS_UNTIL_DELETABLE);
    const id = await world.owe({ kind: 'refund', to: holder.address, amount });
    await world.run(changing(deleteHolder));
    world.desk.close();
    await world.run();
    expect(await getPayout(world.ctx.db, id)).toMatchObject({
      status,
      reason: status === 'held' ? result : null,
      attempts: [{ engine_result: result }],
    });
  });

  test('a distribution to an account deleted meanwhile waits with tecNO_DST', async () => {
    world.desk.close(LEDGERS_UNTIL_DELETABLE);
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(
      changing(async () => {
        await removeLine();
        await deleteHolder();
      }),
    );
    world.desk.close();
    await world.run();
    expect(await world.payout(id)).toMatchObject({ status: 'waiting_holder', reason: 'tecNO_DST' });
    await world.checkAgain();
    await world.run();
    expect(await world.payout(id)).toMatchObject({ status: 'waiting_holder', reason: 'destination_missing' });
  });
});

describe('an MPT payout that the ledger refuses in a validated ledger', () => {
  /** An issuance of the issuer that can be locked and asks for authorisation, with the distributor stocked. */
  async function issue(Flags: number): Promise<string> {
    const { issuer, distributor, desk } = world;
    await send(issuer, { TransactionType: 'MPTokenIssuanceCreate', Account: issuer.address, Flags });
    const { result } = await desk.client.request({
      command: 'account_objects',
      account: issuer.address,
      type: 'mpt_issuance',
    });
    const issuanceId = String((result.account_objects[0] as { mpt_issuance_id?: string }).mpt_issuance_id);
    for (const wallet of [distributor, holder]) {
      await optIn(wallet, issuanceId);
      if ((Flags & 0x04) !== 0) await authorise(wallet, issuanceId);
    }
    await send(issuer, {
      TransactionType: 'Payment',
      Account: issuer.address,
      Destination: distributor.address,
      Amount: { mpt_issuance_id: issuanceId, value: '1000' },
    });
    await changeRows(
      world.database.db,
      'projects',
      {},
      { tokenKind: 'mpt', currency: null, issuer: null, issuanceId, decimals: 0 },
    );
    return issuanceId;
  }
  const optIn = (wallet: Wallet, MPTokenIssuanceID: string, Flags = 0) =>
    send(wallet, { TransactionType: 'MPTokenAuthorize', Account: wallet.address, MPTokenIssuanceID, Flags });
  const authorise = (wallet: Wallet, MPTokenIssuanceID: string, Flags = 0) =>
    send(world.issuer, {
      TransactionType: 'MPTokenAuthorize',
      Account: world.issuer.address,
      MPTokenIssuanceID,
      Holder: wallet.address,
      Flags,
    });
  const lock = (MPTokenIssuanceID: string, Holder?: string) =>
    send(world.issuer, {
      TransactionType: 'MPTokenIssuanceSet',
      Account: world.issuer.address,
      MPTokenIssuanceID,
      ...(Holder === undefined ? {} : { Holder }),
      Flags: 1,
    });
  const CAN_TRANSFER = 0x20;

  test.each([
    ['tecLOCKED', 'token_locked', 0x02, (id: string) => lock(id, holder.address)],
    ['tecLOCKED', 'issuance_locked', 0x02, (id: string) => lock(id)],
    ['tecNO_AUTH', 'token_unauthorized', 0x04, (id: string) => authorise(holder, id, 1)],
    ['tecNO_AUTH', 'token_not_opted_in', 0x00, (id: string) => optIn(holder, id, 1)],
  ] as const)('%s: waits, and the next look says %s', async (result, reason, flags, change) => {
    const issuanceId = await issue(CAN_TRANSFER | flags);
    const id = await world.owe({ to: holder.address, amount: 10n });
    await world.run(changing(() => change(issuanceId)));
    world.desk.close();
    await world.run();
    expect(await world.payout(id)).toMatchObject({ status: 'waiting_holder', reason: result });
    await world.checkAgain();
    await world.run();
    expect(await world.payout(id)).toMatchObject({ reason });
    expect(await world.attempts(id)).toHaveLength(1);
  });
});

describe('a payout that the server refuses', () => {
  /** Lets the attempt expire; what then becomes of the payout. */
  async function expired(id: string) {
    world.desk.close(LEDGERS_TO_LIVE + 3);
    await world.run();
    return world.payout(id);
  }
  const answerTo = async (id: string) => (await world.attempts(id)).at(-1)?.engineResult;

  test('telINSUF_FEE_P: a fee too low expires and is made anew with the fee that the load asks for', async () => {
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(changing(async () => void world.desk.ledger.faults.set({ loadFactor: 50 })));
    expect(await answerTo(id)).toBe('telINSUF_FEE_P');
    expect(await expired(id)).toMatchObject({ status: 'ready', reason: 'telINSUF_FEE_P' });
    await world.checkAgain();
    await world.runUntilDone();
    const attempts = await world.attempts(id);
    expect(attempts.map(({ feeDrops, status }) => [feeDrops, status])).toEqual([
      [12n, 'expired'],
      [600n, 'validated'],
    ]);
    expect(attempts[0]?.ticket).toBe(attempts[1]?.ticket);
    expect(await counts()).toEqual([
      'expired distribution telINSUF_FEE_P x1',
      'signed distribution x2',
      'validated distribution x1',
    ]);
  });

  test('costs no more than it refunds: dust waits for a calmer ledger, and uses up nothing that others are owed', async () => {
    const [holder] = (await world.holders(1)) as [Wallet];
    world.desk.ledger.faults.set({ loadFactor: 1_000 });
    const dust = await world.owe({ kind: 'refund', to: holder.address, amount: 11_999n });
    const more = await world.owe({ kind: 'refund', to: holder.address, amount: 12_000n });
    await world.runUntilDone();
    expect(await world.payout(dust)).toMatchObject({ status: 'ready', reason: 'fee_above_amount' });
    expect(await world.attempts(more)).toMatchObject([{ status: 'validated', feeDrops: 12_000n }]);
    world.desk.ledger.faults.clear();
    const least = await world.owe({ kind: 'refund', to: holder.address, amount: 1n });
    await world.checkAgain();
    await world.runUntilDone();
    for (const id of [dust, least]) {
      expect(await world.attempts(id)).toMatchObject([{ status: 'validated', feeDrops: 12n }]);
    }
  });

  test('telINSUF_FEE_P above the ceiling: never pays more than it, and goes out when the load has gone', async () => {
    world.desk.ledger.faults.set({ loadFactor: 1_000_000 });
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run();
    expect(await world.attempts(id)).toMatchObject([{ feeDrops: 50_000n, engineResult: 'telINSUF_FEE_P' }]);
    world.desk.close(5);
    world.desk.ledger.faults.clear();
    await world.run();
    world.desk.close();
    await world.run();
    expect(await world.attempts(id)).toMatchObject([{ status: 'validated', feeDrops: 50_000n }]);
  });

  test('one whose fee is too low does not keep later ones with the right fee from being paid', async () => {
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(changing(async () => void world.desk.ledger.faults.set({ loadFactor: 50 })));
    const later = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run();
    world.desk.close();
    await world.run();
    expect((await world.payout(later)).status).toBe('validated');
    expect((await world.payout(id)).status).toBe('submitted');
  });

  test('tefMAX_LEDGER: submitted too late, it is made anew at once', async () => {
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(changing(async () => void world.desk.close(LEDGERS_TO_LIVE + 1)));
    expect(await answerTo(id)).toBe('tefMAX_LEDGER');
    // The slice that proves it late signs the next one: who waits for it waits no half minute more.
    expect(await expired(id)).toMatchObject({ status: 'submitted', reason: null });
    expect((await world.attempts(id)).map(({ status }) => status)).toEqual(['expired', 'open']);
    await world.runUntilDone();
    expect(await world.tokens(holder.address)).toBe('1');
  });

  test('tefMASTER_DISABLED: the key no longer fits', async () => {
    const regular = Wallet.generate();
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(
      changing(async () => {
        const Account = world.distributor.address;
        await send(world.distributor, { TransactionType: 'SetRegularKey', Account, RegularKey: regular.address });
        await setFlag(world.distributor, 4);
      }),
    );
    expect(await answerTo(id)).toBe('tefMASTER_DISABLED');
    expect(await expired(id)).toMatchObject({ status: 'ready', reason: 'tefMASTER_DISABLED' });
    await world.checkAgain();
    await world.run();
    expect(await world.payout(id)).toMatchObject({ status: 'ready', reason: 'payer_key_disabled' });
  });

  describe('a ticket that somebody else used up', () => {
    /** Signs with the payer's key outside the platform, and uses the ticket of the payout's attempt. */
    const useTicketOf = async (id: string, transaction: SubmittableTransaction) => {
      const [attempt] = await world.attempts(id);
      await send(world.distributor, { ...transaction, Sequence: 0, TicketSequence: attempt?.ticket ?? 0 });
    };
    const payHolder = (value: string): SubmittableTransaction => ({
      TransactionType: 'Payment',
      Account: world.distributor.address,
      Destination: holder.address,
      Amount: { currency: TOKEN.currency, issuer: world.issuer.address, value },
    });
    const nothing = (): SubmittableTransaction => ({
      TransactionType: 'AccountSet',
      Account: world.distributor.address,
    });
    const alerts = async () =>
      (await world.database.db.select({ body: events.body }).from(events).where(eq(events.type, 'system.alert'))).map(
        ({ body }) => JSON.parse(body).data,
      );

    test('tefNO_TICKET: is proved, alarms once, and the payout is made anew with another ticket and paid once', async () => {
      const id = await world.owe({ to: holder.address, amount: 1_000_000n });
      await world.run(changing(() => useTicketOf(id, nothing())));
      expect(await answerTo(id)).toBe('tefNO_TICKET');
      world.desk.close(5);
      await world.run();
      expect(await world.payout(id)).toMatchObject({ status: 'submitted' });
      expect(await expired(id)).toMatchObject({ status: 'ready', reason: 'tefNO_TICKET' });
      await world.checkAgain();
      await world.runUntilDone();
      expect(await world.attempts(id)).toMatchObject([{ status: 'expired' }, { status: 'validated' }]);
      expect(await world.tokens(holder.address)).toBe('1');
      expect(await alerts()).toMatchObject([
        { kind: 'payout_key', details: { account: world.distributor.address, reason: 'key_used_elsewhere' } },
      ]);
    });

    test('by a failed payment to the same holder has paid nobody: the payout is made anew', async () => {
      const id = await world.owe({ to: holder.address, amount: 1_000_000n });
      await world.run(changing(() => useTicketOf(id, payHolder('99000000'))));
      expect(await expired(id)).toMatchObject({ status: 'ready', reason: 'tefNO_TICKET' });
      await world.checkAgain();
      await world.runUntilDone();
      expect(await world.tokens(holder.address)).toBe('1');
    });

    test('to pay the same holder: the payout is held for a person, who alone knows what that payment was for', async () => {
      const id = await world.owe({ to: holder.address, amount: 1_000_000n });
      await world.run(changing(() => useTicketOf(id, payHolder('1'))));
      expect(await expired(id)).toMatchObject({ status: 'held', reason: 'paid_elsewhere' });
      await world.run();
      expect(await world.tokens(holder.address)).toBe('1');
      await actOnPayout(world.ctx, { id, action: 'release', reason: 'it was for something else' });
      await world.runUntilDone();
      expect(await world.tokens(holder.address)).toBe('2');
    });

    test('keeps the payout under way while nobody can tell who used it, and others are paid', async () => {
      const id = await world.owe({ to: holder.address, amount: 1_000_000n });
      await world.run(changing(() => useTicketOf(id, nothing())));
      world.desk.close(LEDGERS_TO_LIVE + 3);
      const blind = ctxWith({ ticketUses: () => Promise.reject(ledgerUnavailable('no server holds that ledger')) });
      const other = await world.owe({ to: holder.address, amount: 1_000_000n });
      await world.run(blind);
      world.desk.close();
      await world.run(blind);
      expect(await world.payout(id)).toMatchObject({ status: 'submitted' });
      expect((await world.payout(other)).status).toBe('validated');
    });
  });

  test('terINSUF_FEE_B: an account that cannot pay the fee any more is paid from once it can', async () => {
    const { distributor, issuer } = world;
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(
      changing(async () => {
        const state = await world.ctx.ledger.account(distributor.address);
        // Fees, and nothing else, may take an account below its reserve.
        const Fee = ((state?.balanceDrops ?? 0n) - 5n).toString();
        await send(distributor, { TransactionType: 'AccountSet', Account: distributor.address, Fee });
      }),
    );
    expect(await answerTo(id)).toBe('terINSUF_FEE_B');
    expect(await expired(id)).toMatchObject({ status: 'ready', reason: 'terINSUF_FEE_B' });
    await send(issuer, {
      TransactionType: 'Payment',
      Account: issuer.address,
      Destination: distributor.address,
      Amount: '100000000',
    });
    await world.checkAgain();
    await world.runUntilDone();
    expect((await world.payout(id)).status).toBe('validated');
  });

  test('a TicketCreate that the server refuses is made anew once it has expired, and everything is paid', async () => {
    const tickets = await world.ctx.ledger.tickets(world.distributor.address);
    for (const TicketSequence of tickets) {
      await world.desk.send(world.distributor, {
        TransactionType: 'AccountSet',
        Account: world.distributor.address,
        Sequence: 0,
        TicketSequence,
      });
    }
    world.desk.close();
    const id = await world.owe({ to: holder.address, amount: 1_000_000n });
    await world.run(changing(async () => void world.desk.ledger.faults.set({ loadFactor: 50 })));
    world.desk.close(LEDGERS_TO_LIVE + 3);
    await world.runUntilDone();
    expect((await world.payout(id)).status).toBe('validated');
    const requests = await world.database.db
      .select({ status: ticketRequests.status })
      .from(ticketRequests)
      .where(eq(ticketRequests.account, world.distributor.address))
      .orderBy(ticketRequests.createdAt);
    expect(requests.map(({ status }) => status)).toEqual(['expired', 'validated']);
  });
});
