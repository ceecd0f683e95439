import { createHash } from 'node:crypto';
import { type ActionMemo, encodeActionMemo } from '@tranche/rules/action-memo.ts';
import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { events } from '#drizzle/schema/events.ts';
import { actions, investments, projects } from '#drizzle/schema/sale.ts';
import { EVENT_CATALOGUE } from '#lib/events/catalogue.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { advanceAccount } from '#tests/integration/sales/advance-account.ts';
import { call } from '#tests/integration/webhooks/call.ts';
import { countingLedger } from '#tests/support/counting-ledger.ts';
import { TEST_ADMIN_TOKEN } from '#tests/support/env.ts';
import { rowsOf } from '#tests/support/rows.ts';
import * as actionRoute from '../../../app/api/admin/projects/[id]/[action]/route.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;

beforeAll(async () => {
  stage = await openStage();
});
afterEach(() => stage.desk.ledger.faults.clear());
afterAll(() => stage?.end());

const statusOf = async (sale: Sale) => (await getProject(stage.ctx, sale.project.id)).status;
const actionsOf = (sale: Sale) =>
  stage.database.db
    .select()
    .from(actions)
    .where(eq(actions.projectId, sale.project.id))
    .orderBy(asc(actions.createdAt), asc(actions.txHash));
const actionsBy = async (sale: Sale) => (await actionsOf(sale)).map(({ action, status }) => [action, status]);
const eventsOf = async (sale: Sale) => {
  const rows = await stage.database.db
    .select()
    .from(events)
    .where(eq(events.projectId, sale.project.id))
    .orderBy(asc(events.sequence));
  return rows.map((row) => JSON.parse(row.body));
};
const investmentsOf = (sale: Sale) =>
  stage.database.db
    .select({ status: investments.status, reason: investments.reason })
    .from(investments)
    .where(eq(investments.projectId, sale.project.id))
    .orderBy(asc(investments.paidAt));

/** An action that the owner of the deposit account sends without asking the platform. */
const sendMemo = (sale: Sale, memo: Omit<ActionMemo, 'v' | 'project'>) =>
  stage.desk.send(sale.deposit, {
    TransactionType: 'AccountSet',
    Account: sale.deposit.address,
    Memos: [encodeActionMemo({ v: 1, project: sale.project.id, ...memo })],
  });

