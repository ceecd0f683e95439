import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AccountSetAsfFlags,
  type EscrowCreate,
  type EscrowFinish,
  MPTokenIssuanceCreateFlags,
  type SubmittableTransaction,
  type Wallet,
} from 'xrpl';
import { events } from '#drizzle/schema/events.ts';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { watchDistributors } from '#lib/jobs/distributor-watch.ts';
import { createLocks } from '#lib/payouts/create-payouts.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { listPayouts } from '#lib/payouts/operate/read-payouts.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { readLaunchChecklist } from '#lib/sales/actions/launch-readiness.ts';
import { assignPayment } from '#lib/sales/held/assign-payment.ts';
import { exportPayouts } from '#lib/sales/published/export-payouts.ts';
import { readTokenLiabilities } from '#lib/token-liabilities.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { changeRows } from '#tests/support/rows.ts';
import { takeSnapshot } from '../operations/snapshot.ts';
import { CONDITION, dying, ledgerSeconds, passLedgerSeconds, RIPPLE_EPOCH_SECONDS } from './escrows.ts';
import { authorize, issue, payUnits } from './issuance.ts';
import { openStage, type ProjectBody, type Stage } from './stage.ts';
import {
  tokenAmount,
  UNSOLD_UNTIL,
  UNSOLD_UNTIL_SECONDS,
  type UnsoldParties,
  type UnsoldSale,
  unsoldDraft,
  unsoldParties,
} from './unsold-sale.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

async function launched(body: Partial<ProjectBody> = {}, parties?: UnsoldParties): Promise<UnsoldSale> {
  const sale = await unsoldDraft(stage, body, parties);
  await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
  return sale;
}

const act = async (sale: UnsoldSale, action: 'end' | 'cancel') => {
  await stage.act(sale, action);
  await stage.settle(sale.deposit);
};

const locksOf = ({ project }: UnsoldSale, { db }: Pick<TestCtx, 'db'> = stage.ctx) =>
  db.select().from(payouts).where(sql`${payouts.kind} = 'lock' and ${payouts.projectId} = ${project.id}`);
const lockOf = async (sale: UnsoldSale, ctx?: TestCtx) => {
  const [lock, ...others] = await locksOf(sale, ctx);
  expect(others).toEqual([]);
  if (lock === undefined) throw new Error(`${sale.project.id} has no lock`);
  return lock;
};

const slice = (sale: UnsoldSale, ctx: TestCtx = stage.ctx) =>
  runPayouts(ctx, { account: sale.distributor.address, deadlineMs: ctx.clock.nowMs() + 60_000 });

/** Slices with a ledger between them, each payout looked at in each. */
async function slices(sale: UnsoldSale, ctx: TestCtx = stage.ctx, count = 4): Promise<void> {
  for (let n = 0; n < count; n++) {
    await ctx.db.execute(sql`update payouts set next_check_at = now() where status <> 'validated'`);
    await slice(sale, ctx);
    stage.desk.close();
  }
}

interface Escrow {
  Account: string;
  Destination: string;
  Amount: unknown;
  FinishAfter?: number;
  Condition?: string;
  CancelAfter?: number;
}
/** The escrows that an account owns, as the ledger has them. */
async function escrowsOf({ address }: Pick<Wallet, 'address'>): Promise<Escrow[]> {
  const { result } = await stage.desk.client.request({
    command: 'account_objects',
    account: address,
    type: 'escrow',
    ledger_index: 'validated',
  });
  return (result.account_objects as unknown[] as Escrow[]).filter(({ Account }) => Account === address);
}
const balance = async ({ distributor, issuer }: UnsoldParties) =>
  (await stage.ctx.ledger.trustLine(distributor.address, issuer.address, 'DMO'))?.balance;
const owedBy = async ({ distributor }: UnsoldParties) =>
  (await readTokenLiabilities(stage.ctx.db, { shownBy: await stage.ctx.ledger.serverState() }))
    .filter((each) => each.distributor === distributor.address)
    .map(({ micros }) => micros);

async function holders({ issuer }: UnsoldParties, count: number): Promise<Wallet[]> {
  const wallets = await stage.desk.accounts(count);
  for (const wallet of wallets) {
    await stage.desk.write([
      wallet,
      { TransactionType: 'TrustSet', Account: wallet.address, LimitAmount: tokenAmount(issuer, '1000000') },
    ]);
  }
  return wallets;
}

