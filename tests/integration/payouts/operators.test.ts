import { eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Wallet } from 'xrpl';
import { auditEntries } from '#drizzle/schema/access.ts';
import { events } from '#drizzle/schema/events.ts';
import { payoutAttempts, payouts, ticketRequests } from '#drizzle/schema/payouts.ts';
import { actOnPayout } from '#lib/payouts/operate/act-on-payout.ts';
import { listPayoutsContract, payoutResource, retryPayoutsContract } from '#lib/payouts/operate/contracts.ts';
import { getPayout, listPayouts } from '#lib/payouts/operate/read-payouts.ts';
import { retryPayouts } from '#lib/payouts/operate/retry-payouts.ts';
import { reportOverdue } from '#lib/payouts/overdue.ts';
import { changeRows } from '#tests/support/rows.ts';
import { testCtx } from '../../support/ctx.ts';
import { openWorld, type World } from './world.ts';

const REASON = 'somebody asked';
let world: World;
let holder: Wallet;
let lineless: Wallet;
beforeAll(async () => {
  world = await openWorld();
  [holder] = (await world.holders(1)) as [Wallet];
  [lineless] = (await world.desk.accounts(1)) as [Wallet];
  await world.desk.send(world.distributor, {
    TransactionType: 'TicketCreate',
    Account: world.distributor.address,
    TicketCount: 100,
  });
  world.desk.close();
});
afterEach(async () => {
  const { db } = world.database;
  await world.runUntilDone();
  for (const table of [payoutAttempts, ticketRequests, payouts, events, auditEntries]) await db.delete(table);
  await world.ctx.redis.flushdb();
});
afterAll(() => world.end());

const owe = (to: Wallet, kind: 'distribution' | 'refund' = 'distribution') =>
  world.owe({ kind, to: to.address, amount: 1_000_000n });
const act = (id: string, action: 'retry' | 'hold' | 'release', ctx = world.ctx) =>
  actOnPayout(ctx, { id, action, reason: REASON });
/** As the route does: the query parsed by its contract, the answer too. */
async function list(query: Record<string, string> = {}) {
  const answer = await listPayouts(world.ctx, listPayoutsContract.query.parse(query));
  return listPayoutsContract.responses[200].parse(answer);
}
const idsOf = async (query: Record<string, string>) => (await list(query)).payouts.map(({ id }) => id);
const audit = () =>
  world.database.db
    .select({ action: auditEntries.action, subject: auditEntries.subject, reason: auditEntries.reason })
    .from(auditEntries);

