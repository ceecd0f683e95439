import { vestingLocks } from '@tranche/rules/locks.ts';
import { distributionParts } from '@tranche/rules/vesting.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  AccountSetAsfFlags,
  type EscrowCreate,
  type EscrowFinish,
  MPTokenIssuanceCreateFlags,
  type SubmittableTransaction,
  type Wallet,
} from 'xrpl';
import type { payouts } from '#drizzle/schema/payouts.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { keepOwedTokens } from '#lib/payouts/keep-owed-tokens.ts';
import { loadDue } from '#lib/payouts/load.ts';
import { examineAccounts } from '#lib/payouts/monitor/check-accounts.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { getPayout } from '#lib/payouts/operate/read-payouts.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { readLaunchChecklist } from '#lib/sales/actions/launch-readiness.ts';
import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { planVestingLocks } from '#lib/sales/plan-vesting-locks.ts';
import { exportPayouts } from '#lib/sales/published/export-payouts.ts';
import { getLockedVesting } from '#lib/sales/published/get-locked-vesting.ts';
import { readTokenLiabilities } from '#lib/token-liabilities.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { holders } from './cancelled-sales.ts';
import { CONDITION, ledgerSeconds, passLedgerSeconds, RIPPLE_EPOCH_SECONDS } from './escrows.ts';
import { authorize, issue, payUnits } from './issuance.ts';
import { openStage, type ProjectBody, type Stage } from './stage.ts';
import { tokenAmount, type UnsoldParties, type UnsoldSale, unsoldDraft } from './unsold-sale.ts';

const DAY_MS = 86_400_000;
/** A quarter at once, and as much after 20, 30 and 40 days: parts 2, 3 and 4, of distributions and of locks alike. */
const QUARTERS = { immediate_bps: 2_500, cliff_days: 10, period_days: 10, periods: 3 };

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

interface VestingSale extends UnsoldSale {
  investors: Wallet[];
}

/** A running sale that locks what vesting owes; each investor has paid 10 XRP for 100 tokens. */
async function launched(
  body: Partial<ProjectBody> = {},
  { investors: count = 2, parties }: { investors?: number; parties?: UnsoldParties } = {},
): Promise<VestingSale> {
  const terms = { distribution: 'at_end', vesting: QUARTERS, unsold_until: null, ...body } as const;
  const sale = await unsoldDraft(stage, terms, parties);
  await stage.act(sale, 'launch');
  await stage.settle(sale.deposit);
  await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { vestingLocked: true });
  const investors = await holders(stage, sale, count);
  for (const investor of investors) await stage.pay(investor, sale, 10);
  await stage.settle(sale.deposit);
  return { ...sale, investors };
}

const later = () => stage.ctx.clock.nowMs() + 60_000;
const planned = async (ctx: TestCtx = stage.ctx) => {
  await planDistributions(ctx, later());
};
const end = async (sale: VestingSale, action: 'end' | 'cancel' = 'end') => {
  await stage.act(sale, action);
  await stage.settle(sale.deposit);
};
const ended = async (...given: Parameters<typeof launched>): Promise<VestingSale> => {
  const sale = await launched(...given);
  await end(sale);
  await planned();
  return sale;
};

type Kind = (typeof payouts.$inferSelect)['kind'];
const rows = async ({ project }: UnsoldSale, kind: Kind, ctx: TestCtx = stage.ctx) =>
  (await rowsOf(ctx.db, 'payouts', { projectId: project.id, kind })).toSorted((a, b) => a.part - b.part);
const one = async (sale: UnsoldSale, kind: Kind, part: number) => {
  const found = (await rows(sale, kind)).find((row) => row.part === part);
  if (found === undefined) throw new Error(`${sale.project.id} has no ${kind} ${part}`);
  return found;
};
const statuses = async (sale: UnsoldSale, kind: Kind) => (await rows(sale, kind)).map(({ status }) => status);

const slice = (sale: UnsoldSale, ctx: TestCtx = stage.ctx) =>
  runPayouts(ctx, { account: sale.distributor.address, deadlineMs: ctx.clock.nowMs() + 60_000 });

/** Slices with a ledger between them, each payout looked at in each but those that `soon` puts off. */
async function slices(sale: UnsoldSale, ctx: TestCtx = stage.ctx, count = 4): Promise<void> {
  for (let n = 0; n < count; n++) {
    await ctx.db.execute(sql`update payouts set next_check_at = least(next_check_at, now())
      where status <> 'validated' and next_check_at < now() + interval '1 hour'`);
    await slice(sale, ctx);
    stage.desk.close();
  }
}

interface Escrow {
  Account: string;
  Destination: string;
  Amount: unknown;
  FinishAfter: number;
}
/** The escrows that an account owns, as the ledger has them, the first to end first. */
async function escrowsOf({ distributor: { address } }: UnsoldParties): Promise<Escrow[]> {
  const { result } = await stage.desk.client.request({
    command: 'account_objects',
    account: address,
    type: 'escrow',
    ledger_index: 'validated',
  });
  return (result.account_objects as unknown[] as Escrow[])
    .filter(({ Account }) => Account === address)
    .sort((a, b) => a.FinishAfter - b.FinishAfter);
}
const held = async (wallet: Wallet, { issuer }: UnsoldParties) =>
  (await stage.ctx.ledger.trustLine(wallet.address, issuer.address, 'DMO'))?.balance;
const owedBy = async ({ distributor }: UnsoldParties) =>
  (await readTokenLiabilities(stage.ctx.db, { shownBy: await stage.ctx.ledger.serverState() }))
    .filter((each) => each.distributor === distributor.address)
    .map(({ micros }) => micros);

