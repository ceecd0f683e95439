import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { applyEnv } from '#lib/base/env.ts';
import { logger } from '#lib/base/log.ts';
import type { QueueMessage } from '#lib/base/queue.ts';
import type { Ctx } from '#lib/ctx.ts';
import { continueRun, defineJob, type Job, runJobs } from '#lib/jobs/engine.ts';
import { TestClock, testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';

/**
 * Random histories of calls, crashes, stopped processes, late answers of the queue and clocks that step. The database is
 * real. Time is the history's: the database's rows age, and the timers of processes run, when it says so.
 */
const RUNS = 40;
const LEASE_SECONDS = 20;
/** A lease ends between two of these steps, never near one: the database's own clock goes on a little meanwhile. */
const STEP_SECONDS = 7;
const JUMP_SECONDS = 30;
/** More than a job may be late before it is given up, and its lease. */
const HANGING_STEPS = 13;
const PERIOD_SECONDS = 60;
const LAST_CURSOR = 2;
/** What the engine itself notes of such a run. */
const LOST_SLICE = 'The queue did not take the next slice: the run ends here';
/** Which of the jobs below a call has, by bits. */
const ALL = 0b11111;
const ONLY_CHAIN = 0b00100;

let database: FreshDatabase;
beforeAll(async () => {
  applyEnv(testEnv({ SLICE_BUDGET_MS: '20000' }));
  database = await freshDatabase({ maxConnections: 10 });
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
});
afterAll(async () => {
  vi.useRealTimers();
  await database?.close();
});

const VERDICTS = ['end', 'more', 'fail', 'release'] as const;
type Verdict = (typeof VERDICTS)[number];
const QUEUE_ANSWERS = ['taken', 'late', 'refused', 'late'] as const;

/** A process at a call: what it asks of the database and of the queue goes through here. */
interface Process {
  ctx: Ctx;
  /** Stopped, or dead: nothing of it reaches the database. */
  isCut: boolean;
  wasCut: boolean;
  isDead: boolean;
  isDone: boolean;
}

/** A job at work. */
interface Execution {
  process: Process;
  name: string;
  run: string;
  isLost: () => boolean;
  hasReleased: boolean;
  gate: PromiseWithResolvers<Verdict>;
}

type Body = { job: string; run: string; slice: number; cursor: unknown };
type Slice = Parameters<Job['run']>[1];

class World {
  readonly clock = new TestClock();
  readonly processes: Process[] = [];
  readonly executions = new Set<Execution>();
  readonly sent = new Map<string, Body>();
  /** Messages that the queue has still to bring. */
  readonly waiting = new Set<string>();
  readonly lateAnswers: { process: Process; answer: PromiseWithResolvers<void> }[] = [];
  readonly ran: string[] = [];
  readonly faults: { process: Process; name: string; fault: string }[] = [];
  /** A run of the chain ended because its next slice did not reach the queue. */
  hasLostSlice = false;
  readonly completed = new Set<string>();
  readonly wrong: string[] = [];
  queueAnswer: (typeof QUEUE_ANSWERS)[number] = 'taken';
  #statements = 0;

  readonly jobs = {
    first: this.#job('first', 'every slice', LEASE_SECONDS),
    periodic: this.#job('periodic', { everySeconds: PERIOD_SECONDS }, LEASE_SECONDS),
    chain: defineJob<object, number>({
      ...this.#job('chain', 'every slice', LEASE_SECONDS),
      cursor: z.int(),
      run: (ctx, slice) => this.#work('chain', ctx, slice),
    }),
    unleased: this.#job('unleased', 'every slice', null),
    last: this.#job('last', 'every slice', LEASE_SECONDS),
  };

  #job(name: string, schedule: Job['schedule'], leaseSeconds: number | null): Job {
    const run: Job['run'] = (ctx, slice) => this.#work(name, ctx, slice);
    return defineJob({ name, schedule, budgetMs: 1_000, leaseSeconds, run });
  }

  async #work(name: string, ctx: Ctx, slice: Slice): Promise<object> {
    const process = this.processes.find((each) => each.ctx === ctx);
    if (process === undefined || process.isDead) return {};
    const { run, isLost } = slice;
    this.ran.push(name);
    const execution = { process, name, run, isLost, hasReleased: false, gate: Promise.withResolvers<Verdict>() };
    this.executions.add(execution);
    this.check();
    let verdict = await execution.gate.promise;
    if (verdict === 'release' && name !== 'chain' && !process.isDead) {
      execution.hasReleased = true;
      execution.gate = Promise.withResolvers();
      await slice.release().catch(() => undefined);
      verdict = await execution.gate.promise;
    }
    this.executions.delete(execution);
    if (process.isDead) throw new Error('died');
    if (verdict === 'fail') {
      const fault = `fault ${this.faults.length}`;
      this.faults.push({ process, name, fault });
      throw new Error(fault);
    }
    if (name !== 'chain') return { more: verdict === 'more' };
    const cursor = (slice.cursor as number | null) ?? 0;
    const step = `${run} at ${cursor}`;
    if (this.completed.has(step)) this.wrong.push(`${step} was done twice`);
    this.completed.add(step);
    return { next: cursor < LAST_CURSOR ? { cursor: cursor + 1 } : null };
  }

  /** No job is in the hands of two processes that take it to be theirs. */
  check(): void {
    const atWork = [...this.executions].filter(
      ({ name, hasReleased, isLost, process }) => name !== 'unleased' && !hasReleased && !process.isDead && !isLost(),
    );
    const names = atWork.map(({ name }) => name);
    const twice = names.find((name, n) => names.indexOf(name) !== n);
    if (twice !== undefined) this.wrong.push(`${twice} is done by two at once`);
  }

  begin(work: (ctx: Ctx) => Promise<unknown>): Process {
    const process = { isCut: false, wasCut: false, isDead: false, isDone: false } as Process;
    const execute = async (query: Parameters<typeof database.db.execute>[0]) => {
      if (process.isCut) throw new Error('no database');
      this.#statements += 1;
      try {
        return await database.db.execute(query);
      } finally {
        this.#statements -= 1;
      }
    };
    const publish = (messages: readonly QueueMessage[]) => this.#publish(process, messages);
    const log = { ...logger(), warn: () => undefined, error: () => undefined } as unknown as Ctx['log'];
    process.ctx = testCtx({
      db: { execute } as unknown as Ctx['db'],
      overrides: { clock: this.clock, queue: { publish } as unknown as Ctx['queue'], log },
    });
    this.processes.push(process);
    void work(process.ctx)
      .catch(() => undefined)
      .finally(() => {
        process.isDone = true;
      });
    return process;
  }

  async #publish(process: Process, messages: readonly QueueMessage[]): Promise<void> {
    if (process.isCut || this.queueAnswer === 'refused') {
      this.hasLostSlice = true;
      throw new Error('no queue');
    }
    for (const { deduplicationId = '', body } of messages) {
      if (this.sent.has(deduplicationId)) continue;
      this.sent.set(deduplicationId, body as Body);
      this.waiting.add(deduplicationId);
    }
    if (this.queueAnswer !== 'late') return;
    const answer = Promise.withResolvers<void>();
    this.lateAnswers.push({ process, answer });
    await answer.promise;
    this.hasLostSlice = true;
    throw new Error('QStash did not answer within 5 s');
  }

  call(jobs: readonly Job[]): Process {
    return this.begin((ctx) => runJobs(ctx, { name: 'call', jobs }));
  }

  /** As the queue does it: a message that fails comes again. */
  deliver(id: string | undefined): void {
    const body = this.sent.get(id ?? '');
    if (id === undefined || body === undefined) return;
    this.begin(async (ctx) => {
      this.waiting.delete(id);
      await continueRun(ctx, this.jobs.chain, body).catch(() => this.waiting.add(id));
    });
  }

  kill(process: Process): void {
    Object.assign(process, { isCut: true, wasCut: true, isDead: true });
    for (const execution of this.executions) if (execution.process === process) execution.gate.resolve('fail');
    this.answerLate(process);
  }

  answerLate(process?: Process): void {
    for (const late of this.lateAnswers) if (process === undefined || late.process === process) late.answer.resolve();
  }

  async pass(seconds: number): Promise<void> {
    const by = sql`make_interval(secs => ${seconds}::integer)`;
    await database.db.execute(sql`
      with aged as (update job_schedules set due_at = due_at - ${by}),
      older as (update job_runs set started_at = started_at - ${by}, finished_at = finished_at - ${by})
      update leases set leased_until = leased_until - ${by}`);
    this.clock.advance(seconds * 1_000);
    vi.advanceTimersByTime(seconds * 1_000);
    await this.settle();
  }

  /** Until every process waits for the history, or has ended. */
  async settle(): Promise<void> {
    for (let quietTurns = 0; quietTurns < 4; ) {
      await nextTurn();
      quietTurns = this.#statements === 0 ? quietTurns + 1 : 0;
    }
    this.check();
  }

  async endAll(): Promise<void> {
    this.queueAnswer = 'taken';
    for (const process of this.processes) if (!process.isDead) process.isCut = false;
    do {
      this.answerLate();
      for (const id of this.waiting) this.deliver(id);
      await this.settle();
      for (const { gate } of this.executions) gate.resolve('end');
      await this.settle();
    } while (this.waiting.size + this.executions.size > 0);
  }
}