describe('a launch', () => {
  it('is answered 202 with its pending action, and is real when the feed brings it', async () => {
    const sale = await stage.draft();
    const answer = await call(actionRoute, 'POST', {
      apiKey: TEST_ADMIN_TOKEN,
      params: { id: sale.project.id, action: 'launch' },
      body: { reason: 'the day has come' },
    });
    expect(answer).toMatchObject({
      status: 202,
      body: { id: sale.project.id, status: 'draft', launched_at: null, pending_action: { action: 'launch' } },
    });
    const [pending] = await actionsOf(sale);
    expect(answer.body).toMatchObject({
      terms_hash: pending?.termsHash,
      pending_action: { transaction_hash: pending?.txHash },
    });

    // On the ledger but not yet in the feed: still a draft.
    stage.desk.close(2);
    expect(await statusOf(sale)).toBe('draft');
    expect(await eventsOf(sale)).toEqual([]);

    expect(await processPayments(stage.ctx)).toMatchObject({ faults: [] });
    const onLedger = await stage.ctx.ledger.lookUp(pending?.txHash ?? '');
    if (onLedger.state !== 'validated') throw new Error('The launch is not on the ledger');
    const launchedAt = new Date(onLedger.closedAtMs).toISOString();
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({
      status: 'active',
      launched_at: launchedAt,
      pending_action: null,
    });
    const [launched, ...further] = await eventsOf(sale);
    expect(further).toEqual([]);
    expect(launched.event_type).toBe('project.launched');
    EVENT_CATALOGUE['project.launched'].parse(launched.data);
    expect(launched.data).toMatchObject({
      project_id: sale.project.id,
      deposit_address: sale.deposit.address,
      destination_tag: sale.project.destination_tag,
      terms_hash: pending?.termsHash,
      transaction: { hash: pending?.txHash, ledger_index: onLedger.ledgerIndex },
      launched_at: launchedAt,
    });
  });

  it('anchors the SHA-256 of the published terms in its memo on the ledger', async () => {
    const sale = await stage.launched({ description: 'not part of the terms', min_investment_xrp: '2' });
    const [launch] = await actionsOf(sale);
    const { result } = await stage.desk.client.request({ command: 'tx', transaction: launch?.txHash ?? '' });
    expect(result.tx_json).toMatchObject({ TransactionType: 'AccountSet', Account: sale.deposit.address });
    expect(result.tx_json).not.toHaveProperty('SetFlag');
    const memos = (result.tx_json.Memos ?? []).map(({ Memo }) =>
      JSON.parse(Buffer.from(Memo.MemoData ?? '', 'hex').toString('utf8')),
    );
    const [{ terms } = { terms: null }] = await stage.database.db
      .select({ terms: projects.terms })
      .from(projects)
      .where(eq(projects.id, sale.project.id));
    const termsHash = createHash('sha256')
      .update(terms ?? '')
      .digest('hex');
    expect(memos).toEqual([{ v: 1, project: sale.project.id, move: 'launch', terms_hash: termsHash }]);
    expect(JSON.parse(terms ?? '')).toMatchObject({
      project: sale.project.id,
      deposit_address: sale.deposit.address,
      destination_tag: sale.project.destination_tag,
      min_investment_xrp: '2.000000',
      tiers: [
        { tier: 1, price_per_token: '0.10', total_tokens: '1000.000000' },
        { tier: 2, price_per_token: '0.20', total_tokens: '5000.000000' },
      ],
      operating_accounts: [sale.issuer.address],
    });
    expect(terms).not.toContain('not part of the terms');
  });

  it('of other terms than the published ones has no effect, before or after ours was asked for', async () => {
    const sale = await stage.draft();
    await sendMemo(sale, { move: 'launch', terms_hash: 'd'.repeat(64) });
    await stage.settle(sale.deposit);
    expect(await statusOf(sale)).toBe('draft');

    await stage.act(sale, 'launch');
    stage.desk.close();
    await sendMemo(sale, { move: 'launch', terms_hash: 'e'.repeat(64) });
    await stage.settle(sale.deposit);
    expect(await statusOf(sale)).toBe('active');
    const outcomes = (await actionsOf(sale)).map(({ termsHash, status }) => [termsHash?.slice(0, 2), status]);
    expect(outcomes).toHaveLength(3);
    expect(outcomes).toContainEqual(['dd', 'ineffective']);
    expect(outcomes).toContainEqual(['ee', 'ineffective']);
    expect((await eventsOf(sale)).map((event) => event.event_type)).toEqual(['project.launched']);
  });

  it('that reaches no ledger server writes nothing and can be asked for again', async () => {
    const sale = await stage.draft();
    await expect(stage.act(sale, 'launch', stage.cutOff)).rejects.toMatchObject({ code: 'ledger_unavailable' });
    expect(await actionsOf(sale)).toEqual([]);
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({ status: 'draft', terms_hash: null });
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    expect(await statusOf(sale)).toBe('active');
  });
});

