import { sha256Hex } from '@tranche/rules/sha256.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { desc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Wallet } from 'xrpl';
import { auditEntries } from '#drizzle/schema/access.ts';
import { events } from '#drizzle/schema/events.ts';
import { payoutAttempts, payouts } from '#drizzle/schema/payouts.ts';
import { depositAccounts, payments } from '#drizzle/schema/sale.ts';
import { keepFloor } from '#lib/payouts/batch.ts';
import { checkAgain } from '#lib/payouts/change-status.ts';
import { loadDue } from '#lib/payouts/load.ts';
import { freeDrops, whenPaid } from '#lib/payouts/release/amounts.ts';
import { readAccountCommitments, withBalance } from '#lib/payouts/release/read-amounts.ts';
import { getRelease } from '#lib/payouts/release/read-release.ts';
import type { Payout } from '#lib/payouts/types.ts';
import { setHalted } from '#lib/sales/accounts/set-halted.ts';
import { beat, holders, payBeat, untilQuiet } from '#tests/integration/sales/cancelled-sales.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import * as route from '../../../app/api/admin/projects/[id]/release/route.ts';
import { balanceOf, FUNDED_DROPS, raising, release, releasesOf } from './raised.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

const figures = (sale: Pick<Sale, 'project'>) => getRelease(stage.ctx, sale.project.id);

/** Somebody with a line and somebody without one pay in. */
async function halfDistributed(sale: Sale, withLine: number, without: number): Promise<void> {
  const [buyer] = (await holders(stage, sale, 1)) as [Wallet];
  await stage.pay(buyer, sale, withLine);
  await stage.pay(await stage.account(), sale, without);
  await untilQuiet(stage, sale);
}

/** The deposit account pays somebody by a transaction of its own. */
async function spend(sale: Sale, xrp: number): Promise<void> {
  await stage.desk.send(sale.deposit, {
    TransactionType: 'Payment',
    Account: sale.deposit.address,
    Destination: stage.desk.genesis.address,
    Amount: String(xrp * 1_000_000),
  });
  await stage.settle(sale.deposit);
}

/** A running sale whose terms name no treasury: such a launch is refused today. */
async function withoutTreasury(stage: Stage): Promise<Sale> {
  const sale = await stage.launched();
  const { db } = stage.database;
  const [row] = await rowsOf(db, 'projects', { id: sale.project.id });
  const terms = JSON.stringify({ ...JSON.parse(row?.terms ?? ''), treasury: null });
  await changeRows(db, 'projects', { id: sale.project.id }, { terms });
  await changeRows(db, 'actions', { projectId: sale.project.id, action: 'launch' }, { termsHash: sha256Hex(terms) });
  return sale;
}