const which = fc.nat(2);
const command = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant('call'), jobs: fc.constantFrom(ALL, ONLY_CHAIN) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('resolve'),
      which,
      verdict: fc.constantFrom(...VERDICTS),
      answer: fc.constantFrom(...QUEUE_ANSWERS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('deliver'), which }) },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('pass'), seconds: fc.constantFrom(STEP_SECONDS, JUMP_SECONDS) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom('kill', 'stop', 'stop', 'resume'), which }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('answer late') }) },
);
type Command = typeof command extends fc.Arbitrary<infer Each> ? Each : never;

/** One of them, the newest first. */
const pick = <Each>(from: Iterable<Each>, which: number): Each | undefined => [...from].at(-1 - which);

async function perform(world: World, given: Command): Promise<void> {
  if ('jobs' in given) world.call(Object.values(world.jobs).filter((_, n) => (given.jobs >> n) % 2 === 1));
  else if ('seconds' in given) await world.pass(given.seconds);
  else if ('verdict' in given) {
    world.queueAnswer = given.answer;
    pick(world.executions, given.which)?.gate.resolve(given.verdict);
  } else if (given.do === 'deliver') world.deliver(pick(world.sent.keys(), given.which));
  else if (given.do === 'answer late') world.answerLate();
  else {
    const process = pick(
      world.processes.filter(({ isDead, isDone }) => !isDead && !isDone),
      given.which,
    );
    if (process === undefined) return;
    if (given.do === 'kill') world.kill(process);
    else Object.assign(process, { isCut: given.do === 'stop', wasCut: true });
  }
}

