import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { type Child, type ChildSpec, type Ending, startChild } from './child.ts';
import { SandboxFailure } from './failure.ts';
import { logTail } from './log-tail.ts';

/** Something that runs inside the launcher and has to be closed with the rest. */
export type Closable = { close(): Promise<void> | void };

export type Supervisor = {
  /** Starts a child that has to live as long as the sandbox. */
  start(spec: ChildSpec): Child;
  /** Starts a child that may end whenever it likes. */
  startOptional(spec: ChildSpec): Child;
  /** Runs a child that has to end well. @throws SandboxFailure with the tail of its log when it does not */
  run(spec: ChildSpec): Promise<void>;
  /** Takes charge of something that runs in this process; closes it at once when the end has come meanwhile. */
  adopt<T extends Closable>(opening: Promise<T>): Promise<T>;
  /** Rejects when a child that has to live ends by itself, or by `fail`; never resolves. */
  failure: Promise<never>;
  fail(error: Error): void;
  /** Ends everything, last started first, and returns when nothing is left. May be called more than once. */
  stop(): Promise<void>;
  /** Ends every child at once and without asking. */
  kill(): void;
};

const GRACE_MS = 4_000;

/** Supervises children whose output goes to files in `logFolder`; they get `graceMs` to end when they are asked to. */
export function createSupervisor(logFolder: string, graceMs = GRACE_MS): Supervisor {
  const children = new Set<Child>();
  const stops: (() => Promise<void>)[] = [];
  const failure = Promise.withResolvers<never>();
  // Whoever waits for it sees the rejection; without anybody waiting it must not end the process.
  failure.promise.catch(() => {});
  let stopping: Promise<void> | undefined;

  const requireRunning = () => {
    if (stopping) throw new SandboxFailure('The sandbox is stopping.');
  };
  const startOptional = (spec: ChildSpec) => {
    requireRunning();
    mkdirSync(logFolder, { recursive: true, mode: 0o700 });
    const child = startChild(spec, path.join(logFolder, `${spec.name}.log`));
    children.add(child);
    stops.push(() => (children.has(child) ? child.stop(graceMs) : Promise.resolve()));
    child.ended.then(() => children.delete(child));
    return child;
  };

  return {
    startOptional,
    start: (spec) => {
      const child = startOptional(spec);
      child.ended.then(async (ending) => {
        if (!stopping) failure.reject(await unexpectedEnd(child, ending));
      });
      return child;
    },
    run: async (spec) => {
      const child = startOptional(spec);
      const ending = await child.ended;
      requireRunning();
      if (ending.code !== 0) throw await unexpectedEnd(child, ending);
    },
    adopt: async (opening) => {
      // Registered before it is open: a stop in between waits for it and closes it.
      stops.push(async () => {
        const opened = await opening.catch(() => null);
        await opened?.close();
      });
      const opened = await opening;
      requireRunning();
      return opened;
    },
    failure: failure.promise,
    fail: (error) => {
      if (!stopping) failure.reject(error);
    },
    stop: () => {
      stopping ??= stopInTurn(stops);
      return stopping;
    },
    kill: () => {
      for (const child of children) child.stop(0);
    },
  };
}

async function stopInTurn(stops: (() => Promise<void>)[]): Promise<void> {
  // In turn, so that the app can finish its work while its database is still there.
  for (let stop = stops.pop(); stop; stop = stops.pop()) await stop().catch(() => {});
}

async function unexpectedEnd(child: Child, { code, signal }: Ending): Promise<SandboxFailure> {
  const how = signal ?? (code === null ? 'it could not be run' : `exit code ${code}`);
  const tail = await logTail(child.name, child.logFile);
  return new SandboxFailure(
    [`${child.name} ended unexpectedly (${how}).`, tail, `Log: ${child.logFile}`].filter(Boolean).join('\n'),
  );
}
