import { type SQL, sql } from 'drizzle-orm';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { applyEnv } from '#lib/base/env.ts';
import { beginJobs, beginNextSlice, endJobs, pruneRuns } from '#lib/base/job-rows.ts';
import type { QueueMessage } from '#lib/base/queue.ts';
import type { Ctx } from '#lib/ctx.ts';
import { beginLater, continueRun, defineJob, type Job, runJobs } from '#lib/jobs/engine.ts';
import { listJobs } from '#lib/jobs/list-jobs.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { rowsOf } from '#tests/support/rows.ts';

const BUDGET_MS = 1_000;

// Connections keep the method that they were made with.
const query = vi.spyOn(pg.Client.prototype, 'query');
let database: FreshDatabase;
let messages: QueueMessage[];
let ctx: TestCtx;
beforeAll(async () => {
  applyEnv(testEnv({ SLICE_BUDGET_MS: '20000' }));
  database = await freshDatabase({ maxConnections: 10 });
});
afterAll(() => database?.close());
beforeEach(async () => {
  await database.db.execute(sql`truncate leases, job_runs, job_schedules`);
  messages = [];
  const queue = { publish: async (given: readonly QueueMessage[]) => void messages.push(...given) };
  ctx = testCtx({ db: database.db, overrides: { queue: queue as unknown as TestCtx['queue'] } });
});

type Settings = Partial<Pick<Job, 'schedule' | 'leaseSeconds'>>;
const job = <Done extends object>(name: string, run: Job<Done, never>['run'], settings: Settings = {}) =>
  defineJob<Done>({ name, schedule: 'every slice', budgetMs: BUDGET_MS, leaseSeconds: 15, run, ...settings });
const idle = (name: string, settings: Settings = {}) => job(name, async () => ({ hasRun: true }), settings);
const failing = (name: string, message: string) =>
  job(name, async () => {
    throw new Error(message);
  });
const ranOf = async (known: Job, isScheduled = false) => (await runJobs(ctx, { jobs: [known], isScheduled })).of(known);

const runOf = async (name: string) => {
  const [row] = await rowsOf(database.db, 'jobRuns', { name });
  return row;
};
const holderOf = async (name: string) => {
  const [row] = await rowsOf(database.db, 'leases', { name });
  return row?.holder ?? null;
};
const expireLeases = () => database.db.execute(sql`update leases set leased_until = now() - interval '1 second'`);
/** What a worker leaves that dies at once. */
const dieWith = (name: string) => beginJobs(database.db, 'req_dead', [{ name, leaseSeconds: 15, everySeconds: null }]);

describe('two workers', () => {
  test('never run the same job at once', async () => {
    let atWork = 0;
    let most = 0;
    const busy = job('busy', async () => {
      atWork += 1;
      most = Math.max(most, atWork);
      await database.db.execute(sql`select pg_sleep(0.02)`);
      atWork -= 1;
      return { hasRun: true };
    });
    const ran = await Promise.all(Array.from({ length: 20 }, () => ranOf(busy)));
    expect(most).toBe(1);
    expect(ran.filter((done) => done !== null).length).toBeGreaterThan(0);
  });

  test('with the same jobs do each of them, and wait for nobody', async () => {
    const jobs = ['a', 'b', 'c', 'd'].map((name) => idle(name));
    const calls = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        runJobs(ctx, { name: 'call', jobs: n % 2 === 0 ? jobs : jobs.toReversed() }),
      ),
    );
    for (const known of jobs) expect(calls.some((results) => results.of(known) !== null)).toBe(true);
    expect(calls.flatMap(({ faults }) => faults)).toEqual([]);
    const { rows } = await database.db.execute(sql`select from leases where holder is not null`);
    expect(rows).toEqual([]);
  });

  test('share a call: a job that has ended is free for the other while the next one still runs', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const long = job('long', async () => {
      await released;
      return {};
    });
    const short = idle('short');
    const call = runJobs(ctx, { jobs: [short, long] });
    await expect.poll(() => holderOf('long')).not.toBeNull();
    await expect.poll(() => ranOf(short), { timeout: 5_000 }).toEqual({ hasRun: true });
    expect(await ranOf(long)).toBeNull();
    release();
    await call;
  });
});