const rows = async (query: ReturnType<typeof sql>) => (await database.db.execute(query)).rows;

test('whatever happens to processes, queue and clocks, no job is done by two, none is lost, and every end is noted', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(command, fc.boolean()), { minLength: 15, maxLength: 25 }),
      fc.boolean(),
      async (commands, hang) => {
        await database.db.execute(
          sql`with a as (delete from leases), b as (delete from job_schedules) delete from job_runs`,
        );
        const world = new World();
        const all = Object.values(world.jobs);
        for (const [given, settles] of commands) {
          await perform(world, given);
          if (settles) await world.settle();
        }
        await world.settle();
        world.queueAnswer = 'taken';
        if (hang) {
          // All that is at work hangs, and its processes live: others do every job in the end.
          for (let steps = 0; steps < HANGING_STEPS; steps++) await world.pass(STEP_SECONDS);
        } else {
          await world.endAll();
          await world.pass(PERIOD_SECONDS + LEASE_SECONDS);
        }
        world.ran.length = 0;
        const finalCall = world.call(all);
        do {
          await world.settle();
          for (const { process, gate } of world.executions) if (process === finalCall) gate.resolve('end');
        } while (!finalCall.isDone);
        expect(world.ran).toEqual(all.map(({ name }) => name));
        await world.endAll();
        expect(world.wrong).toEqual([]);
        expect(
          await rows(sql`select name, holder from leases where holder is not null and leased_until > now()`),
        ).toEqual([]);
        expect(
          await rows(sql`select name from job_runs where finished_at < started_at or finished_at is null`),
        ).toEqual([]);
        for (const { name } of world.faults.filter(({ process }) => !process.wasCut)) {
          const [row] = await rows(sql`select last_fault from job_runs where name = ${name}`);
          const told = world.faults.map(({ fault }) => fault);
          expect(name === 'chain' && world.hasLostSlice ? [...told, LOST_SLICE] : told).toContain(row?.last_fault);
        }
      },
    ),
    { numRuns: RUNS },
  );
});
