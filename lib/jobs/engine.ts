import type { z } from 'zod';
import { env } from '#lib/base/env.ts';
import { newId } from '#lib/base/ids.ts';
import {
  beginJobs,
  beginNextSlice,
  type EndedJob,
  endJobs,
  recordLastFault,
  renewLeases,
  returnSlice,
} from '#lib/base/job-rows.ts';
import { redactText } from '#lib/base/log.ts';
import { logFailure, recordAnswer } from '#lib/base/outage-log.ts';
import type { QueueMessage } from '#lib/base/queue.ts';
import type { Ctx } from '#lib/ctx.ts';

/** When a job is begun by a call that has it in its list: each time, only by the scheduler's own call, or so often at most. */
type Schedule = 'every slice' | 'every cron call' | { everySeconds: number };

/** What a job's `run` is given. */
interface Slice<Cursor> {
  /** Of ctx.clock: nothing new is begun after it. */
  deadlineMs: number;
  /** The run that the slice belongs to. */
  run: string;
  /** Where the slice before this one stopped; null in a run's first slice. */
  cursor: Cursor | null;
  /** False once another worker may have the lease: stop then. */
  stillMine(): Promise<boolean>;
  /** The same without asking the database. */
  isLost(): boolean;
  /** Gives the lease back before the run has ended, for a successor. */
  release(): Promise<void>;
}

/** What a slice tells the engine, beside what it tells its caller. */
interface SliceResult<Cursor> {
  /** Work is left that can go on at once. */
  more?: boolean;
  /** Where the next slice of this run begins, which a queue message brings; null and undefined end the run. */
  next?: { cursor: Cursor; afterSeconds?: number } | null;
  /** What failed and stopped nothing else. */
  faults?: readonly string[];
}

// biome-ignore lint/suspicious/noExplicitAny: a job of any result and any cursor.
export interface Job<Done = any, Cursor = any> {
  name: string;
  schedule: Schedule;
  /** How long a slice may take where SLICE_BUDGET_MS is 20 s; that setting scales it. */
  budgetMs: number;
  /** A worker that dies keeps the others out for this long. Null for what any number may do at once. */
  leaseSeconds: number | null;
  /** For a run of several slices: the form of its cursor. The run keeps its lease from slice to slice. */
  cursor?: z.ZodType<Cursor>;
  /** Any number of runs go on at once, each with a lease of its own. */
  hasManyRuns?: boolean;
  /** What a failure is called in the answer of the cron, where that is not the job's name. */
  faultName?: string;
  run(ctx: Ctx, slice: Slice<Cursor>): Promise<Done & SliceResult<Cursor>>;
}

/** Makes a job. See CONTRIBUTING.md, "Add a job". */
export const defineJob = <Done extends object = object, Cursor = never>(job: Job<Done, Cursor>): Job<Done, Cursor> =>
  job;

/** Where queue messages continue work. */
export const CONTINUE_PATH = '/api/queue/continue';
/** The slice for which the budgets of the jobs are given. */
const WHOLE_BUDGET_MS = 20_000;
/** A slice ends with what is under way at its deadline; one that takes longer than this beyond it is noted. */
const OVERRUN_MS = 1_000;
/** A job that is late by so much hangs: its lease is renewed no more. */
const HUNG_MS = 60_000;
/** A job that has ended keeps its lease no longer than this while the next ones run: quick ones are noted together. */
const NOTED_AFTER_MS = 500;
const LONGEST_FAULT = 300;

interface Call {
  /** Noted with its times as a job of its own, where several jobs are begun together. */
  name?: string;
  /** In the order in which they run. */
  jobs: readonly Job[];
  /** The scheduler's own call, which comes more rarely than messages of the queue. */
  isScheduled?: boolean;
  /** Of ctx.clock, in place of what the jobs' budgets say. */
  deadlineMs?: number | undefined;
}

type Result = { done: unknown; goesOn: boolean } | { error: unknown };

/** What the jobs of a call have come to. */
export class Results {
  readonly #results = new Map<string, Result>();
  /** Jobs that failed, and what failed within others, in the words of the call's answer. */
  readonly faults: string[] = [];
  /** Work is left that can go on at once. */
  more = false;
  /** Another worker has a job of this call, which may have looked for work before that was written. */
  passedOver = false;

  set(job: Job, result: Result): void {
    this.#results.set(job.name, result);
  }

  /** What the job did; null when it failed, is not due yet, or when another worker has it. */
  of<Done>(job: Job<Done>): Done | null {
    const result = this.#results.get(job.name);
    return result !== undefined && 'done' in result ? (result.done as Done) : null;
  }