describe('a release', () => {
  it('pays the treasury what validated tokens were paid with, and nothing of what still waits', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 30, 20);
    const before = await figures(sale);
    expect(before).toMatchObject({
      treasury: sale.treasury.address,
      raised_xrp: '50.000000',
      earned_xrp: '30.000000',
      released_xrp: '0.000000',
      releasable_xrp: '30.000000',
      not_releasable_reason: null,
      deposit_account: { floor: { undistributed_xrp: '20.000000', unpaid_refunds_xrp: '0.000000' } },
    });
    const told = await stage.database.db.$count(events);

    const answer = await release(stage, sale);
    expect(answer).toMatchObject({
      dry_run: false,
      amount_xrp: '30.000000',
      release: { status: 'scheduled', destination: sale.treasury.address },
      figures: { released_xrp: '30.000000', releasable_xrp: '0.000000' },
    });
    await untilQuiet(stage, sale);
    const [paid] = await releasesOf(stage, sale);
    expect(paid).toMatchObject({
      status: 'validated',
      reason: null,
      paymentHash: null,
      ledgerIndex: expect.any(Number),
    });
    const { result } = await stage.desk.client.request({ command: 'tx', transaction: paid!.txHash! });
    expect(result.tx_json).toMatchObject({
      Account: sale.deposit.address,
      Destination: sale.treasury.address,
      DeliverMax: '30000000',
      SourceTag: REFUND_SOURCE_TAG,
    });
    expect(await balanceOf(stage, sale.treasury)).toBe(FUNDED_DROPS + 30_000_000n);
    // It concerns no investor: who runs the sale sees it in the audit log and among the payouts.
    expect(await stage.database.db.$count(events)).toBe(told);
    const [audited] = await stage.database.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.subject, sale.project.id))
      .orderBy(desc(auditEntries.createdAt))
      .limit(1);
    expect(audited).toMatchObject({
      action: 'project.release',
      reason: 'asked for',
      after: { payout: paid!.id, amount_xrp: '30.000000', destination: sale.treasury.address },
    });
    await expect(release(stage, sale)).rejects.toMatchObject({ code: 'conflict' });
    expect((await figures(sale)).not_releasable_reason).toMatch(/earned so far is released/);
  });

  it('leaves what is undistributed in a sale that is paused: it may be cancelled yet', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 30, 20);
    await stage.act(sale, 'pause');
    await stage.settle(sale.deposit);
    expect(await figures(sale)).toMatchObject({
      releasable_xrp: '30.000000',
      deposit_account: { floor: { undistributed_xrp: '20.000000' } },
    });
    await stage.act(sale, 'cancel');
    await stage.settle(sale.deposit);
  });

  it('counts as not paid before the ledger that validated it, and as paid in that ledger', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 30, 20);
    await release(stage, sale, 10);
    await untilQuiet(stage, sale);
    const [paid] = await releasesOf(stage, sale);
    const sentAsOf = async (cursorLedger: number) => {
      const { db } = stage.database;
      const address = eq(depositAccounts.address, sale.deposit.address);
      await db.update(depositAccounts).set({ cursorLedger, confirmedLedger: cursorLedger }).where(address);
      const server = await stage.ctx.ledger.serverState();
      return (await readAccountCommitments(db, sale.deposit.address, server)).releasesSentDrops;
    };
    expect(await sentAsOf(paid!.ledgerIndex! - 1)).toBe(10_000_000n);
    expect(await sentAsOf(paid!.ledgerIndex!)).toBe(0n);
  });

  it('is signed up to the last drop that the floor leaves, and two share one rest', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 30, 20);
    const { address } = sale.deposit;
    const free = await withBalance(stage.ctx, address, async (onLedger) => {
      const commitments = await readAccountCommitments(stage.database.db, address, onLedger.server);
      return freeDrops(commitments, onLedger, whenPaid(commitments));
    });
    expect(free).toBeGreaterThan(30_000_000n);
    const payout = (kind: 'refund' | 'release', amount: bigint): Payout => ({
      id: `pay_${kind}_${amount}`,
      kind,
      projectId: sale.project.id,
      investmentId: null,
      paymentPlace: null,
      part: 1,
      account: address,
      destination: sale.treasury.address,
      destinationTag: null,
      amount,
      asset: { kind: 'xrp' },
    });
    const kept = async (...payable: Payout[]) => {
      const plan = await keepFloor(stage.ctx, address, { payable, postponed: [] });
      return plan.payable.map(({ amount }) => amount);
    };
    expect(await kept(payout('release', free))).toEqual([free]);
    expect(await kept(payout('release', free + 1n))).toEqual([]);
    const refund = payout('refund', free + 2n);
    expect(await kept(payout('release', free - 1n), payout('release', 2n), refund)).toEqual([free + 2n, free - 1n]);
    expect(await kept(payout('release', free - 1n), payout('release', 1n))).toEqual([free - 1n, 1n]);
  });

  it('is due at once, also from an app whose clock is ahead', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 3, 2);
    const { clock } = stage.ctx;
    clock.set(Date.now() + 600_000);
    await release(stage, sale);
    clock.set(Date.now());
    const [owed] = await releasesOf(stage, sale);
    expect(owed?.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('may take everything once the sale is completed, and goes to the treasury that the launch anchored', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 12, 8);
    await stage.act(sale, 'end');
    await stage.settle(sale.deposit);
    const other = await stage.account();
    await changeRows(stage.database.db, 'projects', { id: sale.project.id }, { treasury: other.address });

    expect(await release(stage, sale, 5.5)).toMatchObject({ amount_xrp: '5.500000' });
    expect(await release(stage, sale)).toMatchObject({ amount_xrp: '14.500000' });
    await untilQuiet(stage, sale);
    expect(await balanceOf(stage, sale.treasury)).toBe(FUNDED_DROPS + 20_000_000n);
    expect(await balanceOf(stage, other)).toBe(FUNDED_DROPS);
  });

  it('of a vested sale takes the share whose tokens are validated, rounded down to the drop', async () => {
    const sale = await raising(stage, { vesting: { immediate_bps: 3_333, cliff_days: 5, period_days: 5, periods: 2 } });
    const [buyer] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(buyer, sale, 10.000001);
    await untilQuiet(stage, sale);
    const [sums] = (
      await stage.database.db.execute<{ invested: string; validated: string; total: string }>(sql`
        select i.confirmed_drops as invested, i.total_units as total, (select sum(amount) from ${payouts} p
          where p.investment_id = i.id and p.status = 'validated') as validated
        from investments i where i.project_id = ${sale.project.id}`)
    ).rows;
    const share = (BigInt(sums!.invested) * BigInt(sums!.validated)) / BigInt(sums!.total);
    expect(share).toBe(3_333_000n);
    expect(await figures(sale)).toMatchObject({ earned_xrp: '3.333000', releasable_xrp: '3.333000' });
    await expect(release(stage, sale, 3.333001)).rejects.toMatchObject({
      code: 'limit_reached',
      detail: expect.stringMatching(/^amount_xrp: at most 3\.333000 XRP/),
    });
  });

  it.each([
    ['a draft', /has not been launched/, async () => stage.draft({ treasury: (await stage.account()).address })],
    ['terms without a treasury, as an older version launched them', /name no treasury/, () => withoutTreasury(stage)],
    [
      'a sale that distributes at its end, while it runs',
      /at its end/,
      () => raising(stage, { distribution: 'at_end' }),
    ],
    [
      'a cancelled sale',
      /cancelled or missed its soft cap/,
      async () => {
        const sale = await raising(stage);
        await halfDistributed(sale, 10, 10);
        await stage.act(sale, 'cancel');
        await untilQuiet(stage, sale);
        return sale;
      },
    ],
    [
      'a sale that missed its soft cap',
      /cancelled or missed its soft cap/,
      async () => {
        const sale = await raising(stage, { distribution: 'at_end', softCapDrops: 100_000_000n });
        await stage.act(sale, 'end');
        await stage.settle(sale.deposit);
        return sale;
      },
    ],
    [
      'a halted account',
      /is halted/,
      async () => {
        const sale = await raising(stage);
        await halfDistributed(sale, 10, 10);
        await setHalted(stage.ctx, { address: sale.deposit.address, halted: true, reason: 'a test' });
        return sale;
      },
    ],
  ])('of %s is refused with the reason', async (_, reason, prepare) => {
    const sale = await prepare();
    await expect(release(stage, sale)).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringMatching(reason),
    });
    expect(await figures(sale)).toMatchObject({
      releasable_xrp: '0.000000',
      not_releasable_reason: expect.stringMatching(reason),
    });
    expect(await releasesOf(stage, sale)).toEqual([]);
  });

  it('that is only tried tells what it would release and writes nothing', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 10, 5);
    const audited = await stage.database.db.$count(auditEntries);
    expect(await release(stage, sale, 4, { dryRun: true })).toMatchObject({
      dry_run: true,
      amount_xrp: '4.000000',
      release: null,
      figures: { released_xrp: '0.000000', releasable_xrp: '10.000000' },
    });
    expect(await releasesOf(stage, sale)).toEqual([]);
    expect(await stage.database.db.$count(auditEntries)).toBe(audited);
  });

  it('asked for by many at once never exceeds what was earned', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 10, 5);
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => release(stage, sale, 3)));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    expect((await figures(sale)).releasable_xrp).toBe('1.000000');
  });

  it('asked for twice under one release_id is one release', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 10, 5);
    const named = { releaseId: 'june' };
    const answers = await Promise.all([1, 2, 3].map(() => release(stage, sale, 3, named)));
    expect(new Set(answers.map((answer) => answer.release?.id)).size).toBe(1);
    await untilQuiet(stage, sale);
    expect(await release(stage, sale, undefined, named)).toMatchObject({
      amount_xrp: '3.000000',
      release: { status: 'validated', release_id: 'june' },
    });
    await expect(release(stage, sale, 4, named)).rejects.toMatchObject({ code: 'conflict' });
    expect(await releasesOf(stage, sale)).toHaveLength(1);
  });
});