describe('the list of payouts', () => {
  test('shows what is not paid, the longest due first, and what is paid on request, each with its attempts', async () => {
    const paid = await owe(holder);
    await world.runUntilDone();
    const waits = await owe(lineless);
    await world.run();
    await changeRows(world.database.db, 'payouts', { id: waits }, { dueAt: sql`now() - interval '2 hours'` });
    const fresh = await owe(lineless);
    expect(await idsOf({})).toEqual([waits, fresh]);
    expect(await idsOf({ status: 'validated' })).toEqual([paid]);
    expect(await idsOf({ status: 'all' })).toEqual([waits, paid, fresh]);

    const [shown] = (await list()).payouts;
    expect(shown).toMatchObject({
      status: 'waiting_holder',
      reason: 'trust_line_missing',
      tokens: '1.000000',
      amount_xrp: null,
      possible: ['retry', 'hold'],
      overdue: false,
      attempts: [],
    });
    expect(shown?.age_seconds).toBeGreaterThanOrEqual(7_200);
    const detail = payoutResource.parse(await getPayout(world.ctx.db, paid));
    expect(detail).toMatchObject({ status: 'validated', possible: [], attempt_count: 1 });
    expect(detail.attempts).toMatchObject([
      {
        attempt: 1,
        status: 'validated',
        engine_result: 'tesSUCCESS',
        transaction_hash: detail.transaction_hash,
        ticket: expect.any(Number),
        last_ledger_sequence: expect.any(Number),
        fee_xrp: '0.000012',
      },
    ]);
  });

  test('filters, and sums up by status and reason what the filters let through', async () => {
    const tokens = await owe(lineless);
    const refund = await owe(holder, 'refund');
    const held = await owe(holder);
    await act(held, 'hold');
    await changeRows(world.database.db, 'projects', {}, { status: 'active' });
    expect(await idsOf({ kind: 'refund' })).toEqual([refund]);
    expect(await idsOf({ status: 'held', reason: 'operator_hold' })).toEqual([held]);
    expect(await idsOf({ destination: lineless.address })).toEqual([tokens]);
    expect(await idsOf({ account: world.deposit.address })).toEqual([refund]);
    expect(await idsOf({ project_id: world.projectId })).toHaveLength(3);
    expect((await list()).summary).toMatchObject([
      { status: 'scheduled', reason: null, payouts: 2, amount_xrp: '1.000000', overdue: 0 },
      { status: 'held', reason: 'operator_hold', payouts: 1, amount_xrp: '0.000000' },
    ]);
  });

  test('refuses a project that is not there and a reason that is none, which would look as if nothing waited', async () => {
    const project_id = `proj_${'0'.repeat(22)}`;
    const unknown = { code: 'project_not_found', detail: `project_id: there is no ${project_id}` };
    await expect(list({ project_id })).rejects.toMatchObject(unknown);
    await expect(
      retryPayouts(world.ctx, retryPayoutsContract.body.parse({ reason: REASON, project_id })),
    ).rejects.toMatchObject({ code: 'project_not_found' });
    expect(() => listPayoutsContract.query.parse({ reason: 'trust_line_mising' })).toThrow(/trust_line_missing/);
    for (const reason of ['paid_elsewhere', 'soft_cap_missed', 'tecPATH_DRY', 'telCAN_NOT_QUEUE_FULL', 'temBAD_FEE']) {
      expect((await list({ reason })).payouts).toEqual([]);
    }
  });

  test('comes in pages that leave nothing out, also where many are due at the same microsecond', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 7; i++) ids.push(await owe(lineless));
    await changeRows(
      world.database.db,
      'payouts',
      {},
      { dueAt: sql`date_trunc('second', now()) - interval '0.1234567 s'` },
    );
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list({ limit: '3', ...(cursor === null ? {} : { cursor }) });
      seen.push(...page.payouts.map(({ id }) => id));
      expect(page.summary).toMatchObject([{ payouts: 7 }]);
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(seen).toEqual(ids.toSorted());
  });

  test.each([
    [{ status: 'lost' }, 'status'],
    // A payout never fails for good: it waits or is held.
    [{ status: 'failed' }, 'status'],
    [{ reason: 'no such thing' }, 'reason'],
    [{ overdue: 'yes' }, 'overdue'],
    [{ project_id: 'sale' }, 'project_id'],
    [{ surprise: '1' }, ''],
  ])('refuses %o by the name of its field', (query, field) => {
    const { error } = listPayoutsContract.query.safeParse(query);
    expect(error?.issues[0]?.path.join('.')).toBe(field);
  });
});

