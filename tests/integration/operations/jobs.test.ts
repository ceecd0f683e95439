import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { acquireLease, releaseLease } from '#lib/base/lease.ts';
import { continueJob } from '#lib/jobs/continue-job.ts';
import { recordFault } from '#lib/jobs/engine.ts';
import { processPayments } from '#lib/jobs/process-payments.ts';
import { KNOWN_JOBS } from '#lib/ops/status/schedule/known-jobs.ts';
import { openStage, type Stage } from '#tests/integration/sales/stage.ts';
import { TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import { ask } from './ask.ts';

type Job = Record<string, unknown> & { name: string };

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.end());
beforeEach(async () => {
  await stage.database.db.execute(sql`truncate leases, job_runs, job_schedules`);
});

const read = async () => {
  const answer = await ask('listJobs', { token: TEST_READ_ONLY_TOKEN });
  expect(answer.status).toBe(200);
  return answer.body as unknown as { time: string; jobs: Job[]; leases: Job[] };
};
const jobOf = async (name: string) => (await read()).jobs.find((job) => job.name === name);

describe('the list of jobs', () => {
  test('has every kind of work, run or not', async () => {
    const { jobs, leases } = await read();
    expect(jobs.map(({ name }) => name)).toEqual(KNOWN_JOBS.map(({ name }) => name));
    expect(jobs).toEqual(
      jobs.map((job) => expect.objectContaining({ ...job, state: 'never', late: null, last_fault: null })),
    );
    expect(leases).toEqual([]);
  });

  test('shows a run from its start to its end', async () => {
    await processPayments(stage.ctx);
    const job = await jobOf('process-payments');
    expect(job).toMatchObject({ state: 'idle', late: false, every_seconds: 60, last_fault: null });
    expect(Date.parse(String(job?.last_finished_at))).toBeGreaterThanOrEqual(Date.parse(String(job?.last_started_at)));
  });

  test('shows who holds a lease, and a holder that is gone as broken off', async () => {
    const { db } = stage.database;
    await acquireLease(db, 'trustline-monitor', 'req_1', 60);
    await acquireLease(db, 'signer:rAccount', 'req_2', 60);
    expect(await jobOf('trustline-monitor')).toMatchObject({ state: 'running', holder: 'req_1', late: false });
    expect((await read()).leases).toMatchObject([{ name: 'signer:rAccount', state: 'running', holder: 'req_2' }]);
    await db.execute(sql`update leases set leased_until = now() - interval '1 second'`);
    expect(await jobOf('trustline-monitor')).toMatchObject({ state: 'broken_off' });
    await releaseLease(db, 'trustline-monitor', 'req_1');
    expect(await jobOf('trustline-monitor')).toMatchObject({ state: 'idle', holder: null });
  });

  test.each([
    ['process-payments', 179, false],
    ['process-payments', 181, true],
    ['trustline-monitor', 129_000, false],
    ['trustline-monitor', 130_000, true],
    ['deliveries', 1_000_000, null],
  ])('%s that began %i s ago: late is %s', async (name, seconds, late) => {
    await stage.database.db.execute(sql`
      insert into job_runs (name, started_at, finished_at)
      values (${name}, now() - make_interval(secs => ${seconds}), now() - make_interval(secs => ${seconds - 1}))`);
    expect(await jobOf(name)).toMatchObject({ state: 'idle', late });
  });

  test('a run that neither ended nor goes on is broken off', async () => {
    await stage.database.db.execute(sql`
      insert into job_runs (name, started_at) values ('process-payments', now() - interval '61 seconds')`);
    expect(await jobOf('process-payments')).toMatchObject({ state: 'broken_off', late: false });
  });

  test('tells what went wrong last, without secrets', async () => {
    await stage.launched();
    await processPayments({ ...stage.cutOff, redis: stage.ctx.redis, queue: stage.ctx.queue });
    expect(await jobOf('process-payments')).toMatchObject({
      last_fault: { at: expect.any(String), what: expect.stringContaining('read_feeds') },
    });
    const broken = {
      ...stage.ctx,
      redis: stage.ctx.redis,
      queue: stage.ctx.queue,
      log: stage.ctx.log,
      random: () => {
        throw new Error('no randomness with sEdTM1uX8pu2do5XvTnutH6HsouMaM2');
      },
    };
    await expect(continueJob(broken, { job: 'deliveries' })).rejects.toThrow('no randomness');
    expect(await jobOf('deliveries')).toMatchObject({ last_fault: { what: 'no randomness with [redacted]' } });
  });

  test('tells it for seven days, also while the cache is away', async () => {
    stage.set({ KV_REST_API_URL: 'http://127.0.0.1:9' });
    await recordFault(stage.ctx, 'deliveries', new Error('something'));
    expect(await jobOf('deliveries')).toMatchObject({ state: 'never', last_fault: { what: 'something' } });
    await stage.database.db.execute(sql`update job_runs set last_fault_at = now() - interval '7 days 1 second'`);
    expect(await jobOf('deliveries')).toMatchObject({ last_fault: null });
  });

  test('a job whose fault cannot be noted fails with that fault, not with the noting', async () => {
    const broken = {
      ...stage.ctx,
      redis: stage.ctx.redis,
      queue: stage.ctx.queue,
      log: stage.ctx.log,
      get db(): never {
        throw new Error('no database');
      },
    };
    await expect(continueJob(broken, { job: 'deliveries' })).rejects.toThrow('no database');
  });
});