  /** The same, and whether a message goes on with the run. Throws what the job threw. */
  orThrow<Done>(job: Job<Done>): { done: Done; goesOn: boolean } | null {
    const result = this.#results.get(job.name);
    if (result === undefined) return null;
    if ('error' in result) throw result.error;
    return { done: result.done as Done, goesOn: result.goesOn };
  }
}

/**
 * Runs the jobs that are due and that no other worker has, one after the other, each within a budget of its own that begins
 * with it: what one takes longer is not taken from the others. A failure is noted and logged, and the next job runs. Leases
 * are renewed while the process lives. Without a database the jobs that hold a lease fail, and the others run.
 */
export async function runJobs(ctx: Ctx, call: Call): Promise<Results> {
  const run = newId('req', ctx.random);
  const jobs = call.jobs.filter(({ schedule }) => schedule !== 'every cron call' || call.isScheduled === true);
  const askedAtMs = performance.now();
  const { slices, failure } = await begin(ctx, run, call.name, jobs);
  const begun = jobs.filter(({ name }) => slices.has(name));
  const worker = new Worker(ctx, run, begun, askedAtMs);
  for (const job of jobs) {
    if (failure !== undefined && job.leaseSeconds !== null) worker.fail(job, failure);
    else if (failure !== undefined || slices.has(job.name)) {
      await worker.run(job, { slice: slices.get(job.name) ?? 0, cursor: null, deadlineMs: call.deadlineMs });
    } else if (typeof job.schedule === 'string') worker.results.passedOver = true;
  }
  const { results } = worker;
  if (call.name !== undefined) {
    const fault = results.faults.length > 0 ? toFault(results.faults.join(', ')) : null;
    worker.note(endOf(call.name, slices.get(call.name) ?? 0, fault));
  }
  await worker.end();
  return results;
}

async function begin(
  ctx: Ctx,
  run: string,
  call: string | undefined,
  jobs: readonly Job[],
): Promise<{ slices: Map<string, number>; failure?: unknown }> {
  const wanted = jobs.map(({ name, schedule, leaseSeconds }) => ({
    name,
    leaseSeconds,
    everySeconds: typeof schedule === 'object' ? schedule.everySeconds : null,
  }));
  if (call !== undefined) wanted.push({ name: call, leaseSeconds: null, everySeconds: null });
  try {
    const slices = await beginJobs(ctx.db, run, wanted);
    recordAnswer(ctx, 'database');
    return { slices };
  } catch (failure) {
    logFailure(ctx, { err: failure }, 'jobs could not be begun');
    return { slices: new Map(), failure };
  }
}

/** What a queue message tells of the slice that it asks for. */
interface Continuation {
  run: string;
  /** The slice before it. */
  slice: number;
  cursor: unknown;
}

/**
 * The next slice of a run; gives whether the run goes on after it. A message that comes twice, or after its run has ended,
 * does nothing. Throws what the job throws, and then its message may come again.
 */
export async function continueRun(ctx: Ctx, job: Job, message: Continuation): Promise<boolean> {
  const cursor = job.cursor?.parse(message.cursor ?? null);
  const row = { name: rowName(job, message.run), run: message.run, slice: message.slice };
  const askedAtMs = performance.now();
  if (!(await beginNextSlice(ctx.db, row, job.leaseSeconds ?? 0))) return false;
  const worker = new Worker(ctx, message.run, [job], askedAtMs);
  await worker.run(job, { slice: message.slice + 1, cursor, isContinued: true });
  await worker.end();
  try {
    return worker.results.orThrow(job)?.goesOn ?? false;
  } catch (error) {
    await returnSlice(ctx.db, row);
    throw error;
  }
}

/** Begins a run by a queue message: nothing of it is done here. False when it is under way, or the queue takes no message. */
export async function beginLater<Cursor>(ctx: Ctx, job: Job<object, Cursor>, run: string, cursor: Cursor) {
  const name = rowName(job, run);
  const { leaseSeconds } = job;
  const slice = (await beginJobs(ctx.db, run, [{ name, leaseSeconds, everySeconds: null }])).get(name);
  if (slice === undefined) return false;
  const isPublished = await publishNext(ctx, job, { run, slice, cursor });
  if (!isPublished) await endJobs(ctx.db, run, [endOf(name, slice)]);
  return isPublished;
}

const endOf = (name: string, slice: number, fault: string | null = null): EndedJob => ({
  name,
  slice,
  goesOn: false,
  fault,
  overranMs: null,
});

