import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { acquireLease, releaseLease } from '#lib/base/lease.ts';
import type { QueueMessage } from '#lib/base/queue.ts';
import { continueJob } from '#lib/jobs/continue-job.ts';
import { followAlways } from '#lib/jobs/follow-ledger.ts';
import { isWorthFollowing } from '#lib/jobs/heartbeat.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { letWakesThrough } from '#lib/webhooks/delivery/wake.ts';
import { CURRENCY, openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { addRows, rowsOf } from '#tests/support/rows.ts';

let stage: Stage;
let sale: Sale;
let messages: QueueMessage[];
let ctx: TestCtx;
let following: Promise<unknown> = Promise.resolve();
beforeAll(async () => {
  stage = await openStage();
  sale = await stage.launched();
});
beforeEach(() => {
  messages = [];
  const queue = { publish: async (given: readonly QueueMessage[]) => void messages.push(...given) };
  ctx = { ...stage.ctx, queue: queue as unknown as TestCtx['queue'] };
  // Longer than any test may take: what happens sooner was told by the ledger.
  stage.set({ HEARTBEAT_SECONDS: '60' });
});
afterEach(async () => {
  endSlice();
  await following;
});
afterAll(() => stage?.end());

/** What asks for a slice that follows the ledger, and what a run leaves for it. */
const FOLLOW = { job: 'process-payments', slice: 'follow-1' };
const FOLLOWED = { job: 'process-payments', slice: expect.stringMatching(/^follow-/) };
/** What looks whether a worker still follows. */
const WATCH = { job: 'process-payments', slice: expect.stringMatching(/^watch-/), delaySeconds: 60 };

const jobsOf = () => messages.map(({ body, delaySeconds }) => ({ ...(body as { job: string }), delaySeconds }));
const range = (from: number, through: number) => Array.from({ length: through - from }, (_, index) => from + index);
const isFollowed = async () =>
  (await rowsOf(stage.database.db, 'leases', { name: 'follow-ledger' }))[0]?.holder != null;

/** Begins a slice of following, and waits until it has a lease. */
async function follow(): Promise<void> {
  following = continueJob(ctx, FOLLOW);
  await expect.poll(isFollowed).toBe(true);
}
/** The time of the slice is over, which it sees at the next ledger. */
function endSlice(): void {
  ctx.clock.advance(3_600_000);
  stage.desk.close();
}

async function outcomeOf(hash: string) {
  const [payment] = await rowsOf(stage.database.db, 'payments', { txHash: hash });
  return payment?.outcome ?? null;
}

describe('while a sale is active', () => {
  test('a run of process-payments is followed by a worker that follows the ledger', async () => {
    expect(await processPayments(ctx)).toMatchObject({ continued: true });
    expect(jobsOf()).toEqual([FOLLOWED]);
  });

  test('each ledger is worked on as it closes: a payment is decided once the ledger that confirms it is there', async () => {
    await follow();
    for (let payments = 0; payments < 3; payments++) {
      const hash = await stage.pay(await stage.account(), sale, 5);
      stage.desk.close();
      await expect.poll(() => outcomeOf(hash)).toBe('pending');
      stage.desk.close();
      await expect.poll(() => outcomeOf(hash)).toBe('invested');
    }
  });

  test('tokens are on their way before the ledger after the one that confirms a payment closes', async () => {
    const buyer = await stage.account();
    await stage.desk.write([
      buyer,
      {
        TransactionType: 'TrustSet',
        Account: buyer.address,
        LimitAmount: { currency: CURRENCY, issuer: sale.issuer.address, value: '1000000' },
      },
    ]);
    await follow();
    const statesOf = async (paymentHash: string) =>
      (await rowsOf(stage.database.db, 'payouts', { paymentHash })).map(({ status }) => status);
    // The first one waits for tickets.
    const first = await stage.pay(buyer, sale, 5);
    await expect
      .poll(async () => {
        stage.desk.close();
        return statesOf(first);
      })
      .toEqual(['validated']);
    const second = await stage.pay(buyer, sale, 5);
    stage.desk.close(2);
    await expect.poll(() => statesOf(second)).toEqual(['submitted']);
  });

  test('events of what is confirmed do not wait for what comes after it in the run', async () => {
    await letWakesThrough(ctx);
    await acquireLease(stage.database.db, 'fan-out', 'req_at_work', 60);
    await follow();
    await stage.pay(await stage.account(), sale, 5);
    stage.desk.close(2);
    await expect.poll(() => jobsOf().map(({ job }) => job)).toContain('deliveries');
    await releaseLease(stage.database.db, 'fan-out', 'req_at_work');
  });

  test('a worker that comes to the end of its slice hands over to the next one at once', async () => {
    await follow();
    endSlice();
    await expect(following).resolves.toMatchObject({ continued: true });
    expect(jobsOf()).toContainEqual(FOLLOWED);
    expect(await isFollowed()).toBe(false);
  });

  test('there is one worker: a second one leaves a beat, which looks whether the first still lives', async () => {
    await acquireLease(stage.database.db, 'follow-ledger', 'req_at_work', 15);
    await expect(continueJob(ctx, FOLLOW)).resolves.toMatchObject({ continued: true });
    expect(jobsOf()).toEqual([{ job: 'process-payments', slice: expect.stringMatching(/^beat-/), delaySeconds: 60 }]);
    messages.length = 0;
    expect(await processPayments(ctx)).toMatchObject({ continued: true });
    expect(jobsOf()).toEqual([WATCH]);
    messages.length = 0;
    await releaseLease(stage.database.db, 'follow-ledger', 'req_at_work');
    expect(await processPayments(ctx)).toMatchObject({ continued: true });
    expect(jobsOf()).toEqual([FOLLOWED]);
  });

  test('a ledger server that tells nothing leaves beats', async () => {
    stage.set({ HEARTBEAT_SECONDS: '1' });
    const watched = vi.spyOn(ctx.ledger, 'watch').mockReturnValue({ next: async () => null, end: () => undefined });
    const hash = await stage.pay(await stage.account(), sale, 5);
    stage.desk.close(2);
    await follow();
    await expect.poll(() => outcomeOf(hash)).toBe('invested');
    watched.mockRestore();
  });

  test('a worker that dies is missed by the beat that it left at its begin', async () => {
    await follow();
    // It has its lease first.
    await expect.poll(jobsOf).toContainEqual(WATCH);
  });

  test('a slice that fails is not followed by another one at once, but by a beat', async () => {
    vi.spyOn(ctx.ledger, 'watch').mockImplementationOnce(() => {
      throw new Error('no stream');
    });
    await expect(continueJob(ctx, FOLLOW)).resolves.toMatchObject({ continued: true });
    expect(jobsOf()).toEqual([{ job: 'process-payments', slice: expect.stringMatching(/^beat-/), delaySeconds: 60 }]);
  });

  test('nothing is followed where FOLLOW_LEDGER is 0', async () => {
    stage.set({ FOLLOW_LEDGER: '0' });
    expect(await processPayments(ctx)).toMatchObject({ continued: true });
    expect(jobsOf()).toEqual([{ job: 'process-payments', slice: expect.stringMatching(/^beat-/), delaySeconds: 60 }]);
    stage.set({ FOLLOW_LEDGER: '1' });
  });
});

test('a process of its own follows whenever a sale is active, and where it stops beats go on', async () => {
  stage.set({ FOLLOW_LEDGER: '0' });
  const stop = new AbortController();
  following = followAlways(ctx, stop.signal);
  await expect.poll(isFollowed).toBe(true);
  const hash = await stage.pay(await stage.account(), sale, 5);
  stage.desk.close(2);
  await expect.poll(() => outcomeOf(hash)).toBe('invested');
  // Functions that are called meanwhile leave the work to it.
  expect(await processPayments(ctx)).toMatchObject({ continued: true });
  stop.abort();
  stage.desk.close();
  await following;
  expect(jobsOf()).not.toContainEqual(FOLLOWED);
  expect(jobsOf().at(-1)).toMatchObject({ job: 'process-payments', delaySeconds: 60 });
  stage.set({ FOLLOW_LEDGER: '1' });
});

test('a sale that is over is followed no more, and beats do what is left', async () => {
  await follow();
  await stage.act(sale, 'pause');
  stage.desk.close(3);
  await expect(following).resolves.toMatchObject({ continued: true });
  expect(jobsOf().at(-1)).toMatchObject({ job: 'process-payments', delaySeconds: 60 });
});

test('payouts that queue for more than the next ledger are followed after the sale, and fewer are left to beats', async () => {
  const { db } = stage.database;
  const owe = async (from: number, through: number) => {
    await addRows(
      db,
      'payments',
      range(from, through).map((index) => ({
        txHash: `QUEUED${index}`,
        account: sale.deposit.address,
        ledgerIndex: 5,
        transactionIndex: 1_000 + index,
        closedAt: new Date(),
        sender: sale.issuer.address,
        receivedDrops: 1n,
      })),
    );
    await addRows(
      db,
      'payouts',
      range(from, through).map((index) => ({
        id: `pay_queued${index}`,
        kind: 'refund' as const,
        paymentHash: `QUEUED${index}`,
        account: 'rElsewhere',
        destination: sale.issuer.address,
        amount: 1n,
        dueAt: new Date(0),
        nextCheckAt: new Date(0),
      })),
    );
  };
  await owe(0, 200);
  expect(await isWorthFollowing(ctx)).toBe(false);
  await owe(200, 201);
  expect(await isWorthFollowing(ctx)).toBe(true);
});