describe('the floor', () => {
  it('keeps what every project of the account owes, may owe or holds', async () => {
    const sale = await raising(stage);
    const beside = await raising(stage, { distribution: 'at_end' }, {}, sale);
    await stage.pay(await stage.account(), beside, 17);
    await stage.pay(await stage.account(), sale, 5, sale.project.destination_tag + 1);
    await halfDistributed(sale, 60, 20);
    const tagged = await stage.account();
    await stage.setFlag(tagged, 'asfRequireDest');
    await stage.pay(tagged, sale, 3, null);
    await untilQuiet(stage, sale);
    await stage.pay(sale.treasury, sale, 4, null);
    await stage.settle(sale.deposit);
    await stage.pay(await stage.account(), sale, 9);
    stage.desk.close();
    await stage.advance(sale.deposit);

    const shown = await figures(sale);
    expect(shown.deposit_account.floor).toMatchObject({
      undistributed_xrp: '37.000000',
      unpaid_refunds_xrp: '3.000000',
      held_xrp: '4.000000',
      undecided_xrp: '9.000000',
      releases_xrp: '0.000000',
    });
    expect(shown).toMatchObject({ earned_xrp: '60.000000', releasable_xrp: '60.000000' });
    await release(stage, sale, 20);
    expect((await figures(beside)).deposit_account.floor.releases_xrp).toBe('20.000000');
  });

  it('is never gone below, whatever was earned: what is missing on the account stays there', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 60, 20);
    await spend(sale, 50);
    const shown = await figures(sale);
    const { free_xrp, balance_xrp, floor_xrp } = shown.deposit_account;
    expect(Number(free_xrp)).toBeLessThan(60);
    expect(Number(balance_xrp) - Number(floor_xrp)).toBeCloseTo(Number(free_xrp), 6);
    expect(shown).toMatchObject({
      earned_xrp: '60.000000',
      releasable_xrp: free_xrp,
      not_releasable_reason: expect.stringMatching(/deposit_account\.floor/),
    });
    expect(await release(stage, sale)).toMatchObject({ amount_xrp: free_xrp });
    await untilQuiet(stage, sale);
    await stage.act(sale, 'cancel');
    await untilQuiet(stage, sale);
    expect(await refundsNotPaid(sale)).toEqual([]);
  });

  it('is asked again before a release is paid: it waits while too little is left, and is paid once there is enough', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 60, 20);
    const { release: asked } = await release(stage, sale, 60);
    const id = asked?.id ?? '';
    await spend(sale, 40);
    await payBeat(stage, sale);
    const waits = { status: 'ready', reason: 'release_below_floor' };
    expect(await releasesOf(stage, sale)).toMatchObject([waits]);
    expect(await stage.database.db.$count(payoutAttempts, eq(payoutAttempts.payoutId, id))).toBe(0);

    // Operating funds are held for an operator to decide: they are no cover.
    await stage.pay(sale.treasury, sale, 20, null);
    await stage.settle(sale.deposit);
    await checkAgain(stage.database.db, { payoutIds: [id] }, false);
    await payBeat(stage, sale);
    expect(await releasesOf(stage, sale)).toMatchObject([waits]);

    const [another] = (await holders(stage, sale, 1)) as [Wallet];
    await stage.pay(another, sale, 25);
    for (let beats = 0; beats < 4; beats++) await beat(stage, sale);
    expect(await figures(sale)).toMatchObject({ earned_xrp: '85.000000' });
    await checkAgain(stage.database.db, { payoutIds: [id] }, false);
    await untilQuiet(stage, sale);
    expect(await releasesOf(stage, sale)).toMatchObject([{ status: 'validated', reason: null }]);
  });

  it('is not raised by dust: of what would not even be refunded, only the payments themselves stay', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 30, 5);
    const { deposit_account: before } = await figures(sale);
    const stranger = await stage.account();
    for (let sent = 0; sent < 400; sent++) await stage.pay(stranger, sale, 0.000001);
    stage.desk.close();
    // First undecided, then undistributed: the wallet has no trust line.
    await stage.advance(sale.deposit);
    const { deposit_account: undecided } = await figures(sale);
    await untilQuiet(stage, sale);
    const { deposit_account: after } = await figures(sale);
    expect(after.floor.undistributed_xrp).toBe('5.000400');
    const raised = (now: string) => Math.round((Number(now) - Number(before.floor_xrp)) * 1_000_000);
    expect(raised(undecided.floor_xrp)).toBe(400);
    expect(raised(after.floor_xrp)).toBe(400);
    expect(await release(stage, sale)).toMatchObject({ amount_xrp: '30.000000' });
  });

  it.each([0.0015, 0.04, 0.1, 0.3, 2])(
    'reserves for payments of %d XRP, beside the payments themselves, no more than they are worth',
    async (xrp) => {
      const sale = await raising(stage);
      await halfDistributed(sale, 30, 5);
      const { deposit_account: before } = await figures(sale);
      const stranger = await stage.account();
      for (let sent = 0; sent < 20; sent++) await stage.pay(stranger, sale, xrp);
      await untilQuiet(stage, sale);
      const { deposit_account: after } = await figures(sale);
      const raised = (part: 'fee_float_xrp' | 'reserve_xrp') => Number(after.floor[part]) - Number(before.floor[part]);
      expect(raised('fee_float_xrp')).toBeCloseTo(20 * Math.min(0.05, xrp), 6);
      expect(raised('fee_float_xrp') + raised('reserve_xrp')).toBeLessThanOrEqual(20 * xrp + 0.000001);
      // What is worth it has its fee and its ticket.
      if (xrp > 0.25) expect(raised('reserve_xrp')).toBeCloseTo(20 * 0.2, 6);
    },
  );

  it('counts XRP that the books cannot explain as not there', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 10, 20);
    const { deposit_account: before } = await figures(sale);
    await stage.database.db.execute(sql`update deposit_accounts set recorded_balance_drops = recorded_balance_drops - 1000000
      where address = ${sale.deposit.address}`);
    const { deposit_account: after } = await figures(sale);
    expect(Number(before.balance_xrp) - Number(after.balance_xrp)).toBeCloseTo(1, 6);
  });
});