describe('a job that hangs', () => {
  test('keeps no other worker from the jobs that wait for it, and they are not done twice', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const hung = job('hung', async () => {
      await released;
      return {};
    });
    let runs = 0;
    const waiting = job(
      'waiting',
      async () => {
        runs += 1;
        return { hasRun: true };
      },
      { leaseSeconds: 2 },
    );
    const call = runJobs(ctx, { jobs: [hung, waiting] });
    await expect.poll(() => holderOf('waiting')).not.toBeNull();
    await expect.poll(() => ranOf(waiting), { timeout: 20_000, interval: 250 }).toEqual({ hasRun: true });
    expect(await ranOf(hung)).toBeNull();
    release();
    expect((await call).of(waiting)).toBeNull();
    expect(runs).toBe(1);
  });
});

test('a lease that could not be renewed is lost when its time is over', async () => {
  const seen: boolean[] = [];
  await ranOf(
    job('work', async (_, { isLost }) => {
      seen.push(isLost());
      const clock = vi.spyOn(performance, 'now').mockReturnValue(performance.now() + 15_000);
      seen.push(isLost());
      clock.mockRestore();
      return {};
    }),
  );
  expect(seen).toEqual([false, true]);
});

describe('a worker that dies', () => {
  test('keeps its job only until its lease has run out', async () => {
    const known = idle('work');
    await dieWith('work');
    expect(await ranOf(known)).toBeNull();
    await expireLeases();
    expect((await listJobs(ctx)).jobs.find(({ name }) => name === 'work')).toMatchObject({ state: 'broken_off' });
    expect(await ranOf(known)).toEqual({ hasRun: true });
    expect((await listJobs(ctx)).jobs.find(({ name }) => name === 'work')).toMatchObject({
      state: 'idle',
      holder: null,
    });
  });

  test('keeps nobody from other jobs', async () => {
    const other = idle('other');
    await dieWith('work');
    expect((await runJobs(ctx, { jobs: [idle('work'), other] })).of(other)).toEqual({ hasRun: true });
  });

  test('and was only stopped learns that another has its job, and takes nothing from that one', async () => {
    const seen: boolean[] = [];
    const stopped = job(
      'work',
      async (_, { stillMine, isLost }) => {
        seen.push(await stillMine());
        await database.db.execute(sql`update leases set holder = 'req_other' where name = 'work'`);
        await expect.poll(isLost, { timeout: 5_000 }).toBe(true);
        seen.push(await stillMine());
        return {};
      },
      { leaseSeconds: 2 },
    );
    await runJobs(ctx, { jobs: [stopped] });
    expect(seen).toEqual([true, false]);
    expect(await holderOf('work')).toBe('req_other');
  });
});

test('a job whose lease was lost before its turn is left to the worker that has it', async () => {
  const untilOf = async (name: string) =>
    (await rowsOf(database.db, 'leases', { name }))[0]?.leasedUntil?.getTime() ?? 0;
  const first = job(
    'first',
    async () => {
      const before = await untilOf('first');
      await database.db.execute(sql`update leases set holder = 'req_other' where name = 'second'`);
      await expect.poll(() => untilOf('first'), { timeout: 5_000 }).toBeGreaterThan(before);
      await expect.poll(() => untilOf('first'), { timeout: 5_000 }).toBeGreaterThan(await untilOf('first'));
      return {};
    },
    { leaseSeconds: 2 },
  );
  const second = idle('second');
  expect((await runJobs(ctx, { jobs: [first, second] })).of(second)).toBeNull();
  expect(await holderOf('second')).toBe('req_other');
});

describe('a time budget', () => {
  test('begins with its job, whatever the jobs before it took', async () => {
    const left: number[] = [];
    const slow = job('slow', async (given, { deadlineMs }) => {
      left.push(deadlineMs - given.clock.nowMs());
      ctx.clock.advance(60_000);
      return {};
    });
    const next = job('next', async (given, { deadlineMs }) => {
      left.push(deadlineMs - given.clock.nowMs());
      return {};
    });
    await runJobs(ctx, { jobs: [slow, next] });
    expect(left).toEqual([BUDGET_MS, BUDGET_MS]);
  });

  test('that was overrun is noted, and shown to operators', async () => {
    const slow = job('slow', async () => {
      ctx.clock.advance(BUDGET_MS + 5_000);
      return {};
    });
    await runJobs(ctx, { jobs: [slow, idle('quick')] });
    const { jobs } = await listJobs(ctx);
    expect(jobs.find(({ name }) => name === 'slow')).toMatchObject({
      state: 'idle',
      last_overrun: { at: expect.any(String), took_ms: BUDGET_MS + 5_000 },
    });
    expect(jobs.find(({ name }) => name === 'quick')).toMatchObject({ last_overrun: null });
  });
});