describe('pause, resume and end', () => {
  it('hold for the payments after them in ledger order', async () => {
    const sale = await stage.launched();
    const investor = await stage.account();
    for (const action of ['pause', 'resume', 'end'] as const) {
      await stage.pay(investor, sale, 5);
      stage.desk.close();
      await stage.act(sale, action);
      stage.desk.close();
      await stage.pay(investor, sale, 5);
      await stage.settle(sale.deposit);
    }
    expect(await investmentsOf(sale)).toEqual([
      { status: 'confirmed', reason: null },
      // After the pause, and before the resumption.
      { status: 'failed', reason: 'not_active' },
      { status: 'failed', reason: 'not_active' },
      { status: 'confirmed', reason: null },
      { status: 'confirmed', reason: null },
      { status: 'failed', reason: 'after_end' },
    ]);
    const project = await getProject(stage.ctx, sale.project.id);
    expect(project).toMatchObject({ status: 'completed', progress: { total_raised_xrp: '15.000000' } });
    const ended = (await eventsOf(sale)).filter((event) => event.event_type === 'project.sale_ended');
    expect(ended).toMatchObject([{ data: { reason: 'ended', total_raised_xrp: '15.000000', total_investors: 1 } }]);
    expect(ended[0].data.ended_at).toBe(project.ended_at);
  });

  it('count when the owner of the deposit account signs them elsewhere', async () => {
    const sale = await stage.launched();
    await sendMemo(sale, { move: 'pause' });
    await stage.settle(sale.deposit);
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({ status: 'paused', pending_action: null });
  });

  it('mean nothing in a transaction of somebody else', async () => {
    const sale = await stage.launched();
    const stranger = await stage.account();
    await stage.desk.send(stranger, {
      TransactionType: 'Payment',
      Account: stranger.address,
      Destination: sale.deposit.address,
      DestinationTag: sale.project.destination_tag,
      Amount: '1000000',
      Memos: [encodeActionMemo({ v: 1, project: sale.project.id, move: 'end' })],
    });
    await stage.settle(sale.deposit);
    expect(await statusOf(sale)).toBe('active');
  });
});

describe('a cancellation', () => {
  it('holds for the payments after it in ledger order, and for nothing that was confirmed before', async () => {
    const sale = await stage.launched();
    const investor = await stage.account();
    await stage.pay(investor, sale, 5);
    stage.desk.close();
    await sendMemo(sale, { move: 'cancel' });
    stage.desk.close();
    await stage.pay(investor, sale, 5);
    await stage.settle(sale.deposit);
    expect(await actionsBy(sale)).toContainEqual(['cancel', 'applied']);
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({
      status: 'cancelled',
      end_reason: 'cancelled',
      pending_action: null,
    });
    expect(await investmentsOf(sale)).toEqual([
      // What becomes of it is told by cancel.test.ts.
      { status: 'confirmed', reason: null },
      { status: 'failed', reason: 'cancelled' },
    ]);
  });

  it('is for good: no action is possible afterwards, and one that the feed brings has no effect', async () => {
    const sale = await stage.launched();
    expect((await stage.act(sale, 'cancel')).pending_action).toMatchObject({ action: 'cancel' });
    await stage.settle(sale.deposit);
    for (const action of ['resume', 'end', 'cancel'] as const) {
      await expect(stage.act(sale, action)).rejects.toMatchObject({
        code: 'transition_not_allowed',
        status: 409,
        detail: 'The project is cancelled: no action is possible now.',
      });
    }
    await sendMemo(sale, { move: 'resume' });
    await stage.settle(sale.deposit);
    expect(await statusOf(sale)).toBe('cancelled');
    expect(await actionsBy(sale)).toContainEqual(['resume', 'ineffective']);
  });
});

describe('an action that is not possible', () => {
  it('is refused with what is allowed instead', async () => {
    const sale = await stage.draft();
    const refusal = async (action: Parameters<Stage['act']>[1]) =>
      stage.act(sale, action).then(
        () => 'accepted',
        (error: { code: string; detail: string }) => `${error.code} ${error.detail}`,
      );
    for (const action of ['pause', 'resume', 'end', 'cancel'] as const) {
      expect(await refusal(action)).toBe('transition_not_allowed The project is draft: only launch is possible now.');
    }
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    for (const action of ['launch', 'resume'] as const) {
      expect(await refusal(action)).toBe(
        'transition_not_allowed The project is active: only pause, end, cancel are possible now.',
      );
    }
    await stage.act(sale, 'end');
    await stage.settle(sale.deposit);
    for (const action of ['launch', 'pause', 'resume', 'end', 'cancel'] as const) {
      expect(await refusal(action)).toBe('transition_not_allowed The project is completed: no action is possible now.');
    }
    expect(await actionsBy(sale)).toEqual([
      ['launch', 'applied'],
      ['end', 'applied'],
    ]);
  });

  it('names a project that does not exist', async () => {
    const sale = await stage.draft();
    const unknown = { project: { ...sale.project, id: 'proj_0000000000000000000000' } };
    await expect(stage.act(unknown, 'launch')).rejects.toMatchObject({ code: 'project_not_found' });
  });
});