/** Signed outside the platform. */
async function byHand(wallet: Wallet, transaction: SubmittableTransaction): Promise<string> {
  const hash = await stage.desk.send(wallet, transaction);
  stage.desk.close();
  return hash;
}
const giveBack = ({ distributor, issuer }: UnsoldParties, value: string) =>
  byHand(distributor, {
    TransactionType: 'Payment',
    Account: distributor.address,
    Destination: issuer.address,
    Amount: tokenAmount(issuer, value),
  });
const give = ({ distributor, issuer }: UnsoldParties, value: string) =>
  byHand(issuer, {
    TransactionType: 'Payment',
    Account: issuer.address,
    Destination: distributor.address,
    Amount: tokenAmount(issuer, value),
  });
const allowEscrows = async ({ issuer }: UnsoldParties, allowed: boolean) =>
  allowed
    ? stage.setFlag(issuer, 'asfAllowTrustLineLocking')
    : byHand(issuer, {
        TransactionType: 'AccountSet',
        Account: issuer.address,
        ClearFlag: AccountSetAsfFlags.asfAllowTrustLineLocking,
      });

/**
 * The day of one part is a minute of the ledger away: its locks end then. Its distributions are due then, and are not looked at before
 * `comes`: the database's clock is ahead of the ledger of these tests. Gives the time in the ledger's seconds.
 */
async function soon({ project }: UnsoldSale, part: number): Promise<number> {
  const seconds = (await ledgerSeconds(stage)) + 60;
  const at = new Date((seconds + RIPPLE_EPOCH_SECONDS) * 1_000);
  const { db } = stage.database;
  const projectId = project.id;
  await changeRows(db, 'payouts', { projectId, kind: 'lock', part }, { lockedUntil: at });
  await changeRows(db, 'payouts', { projectId, kind: 'unlock', part }, { lockedUntil: at, dueAt: at });
  await changeRows(db, 'payouts', { projectId, kind: 'distribution', part }, { dueAt: at, nextCheckAt: inADay() });
  return seconds;
}
const inADay = () => new Date(Date.now() + DAY_MS);

/** That time has come. */
async function comes({ project }: UnsoldSale, part: number, seconds: number): Promise<void> {
  await passLedgerSeconds(stage, seconds);
  const likes = { projectId: project.id, kind: 'distribution', part } as const;
  await changeRows(stage.database.db, 'payouts', likes, { nextCheckAt: new Date() });
}

/** A sale whose locks stand and whose part 2 is due now, of a distributor that has nothing else. */
async function due(): Promise<VestingSale> {
  const sale = await ended();
  await giveBack(sale, '5800');
  const seconds = await soon(sale, 2);
  await slices(sale);
  expect(await statuses(sale, 'lock')).toEqual(['validated', 'validated', 'validated']);
  expect(await held(sale.distributor, sale)).toBe('0');
  await comes(sale, 2, seconds);
  return sale;
}

async function finishByStranger(sale: VestingSale, part = 2): Promise<string> {
  const [stranger] = (await stage.desk.accounts(1)) as [Wallet];
  const { txHash } = await one(sale, 'lock', part);
  const { result } = await stage.desk.client.request({ command: 'tx', transaction: txHash ?? '' });
  const { TicketSequence: OfferSequence = 0 } = result.tx_json as { TicketSequence?: number };
  return byHand(stranger, {
    TransactionType: 'EscrowFinish',
    Account: stranger.address,
    Owner: sale.distributor.address,
    OfferSequence,
  } as EscrowFinish);
}

const dying = (ctx: TestCtx): TestCtx => ({
  ...ctx,
  ledger: { ...ctx.ledger, submit: () => Promise.reject(new Error('died')) },
});

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

  it.each(['before the ledger', 'behind it'])('ends the escrow once when the process dies %s', async (when) => {
    const sale = await due();
    const deaf: TestCtx = {
      ...stage.ctx,
      ledger: {
        ...stage.ctx.ledger,
        submit: async (blob) => {
          if (when === 'behind it') await stage.ctx.ledger.submit(blob);
          throw new Error('died');
        },
      },
    };
    await slices(sale, deaf, 1);
    await slices(sale, testCtx({ db: stage.database.db, overrides: { ledger: stage.ctx.ledger } }));
    const unlock = await one(sale, 'unlock', 2);
    expect(unlock.status).toBe('validated');
    const { attempts } = await getPayout(stage.ctx.db, unlock.id);
    expect(attempts).toMatchObject([{ status: 'validated', transaction_hash: unlock.txHash }]);
    expect(await escrowsOf(sale)).toHaveLength(2);
    for (const investor of sale.investors) expect(await held(investor, sale)).toBe('50');
  });

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

  it.each(['before the ledger', 'behind it'])('is made once when the process dies %s', async (when) => {
    const sale = await ended();
    await slices(sale, stage.ctx, 1);
    const deaf: TestCtx = {
      ...stage.ctx,
      ledger: {
        ...stage.ctx.ledger,
        submit: async (blob) => {
          if (when === 'behind it') await stage.ctx.ledger.submit(blob);
          throw new Error('died');
        },
      },
    };
    await slices(sale, deaf, 1);
    await slices(sale);
    expect(await statuses(sale, 'lock')).toEqual(['validated', 'validated', 'validated']);
    expect(await escrowsOf(sale)).toHaveLength(3);
    expect(await held(sale.distributor, sale)).toBe('5800');
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