describe('a fault', () => {
  test('of one job is reported and noted without secrets, and the next job runs', async () => {
    const [bad, good] = [failing('bad', 'no luck with sEdTM1uX8pu2do5XvTnutH6HsouMaM2'), idle('good')];
    const results = await runJobs(ctx, { name: 'call', jobs: [bad, good] });
    expect(results.faults).toEqual(['bad']);
    expect(results.of(good)).toEqual({ hasRun: true });
    expect(() => results.orThrow(bad)).toThrow('no luck');
    expect(await runOf('bad')).toMatchObject({ lastFault: 'no luck with [redacted]' });
    expect(await runOf('call')).toMatchObject({ lastFault: 'bad' });
    expect(await runOf('good')).toMatchObject({ lastFault: null });
  });

  test('within a job is reported beside what it did', async () => {
    const partly = job('partly', async () => ({ hasRun: true, faults: ['one of three'] }));
    const results = await runJobs(ctx, { jobs: [partly] });
    expect(results.faults).toEqual(['one of three']);
    expect(results.of(partly)).toMatchObject({ hasRun: true });
    expect(await runOf('partly')).toMatchObject({ lastFault: 'one of three' });
  });

  test('of a job without a lease is noted, although another call has begun it meanwhile', async () => {
    let runs = 0;
    const free = job(
      'free',
      async () => {
        runs += 1;
        if (runs > 1) return {};
        await ranOf(free);
        throw new Error('of the first');
      },
      { leaseSeconds: null },
    );
    await runJobs(ctx, { jobs: [free] });
    expect(runs).toBe(2);
    expect(await runOf('free')).toMatchObject({ lastFault: 'of the first' });
  });

  test('of a job that has given its lease to a successor is noted', async () => {
    const early = job('early', async (_, { release }) => {
      await release();
      expect(await ranOf(idle('early'))).toEqual({ hasRun: true });
      throw new Error('after it');
    });
    await runJobs(ctx, { jobs: [early] });
    expect(await runOf('early')).toMatchObject({ lastFault: 'after it' });
  });

  test('that the database did not take at first is noted with the next end', async () => {
    let statements = 0;
    const db = Object.create(database.db, {
      execute: {
        value: (query: SQL) => {
          statements += 1;
          if (statements === 2) throw new Error('no database for a moment');
          return database.db.execute(query);
        },
      },
    });
    const waiting = job('waiting', async () => {
      await expect.poll(() => statements).toBe(2);
      return {};
    });
    await runJobs({ ...ctx, redis: ctx.redis, log: ctx.log, db }, { jobs: [failing('bad', 'once'), waiting] });
    expect(await runOf('bad')).toMatchObject({ lastFault: 'once', finishedAt: expect.any(Date) });
    expect(await holderOf('bad')).toBeNull();
  });

  test('of the database stops the jobs that hold a lease, and no other', async () => {
    const away = {
      ...ctx,
      redis: ctx.redis,
      log: ctx.log,
      get db(): never {
        throw new Error('no database');
      },
    };
    const [leased, free] = [idle('leased'), idle('free', { leaseSeconds: null })];
    const results = await runJobs(away, { jobs: [leased, free] });
    expect(results.faults).toEqual(['leased']);
    expect(results.of(free)).toEqual({ hasRun: true });
  });
});

test('a call says that it passed a job over, which another call may have done too early', async () => {
  const [held, free] = [idle('held'), idle('free')];
  expect((await runJobs(ctx, { jobs: [held, free] })).passedOver).toBe(false);
  await dieWith('held');
  expect((await runJobs(ctx, { jobs: [free] })).passedOver).toBe(false);
  expect((await runJobs(ctx, { jobs: [held, free] })).passedOver).toBe(true);
});