describe('a part that waits longer than claim_days', () => {
  test('is listed as overdue, still paid when it can be, and alarmed once a project and day', async () => {
    const [late, alsoLate, inTime] = [await owe(lineless), await owe(lineless), await owe(lineless)];
    const dueDaysAgo = (id: string, days: number) =>
      changeRows(world.database.db, 'payouts', { id }, { dueAt: sql`now() - ${days} * interval '1 day'` });
    await dueDaysAgo(late, 95);
    await dueDaysAgo(alsoLate, 92);
    await dueDaysAgo(inTime, 80);
    const alerts = async () =>
      (await world.database.db.select({ body: events.body }).from(events).where(eq(events.type, 'system.alert'))).map(
        ({ body }) => JSON.parse(body).data,
      );
    for (let slice = 0; slice < 3; slice++) {
      await world.checkAgain();
      await world.run();
    }
    expect(await idsOf({ overdue: 'true' })).toEqual([late, alsoLate]);
    expect(await idsOf({ overdue: 'false' })).toEqual([inTime]);
    expect((await list()).summary).toMatchObject([{ reason: 'trust_line_missing', payouts: 3, overdue: 2 }]);
    expect(await alerts()).toMatchObject([
      { kind: 'payout_unclaimed', details: { project_id: world.projectId, parts: 2, tokens: '2.000000' } },
    ]);

    // The next one crosses on another day.
    await dueDaysAgo(inTime, 91);
    await world.checkAgain();
    expect(await world.run()).toMatchObject({ waiting: 3, busy: 0, broken: 0 });
    expect((await alerts()).map(({ details }) => details.parts).toSorted()).toEqual([2, 3]);

    await world.trust(lineless);
    await world.checkAgain();
    await world.runUntilDone();
    expect(await idsOf({ overdue: 'true' })).toEqual([]);
    expect(await world.tokens(lineless.address)).toBe('3');
  });

  test('is not overdue once its sale is cancelled: nobody waits for it, and no alert says so', async () => {
    const { db } = world.database;
    const [investor] = (await world.desk.accounts(1)) as [Wallet];
    const id = await owe(investor);
    await world.run();
    await changeRows(db, 'payouts', { id }, { dueAt: sql`now() - interval '95 days'` });
    expect(await idsOf({ overdue: 'true' })).toEqual([id]);
    const setStatus = (status: 'active' | 'cancelled') => changeRows(db, 'projects', {}, { status });
    const alerted = async () => {
      await reportOverdue(world.ctx, world.distributor.address);
      return db.$count(events, eq(events.type, 'system.alert'));
    };
    await setStatus('cancelled');
    expect(await idsOf({ overdue: 'true' })).toEqual([]);
    expect((await list()).summary).toMatchObject([{ payouts: 1, overdue: 0 }]);
    expect(await alerted()).toBe(0);
    await setStatus('active');
    expect(await alerted()).toBe(1);
  });
});