/** Under what name a run has its lease and its record. */
const rowName = (job: Job, run: string): string => (job.hasManyRuns === true ? `${job.name}:${run}` : job.name);

const publishNext = (ctx: Ctx, { name }: Job, next: Continuation, afterSeconds?: number): Promise<boolean> =>
  publish(ctx, {
    path: CONTINUE_PATH,
    body: { job: name, ...next },
    deduplicationId: `${name}-${next.run}-${next.slice}`,
    ...(afterSeconds === undefined ? {} : { delaySeconds: afterSeconds }),
  });

/** A continuation that cannot be published is no failure of the work done: the next cron is its root. */
export async function publish(ctx: Ctx, message: QueueMessage): Promise<boolean> {
  try {
    await ctx.queue.publish([message]);
    return true;
  } catch (err) {
    ctx.log.warn({ err }, 'The next run could not be scheduled; the cron will start it');
    return false;
  }
}

function toFault(failure: unknown): string {
  const text = failure instanceof Error ? failure.message : String(failure);
  return redactText(text).slice(0, LONGEST_FAULT);
}

/** Remembers what went wrong in a job last, for operators; the log has it whole. Never throws. */
export async function recordFault(ctx: Ctx, job: string, failure: unknown): Promise<void> {
  try {
    await recordLastFault(ctx.db, job, toFault(failure));
  } catch (err) {
    logFailure(ctx, { err, job }, 'the error of a job could not be recorded', 'warn');
  }
}

interface SliceStart {
  slice: number;
  cursor: unknown;
  deadlineMs?: number | undefined;
  isContinued?: boolean;
}

/** One call at work: holds leases for as long as it lives, runs jobs, and notes how they ended. */
class Worker {
  readonly results = new Results();
  readonly #ctx: Ctx;
  readonly #run: string;
  /** Leases that are renewed. */
  readonly #held = new Map<string, { name: string; leaseSeconds: number }>();
  readonly #leaseMs = new Map<string, number>();
  readonly #lost = new Set<string>();
  readonly #renewMs: number;
  readonly #renewTimer: NodeJS.Timeout | undefined;
  /** When the last renewal that succeeded was asked for: its answer may come late, and the lease runs from before it. */
  #renewedAtMs: number;
  /** The job at work, and since when it takes longer than it may. */
  #running: { name: string; lateAtMs: number } | null = null;
  #renewing: Promise<void> = Promise.resolve();
  #ended: EndedJob[] = [];
  #noteTimer: NodeJS.Timeout | undefined;
  #noting: Promise<void> = Promise.resolve();

