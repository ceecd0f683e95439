import { subscribe } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { applyEnv } from '#lib/base/env.ts';
import { setClockOffset } from './clock-offset.ts';
import { type Step, stepOf, stepOfRequest } from './steps.ts';
import type { Order, Side, Strike, Told } from './strike.ts';

/** The edges of a request: made, sent whole, answered. Both undici's own package and the fetch of Node report them. */
const REQUEST_EDGES = [
  ['undici:request:create', 'before'],
  ['undici:request:bodySent', 'sent'],
  ['undici:request:headers', 'after'],
] as const satisfies readonly (readonly [string, Side])[];

/** Tells the campaign; done once the message has left. */
export const tell = (told: Told): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(told, () => resolve());
  });

let strikes: { strike: Strike; reached: number }[] = [];

function isDue(step: Step, side: Side): Strike | null {
  const found = strikes.find(({ strike }) => strike.step === step && strike.side === side);
  if (found === undefined) return null;
  found.reached += 1;
  if (found.reached !== found.strike.nth) return null;
  // One is enough for a process.
  strikes = [];
  return found.strike;
}

async function suffer(strike: Strike): Promise<void> {
  await tell({ kind: 'struck', strike });
  process.kill(process.pid, strike.signal);
  await tell({ kind: 'continued' });
}

/** Ends or stops this process when it is told to here and now. */
async function edge(step: Step, side: Side): Promise<void> {
  const due = isDue(step, side);
  if (due !== null) await suffer(due);
}

/** Makes a step of this process, and at its edges whatever is to happen to the process there. */
export async function makeStep<T>(step: Step, make: () => Promise<T>): Promise<T> {
  await edge(step, 'before');
  const made = make();
  // Who is killed below never hears the outcome.
  made.catch(() => undefined);
  // What is written to a socket leaves the process with the turn in which it was written.
  await setImmediate();
  await edge(step, 'sent');
  const outcome = await made;
  await edge(step, 'after');
  return outcome;
}

/** The same edge where nothing can be waited for: a process that ends need not say so first, one that hangs must have. */
export function edgeAtOnce(step: Step, side: Side): void {
  const due = isDue(step, side);
  if (due === null) return;
  if (due.signal === 'SIGKILL') process.kill(process.pid, due.signal);
  void suffer(due);
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown;

/** The last step that each connection has made. */
const written = new WeakMap<pg.Client, Step>();

function stepAt(client: pg.Client, statement: string): Step | undefined {
  const step = stepOf(statement, written.get(client));
  // The commit that follows belongs to what was written, not to its events.
  if (step !== undefined && step !== 'append events') written.set(client, step);
  return step;
}

/** Makes a step of every statement of this process that is one. */
function strikeAtStatements(): void {
  const query = pg.Client.prototype.query as Query;
  pg.Client.prototype.query = function atEdges(this: pg.Client, ...given: unknown[]) {
    const [first] = given;
    const statement = typeof first === 'string' ? first : String((first as { text?: unknown } | undefined)?.text);
    const step = stepAt(this, statement);
    if (step === undefined) return query.apply(this, given);
    const callback = given.at(-1);
    if (typeof callback !== 'function') return makeStep(step, () => query.apply(this, given) as Promise<unknown>);
    const made = makeStep(
      step,
      () =>
        new Promise((resolve, reject) => {
          query.call(this, ...given.slice(0, -1), (error: unknown, result: unknown) =>
            error ? reject(error) : resolve(result),
          );
        }),
    );
    void made.then(
      (result) => callback(null, result),
      (error: unknown) => callback(error),
    );
    return undefined;
  } as typeof pg.Client.prototype.query;
}

/**
 * Makes this operating-system process one of the app, that obeys the campaign. It is struck at what the app's code touches,
 * never inside it: the statements that go to the database, and the requests that leave the process.
 */
export async function runAppProcess(given: {
  /** Answers requests. */
  serve?: () => Promise<{ port: number }>;
  /** Does what it is ordered. */
  perform?: (task: unknown) => Promise<unknown>;
}): Promise<void> {
  // The queue's library tells of each of its failures here, and it is made to fail.
  for (const level of ['log', 'warn', 'error'] as const) console[level] = () => undefined;
  strikeAtStatements();
  for (const [channel, side] of REQUEST_EDGES) {
    subscribe(channel, (message) => {
      const step = stepOfRequest((message as { request: { path: string } }).request.path);
      if (step !== undefined) edgeAtOnce(step, side);
    });
  }
  const served = await given.serve?.();
  process.on('message', (order: Order) => {
    if (order.kind === 'settings') applyEnv(order.settings);
    if (order.kind === 'clock') setClockOffset(order.offsetMs);
    if (order.kind === 'strike') strikes = order.strikes.map((strike) => ({ strike, reached: 0 }));
    if (order.kind === 'task') void given.perform?.(order.task).then((result) => tell({ kind: 'done', result }));
  });
  process.on('disconnect', () => process.exit());
  await tell({ kind: 'ready', port: served?.port ?? null });
}
