import { randomBytes } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { auditEntries } from '#drizzle/schema/access.ts';
import { actions } from '#drizzle/schema/sale.ts';
import { newId } from '#lib/base/ids.ts';
import { continueJob } from '#lib/jobs/continue-job.ts';
import { continueContract } from '#lib/jobs/contracts.ts';
import { thenWake } from '#lib/jobs/heartbeat.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { getProject } from '#lib/sales/projects/get-project.ts';
import { type RunningQStash, startQStash } from '#sandbox/qstash/index.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { TEST_ADMIN_TOKEN, testEnv } from '#tests/support/env.ts';
import { addRows, changeRows, deleteRows } from '#tests/support/rows.ts';
import { ask } from './ask.ts';

const token = TEST_ADMIN_TOKEN;
const reason = 'asked for';

let stage: Stage;
let qstash: RunningQStash;
let sale: Sale;

beforeAll(async () => {
  stage = await openStage();
});
// A queue of its own for each test: a wake is merged with the ones of the same second.
beforeEach(async () => {
  const given = testEnv();
  qstash = await startQStash({
    token: given.QSTASH_TOKEN ?? '',
    currentSigningKey: given.QSTASH_CURRENT_SIGNING_KEY ?? '',
    nextSigningKey: given.QSTASH_NEXT_SIGNING_KEY ?? '',
  });
  sale = await stage.draft();
  stage.set({ QSTASH_URL: qstash.url });
});
afterEach(() => qstash.close());
afterAll(() => stage?.end());

/** Messages for process-payments that the queue was given and has not delivered. */
async function wakes(): Promise<{ body: string; delaySeconds: number }[]> {
  const waiting = (await (await fetch(`${qstash.url}/sandbox/messages`)).json()) as {
    body: string;
    delaySeconds: number;
  }[];
  return waiting.filter(({ body }) => JSON.parse(body).job === 'process-payments');
}

/** What the queue will call, called now. */
async function deliverWake(): Promise<void> {
  const wake = await vi.waitFor(async () => {
    const [first] = await wakes();
    if (first === undefined) throw new Error('Nothing wakes process-payments');
    return first;
  });
  await continueJob(stage.ctx, continueContract.body.parse(JSON.parse(wake.body)));
}

/** XRP of a stranger that lies held in the sale's deposit account. */
async function heldPayment(): Promise<string> {
  const txHash = randomBytes(32).toString('hex').toUpperCase();
  const sender = await stage.account();
  await addRows(stage.database.db, 'payments', {
    txHash,
    account: sale.deposit.address,
    ledgerIndex: 10,
    transactionIndex: 0,
    closedAt: new Date(stage.ctx.clock.nowMs()),
    sender: sender.address,
    receivedDrops: 5_000_000n,
    heldDrops: 5_000_000n,
    outcome: 'held',
    reason: 'no_tag',
  });
  return txHash;
}

/** A refund that is owed, in the given state. */
async function newRefund(status: 'ready' | 'held'): Promise<string> {
  const id = newId('pay', randomBytes);
  const paymentHash = await heldPayment();
  await addRows(stage.database.db, 'payouts', {
    id,
    kind: 'refund',
    paymentHash,
    account: sale.deposit.address,
    destination: (await stage.account()).address,
    amount: 1_000_000n,
    status,
    reason: status === 'held' ? 'operator_hold' : 'payer_underfunded',
    dueAt: new Date(0),
    nextCheckAt: new Date(stage.ctx.clock.nowMs() + 86_400_000),
  });
  return id;
}

const ACTS: Record<string, () => Promise<{ status: number }>> = {
  'a launch': () => ask('actOnProject', { token, params: { id: sale.project.id, action: 'launch' }, body: { reason } }),
  'the commit of an allowlist': async () => {
    const list = await ask('createAllowlist', { token, params: { id: sale.project.id }, body: { reason } });
    const params = { id: sale.project.id, list_id: String(list.body.id) };
    const entries = [{ wallet_address: sale.issuer.address, cap_xrp: null }];
    await ask('addAllowlistEntries', { token, params, body: { entries, reason } });
    return ask('commitAllowlist', { token, params, body: { reason } });
  },
  'the refund of a held payment': async () =>
    ask('refundPayment', { token, params: { transaction_hash: await heldPayment() }, body: { reason } }),
  'a retry of many payouts': async () => {
    await newRefund('ready');
    return ask('retryPayouts', { token, body: { waiting_reason: 'payer_underfunded', reason } });
  },
  'a retry of one payout': async () =>
    ask('actOnPayout', { token, params: { id: await newRefund('ready'), action: 'retry' }, body: { reason } }),
  'the release of a held payout': async () =>
    ask('actOnPayout', { token, params: { id: await newRefund('held'), action: 'release' }, body: { reason } }),
  'the resumption of an account': async () => {
    await ask('haltDepositAccount', { token, params: { address: sale.deposit.address }, body: { reason } });
    return ask('resumeDepositAccount', { token, params: { address: sale.deposit.address }, body: { reason } });
  },
  'the assignment of a held payment': async () => {
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    const stranger = await stage.account();
    const transaction_hash = await stage.pay(stranger, sale, 5, null);
    await stage.settle(sale.deposit);
    await changeRows(
      stage.database.db,
      'payments',
      { txHash: transaction_hash },
      { outcome: 'held', heldDrops: 5_000_000n, refundedDrops: 0n },
    );
    await deleteRows(stage.database.db, 'payouts', { paymentHash: transaction_hash });
    return ask('assignPayment', {
      token,
      params: { transaction_hash },
      body: { project_id: sale.project.id, reason },
    });
  },
  'a payment that was missing in the books': async () => {
    await stage.act(sale, 'launch');
    await stage.settle(sale.deposit);
    const hash = await stage.pay(await stage.account(), sale, 5);
    stage.desk.close();
    return ask('processTransactions', { token, body: { transaction_hashes: [hash], reason } });
  },
};