  /** Of `jobs` it has the leases. */
  constructor(ctx: Ctx, run: string, jobs: readonly Job[], askedAtMs: number) {
    this.#ctx = ctx;
    this.#run = run;
    this.#renewedAtMs = askedAtMs;
    for (const job of jobs) {
      const name = rowName(job, run);
      if (job.leaseSeconds === null) continue;
      this.#held.set(name, { name, leaseSeconds: job.leaseSeconds });
      this.#leaseMs.set(name, job.leaseSeconds * 1_000);
    }
    // Five times within the shortest: a dead worker keeps the others out for a few seconds, a slow database loses nothing.
    this.#renewMs = 200 * Math.min(...[...this.#held.values()].map(({ leaseSeconds }) => leaseSeconds));
    if (this.#held.size > 0) this.#renewTimer = setInterval(() => void this.#renew(), this.#renewMs).unref();
  }

  async run(job: Job, { slice, cursor, deadlineMs, isContinued = false }: SliceStart): Promise<void> {
    const ctx = this.#ctx;
    const ended = endOf(rowName(job, this.#run), slice);
    const lease = this.#leaseOf(ended.name, slice);
    // The jobs before it took long, or the process was stopped: another worker may have it by now.
    if (!(await lease.stillMine())) {
      this.results.passedOver = true;
      return;
    }
    const startedAtMs = ctx.clock.nowMs();
    const budgetMs = job.budgetMs * (env().SLICE_BUDGET_MS / WHOLE_BUDGET_MS);
    const allowedMs = deadlineMs === undefined ? budgetMs : Math.max(budgetMs, deadlineMs - startedAtMs);
    this.#running = { name: ended.name, lateAtMs: performance.now() + allowedMs + OVERRUN_MS };
    try {
      const done: SliceResult<unknown> = await job.run(ctx, {
        run: this.#run,
        cursor,
        deadlineMs: deadlineMs ?? startedAtMs + budgetMs,
        ...lease,
      });
      const { more = false, next = null, faults = [] } = done;
      if (next !== null) {
        ended.goesOn = await this.#goOn(job, { run: this.#run, slice, ...next });
        if (!ended.goesOn && !lease.isLost()) ended.fault = 'The queue did not take the next slice: the run ends here';
      }
      if (faults.length > 0) ended.fault = toFault(faults.join(', '));
      this.results.faults.push(...faults);
      this.results.more ||= more;
      this.results.set(job, { done, goesOn: ended.goesOn });
    } catch (error) {
      logFailure(ctx, { err: error, job: job.name }, 'a job failed');
      ended.fault = toFault(error);
      // A later slice is tried again by its message, and its run keeps the lease.
      ended.goesOn = isContinued;
      this.fail(job, error);
    }
    this.#running = null;
    const tookMs = ctx.clock.nowMs() - startedAtMs;
    if (tookMs > budgetMs + OVERRUN_MS) {
      ended.overranMs = Math.round(tookMs);
      ctx.log.warn({ job: job.name, took_ms: tookMs, budget_ms: budgetMs }, 'a job overran its budget');
    }
    this.#held.delete(ended.name);
    this.note(ended);
  }

  fail(job: Job, error: unknown): void {
    this.results.faults.push(job.faultName ?? job.name);
    this.results.set(job, { error });
  }

  /** Jobs that end soon after each other are noted by one statement. */
  note(ended: EndedJob): void {
    this.#ended.push(ended);
    this.#noteTimer ??= setTimeout(() => void this.#writeNotes(), NOTED_AFTER_MS).unref();
  }

  async end(): Promise<void> {
    clearInterval(this.#renewTimer);
    await this.#writeNotes();
  }

  /** Never throws: what could not be noted is noted with what follows, and a lease that is not given back runs out. */
  #writeNotes(): Promise<void> {
    clearTimeout(this.#noteTimer);
    this.#noteTimer = undefined;
    this.#noting = this.#noting.then(async () => {
      const ended = this.#ended.splice(0);
      try {
        if (ended.length > 0) await endJobs(this.#ctx.db, this.#run, ended);
      } catch (err) {
        this.#ended.unshift(...ended);
        logFailure(this.#ctx, { err }, 'the end of jobs could not be noted', 'warn');
      }
    });
    return this.#noting;
  }

  async #goOn(job: Job, { afterSeconds, ...next }: Continuation & { afterSeconds?: number }): Promise<boolean> {
    await this.#renew();
    return !this.#isLost(rowName(job, this.#run)) && publishNext(this.#ctx, job, next, afterSeconds);
  }

  #leaseOf(name: string, slice: number): Pick<Slice<unknown>, 'stillMine' | 'isLost' | 'release'> {
    return {
      isLost: () => this.#isLost(name),
      stillMine: async () => {
        // A process that was stopped for a time finds its timer late.
        if (performance.now() - this.#renewedAtMs > 2 * this.#renewMs) await this.#renew();
        return !this.#isLost(name);
      },
      release: async () => {
        this.#held.delete(name);
        await this.#renewing;
        await endJobs(this.#ctx.db, this.#run, [endOf(name, slice)]);
      },
    };
  }

  /** Also true where the database does not answer and the lease must have run out by now. */
  #isLost(name: string): boolean {
    const leaseMs = this.#leaseMs.get(name);
    return this.#lost.has(name) || (leaseMs !== undefined && performance.now() - this.#renewedAtMs >= leaseMs);
  }

  /** A job that takes too long keeps no other one: those that wait for it are left to other workers, and at last it too. */
  #leaveToOthers(): void {
    const lateMs = performance.now() - (this.#running?.lateAtMs ?? Number.POSITIVE_INFINITY);
    if (lateMs < 0) return;
    for (const name of this.#held.keys()) {
      if (name === this.#running?.name && lateMs < HUNG_MS) continue;
      this.#held.delete(name);
      this.#lost.add(name);
    }
  }

  #renew(): Promise<void> {
    this.#renewing = this.#renewing.then(async () => {
      this.#leaveToOthers();
      const askedAtMs = performance.now();
      const held = [...this.#held.values()];
      if (held.length === 0) return;
      try {
        const mine = await renewLeases(this.#ctx.db, this.#run, held);
        this.#renewedAtMs = askedAtMs;
        for (const { name } of held) if (!mine.has(name) && this.#held.delete(name)) this.#lost.add(name);
      } catch (err) {
        // The next one may succeed; a lease that ran out meanwhile is not renewed.
        logFailure(this.#ctx, { err }, 'leases could not be renewed', 'warn');
      }
    });
    return this.#renewing;
  }
}