/** Signed with the distributor's key outside the platform. */
async function byHand({ distributor }: UnsoldParties, transaction: SubmittableTransaction): Promise<string> {
  const hash = await stage.desk.send(distributor, transaction);
  stage.desk.close();
  return hash;
}
const escrowBy = ({ distributor, issuer }: UnsoldParties, over: Partial<EscrowCreate> = {}): EscrowCreate =>
  ({
    TransactionType: 'EscrowCreate',
    Account: distributor.address,
    Destination: distributor.address,
    Amount: tokenAmount(issuer, '6000'),
    FinishAfter: UNSOLD_UNTIL_SECONDS,
    ...over,
  }) as EscrowCreate;

describe('a sale that ends with unsold tokens', () => {
  it('puts exactly them in escrow to its distributor until the time, once, and pays its investors', async () => {
    const sale = await launched();
    const [investor] = (await holders(sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 12.3);
    await stage.settle(sale.deposit);
    await act(sale, 'end');
    // 123 of 6,000 tokens are sold.
    expect(await lockOf(sale)).toMatchObject({
      part: 1,
      amount: 5_877_000_000n,
      account: sale.distributor.address,
      destination: sale.distributor.address,
      lockedUntil: new Date(UNSOLD_UNTIL),
      status: 'scheduled',
    });
    expect(await owedBy(sale)).toEqual([6_000_000_000n]);
    await slices(sale);
    const lock = await lockOf(sale);
    expect(lock).toMatchObject({ status: 'validated', reason: null });
    expect(await escrowsOf(sale.distributor)).toEqual([
      expect.objectContaining({
        Destination: sale.distributor.address,
        Amount: tokenAmount(sale.issuer, '5877'),
        FinishAfter: UNSOLD_UNTIL_SECONDS,
      }),
    ]);
    const [escrow] = await escrowsOf(sale.distributor);
    expect([escrow?.Condition, escrow?.CancelAfter]).toEqual([undefined, undefined]);
    expect((await stage.ctx.ledger.trustLine(investor.address, sale.issuer.address, 'DMO'))?.balance).toBe('123');
    expect([await balance(sale), await owedBy(sale)]).toEqual(['0', [0n]]);
    expect(await stage.ctx.ledger.createdEscrow(lock.txHash ?? '', lock.ledgerIndex)).toMatchObject({
      owner: sale.distributor.address,
    });
    await slices(sale);
    expect(await escrowsOf(sale.distributor)).toHaveLength(1);
  });

  it('is shown with its lock to operators, and to everybody once the ledger that ends it is confirmed', async () => {
    const sale = await launched();
    await act(sale, 'end');
    await slices(sale);
    const { id, txHash, ledgerIndex } = await lockOf(sale);
    const filters = { status: 'all', kind: 'lock', project_id: sale.project.id, limit: 10 } as const;
    const { payouts: listed, summary } = await listPayouts(stage.ctx, filters);
    expect(listed).toMatchObject([
      {
        id,
        kind: 'lock',
        tokens: '6000.000000',
        amount_xrp: null,
        locked_until: UNSOLD_UNTIL,
        transaction_hash: txHash,
      },
    ]);
    expect(summary).toMatchObject([{ payouts: 1, amount_xrp: '0.000000' }]);
    await stage.settle(sale.deposit);
    for (const order of ['payment', 'ledger'] as const) {
      const { chunks } = await exportPayouts(stage.ctx, { id: sale.project.id, format: 'jsonl', order, limit: 10 });
      const rows = (await Array.fromAsync(chunks)).map((line) => JSON.parse(line));
      expect(rows).toMatchObject([
        {
          id,
          kind: 'lock',
          part: 1,
          payment_hash: null,
          tokens: '6000.000000',
          amount_xrp: null,
          status: 'validated',
          transaction_hash: txHash,
          ledger_index: ledgerIndex,
        },
      ]);
    }
  });

  it('locks an MPT alike', async () => {
    const { tfMPTCanTransfer, tfMPTCanEscrow } = MPTokenIssuanceCreateFlags;
    const [deposit, issuer, distributor] = (await stage.desk.accounts(3)) as [Wallet, Wallet, Wallet];
    stage.entrust(distributor);
    const issuance_id = await issue(stage, issuer, { flags: tfMPTCanTransfer | tfMPTCanEscrow });
    await authorize(stage, distributor, issuance_id);
    await payUnits(stage, issuer, distributor, issuance_id, '600000');
    const sale = await launched({ token: { kind: 'mpt', issuance_id, decimals: 2 } }, { deposit, issuer, distributor });
    await act(sale, 'end');
    await slices(sale);
    expect(await lockOf(sale)).toMatchObject({ status: 'validated', amount: 600_000n });
    expect(await escrowsOf(distributor)).toMatchObject([
      { Amount: { mpt_issuance_id: issuance_id, value: '600000' }, FinishAfter: UNSOLD_UNTIL_SECONDS },
    ]);
  });

  it('counts what a held payment was assigned before the end, and refuses to assign one after it', async () => {
    const sale = await launched();
    const [before, after] = (await holders(sale, 2)) as [Wallet, Wallet];
    // Too little to be sent back.
    const held = [await stage.pay(before, sale, 0.0005, null), await stage.pay(after, sale, 0.0005, null)];
    await stage.settle(sale.deposit);
    const assign = (hash = '') =>
      assignPayment(stage.ctx, { transactionHash: hash, projectId: sale.project.id, reason: 'it was meant for it' });
    await assign(held[0]);
    await stage.settle(sale.deposit);
    await act(sale, 'end');
    expect((await lockOf(sale)).amount).toBe(6_000_000_000n - 5_000n);
    await expect(assign(held[1])).rejects.toMatchObject({ code: 'transition_not_allowed' });
    await slices(sale);
    expect(await lockOf(sale)).toMatchObject({ status: 'validated', amount: 6_000_000_000n - 5_000n });
  });

  it('owes each part of its locks once, however often it is written', async () => {
    const sale = await launched();
    await act(sale, 'end');
    const lock = await lockOf(sale);
    const again = { ...lock, projectId: sale.project.id, lockedUntil: new Date(UNSOLD_UNTIL) };
    await stage.ctx.db.transaction(async (tx) => {
      await createLocks(tx, [again, { ...again, id: lock.id.replace(/.$/, lock.id.endsWith('0') ? '1' : '0') }]);
    });
    expect(await locksOf(sale)).toEqual([lock]);
  });
});

describe('nothing is locked', () => {
  it('of a sale that sells out', async () => {
    const sale = await launched({ tiers: [{ price_per_token: '0.10', total_tokens: '10' }] });
    const [investor] = (await holders(sale, 1)) as [Wallet];
    await stage.pay(investor, sale, 1);
    await stage.settle(sale.deposit);
    await slices(sale);
    expect([await locksOf(sale), await escrowsOf(sale.distributor)]).toEqual([[], []]);
  });

  it('of a sale that misses its soft cap, or is cancelled', async () => {
    const missed = await launched({ distribution: 'at_end', soft_cap_xrp: '100' });
    await act(missed, 'end');
    const cancelled = await launched();
    await act(cancelled, 'cancel');
    for (const sale of [missed, cancelled]) {
      await slices(sale);
      expect([await locksOf(sale), await escrowsOf(sale.distributor)]).toEqual([[], []]);
    }
  });

  it('of a sale that ends after its time', async () => {
    const sale = await launched();
    await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { unsoldUntil: new Date(0) });
    await act(sale, 'end');
    expect(await locksOf(sale)).toEqual([]);
  });

  it('whose time has passed: it is held, and owed to nobody', async () => {
    const sale = await launched();
    await act(sale, 'end');
    const { id } = await lockOf(sale);
    await changeRows(stage.database.db, 'payouts', { id }, { lockedUntil: new Date(1_000_000_000_000) });
    await slices(sale);
    expect(await lockOf(sale)).toMatchObject({ status: 'held', reason: 'lock_time_passed' });
    expect([await owedBy(sale), await escrowsOf(sale.distributor)]).toEqual([[0n], []]);
  });
});