describe('with nothing going on, work starts within seconds of', () => {
  it.each(Object.keys(ACTS))('%s', async (name) => {
    expect(await wakes()).toEqual([]);
    const answer = await ACTS[name]?.();
    expect(answer, JSON.stringify(answer)).toMatchObject({ status: expect.toSatisfy((status) => status < 300) });
    // Polled: nobody is at home for the queue's callbacks, and one that is being tried is not listed.
    await expect.poll(async () => (await wakes()).map(({ delaySeconds }) => delaySeconds)).toEqual([1]);
  });
});

describe('the worker is not woken', () => {
  it.each([
    [
      'that is refused',
      () => ask('actOnProject', { token, params: { id: sale.project.id, action: 'pause' }, body: { reason } }),
    ],
    [
      'that stops something',
      () => ask('haltDepositAccount', { token, params: { address: sale.deposit.address }, body: { reason } }),
    ],
  ])('by an act %s', async (_, act) => {
    await act();
    expect(await wakes()).toEqual([]);
  });
});

describe('a wake', () => {
  it('does the work at once, and is followed by beats until it is done', async () => {
    // Sales of other tests are active.
    stage.set({ FOLLOW_LEDGER: '0' });
    await ACTS['a launch']?.();
    // The ledger has not closed yet: the worker comes again by itself.
    await deliverWake();
    await expect
      .poll(async () => (await wakes()).map(({ body }) => JSON.parse(body).slice))
      .toContainEqual(expect.stringMatching(/^beat-/));
    stage.desk.close(2);
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({ status: 'draft' });
    await deliverWake();
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({ status: 'active' });
    stage.set({ FOLLOW_LEDGER: '1' });
  });

  it('is one, however many operators ask within its second', async () => {
    await newRefund('ready');
    const body = { waiting_reason: 'payer_underfunded', reason };
    const startedAtMs = Date.now();
    await Promise.all(Array.from({ length: 20 }, () => ask('retryPayouts', { token, body })));
    const seconds = Math.floor(Date.now() / 1000) - Math.floor(startedAtMs / 1000) + 1;
    expect((await wakes()).length).toBeLessThanOrEqual(seconds);
    await expect.poll(async () => (await wakes()).length).toBeGreaterThan(0);
  });

  it('is not left out for one that an instance with another clock has asked for and that has run by now', async () => {
    const published = vi.spyOn(stage.ctx.queue, 'publish');
    const late = { ...stage.ctx, clock: { nowMs: () => stage.ctx.clock.nowMs() - 3_600_000 } };
    for (const ctx of [stage.ctx, late]) await thenWake(ctx, Promise.resolve());
    const buckets = published.mock.calls
      .flat(2)
      .map(({ deduplicationId }) => Number(deduplicationId?.split('-').at(-1)));
    published.mockRestore();
    expect(buckets).toHaveLength(2);
    expect((buckets[1] ?? 0) - (buckets[0] ?? 0)).toBeGreaterThanOrEqual(0);
  });

  it('that the queue does not take leaves the work to the cron, and the operator hears nothing of it', async () => {
    qstash.faults.inject({ kind: 'down', how: 'unavailable' });
    expect(await ACTS['a launch']?.()).toMatchObject({ status: 202 });
    expect(await wakes()).toEqual([]);
    stage.desk.close(2);
    await processPayments(stage.ctx, { isScheduled: true });
    expect(await getProject(stage.ctx, sale.project.id)).toMatchObject({ status: 'active' });
  });

  it('that comes twice at the same time does its work once', async () => {
    await ACTS['a launch']?.();
    stage.desk.close(2);
    await Promise.all([deliverWake(), deliverWake()]);
    const done = await stage.database.db
      .select({ status: actions.status })
      .from(actions)
      .where(eq(actions.projectId, sale.project.id));
    expect(done).toEqual([{ status: 'applied' }]);
    const audited = await stage.database.db.$count(
      auditEntries,
      and(eq(auditEntries.action, 'project.launch'), eq(auditEntries.subject, sale.project.id)),
    );
    expect(audited).toBe(1);
  });
});
