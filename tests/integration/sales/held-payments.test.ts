import { randomBytes } from 'node:crypto';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import { and, asc, desc, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { auditEntries } from '#drizzle/schema/access.ts';
import { events } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { actions, allocations, investments, payments } from '#drizzle/schema/sale.ts';
import { runPayouts } from '#lib/payouts/run-payouts.ts';
import { assignPayment } from '#lib/sales/held/assign-payment.ts';
import type { PaymentResource } from '#lib/sales/held/contracts.ts';
import { byAmount, isHeld, listPayments } from '#lib/sales/held/list-payments.ts';
import { refundPayment } from '#lib/sales/held/refund-payment.ts';
import { refundPayments } from '#lib/sales/held/refund-payments.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import { TestClock } from '#tests/support/ctx.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import { addRows, changeRows, rowsOf } from '#tests/support/rows.ts';
import * as assignRoute from '../../../app/api/admin/payments/[transaction_hash]/assign/route.ts';
import * as refundRoute from '../../../app/api/admin/payments/[transaction_hash]/refund/route.ts';
import * as refundManyRoute from '../../../app/api/admin/payments/refund/route.ts';
import * as listRoute from '../../../app/api/admin/payments/route.ts';
import { holders, sentTo, untilQuiet } from './cancelled-sales.ts';
import { lateDiscovery, paymentOf } from './forgetful-feed.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.desk.ledger.faults.clear());
afterAll(() => stage?.end());

const assign = (hash: string, sale: Sale) =>
  assignPayment(stage.ctx, { transactionHash: hash, projectId: sale.project.id, reason: 'it came in time' });
const refund = (hash: string) => refundPayment(stage.ctx, { transactionHash: hash, reason: 'the sender asked' });
const refundsOf = (hash: string) =>
  stage.database.db
    .select()
    .from(payouts)
    .where(and(eq(payouts.paymentHash, hash), eq(payouts.kind, 'refund')))
    .orderBy(asc(payouts.part));
const eventsOf = async (hash: string) =>
  (
    await stage.database.db
      .select({ type: events.type })
      .from(events)
      .where(sql`${events.body}::jsonb -> 'data' -> 'transaction' ->> 'hash' = ${hash}`)
      .orderBy(asc(events.sequence))
  ).map((row) => row.type);
const lastAudit = async (action: string) => {
  const [entry] = await stage.database.db
    .select()
    .from(auditEntries)
    .where(eq(auditEntries.action, action))
    .orderBy(desc(auditEntries.createdAt))
    .limit(1);
  return entry;
};
/** A payment too small to be sent back is held. */
const dust = async (sale: Sale, tag: number | null = null): Promise<string> => {
  const hash = await stage.pay(await stage.account(), sale, 0.0005, tag);
  await stage.settle(sale.deposit);
  return hash;
};
/** Pays what is due from the deposit account until nothing is under way. */
async function payOut({ deposit }: Sale): Promise<void> {
  for (let beats = 0; beats < 20; beats++) {
    await runPayouts(stage.ctx, { account: deposit.address, deadlineMs: stage.ctx.clock.nowMs() + 60_000 });
    stage.desk.close();
  }
}

describe('the queue of held payments', () => {
  it('shows what waits longest first, page by page, and what may be done with each', async () => {
    const sale = await stage.launched();
    const sender = await stage.account();
    const late = await lateDiscovery(stage, sale, sender, 10);
    const small = await dust(sale);
    const invested = await stage.pay(await stage.account(), sale, 5);
    await stage.settle(sale.deposit);
    const read = async (query: string) => {
      const answer = await call(listRoute, 'GET', {
        apiKey: TEST_READ_ONLY_TOKEN,
        query: `?account=${sale.deposit.address}${query}`,
      });
      expect(answer.status).toBe(200);
      return answer.body as { payments: PaymentResource[]; next_cursor: string | null };
    };
    const first = await read('&limit=1');
    expect(first.payments).toMatchObject([
      {
        transaction_hash: late,
        transaction_type: 'Payment',
        sender: sender.address,
        destination_tag: sale.project.destination_tag,
        project_id: sale.project.id,
        outcome: 'held',
        reason: 'late_discovery',
        received_xrp: '10.000000',
        held_xrp: '10.000000',
        assignable: true,
        not_assignable_reason: null,
        refundable: true,
        not_refundable_reason: null,
        pending_assign: null,
        refunds: [],
      },
    ]);
    const second = await read(`&limit=1&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ payments: [{ transaction_hash: small, reason: 'no_tag' }], next_cursor: null });
    expect((await read('&reason=no_tag')).payments.map((each) => each.transaction_hash)).toEqual([small]);
    expect((await read(`&project_id=${sale.project.id}`)).payments.map((each) => each.transaction_hash)).toEqual([
      late,
    ]);
    const all = await read('&status=all');
    expect(all.payments.map((each) => each.transaction_hash)).toEqual([late, small, invested]);
    expect(all.payments.at(-1)).toMatchObject({
      assignable: false,
      not_assignable_reason: 'No part of the payment is held.',
      refundable: false,
    });
  });

  it('tells its age, and lets who may only read do nothing else', async () => {
    const sale = await stage.launched();
    const hash = await dust(sale);
    const { closedAt } = await paymentOf(stage, hash);
    const ctx = { ...stage.ctx, clock: { ...stage.ctx.clock, nowMs: () => closedAt.getTime() + 90_500 } };
    const { payments: listed } = await listPayments(ctx as typeof stage.ctx, {
      limit: 50,
      status: 'held',
      account: sale.deposit.address,
    });
    expect(listed).toMatchObject([{ age_seconds: 90 }]);
    const answer = await call(refundRoute, 'POST', {
      apiKey: TEST_READ_ONLY_TOKEN,
      params: { transaction_hash: hash },
      body: { reason: 'asked for' },
    });
    expect(answer.status).toBe(403);
    expect(await refundsOf(hash)).toEqual([]);
  });
});

describe('assigning', () => {
  it('turns a late discovery into an investment by an action on the ledger, and its tokens are paid', async () => {
    const sale = await stage.launched();
    const [investor] = await holders(stage, sale, 1);
    if (investor === undefined) throw new Error('No investor');
    await stage.settle(sale.deposit);
    const hash = await lateDiscovery(stage, sale, investor, 10);
    const answer = await call(assignRoute, 'POST', {
      apiKey: TEST_ADMIN_TOKEN,
      params: { transaction_hash: hash.toLowerCase() },
      body: { project_id: sale.project.id, reason: 'our server lost it' },
    });
    expect(answer).toMatchObject({ status: 202, body: { pending_action: { action: 'assign' } } });
    const [queued] = (await listPayments(stage.ctx, { limit: 50, status: 'held', account: sale.deposit.address }))
      .payments;
    expect(queued).toMatchObject({
      assignable: false,
      not_assignable_reason: 'An assign action for this payment is pending.',
      refundable: false,
      pending_assign: { project_id: sale.project.id },
    });
    // Nothing is credited before the feed brings it.
    expect(await paymentOf(stage, hash)).toMatchObject({ outcome: 'held' });
    await untilQuiet(stage, sale);

    expect(await paymentOf(stage, hash)).toMatchObject({
      outcome: 'invested',
      projectId: sale.project.id,
      investedDrops: 10_000_000n,
      heldDrops: 0n,
    });
    expect(await eventsOf(hash)).toEqual(['investment.created', 'investment.confirmed']);
    const [investment] = await rowsOf(stage.database.db, 'investments', { txHash: hash });
    const [action] = await rowsOf(stage.database.db, 'actions', { paymentHash: hash });
    expect(action).toMatchObject({ action: 'assign', status: 'applied' });
    const confirmedAt = new Date(await stage.ctx.ledger.closedAtMs((action?.ledgerIndex ?? 0) + 1));
    expect(confirmedAt.getTime()).toBeGreaterThan(action?.closedAt?.getTime() ?? 0);
    expect(investment).toMatchObject({ status: 'confirmed', confirmedAt, totalUnits: 100_000_000n });
    expect(await stage.database.db.$count(allocations, eq(allocations.investmentId, investment?.id ?? ''))).toBe(1);
    expect(await sentTo(stage, sale, investor.address)).toMatchObject({ units: 100_000_000n });
    expect((await getProject(stage.ctx, sale.project.id)).progress.total_raised_xrp).toBe('10.000000');
    expect(await lastAudit('project.assign')).toMatchObject({
      actor: 'administrator:operator',
      reason: 'our server lost it',
      after: { payment: hash },
    });
  });

  it('is refused with the rule that refuses it now, pending payments counted', async () => {
    const sale = await stage.launched({
      tiers: [{ price_per_token: '1', total_tokens: '20' }],
      min_investment_xrp: '2',
    });
    const below = await lateDiscovery(stage, sale, await stage.account(), 1);
    await expect(assign(below, sale)).rejects.toMatchObject({
      code: 'conflict',
      detail: expect.stringContaining('below_minimum'),
    });
    const late = await lateDiscovery(stage, sale, await stage.account(), 5);
    stage.set({ CONFIRMATIONS: '20' });
    try {
      await stage.pay(await stage.account(), sale, 20);
      stage.desk.close();
      await stage.advance(sale.deposit);
      await expect(assign(late, sale)).rejects.toMatchObject({ detail: expect.stringMatching(/sold_out|completed/) });
    } finally {
      stage.set({ CONFIRMATIONS: undefined });
    }
    expect(await stage.database.db.$count(actions, inArray(actions.paymentHash, [below, late]))).toBe(0);
  });

  it('leaves the payment held when the rules refuse it in the place that the ledger gives the action', async () => {
    const sale = await stage.launched({ tiers: [{ price_per_token: '1', total_tokens: '20' }] });
    const hash = await lateDiscovery(stage, sale, await stage.account(), 5);
    // Seen by nobody yet, and before the action on the ledger: it takes all that is left.
    await stage.pay(await stage.account(), sale, 20);
    stage.desk.close();
    await assign(hash, sale);
    await stage.settle(sale.deposit);
    const [action] = await rowsOf(stage.database.db, 'actions', { paymentHash: hash });
    expect(action).toMatchObject({ status: 'ineffective' });
    expect(await paymentOf(stage, hash)).toMatchObject({ outcome: 'held', heldDrops: 5_000_000n });
    // It may be refunded from here on.
    expect(await refund(hash)).toMatchObject({ outcome: 'refunded', held_xrp: '0.000000' });
  });

  it('is refused to another account’s project, to a draft, while paused or halted, for what is an investment, and for what is nowhere', async () => {
    const [sale, other] = [await stage.launched({ min_investment_xrp: '2' }), await stage.launched()];
    const hash = await lateDiscovery(stage, sale, await stage.account(), 5);
    await expect(assign(hash, other)).rejects.toMatchObject({ code: 'conflict' });
    await expect(assign('AB'.repeat(32), sale)).rejects.toMatchObject({ code: 'not_found' });
    await expect(
      assignPayment(stage.ctx, { transactionHash: hash, projectId: `proj_${'0'.repeat(22)}`, reason: 'x' }),
    ).rejects.toMatchObject({ code: 'project_not_found' });
    // Too small to be sent back, but refused by the project itself: it is that project's failed investment.
    const failed = await dust(sale, sale.project.destination_tag);
    expect(await paymentOf(stage, failed)).toMatchObject({ outcome: 'held', reason: 'below_minimum' });
    await expect(assign(failed, sale)).rejects.toMatchObject({ detail: expect.stringContaining('investment') });
    const halt = (halted: boolean) =>
      changeRows(stage.database.db, 'depositAccounts', { address: sale.deposit.address }, { halted });
    await halt(true);
    await expect(assign(hash, sale)).rejects.toMatchObject({ detail: expect.stringContaining('halted') });
    await halt(false);
    await stage.act(sale, 'pause');
    await stage.settle(sale.deposit);
    await expect(assign(hash, sale)).rejects.toMatchObject({
      code: 'transition_not_allowed',
      detail: 'The project is paused: assign needs an active sale.',
    });
    const draft = await stage.draft({}, { deposit: sale.deposit, issuer: sale.issuer });
    await expect(assign(hash, draft)).rejects.toMatchObject({
      detail: 'The project is draft: assign needs an active sale.',
    });
    expect(await stage.database.db.$count(actions, eq(actions.paymentHash, hash))).toBe(0);
  });

  it('credits a payment to one project only, however many ask at once', async () => {
    const sale = await stage.launched();
    const second = await stage.launched({}, sale);
    const hash = await lateDiscovery(stage, sale, await stage.account(), 5);
    const answers = await Promise.allSettled([assign(hash, sale), assign(hash, second)]);
    expect(answers.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await stage.settle(sale.deposit);
    expect(await stage.database.db.$count(investments, eq(investments.txHash, hash))).toBe(1);
  });
});

describe('refunding', () => {
  it('sends what is held back to its sender with the sender’s own tag, on the ledger', async () => {
    const sale = await stage.launched();
    const sender = await stage.account();
    const hash = await stage.desk.send(sender, {
      TransactionType: 'Payment',
      Account: sender.address,
      Destination: sale.deposit.address,
      Amount: '500',
      SourceTag: 4711,
    });
    await stage.settle(sale.deposit);
    const answer = await call(refundRoute, 'POST', {
      apiKey: TEST_ADMIN_TOKEN,
      params: { transaction_hash: hash },
      body: { reason: 'the sender asked' },
    });
    expect(answer).toMatchObject({
      status: 202,
      body: {
        outcome: 'refunded',
        refunded_xrp: '0.000500',
        held_xrp: '0.000000',
        refundable: false,
        refunds: [{ amount_xrp: '0.000500', destination_tag: 4711 }],
      },
    });
    expect(await lastAudit('payment.refund')).toMatchObject({
      actor: 'administrator:operator',
      subject: hash,
      reason: 'the sender asked',
      before: { held_xrp: '0.000500' },
    });
    await payOut(sale);
    const [paid] = await refundsOf(hash);
    expect(paid).toMatchObject({ part: 1, status: 'validated', amount: 500n, destination: sender.address });
    const { result } = await stage.desk.client.request({ command: 'tx', transaction: paid?.txHash ?? '' });
    expect(result.tx_json).toMatchObject({
      Destination: sender.address,
      DestinationTag: 4711,
      SourceTag: REFUND_SOURCE_TAG,
    });
    expect(result.meta).toMatchObject({ delivered_amount: '500' });
  });

  it('is due at once, also from an app whose clock is ahead', async () => {
    const hash = await dust(await stage.launched());
    const ahead = new TestClock(Date.now() + 600_000);
    await refundPayment({ ...stage.ctx, clock: ahead }, { transactionHash: hash, reason: 'the sender asked' });
    const [owed] = await refundsOf(hash);
    expect(owed?.dueAt.getTime()).toBeLessThanOrEqual(Date.now());
  });

  it('sends XRP that arrived otherwise than by a payment back to whom it came from', async () => {
    const sale = await stage.launched();
    const owner = await stage.account();
    const other = await stage.account();
    // The account that is deleted is gone: what it left is sent to it again only if it is funded anew.
    stage.desk.close(256);
    const hash = await stage.desk.send(other, {
      TransactionType: 'AccountDelete',
      Account: other.address,
      Destination: sale.deposit.address,
    });
    await stage.settle(sale.deposit);
    expect(await paymentOf(stage, hash)).toMatchObject({ reason: 'not_a_payment', sender: other.address });
    await stage.desk.send(owner, {
      TransactionType: 'Payment',
      Account: owner.address,
      Destination: other.address,
      Amount: '20000000',
    });
    stage.desk.close();
    const { received_xrp: received } = await refund(hash);
    await payOut(sale);
    expect(await refundsOf(hash)).toMatchObject([{ status: 'validated', destination: other.address }]);
    expect(Number(received)).toBeGreaterThan(990);
  });

  it('of what a cancellation held of an investment is part 3, which is what witnesses sign, and the invested part is kept', async () => {
    const sale = await stage.launched();
    const hash = await stage.pay(await stage.account(), sale, 10);
    await stage.settle(sale.deposit);
    // As a sale that was refunded leaves it: the tokens that were paid stay paid, and a rest too small is held.
    await changeRows(
      stage.database.db,
      'payments',
      { txHash: hash },
      { investedDrops: 9_999_500n, heldDrops: 500n, outcome: 'partial' },
    );
    expect(await refund(hash)).toMatchObject({
      outcome: 'partial',
      invested_xrp: '9.999500',
      refunded_xrp: '0.000500',
      held_xrp: '0.000000',
    });
    await changeRows(stage.database.db, 'payments', { txHash: hash }, { investedDrops: 9_999_000n, heldDrops: 500n });
    await refund(hash);
    expect((await refundsOf(hash)).map(({ part, amount }) => [part, amount])).toEqual([
      [3, 500n],
      [4, 500n],
    ]);
  });

  it('refunds once when many ask at once, and refuses what is not held', async () => {
    const sale = await stage.launched();
    const hash = await dust(sale);
    const answers = await Promise.allSettled(Array.from({ length: 6 }, () => refund(hash)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of answers) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'conflict' });
    }
    expect(await refundsOf(hash)).toMatchObject([{ amount: 500n }]);
    const invested = await stage.pay(await stage.account(), sale, 5);
    await stage.settle(sale.deposit);
    await expect(refund(invested)).rejects.toMatchObject({ code: 'conflict' });
    await expect(refund('AB'.repeat(32))).rejects.toMatchObject({ code: 'not_found' });
  });

  it('and assigning never both get a payment, however they meet', async () => {
    const sale = await stage.launched();
    for (let round = 0; round < 4; round++) {
      const hash = await lateDiscovery(stage, sale, await stage.account(), 5);
      const [assigned, refunded] = await Promise.allSettled([assign(hash, sale), refund(hash)]);
      expect([assigned.status, refunded.status].sort()).toEqual(['fulfilled', 'rejected']);
      await stage.settle(sale.deposit);
      const row = await paymentOf(stage, hash);
      const isInvested = assigned.status === 'fulfilled';
      expect([row.investedDrops, row.refundedDrops]).toEqual(isInvested ? [5_000_000n, 0n] : [0n, 5_000_000n]);
      expect(await refundsOf(hash)).toHaveLength(isInvested ? 0 : 1);
      expect(await stage.database.db.$count(investments, eq(investments.txHash, hash))).toBe(isInvested ? 1 : 0);
    }
  });
});

describe('refunding many payments at once', () => {
  it('leaves alone what has changed since it was chosen: nothing goes back that its answer does not show', async () => {
    const sale = await stage.launched();
    const hashes = [await stage.pay(await stage.account(), sale, 10), await dust(sale)] as const;
    await stage.settle(sale.deposit);
    const { db } = stage.database;
    // As a sale that was refunded leaves it: the tokens that were paid stay paid, and a rest too small is held.
    await changeRows(
      db,
      'payments',
      { txHash: hashes[0] },
      { investedDrops: 9_999_500n, heldDrops: 500n, outcome: 'partial', reason: 'cancelled' },
    );
    const chosen = { account: sale.deposit.address, max_amount_xrp: 500n, limit: 100, reason: 'dust' };
    expect(await refundPayments(stage.ctx, { ...chosen, dry_run: true })).toMatchObject({
      refunded: 2,
      amount_xrp: '0.001000',
    });
    const waiting = async () => {
      const { rows } = await db.execute<{ count: number }>(sql`select count(*)::int as count from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ~ 'payments'`);
      return rows[0]?.count;
    };
    const [answer] = await db.transaction(async (tx) => {
      await changeRows(tx, 'payments', { txHash: hashes[0] }, { investedDrops: 4_000_000n, heldDrops: 6_000_000n });
      const asked = refundPayments(stage.ctx, { ...chosen, dry_run: false });
      await expect.poll(waiting, { timeout: 20_000 }).toBe(1);
      return [asked];
    });
    expect(await answer).toMatchObject({
      refunded: 1,
      amount_xrp: '0.000500',
      payments: [{ transaction_hash: hashes[1] }],
      skipped: [{ transaction_hash: hashes[0], because: expect.stringContaining('meanwhile') }],
    });
    expect(await paymentOf(stage, hashes[0])).toMatchObject({ heldDrops: 6_000_000n, refundedDrops: 0n });
  });
});

describe('held payments under dust', () => {
  /** Thousands of payments of one drop, older and newer than the real ones, as the feed would have written them. */
  async function underDust(sale: Sale, real: readonly number[]): Promise<string[]> {
    const write = (count: number, fromLedger: number) =>
      stage.database.db.execute(sql`
        insert into ${payments} (tx_hash, account, ledger_index, transaction_index, closed_at, sender, received_drops,
          outcome, reason, held_drops)
        select upper(md5(${sale.deposit.address} || n) || md5(n::text || ${fromLedger}::text)), ${sale.deposit.address},
          ${fromLedger}::bigint + n, 0, now(), ${sale.issuer.address}, 1, 'held', 'no_tag', 1
        from generate_series(1, ${count}::int) as n`);
    await write(1_500, 1_000_000);
    const hashes: string[] = [];
    for (const [index, xrp] of real.entries()) {
      const hash = randomBytes(32).toString('hex').toUpperCase();
      hashes.push(hash);
      await addRows(stage.database.db, 'payments', {
        txHash: hash,
        account: sale.deposit.address,
        ledgerIndex: 2_000_000 + index,
        transactionIndex: 0,
        closedAt: new Date(),
        sender: sale.issuer.address,
        receivedDrops: BigInt(xrp * 1_000_000),
        outcome: 'held',
        reason: index % 2 === 0 ? 'late_discovery' : 'operating_funds',
        heldDrops: BigInt(xrp * 1_000_000),
      });
    }
    await write(1_500, 3_000_000);
    return hashes;
  }
  const listed = (query: string) =>
    call(listRoute, 'GET', { apiKey: TEST_READ_ONLY_TOKEN, query: `?${query}` }) as Promise<{
      status: number;
      body: { payments: PaymentResource[]; next_cursor: string | null; groups: unknown[]; errors: unknown };
    }>;
  const bulk = (body: object) => call(refundManyRoute, 'POST', { apiKey: TEST_ADMIN_TOKEN, body });

  it('show the largest first, all of them once, and how many there are of each size', async () => {
    const sale = await stage.launched();
    const account = `account=${sale.deposit.address}`;
    const hashes = await underDust(sale, [7, 250, 0.5, 7]);
    const first = await listed(`sort=amount&limit=3&${account}`);
    expect(first.body.payments.map(({ held_xrp }) => held_xrp)).toEqual(['250.000000', '7.000000', '7.000000']);
    expect(first.body.groups).toEqual([
      { from_xrp: '100.000000', below_xrp: null, payments: 1, held_xrp: '250.000000' },
      { from_xrp: '1.000000', below_xrp: '100.000000', payments: 2, held_xrp: '14.000000' },
      { from_xrp: '0.001000', below_xrp: '1.000000', payments: 1, held_xrp: '0.500000' },
      { from_xrp: '0.000000', below_xrp: '0.001000', payments: 3_000, held_xrp: '0.003000' },
    ]);
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from = cursor === '' ? '' : `&cursor=${cursor}`;
      const { body } = await listed(`sort=amount&limit=200&${account}${from}`);
      seen.push(...body.payments.map(({ transaction_hash }) => transaction_hash));
      cursor = body.next_cursor;
    }
    expect([seen.length, new Set(seen).size]).toEqual([3_004, 3_004]);
    expect(seen.slice(0, 4)).toEqual([hashes[1], hashes[3], hashes[0], hashes[2]]);

    const from = await listed(`min_amount_xrp=0.5&${account}`);
    expect(from.body.payments.map(({ transaction_hash }) => transaction_hash)).toEqual(hashes);
    const between = await listed(`min_amount_xrp=0.5&max_amount_xrp=7&sort=amount&${account}`);
    expect(between.body.payments.map(({ transaction_hash }) => transaction_hash)).toEqual([
      hashes[3],
      hashes[0],
      hashes[2],
    ]);
  });

  it.each([
    ['sort=newest', 'sort'],
    ['min_amount_xrp=-1', 'min_amount_xrp'],
    ['max_amount_xrp=1e3', 'max_amount_xrp'],
    ['status=all&sort=amount', 'sort'],
    ['status=all&min_amount_xrp=1', 'min_amount_xrp'],
    ['sort=amount&cursor=12-1', 'cursor'],
    ['cursor=5-12-1', 'cursor'],
    ['limit=201', 'limit'],
  ])('a list that cannot be is refused at its field: %s', async (query, field) => {
    const answer = await listed(query);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ field }] } });
  });

  it('are read out of an index, the largest first, however much dust there is', async () => {
    const sale = await stage.launched();
    await underDust(sale, [3]);
    await stage.database.db.execute(sql`analyze ${payments}`);
    const { rows } = await stage.database.db.execute<{ 'QUERY PLAN': string }>(sql`
      explain (costs off) select * from ${payments} where ${isHeld()} and held_drops >= 1000000
      order by ${byAmount[0]}, ${byAmount[1]}, ${byAmount[2]} limit 21`);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan).toMatch(/Index Scan Backward using payments_held_amount/);
    expect(plan).not.toMatch(/Sort|Seq Scan/);
  });

  it('are refunded many at once, as a dry run has shown, and what is no such payment is named', async () => {
    const sale = await stage.launched();
    const hashes = [];
    for (const xrp of [0.0007, 0.0009, 0.0003]) {
      hashes.push(await stage.pay(await stage.account(), sale, xrp, null));
      await stage.settle(sale.deposit);
    }
    const own = await stage.pay(sale.issuer, sale, 30, null);
    await stage.settle(sale.deposit);
    const chosen = { account: sale.deposit.address, min_amount_xrp: '0.0005', reason: 'a test' };
    const audited = await stage.database.db.$count(auditEntries);
    const dry = await bulk({ ...chosen, dry_run: true });
    // The issuer's own XRP is for operating: nobody sent it by mistake.
    const shown = {
      refunded: 2,
      amount_xrp: '0.001600',
      payments: [{ transaction_hash: hashes[1] }, { transaction_hash: hashes[0] }],
      skipped: [],
      beyond_limit: 0,
    };
    expect(dry).toMatchObject({ status: 200, body: { dry_run: true, ...shown } });
    expect(await stage.database.db.$count(auditEntries)).toBe(audited);
    expect(await refundsOf(hashes[0]!)).toEqual([]);
    expect((await bulk({ ...chosen, limit: 1, dry_run: true })).body).toMatchObject({ refunded: 1, beyond_limit: 1 });

    const both = await Promise.all([bulk(chosen), bulk(chosen)]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(both.reduce((sum, { body }) => sum + Number(body.refunded), 0)).toBe(2);
    expect(await lastAudit('payment.refund')).toMatchObject({ reason: 'a test' });
    for (const hash of [hashes[0]!, hashes[1]!]) expect(await refundsOf(hash)).toHaveLength(1);
    const named = await bulk({ transaction_hashes: [hashes[0], own], reason: 'a test' });
    expect(named.body).toMatchObject({
      refunded: 1,
      amount_xrp: '30.000000',
      skipped: [{ transaction_hash: hashes[0], because: expect.stringMatching(/^No payment with this hash is held/) }],
    });
    expect((await refundsOf(own))[0]).toMatchObject({ destination: sale.issuer.address, amount: 30_000_000n });
  });

  it('are not refunded by a request that chooses none, nor by who may only look', async () => {
    expect(await bulk({ reason: 'a test' })).toMatchObject({ status: 400, body: { errors: [{ field: 'body' }] } });
    const body = { held_reason: 'no_tag', reason: 'a test' };
    const looked = await call(refundManyRoute, 'POST', { apiKey: TEST_READ_ONLY_TOKEN, body });
    expect(looked.status).toBe(403);
  });
});