describe('while one action waits for the ledger', () => {
  it('a second one is a conflict, also when eight are asked for at once', async () => {
    const sale = await stage.draft();
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => stage.act(sale, 'launch')));
    expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const answer of asked) {
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ code: 'conflict', status: 409 });
    }
    await expect(stage.act(sale, 'launch')).rejects.toMatchObject({ code: 'conflict', status: 409 });
    await stage.settle(sale.deposit);
    expect(await actionsBy(sale)).toEqual([['launch', 'applied']]);
  });

  it('and has lost its submission, the next run submits it again', async () => {
    const sale = await stage.draft();
    stage.desk.ledger.faults.set({ loseSubmits: 1 });
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    expect(await actionsBy(sale)).toEqual([['launch', 'submitted']]);
    await stage.settle(sale.deposit);
    expect(await actionsBy(sale)).toEqual([['launch', 'applied']]);
  });

  it('and waits for a ledger that stands still, it is handed in once, and once again with each ledger that leaves it out', async () => {
    const sale = await stage.draft();
    const taken = { engineResult: 'tesSUCCESS' };
    const { ledger, submissions } = countingLedger(stage.ctx.ledger, taken);
    const ctx = { ...stage.ctx, ledger };
    await stage.act(sale, 'launch', ctx);
    const server = async () => stage.ctx.ledger.serverState();
    const advance = async () => {
      const input = {
        account: sale.deposit.address,
        deadlineMs: Number.POSITIVE_INFINITY,
        stillMine: async () => true,
      };
      for (let slice = 0; slice < 5; slice++) await advanceAccount(ctx, { ...input, server: await server() });
    };
    await advance();
    expect(submissions).toHaveLength(1);
    for (const count of [2, 3]) {
      stage.desk.close();
      await advance();
      expect(submissions).toHaveLength(count);
    }
    const [action] = await actionsOf(sale);
    expect(new Set(submissions)).toEqual(new Set([action?.txBlob]));
    // Past its last ledger nothing could come of it.
    stage.desk.close((action?.lastLedgerSequence ?? 0) - (await server()).validatedIndex);
    await advance();
    expect(submissions).toHaveLength(3);
  });

  it('and never reaches it, it expires with its last ledger and can be asked for again', async () => {
    const sale = await stage.draft();
    stage.desk.ledger.faults.set({ loseSubmits: 1_000 });
    await stage.act(sale, 'launch');
    const [lost] = await actionsOf(sale);
    const { validatedIndex } = await stage.ctx.ledger.serverState();
    // With one confirmation, what is decided ends one ledger before the validated one.
    stage.desk.close((lost?.lastLedgerSequence ?? 0) - validatedIndex);
    await stage.advance(sale.deposit);
    expect(await actionsBy(sale)).toEqual([['launch', 'submitted']]);
    await expect(stage.act(sale, 'launch')).rejects.toMatchObject({ code: 'conflict' });

    stage.desk.close();
    await stage.advance(sale.deposit);
    expect(await actionsBy(sale)).toEqual([['launch', 'expired']]);
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({ status: 'draft', pending_action: null });

    stage.desk.ledger.faults.clear();
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    expect(await actionsBy(sale)).toEqual([
      ['launch', 'expired'],
      ['launch', 'applied'],
    ]);
  });
});