describe('an operator', () => {
  test('holds what is not on its way, and releases it; each is audited with its reason', async () => {
    const id = await owe(holder);
    expect(await act(id, 'hold')).toMatchObject({
      status: 'held',
      reason: 'operator_hold',
      possible: ['release', 'settle'],
    });
    await world.checkAgain();
    await world.runUntilDone();
    expect(await world.payout(id)).toMatchObject({ status: 'held' });
    expect(await act(id, 'release')).toMatchObject({ status: 'ready', reason: null, possible: ['retry', 'hold'] });
    await world.runUntilDone();
    expect((await world.payout(id)).status).toBe('validated');
    expect(await audit()).toEqual([
      { action: 'payout.hold', subject: id, reason: REASON },
      { action: 'payout.release', subject: id, reason: REASON },
    ]);
  });

  test('releases what is not due yet: it is scheduled again, and paid when it is due', async () => {
    const id = await owe(holder);
    const fallsDue = (inHours: number) =>
      changeRows(world.database.db, 'payouts', { id }, { dueAt: sql`now() + ${inHours} * interval '1 hour'` });
    await fallsDue(48);
    await act(id, 'hold');
    expect(await act(id, 'release')).toMatchObject({ status: 'scheduled', reason: null });
    await world.runUntilDone();
    expect((await world.payout(id)).status).toBe('scheduled');
    await fallsDue(-1);
    await world.runUntilDone();
    expect((await world.payout(id)).status).toBe('validated');
  });

  test('retries what waits: it is looked at by the next run and not when its next check is', async () => {
    const id = await owe(lineless);
    await changeRows(
      world.database.db,
      'payouts',
      {},
      { nextCheckAt: sql`now() + interval '1 hour'`, status: 'ready' },
    );
    expect(await world.run()).toMatchObject({ submitted: 0, waiting: 0 });
    await act(id, 'retry');
    const { submitted, waiting } = await world.run();
    expect(submitted + waiting).toBe(1);
  });

  test('is told what is possible instead, and nothing changes', async () => {
    const id = await owe(holder);
    const refused = (action: 'retry' | 'hold' | 'release') =>
      act(id, action).catch((error: unknown) => error as { code: string; detail: string });
    expect(await refused('release')).toMatchObject({
      code: 'conflict',
      detail: 'The payout is scheduled: only retry, hold is possible now.',
    });
    await changeRows(world.database.db, 'payouts', {}, { dueAt: sql`now() + interval '1 day'` });
    expect(await refused('retry')).toMatchObject({
      detail: 'The payout is scheduled and not due yet: only hold is possible now.',
    });
    await changeRows(world.database.db, 'payouts', {}, { dueAt: sql`now()` });
    await world.run();
    for (const action of ['retry', 'hold', 'release'] as const) {
      expect(await refused(action)).toMatchObject({
        detail: 'The payout is submitted: nothing can be done with it now.',
      });
    }
    await world.runUntilDone();
    expect(await refused('hold')).toMatchObject({ code: 'conflict' });
    expect((await world.payout(id)).status).toBe('validated');
    expect(await audit()).toEqual([]);
    await expect(act(`pay_${'0'.repeat(22)}`, 'hold')).rejects.toMatchObject({ code: 'not_found' });
  });

  test('who holds a payout while its facts are read keeps it from being signed', async () => {
    const id = await owe(holder);
    const real = world.ctx.ledger;
    const ledger = {
      ...real,
      tickets: async (address: string) => {
        await act(id, 'hold');
        return real.tickets(address);
      },
    };
    expect(await world.run(testCtx({ db: world.database.db, overrides: { ledger } }))).toMatchObject({ submitted: 0 });
    expect(await world.attempts(id)).toEqual([]);
    expect((await world.payout(id)).status).toBe('held');
  });

  test('and the payer at the same time: either it is held or it is paid, never both', async () => {
    const before = Number(await world.tokens(holder.address));
    const ids: string[] = [];
    for (let i = 0; i < 12; i++) ids.push(await owe(holder));
    const [held] = await Promise.all([Promise.allSettled(ids.map((id) => act(id, 'hold'))), world.run()]);
    await world.runUntilDone();
    const heldIds = ids.filter((_, index) => held[index]?.status === 'fulfilled');
    for (const id of ids) {
      const status = heldIds.includes(id) ? 'held' : 'validated';
      expect((await world.payout(id)).status).toBe(status);
      expect(await world.attempts(id)).toHaveLength(status === 'held' ? 0 : 1);
    }
    expect(Number(await world.tokens(holder.address)) - before).toBe(ids.length - heldIds.length);
  });

  test('retries many by project, reason or id; held, submitted and paid ones are left alone', async () => {
    const paid = await owe(holder);
    await world.runUntilDone();
    const [first, second, held] = [await owe(holder), await owe(holder), await owe(holder)];
    await act(held, 'hold');
    const later = sql`now() + interval '1 hour'`;
    await changeRows(world.database.db, 'payouts', {}, { nextCheckAt: later, reason: 'hourly_ceiling' });
    const retry = (body: object) =>
      retryPayouts(world.ctx, retryPayoutsContract.body.parse({ reason: REASON, ...body }));
    expect(await retry({ payout_ids: [first, held, paid] })).toEqual({ retried: 1, skipped: 2 });
    expect(await retry({ waiting_reason: 'hourly_ceiling' })).toEqual({ retried: 2, skipped: null });
    expect(await retry({ waiting_reason: 'trust_line_missing' })).toEqual({ retried: 0, skipped: null });
    expect(await retry({ project_id: world.projectId })).toEqual({ retried: 2, skipped: null });
    await world.runUntilDone();
    expect((await world.payout(second)).status).toBe('validated');
    expect((await world.payout(held)).status).toBe('held');
    expect((await audit()).filter(({ action }) => action === 'payout.retry_many')).toHaveLength(4);
    expect(() => retryPayoutsContract.body.parse({ reason: REASON })).toThrow(/to select payouts/);
  });
});