describe('a schedule', () => {
  test('of so many seconds begins a job once in them, however many ask', async () => {
    const rare = idle('rare', { schedule: { everySeconds: 60 } });
    const ran = await Promise.all(Array.from({ length: 10 }, () => ranOf(rare)));
    expect(ran.filter((done) => done !== null)).toHaveLength(1);
    await database.db.execute(sql`update job_schedules set due_at = due_at - interval '60 seconds'`);
    expect(await ranOf(rare)).toEqual({ hasRun: true });
    expect(await ranOf(rare)).toBeNull();
  });

  test('keeps the turn of a job that another worker has', async () => {
    const rare = idle('rare', { schedule: { everySeconds: 60 } });
    await dieWith('rare');
    expect(await ranOf(rare)).toBeNull();
    await expireLeases();
    expect(await ranOf(rare)).toEqual({ hasRun: true });
  });

  test('of the cron’s calls passes all others over', async () => {
    const daily = idle('daily', { schedule: 'every cron call' });
    expect(await ranOf(daily)).toBeNull();
    expect(await ranOf(daily, true)).toEqual({ hasRun: true });
  });
});

describe('a run of several slices', () => {
  const cursor = z.strictObject({ upTo: z.int() });
  const counted: number[] = [];
  let failures = 0;
  const counting = defineJob<object, z.output<typeof cursor>>({
    name: 'counting',
    schedule: 'every slice',
    budgetMs: BUDGET_MS,
    leaseSeconds: 120,
    cursor,
    async run(_, slice) {
      const upTo = slice.cursor?.upTo ?? 0;
      if (failures > 0) {
        failures -= 1;
        throw new Error('for once');
      }
      counted.push(upTo);
      return { next: upTo === 3 ? null : { cursor: { upTo: upTo + 1 } } };
    },
  });
  type Body = { run: string; slice: number; cursor: unknown };
  const nextMessage = () => messages.shift()?.body as Body;
  beforeEach(() => {
    counted.length = 0;
    failures = 0;
  });

  test('goes on by queue messages where it stopped, keeps its lease between them, and gives it back at its end', async () => {
    expect((await runJobs(ctx, { jobs: [counting] })).orThrow(counting)).toMatchObject({ goesOn: true });
    for (const goesOn of [true, true, false]) {
      expect(await holderOf('counting')).not.toBeNull();
      expect(await ranOf(counting)).toBeNull();
      expect(await continueRun(ctx, counting, nextMessage())).toBe(goesOn);
    }
    expect(counted).toEqual([0, 1, 2, 3]);
    expect(messages).toEqual([]);
    expect(await holderOf('counting')).toBeNull();
  });

  test('does nothing for a message that comes again, also at the same time', async () => {
    await runJobs(ctx, { jobs: [counting] });
    const message = nextMessage();
    const answers = await Promise.all([1, 2, 3, 4].map(() => continueRun(ctx, counting, message)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await continueRun(ctx, counting, message)).toBe(false);
    expect(counted).toEqual([0, 1]);
    expect(messages).toHaveLength(1);
  });

  test('that fails is taken up by its message when that comes again', async () => {
    await runJobs(ctx, { jobs: [counting] });
    const message = nextMessage();
    failures = 1;
    await expect(continueRun(ctx, counting, message)).rejects.toThrow('for once');
    expect(await runOf('counting')).toMatchObject({ lastFault: 'for once' });
    expect(await ranOf(counting)).toBeNull();
    expect(await continueRun(ctx, counting, message)).toBe(true);
    expect(counted).toEqual([0, 1]);
  });

  test('that another run has replaced ends', async () => {
    await runJobs(ctx, { jobs: [counting] });
    const message = nextMessage();
    await expireLeases();
    await runJobs(ctx, { jobs: [counting] });
    expect(await continueRun(ctx, counting, message)).toBe(false);
    expect(counted).toEqual([0, 0]);
  });

  test('ends with a fault when the queue takes no message for its next slice', async () => {
    const refusing = { publish: () => Promise.reject(new Error('refused')) };
    ctx = { ...ctx, queue: refusing as unknown as TestCtx['queue'] };
    expect((await runJobs(ctx, { jobs: [counting] })).orThrow(counting)).toMatchObject({ goesOn: false });
    expect(await holderOf('counting')).toBeNull();
    expect(await runOf('counting')).toMatchObject({
      lastFault: 'The queue did not take the next slice: the run ends here',
    });
  });

  test('keeps the lease of its next slice, when the queue takes its message and answers too late', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let next: Promise<boolean> | undefined;
    const late = {
      publish: async (given: readonly QueueMessage[]) => {
        if (next !== undefined) return;
        next = continueRun(ctx, waiting, given[0]?.body as Body);
        await expect.poll(() => counted).toEqual([0, 1]);
        throw new Error('QStash did not answer within 5 s');
      },
    };
    const waiting = {
      ...counting,
      run: async (given: Ctx, slice: Parameters<typeof counting.run>[1]) => {
        const done = await counting.run(given, slice);
        if (slice.cursor !== null) await released;
        return done;
      },
    };
    ctx = { ...ctx, queue: late as unknown as TestCtx['queue'] };
    expect((await runJobs(ctx, { jobs: [waiting] })).orThrow(waiting)).toMatchObject({ goesOn: false });
    expect(await holderOf('counting')).not.toBeNull();
    expect(await ranOf(waiting)).toBeNull();
    release();
    expect(await next).toBe(true);
  });

  test('keeps that lease also when both slices write at the same moment', async () => {
    await beginJobs(database.db, 'req_1', [{ name: 'counting', leaseSeconds: 15, everySeconds: null }]);
    const ended = { name: 'counting', slice: 1, goesOn: false, fault: null, overranMs: null };
    let ending: Promise<void> | undefined;
    await database.db.transaction(async (tx) => {
      expect(await beginNextSlice(tx, { name: 'counting', run: 'req_1', slice: 1 }, 15)).toBe(true);
      ending = endJobs(database.db, 'req_1', [ended]);
      await expect
        .poll(async () => (await database.db.execute(sql`select from pg_locks where not granted`)).rows.length)
        .toBeGreaterThan(0);
    });
    await ending;
    expect(await holderOf('counting')).toBe('req_1');
    expect(await runOf('counting')).toMatchObject({ slice: 2, finishedAt: null });
  });

  test('has others beside it where the job has many runs', async () => {
    const many = { ...counting, hasManyRuns: true };
    expect(await beginLater(ctx, many, 'run_1', { upTo: 2 })).toBe(true);
    expect(await beginLater(ctx, many, 'run_2', { upTo: 3 })).toBe(true);
    expect(await beginLater(ctx, many, 'run_1', { upTo: 2 })).toBe(false);
    expect(await continueRun(ctx, many, nextMessage())).toBe(true);
    expect(await continueRun(ctx, many, nextMessage())).toBe(false);
    expect(counted).toEqual([2, 3]);
    expect((await listJobs(ctx)).leases.map(({ name, state }) => [name, state])).toEqual([
      ['counting:run_2', 'idle'],
      ['counting:run_1', 'running'],
    ]);
  });
});