const refundsNotPaid = async (sale: Sale) =>
  (
    await stage.database.db
      .select({ id: payouts.id, status: payouts.status, reason: payouts.reason, kind: payouts.kind })
      .from(payouts)
      .leftJoin(payments, eq(payments.txHash, payouts.paymentHash))
      .where(eq(payouts.account, sale.deposit.address))
  ).filter(({ kind, status }) => kind === 'refund' && status !== 'validated');

describe('a release that is owed', () => {
  it('stands behind every refund, however long it has waited', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 30, 5);
    const first = await release(stage, sale, 10);
    await stage.pay(await stage.account(), sale, 7, sale.project.destination_tag + 1);
    await stage.settle(sale.deposit);
    const due = await loadDue(stage.database.db, sale.deposit.address, new Date(), 50);
    expect(due.map(({ kind }) => kind)).toEqual(['refund', 'release']);
    expect(due[1]).toMatchObject({ id: first.release!.id, asset: { kind: 'xrp' }, destinationTag: null });
  });

  it('is held while the treasury refuses it, and paid once after the cure', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 30, 5);
    await stage.setFlag(sale.treasury, 'asfDepositAuth');
    const balance = await balanceOf(stage, sale.treasury);
    const { release: asked } = await release(stage, sale, 10);
    await untilQuiet(stage, sale);
    expect((await releasesOf(stage, sale))[0]).toMatchObject({
      status: 'held',
      reason: 'deposit_authorization_required',
    });
    await stage.desk.send(sale.treasury, {
      TransactionType: 'DepositPreauth',
      Account: sale.treasury.address,
      Authorize: sale.deposit.address,
    });
    stage.desk.close();
    await checkAgain(stage.database.db, { payoutIds: [asked!.id] }, true);
    await untilQuiet(stage, sale);
    await checkAgain(stage.database.db, { payoutIds: [asked!.id] }, true);
    await untilQuiet(stage, sale);
    expect((await releasesOf(stage, sale)).map(({ status }) => status)).toEqual(['validated']);
    expect((await balanceOf(stage, sale.treasury)) - balance).toBeGreaterThan(9_900_000n);
    expect((await balanceOf(stage, sale.treasury)) - balance).toBeLessThanOrEqual(10_000_000n);
  });

  it('is cancelled with its sale', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 30, 5);
    await release(stage, sale, 10);
    await stage.act(sale, 'cancel');
    await stage.settle(sale.deposit);
    for (let beats = 0; beats < 6; beats++) {
      await payBeat(stage, sale);
      await stage.settle(sale.deposit);
    }
    expect((await releasesOf(stage, sale))[0]).toMatchObject({
      status: 'cancelled',
      reason: 'cancelled',
      txHash: null,
    });
    expect(await balanceOf(stage, sale.treasury)).toBe(FUNDED_DROPS);
    expect(await refundsNotPaid(sale)).toEqual([]);
  });
});