describe('a lock', () => {
  it('takes no token that another sale of the distributor owes, and goes when there are enough', async () => {
    const parties = await unsoldParties(stage, '12000');
    const sale = await launched({}, parties);
    const [deposit] = (await stage.desk.accounts(1)) as [Wallet];
    await launched({ unsold_until: null }, { ...parties, deposit });
    // Somebody moves the smallest unit away: the other sale could not deliver all that it sells.
    const { distributor, issuer } = parties;
    await byHand(parties, {
      TransactionType: 'Payment',
      Account: distributor.address,
      Destination: issuer.address,
      Amount: tokenAmount(issuer, '0.000001'),
    });
    await act(sale, 'end');
    await slices(sale);
    expect(await lockOf(sale)).toMatchObject({ status: 'ready', reason: 'payer_underfunded' });
    expect(await escrowsOf(distributor)).toEqual([]);
    await stage.desk.write([
      issuer,
      {
        TransactionType: 'Payment',
        Account: issuer.address,
        Destination: distributor.address,
        Amount: tokenAmount(issuer, '0.000001'),
      },
    ]);
    await slices(sale);
    expect(await lockOf(sale)).toMatchObject({ status: 'validated' });
    expect(await balance(parties)).toBe('6000');
  });

  it('is created once when the process dies between signing and submitting', async () => {
    const sale = await launched();
    await act(sale, 'end');
    // The first slice asks for tickets.
    await slices(sale, stage.ctx, 1);
    await slice(sale, dying(stage.ctx));
    const { id } = await lockOf(sale);
    const attempts = () => stage.ctx.db.select().from(payoutAttempts).where(eq(payoutAttempts.payoutId, id));
    expect(await attempts()).toMatchObject([{ status: 'open', engineResult: null }]);
    await slices(sale);
    expect(await attempts()).toMatchObject([{ status: 'validated' }]);
    expect(await escrowsOf(sale.distributor)).toHaveLength(1);
  });

  it('is not created again by a database from before it, and is settled with its transaction', async () => {
    const sale = await launched();
    await act(sale, 'end');
    const snapshot = await takeSnapshot(stage.database.url);
    await slices(sale);
    const made = await lockOf(sale);
    const restored = await snapshot.restore();
    try {
      const ctx = testCtx({ db: restored.db });
      await slices(sale, ctx);
      const { id } = await lockOf(sale, ctx);
      expect(id).toBe(made.id);
      expect(await lockOf(sale, ctx)).toMatchObject({ status: 'ready', reason: 'database_behind' });
      await actOnPayout(ctx, { id, action: 'hold', reason: 'restored' });
      const transaction_hash = made.txHash ?? '';
      await actOnPayout(ctx, { id, action: 'settle', reason: 'restored', transaction_hash });
      await slices(sale, ctx);
      expect(await lockOf(sale, ctx)).toMatchObject({ status: 'validated', txHash: made.txHash });
      expect(await escrowsOf(sale.distributor)).toHaveLength(1);
    } finally {
      await restored.close();
      await snapshot.remove();
    }
  });

  it('is held when the issuer has taken back that its tokens can be held in escrow, and goes when it allows it again', async () => {
    const sale = await launched();
    const { issuer } = sale;
    await stage.desk.write([
      issuer,
      {
        TransactionType: 'AccountSet',
        Account: issuer.address,
        ClearFlag: AccountSetAsfFlags.asfAllowTrustLineLocking,
      },
    ]);
    await act(sale, 'end');
    await slices(sale);
    const { id, status, reason } = await lockOf(sale);
    expect([status, reason]).toEqual(['held', 'escrow_not_allowed']);
    await stage.setFlag(issuer, 'asfAllowTrustLineLocking');
    await actOnPayout(stage.ctx, { id, action: 'release', reason: 'allowed again' });
    await slices(sale);
    expect((await lockOf(sale)).status).toBe('validated');
  });

  it('that the ledger refuses is held', async () => {
    const sale = await launched();
    const { issuer } = sale;
    await act(sale, 'end');
    await slices(sale, stage.ctx, 1);
    await stage.desk.write([
      issuer,
      {
        TransactionType: 'AccountSet',
        Account: issuer.address,
        ClearFlag: AccountSetAsfFlags.asfAllowTrustLineLocking,
      },
    ]);
    // What the issuer did comes after the payer has looked.
    const blind: TestCtx = {
      ...stage.ctx,
      ledger: {
        ...stage.ctx.ledger,
        account: async (address) => {
          const state = await stage.ctx.ledger.account(address);
          return state === null ? null : { ...state, flags: state.flags | 0x4000_0000 };
        },
      },
    };
    await slices(sale, blind, 2);
    await slices(sale, blind, 1);
    expect(await lockOf(sale)).toMatchObject({ status: 'held', reason: 'tecNO_PERMISSION' });
    expect(await escrowsOf(sale.distributor)).toEqual([]);
  });

  it('is settled by hand only with an escrow that locks exactly it, no less long, made after its sale ended', async () => {
    const parties = await unsoldParties(stage, '30000');
    const early = await byHand(parties, escrowBy(parties));
    const sale = await launched({}, parties);
    await act(sale, 'end');
    const { id } = await lockOf(sale);
    await actOnPayout(stage.ctx, { id, action: 'hold', reason: 'by hand' });
    const wrong = [
      early,
      await byHand(parties, escrowBy(parties, { Amount: tokenAmount(parties.issuer, '5999.999999') as never })),
      await byHand(parties, escrowBy(parties, { FinishAfter: UNSOLD_UNTIL_SECONDS - 1 })),
      await byHand(parties, escrowBy(parties, { Destination: parties.issuer.address, Amount: '6000000000' as never })),
      'F'.repeat(64),
    ];
    const settle = (transaction_hash: string) =>
      actOnPayout(stage.ctx, { id, action: 'settle', reason: 'by hand', transaction_hash });
    for (const hash of wrong) await expect(settle(hash)).rejects.toMatchObject({ code: 'conflict' });
    const right = await byHand(parties, escrowBy(parties));
    expect(await settle(right)).toMatchObject({ status: 'validated', transaction_hash: right });
  });

  it('is settled also with an escrow that the platform could not end: it ends none of these, and the promise is kept', async () => {
    const sale = await launched();
    await act(sale, 'end');
    const { id } = await lockOf(sale);
    await actOnPayout(stage.ctx, { id, action: 'hold', reason: 'by hand' });
    const over = { Condition: CONDITION, CancelAfter: UNSOLD_UNTIL_SECONDS + 1 };
    const transaction_hash = await byHand(sale, escrowBy(sale, over));
    const settled = await actOnPayout(stage.ctx, { id, action: 'settle', reason: 'by hand', transaction_hash });
    expect(settled).toMatchObject({ status: 'validated', transaction_hash });
  });

  it('keeps its distributor from coming under witnesses, who sign no escrow, until it stands', async () => {
    const sale = await launched();
    await act(sale, 'end');
    const { issuer, distributor } = sale;
    const [deposit] = (await stage.desk.accounts(1)) as [Wallet];
    const next = await unsoldDraft(stage, { unsold_until: null }, { deposit, issuer, distributor });
    const custody = { quorum: 2, platform: { account: deposit.address, weight: 1 }, witnesses: [] };
    await changeRows(stage.database.db, 'projects', { id: next.project.id }, { custody: custody as never });
    const isOwing = async () =>
      (await readLaunchChecklist(stage.ctx, next.project.id)).faults.some(
        ({ field, message }) => field === 'distributor' && message.includes('a sale with another custody'),
      );
    expect(await isOwing()).toBe(true);
    await slices(sale);
    expect((await lockOf(sale)).status).toBe('validated');
    expect(await isOwing()).toBe(false);
  });
});

