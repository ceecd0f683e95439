import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { Order, Strike, Told } from './strike.ts';

const CONTINUE_EVERY_MS = 50;
/** A task takes no longer on the slowest machine. */
const HANGS_AFTER_MS = 60_000;

/** How a task of a process ended. */
export type TaskEnd<Result> =
  | { kind: 'done'; result: Result }
  | { kind: 'killed' }
  /** Stopped at an edge; `goOn` continues it and gives how the task ended after all. */
  | { kind: 'stopped'; goOn(): Promise<TaskEnd<Result>> };

/** One process of the app. */
export class Worker {
  readonly #child: ChildProcess;
  readonly #port: Promise<number | null>;
  #strike: Strike | null = null;
  #isStopped = false;
  #wasKilled = false;
  #goingOn: NodeJS.Timeout | undefined;
  #readyPort: number | null = null;

  constructor(script: string, settings: Record<string, string | undefined> | null) {
    const env = { ...process.env, NODE_COMPILE_CACHE: path.join(path.dirname(script), 'compiled') };
    this.#child = fork(script, [], { env, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    const { promise, resolve } = Promise.withResolvers<number | null>();
    this.#port = promise;
    // Killed before it was up, it will never say so.
    this.#child.on('exit', () => resolve(null));
    this.#child.on('message', (told: Told) => {
      if (told.kind === 'ready') {
        this.#readyPort = told.port;
        resolve(told.port);
      }
      if (told.kind === 'continued') this.#endGoingOn();
      if (told.kind !== 'struck') return;
      this.#strike = told.strike;
      this.#isStopped = told.strike.signal === 'SIGSTOP';
    });
    if (settings !== null) this.#order({ kind: 'settings', settings });
  }

  /** Null when it ended before it listened. */
  get port(): Promise<number | null> {
    return this.#port;
  }

  /** Null while it is only starting. */
  get readyPort(): number | null {
    return this.#readyPort;
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** True when it ended by itself, and not because it was killed. */
  get crashed(): boolean {
    return this.#child.exitCode !== null;
  }

  /** True while it hangs. */
  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** What it was told to die of, if anything. */
  get armedWith(): Strike | null {
    return this.#strike;
  }

  /** Of several, it dies of the one whose step it comes to first. */
  arm(...strikes: readonly Strike[]): void {
    this.#strike = strikes[0] ?? null;
    this.#order({ kind: 'strike', strikes });
  }

  /** From now on its clock is off by so much. */
  setClock(offsetMs: number): void {
    this.#order({ kind: 'clock', offsetMs });
  }

  /** True once it was killed from outside. */
  get wasKilled(): boolean {
    return this.#wasKilled;
  }

  kill(): void {
    this.#wasKilled = true;
    this.#child.kill('SIGKILL');
  }

  /**
   * Lets a stopped process go on. It said that it would stop a moment before it did, and on a busy machine that moment is
   * long: it is told again and again, until it says that it goes on. Told any longer, it would not stop the next time.
   */
  goOn(): void {
    this.#isStopped = false;
    this.#child.kill('SIGCONT');
    if (this.#goingOn !== undefined) return;
    this.#goingOn = setInterval(() => {
      if (!this.#isStopped) this.#child.kill('SIGCONT');
    }, CONTINUE_EVERY_MS).unref();
    this.#child.once('exit', () => this.#endGoingOn());
  }

  #endGoingOn(): void {
    clearInterval(this.#goingOn);
    this.#goingOn = undefined;
  }

  /** Has it do something, and hears what it tells meanwhile. Throws when it hangs, and is killed then. */
  async perform<Result>(task: unknown, onNews: (news: unknown) => void): Promise<TaskEnd<Result>> {
    await this.#port;
    const end = this.#nextEnd<Result>(onNews);
    this.#order({ kind: 'task', task });
    return end;
  }

  #nextEnd<Result>(onNews: (news: unknown) => void): Promise<TaskEnd<Result>> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const finish = (end: TaskEnd<Result> | Error) => {
        clearTimeout(timer);
        child.off('message', hear);
        child.off('exit', onExit);
        if (end instanceof Error) reject(end);
        else resolve(end);
      };
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        finish(new Error(`A task hung for ${HANGS_AFTER_MS / 1000} s`));
      }, HANGS_AFTER_MS);
      const onExit = () => finish({ kind: 'killed' });
      const goOn = (): Promise<TaskEnd<Result>> => {
        const end = this.#nextEnd<Result>(onNews);
        this.goOn();
        return end;
      };
      const hear = (told: Told) => {
        if (told.kind === 'news') onNews(told.news);
        if (told.kind === 'done') finish({ kind: 'done', result: told.result as Result });
        if (told.kind === 'struck' && told.strike.signal === 'SIGSTOP') finish({ kind: 'stopped', goOn });
      };
      child.on('message', hear);
      child.on('exit', onExit);
      if (!this.isAlive) onExit();
    });
  }

  #order(order: Order): void {
    if (this.isAlive) this.#child.send(order, () => undefined);
  }
}

/** The processes of the app that are up, behind one address, and successors in readiness. */
export class Crew {
  readonly #script: string;
  readonly #settings: Record<string, string | undefined> | null;
  readonly #size: number;
  readonly #all = new Set<Worker>();
  #turn = 0;
  #offsetMs = 0;

  /** Without settings each task brings its own. */
  constructor(script: string, settings: Record<string, string | undefined> | null, size: number) {
    this.#script = script;
    this.#settings = settings;
    this.#size = size;
    this.refill();
  }

  /** All that are not known to have ended. */
  get workers(): readonly Worker[] {
    return [...this.#all];
  }

  /** Forgets who has ended and starts as many anew. Gives those who had ended. */
  refill(): Worker[] {
    const ended = [...this.#all].filter(({ isAlive }) => !isAlive);
    for (const worker of ended) this.#all.delete(worker);
    while (this.#all.size < this.#size) {
      const worker = new Worker(this.#script, this.#settings);
      if (this.#offsetMs !== 0) worker.setClock(this.#offsetMs);
      this.#all.add(worker);
    }
    return ended;
  }

  /** The port of the next one that answers, by turns; waits while all of them are only starting, null when none ever will. */
  async nextPort(): Promise<number | null> {
    const able = [...this.#all].filter(({ isAlive, isStopped }) => isAlive && !isStopped);
    const ready = able.flatMap(({ readyPort }) => (readyPort === null ? [] : [readyPort]));
    this.#turn += 1;
    return (
      ready[this.#turn % ready.length] ??
      (await (able.length === 0 ? null : Promise.race(able.map(({ port }) => port)))) ??
      null
    );
  }

  /** Sets the clocks of all that are up or come up later. */
  setClocks(offsetMs: number): void {
    this.#offsetMs = offsetMs;
    for (const worker of this.#all) worker.setClock(offsetMs);
  }

  end(): void {
    for (const worker of this.#all) worker.kill();
    this.#all.clear();
  }
}
