import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { payments } from '#drizzle/schema/sale.ts';
import type { QueueMessage } from '#lib/base/queue.ts';
import { continueJob } from '#lib/jobs/continue-job.ts';
import { continueContract } from '#lib/jobs/contracts.ts';
import { runJobs } from '#lib/jobs/engine.ts';
import { verificationStart } from '#lib/jobs/verify-sales.ts';
import { getVerification } from '#lib/sales/verification/get-verification.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import type { TestCtx } from '#tests/support/ctx.ts';
import { addRows, changeRows, rowsOf } from '#tests/support/rows.ts';
import { fullScene, type Scene } from './scene.ts';

let stage: Stage;
let scene: Scene;
const messages: QueueMessage[] = [];
/** The stage's ctx; what is published waits here instead of in the queue. */
let ctx: TestCtx;
beforeAll(async () => {
  stage = await openStage();
  scene = await fullScene(stage);
  const { queue } = stage.ctx;
  ctx = {
    ...stage.ctx,
    queue: { ...queue, publish: async (published) => void messages.push(...published) },
  };
});
afterAll(() => stage?.end());

/** Delivers what waits, as the queue would, until nothing does; gives how many slices it took. */
async function deliverAll(): Promise<number> {
  let slices = 0;
  for (let message = messages.shift(); message !== undefined; message = messages.shift()) {
    const body = continueContract.body.parse(message.body);
    if (body.job !== 'verify-sales') continue;
    slices += 1;
    await continueJob(ctx, body);
    // A message that comes twice does nothing.
    expect((await continueJob(ctx, body)).continued).toBe(false);
  }
  return slices;
}

/** Does `work` while every look at the clock takes longer than a slice has. */
async function hurried<T>(work: () => Promise<T>): Promise<T> {
  const { nowMs } = ctx.clock;
  ctx.clock.nowMs = () => {
    ctx.clock.advance(60_000);
    return nowMs.call(ctx.clock);
  };
  return work().finally(() => {
    ctx.clock.nowMs = nowMs;
  });
}

const startVerifications = async (given: typeof ctx) =>
  (await runJobs(given, { jobs: [verificationStart], isScheduled: true })).orThrow(verificationStart)?.done.started;

const yesterday = () =>
  changeRows(stage.database.db, 'verifications', {}, { startedAt: new Date(Date.now() - 25 * 3_600_000) });

describe('the daily verification', () => {
  it('runs once a day for each sale, in slices, and its verdict is published', async () => {
    const { id } = scene.sale.project;
    expect((await getVerification(ctx, id)).last_run).toBeNull();
    expect(await startVerifications(ctx)).toBe(1);
    expect(await startVerifications(ctx)).toBe(0);
    expect(await getVerification(ctx, id)).toMatchObject({ running: true });
    expect(await hurried(deliverAll)).toBeGreaterThan(2);
    const summary = await getVerification(ctx, id);
    expect(summary).toMatchObject({
      running: false,
      anchors: {
        launch: { terms_hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
        lists: [{ list_id: expect.any(String) }],
      },
      last_run: { verdict: 'agrees', differences: 0, payments: 5, report: { unchecked: [] } },
    });
    expect(summary.command).toContain(`--project ${id} --ledger ${stage.desk.ledger.wsUrl}`);
    expect(await startVerifications(ctx)).toBe(0);
  });

  it('raises an alert when something differs', async () => {
    await yesterday();
    const { notListed } = scene.hashes;
    await stage.database.db.execute(sql`update ${payments} set source_tag = 99 where tx_hash = ${notListed}`);
    expect(await startVerifications(ctx)).toBe(1);
    await deliverAll();
    const { last_run: run } = await getVerification(ctx, scene.sale.project.id);
    expect(run).toMatchObject({
      verdict: 'differs',
      report: { differences: [{ subject: notListed, field: 'source_tag' }, {}] },
    });
    const raised = await rowsOf(stage.database.db, 'events', { type: 'system.alert' });
    expect(raised.map(({ body }) => JSON.parse(body).data)).toContainEqual(
      expect.objectContaining({
        kind: 'verification_failed',
        details: expect.objectContaining({ project_id: scene.sale.project.id, verification_id: run?.id }),
      }),
    );
  });

  it('takes up a run that was lost on its way', async () => {
    await yesterday();
    expect(await startVerifications(ctx)).toBe(1);
    messages.length = 0;
    expect(await startVerifications(ctx)).toBe(0);
    await stage.database.db.execute(sql`update leases set leased_until = now() - interval '1 second'`);
    expect(await startVerifications(ctx)).toBe(1);
    await deliverAll();
    expect(await getVerification(ctx, scene.sale.project.id)).toMatchObject({ running: false });
  });

  it('begins as many runs as its time allows, and the rest in slices that follow', async () => {
    const { project } = scene.sale;
    const ids = ['ver_1', 'ver_2', 'ver_3'];
    await addRows(
      stage.database.db,
      'verifications',
      ids.map((id) => ({ id, projectId: project.id, asOfLedger: 1 })),
    );
    expect(await hurried(() => startVerifications(ctx))).toBe(1);
    const begun: unknown[] = [];
    await hurried(async () => {
      for (let message = messages.shift(); message !== undefined; message = messages.shift()) {
        const body = continueContract.body.parse(message.body);
        if (body.job === 'verification-start') await continueJob(ctx, body);
        else begun.push(body.run);
      }
    });
    expect(begun.toSorted()).toEqual(ids);
  });
});
