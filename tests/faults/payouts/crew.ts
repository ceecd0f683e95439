import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { PayoutRun } from '#lib/payouts/run-payouts.ts';
import type { Strike } from '#tests/faults/strike.ts';
import type { Order, Report } from './orders.ts';

export type SliceEnd =
  | { kind: 'done'; run: PayoutRun; faults: readonly string[] }
  | { kind: 'failed'; error: string }
  | { kind: 'killed'; strike: Strike | null }
  /** Stopped at an edge; `goOn` continues it and gives how the slice ended after all. */
  | { kind: 'stopped'; strike: Strike; goOn(): Promise<SliceEnd> };

const HANGS_AFTER_MS = 60_000;
const CONTINUE_EVERY_MS = 50;

/** One process that pays out by order. */
export class Worker {
  readonly #child: ChildProcess;
  readonly #ready: Promise<unknown>;
  readonly #onLate: { call: (blob: string, ledgers: number) => void } = { call: () => undefined };

  constructor(script: string) {
    this.#child = fork(script, [], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    // Killed before it was up, it will never say so.
    this.#ready = Promise.race([once(this.#child, 'message'), once(this.#child, 'exit')]);
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  kill(): void {
    this.#child.kill('SIGKILL');
  }

  async slice(order: Order, onLate: (blob: string, ledgers: number) => void): Promise<SliceEnd> {
    await this.#ready;
    this.#onLate.call = onLate;
    const end = this.#nextEnd();
    if (this.isAlive) this.#child.send(order);
    return end;
  }

  #nextEnd(): Promise<SliceEnd> {
    const child = this.#child;
    return new Promise((resolve, reject) => {
      let strike: Strike | null = null;
      const timer = setTimeout(() => {
        child.kill('SIGKILL');
        reject(new Error(`A slice hung for ${HANGS_AFTER_MS / 1000} s`));
      }, HANGS_AFTER_MS);
      const finish = (end: SliceEnd) => {
        clearTimeout(timer);
        child.off('message', hear);
        child.off('exit', onExit);
        resolve(end);
      };
      const onExit = () => finish({ kind: 'killed', strike });
      const hear = (told: Report) => {
        if (told.kind === 'late') this.#onLate.call(told.blob, told.ledgers);
        if (told.kind === 'done' || told.kind === 'failed') finish(told);
        if (told.kind !== 'struck') return;
        strike = told.strike;
        if (told.strike.signal === 'SIGSTOP') finish({ kind: 'stopped', strike, goOn: () => this.#goOn() });
      };
      child.on('message', hear);
      child.on('exit', onExit);
      if (!this.isAlive) onExit();
    });
  }

  async #goOn(): Promise<SliceEnd> {
    const end = this.#nextEnd();
    // It said that it would stop a moment before it did: the first signal may come too early.
    const timer = setInterval(() => this.#child.kill('SIGCONT'), CONTINUE_EVERY_MS);
    this.#child.kill('SIGCONT');
    return end.finally(() => clearInterval(timer));
  }
}

/** Processes in readiness: each killed one has a successor that has started already. */
export class Crew {
  readonly #script: string;
  readonly #all = new Set<Worker>();
  readonly #idle: Worker[] = [];
  readonly #spares: number;

  constructor(script: string, spares: number) {
    this.#script = script;
    this.#spares = spares;
    this.#fill();
  }

  #fill(): void {
    while (this.#idle.length < this.#spares) {
      const worker = new Worker(this.#script);
      this.#all.add(worker);
      this.#idle.push(worker);
    }
  }

  take(): Worker {
    const worker = this.#idle.shift() ?? new Worker(this.#script);
    this.#all.add(worker);
    this.#fill();
    return worker;
  }

  /** Takes a process back; one that has ended is forgotten. */
  give(worker: Worker): void {
    if (worker.isAlive) this.#idle.push(worker);
    else this.#all.delete(worker);
  }

  end(): void {
    for (const worker of this.#all) worker.kill();
  }
}