describe('/api/admin/projects/{id}/release', () => {
  it('shows the figures to whoever reads, and releases for an operator only', async () => {
    const sale = await raising(stage);
    await halfDistributed(sale, 10, 5);
    const params = { id: sale.project.id };
    const body = { amount_xrp: '2.5', reason: 'June' };
    const shown = await call(route, 'GET', { apiKey: TEST_READ_ONLY_TOKEN, params });
    expect(shown).toMatchObject({ status: 200, body: { releasable_xrp: '10.000000' } });
    const refused = await call(route, 'POST', { apiKey: TEST_READ_ONLY_TOKEN, params, body });
    expect(refused.status).toBe(403);
    const tried = await call(route, 'POST', { apiKey: TEST_ADMIN_TOKEN, params, body: { ...body, dry_run: true } });
    expect(tried).toMatchObject({ status: 200, body: { amount_xrp: '2.500000', release: null } });
    const made = await call(route, 'POST', { apiKey: TEST_ADMIN_TOKEN, params, body });
    expect(made).toMatchObject({ status: 202, body: { release: { status: 'scheduled', amount_xrp: '2.500000' } } });
    const nothing = await call(route, 'POST', { apiKey: TEST_ADMIN_TOKEN, params, body: { ...body, amount_xrp: '0' } });
    expect(nothing).toMatchObject({ status: 400, body: { errors: [{ field: 'amount_xrp' }] } });
  });
});