describe('actions that are persisted but not on the ledger yet', () => {
  it('never share a sequence, and all arrive once they are submitted', async () => {
    const first = await stage.launched();
    const others = [await stage.launched({}, first), await stage.launched({}, first)];
    const sales = [first, ...others];
    stage.desk.ledger.faults.set({ loseSubmits: 1_000 });
    for (const sale of sales) await stage.act(sale, 'pause');
    const open = (await Promise.all(sales.map(actionsOf))).flat().filter(({ status }) => status === 'submitted');
    expect(open).toHaveLength(3);
    expect(new Set(open.map(({ sequence }) => sequence)).size).toBe(3);

    stage.desk.ledger.faults.clear();
    await stage.settle(first.deposit);
    await stage.settle(first.deposit);
    expect(await Promise.all(sales.map(statusOf))).toEqual(['paused', 'paused', 'paused']);
  });
});

describe('actions and the feed on one account at once', () => {
  /** Database sessions that wait for a row which another one holds. */
  const waitingSessions = async () => {
    const { rows } = await stage.database.db.execute<{ waiting: number }>(sql`
      select count(*)::integer as waiting from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
    return rows[0]?.waiting ?? 0;
  };
  const untilWaiting = (sessions: number) =>
    vi.waitFor(async () => expect(await waitingSessions()).toBe(sessions), { timeout: 10_000, interval: 10 });

  it.each([
    ['a pause, then the payment’s recognition', 'recognise', 'action'],
    ['the payment’s recognition, then a pause', 'recognise', 'feed'],
    ['a pause, then the payment’s confirmation', 'confirm', 'action'],
    ['the payment’s confirmation, then a pause', 'confirm', 'feed'],
  ] as const)('wait for the sale in any order and both come through: %s', async (_, step, first) => {
    const sale = await stage.launched();
    await stage.pay(await stage.account(), sale, 5);
    stage.desk.close();
    if (step === 'confirm') {
      await stage.advance(sale.deposit);
      stage.desk.close();
    }
    const sides = {
      action: () => stage.act(sale, 'pause'),
      feed: () => stage.advance(sale.deposit),
    };
    const begun: Promise<unknown>[] = [];
    await stage.database.db.transaction(async (tx) => {
      await tx.select().from(projects).where(eq(projects.id, sale.project.id)).for('update');
      for (const side of first === 'action' ? [sides.action, sides.feed] : [sides.feed, sides.action]) {
        begun.push(side());
        await untilWaiting(begun.length);
      }
    });
    expect((await Promise.allSettled(begun)).filter(({ status }) => status === 'rejected')).toEqual([]);
    await stage.settle(sale.deposit);
    expect(await statusOf(sale)).toBe('paused');
    expect(await investmentsOf(sale)).toEqual([{ status: 'confirmed', reason: null }]);
  });

  it('never stop each other, however they meet', async () => {
    const first = await stage.launched({ tiers: [{ price_per_token: '0.10', total_tokens: '100000000' }] });
    const sales = [first];
    for (let i = 0; i < 5; i++) sales.push(await stage.launched({}, first));
    const failures: unknown[] = [];
    for (const action of ['pause', 'resume', 'pause', 'resume'] as const) {
      stage.desk.ledger.writePayments({
        count: 900,
        destination: first.deposit.address,
        destinationTag: first.project.destination_tag,
        amountDrops: 1_000_000n,
        perLedger: 450,
      });
      stage.desk.close();
      const settled = await Promise.allSettled([
        ...sales.map((sale) => stage.act(sale, action)),
        stage.advance(first.deposit),
        stage.advance(first.deposit),
      ]);
      failures.push(...settled.flatMap((side) => (side.status === 'rejected' ? [side.reason] : [])));
      await stage.settle(first.deposit);
    }
    expect(failures).toEqual([]);
    expect(new Set(await Promise.all(sales.map(statusOf)))).toEqual(new Set(['active']));
    expect(await investmentsOf(first)).toHaveLength(3_600);
    const [account] = await rowsOf(stage.database.db, 'depositAccounts', { address: first.deposit.address });
    expect(account?.confirmedLedger).toBe((account?.cursorLedger ?? 0) - 1);
  });
});
