import { readFileSync } from 'node:fs';
import { SandboxFailure } from './failure.ts';
import type { Supervisor } from './supervisor.ts';
import { printError, say } from './terminal.ts';

const STOP_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
// npm passes on a Ctrl-C that the terminal has already sent to the whole group: the second one is the same wish.
const SAME_WISH_MS = 1_000;
const PARENT_CHECK_MS = 500;

/**
 * Runs `start`, keeps what it started until somebody ends it, and leaves nothing behind in any case.
 *
 * @returns the exit code: 0 when it was asked to stop, 1 when something failed
 */
export async function liveUntilStopped(
  supervisor: Supervisor,
  start: (signal: AbortSignal) => Promise<void>,
): Promise<number> {
  const starting = new AbortController();
  const ended = Promise.withResolvers<unknown>();
  const unwatch = watchForEnd(ended.resolve, () => supervisor.kill());
  supervisor.failure.catch(ended.resolve);
  const started = start(starting.signal).catch(ended.resolve);

  const reason = await ended.promise;
  const asked = typeof reason === 'string';
  if (asked) say(`stopping (${reason})`);
  else printError(reason instanceof SandboxFailure ? reason.message : describe(reason));
  starting.abort();
  await supervisor.stop();
  await started;
  unwatch();
  if (asked) say('stopped');
  return asked ? 0 : 1;
}

/** Calls `end` with the name of the wish to stop, or with an error that nobody caught. */
function watchForEnd(end: (reason: unknown) => void, hurry: () => void): () => void {
  let firstAt = 0;
  const onSignal = (signal: NodeJS.Signals) => {
    if (firstAt === 0) firstAt = Date.now();
    else if (Date.now() - firstAt > SAME_WISH_MS) hurry();
    end(signal);
  };
  for (const signal of STOP_SIGNALS) process.on(signal, onSignal);
  process.on('uncaughtException', end);
  const parentWatch = watchParent(end);
  return () => {
    for (const signal of STOP_SIGNALS) process.off(signal, onSignal);
    process.off('uncaughtException', end);
    clearInterval(parentWatch);
  };
}

/** A killed npm passes no signal on. It is our parent, or the parent of the shell that is: one of the two changes. */
function watchParent(end: (reason: unknown) => void): NodeJS.Timeout | undefined {
  if (process.env.npm_lifecycle_event === undefined) return undefined;
  const before = ancestors();
  return setInterval(() => {
    if (ancestors() !== before) end('npm has ended');
  }, PARENT_CHECK_MS).unref();
}

/** Our parent and its parent; the latter where /proc tells it (elsewhere the shell makes way for its command). */
function ancestors(): string {
  try {
    const status = readFileSync(`/proc/${process.ppid}/status`, 'utf8');
    return `${process.ppid} ${/^PPid:\s*(\d+)/m.exec(status)?.[1]}`;
  } catch {
    return String(process.ppid);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