test('the rows of a run go a week after its end; those of jobs, of accounts and of runs under way stay', async () => {
  const run = (name: string) => beginJobs(database.db, `req_${name}`, [{ name, leaseSeconds: 15, everySeconds: null }]);
  const ended = { slice: 1, goesOn: false, fault: null, overranMs: null };
  for (const name of ['counting', 'counting:old', 'counting:new', 'counting:slow']) await run(name);
  for (const name of ['counting', 'counting:old', 'counting:new'])
    await endJobs(database.db, `req_${name}`, [{ name, ...ended }]);
  await database.db.execute(sql`insert into leases (name, last_finished_at) values ('signer:r1', now())`);
  await database.db.execute(sql`
    update leases set last_finished_at = now() - interval '8 days' where name <> 'counting:new'`);
  await pruneRuns(database.db);
  const left = async (table: 'leases' | 'jobRuns') =>
    (await rowsOf(database.db, table)).map(({ name }) => name).toSorted();
  expect(await left('leases')).toEqual(['counting', 'counting:new', 'counting:slow', 'signer:r1']);
  expect(await left('jobRuns')).toEqual(['counting', 'counting:new', 'counting:slow']);
});

test('a call of any number of quick jobs takes two statements: one begins them, one ends them', async () => {
  const jobs = Array.from({ length: 15 }, (_, n) => idle(`job-${n}`));
  await runJobs(ctx, { name: 'call', jobs });
  query.mockClear();
  await runJobs(ctx, { name: 'call', jobs });
  expect(query).toHaveBeenCalledTimes(2);
});