describe('a stranger who finishes the escrow of a lock after its time', () => {
  it('moves the tokens back, and alarms nobody; nor did the lock itself', async () => {
    const sale = await launched();
    const until = (await ledgerSeconds(stage)) + 60;
    const unsoldUntil = new Date((until + RIPPLE_EPOCH_SECONDS) * 1_000);
    await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { unsoldUntil });
    await act(sale, 'end');
    await slices(sale);
    expect([(await lockOf(sale)).status, await balance(sale)]).toEqual(['validated', '0']);
    const { txHash } = await lockOf(sale);
    await passLedgerSeconds(stage, until);
    const [stranger] = (await stage.desk.accounts(1)) as [Wallet];
    const { result } = await stage.desk.client.request({ command: 'tx', transaction: txHash ?? '' });
    const { TicketSequence } = result.tx_json as { TicketSequence?: number };
    await stage.desk.write([
      stranger,
      {
        TransactionType: 'EscrowFinish',
        Account: stranger.address,
        Owner: sale.distributor.address,
        OfferSequence: TicketSequence ?? 0,
      } as EscrowFinish,
    ]);
    stage.desk.close();
    expect([await balance(sale), await escrowsOf(sale.distributor)]).toEqual(['6000', []]);
    await watchDistributors(stage.ctx, stage.ctx.clock.nowMs() + 60_000);
    const alerts = await stage.ctx.db.select({ body: events.body }).from(events).where(eq(events.type, 'system.alert'));
    const ofThis = alerts.map(({ body }) => body).filter((body) => body.includes(sale.distributor.address));
    expect(ofThis).toEqual([]);
    await slices(sale);
    expect(await escrowsOf(sale.distributor)).toEqual([]);
  });
});
