import { subscribe } from 'node:diagnostics_channel';
import { setImmediate } from 'node:timers/promises';
import pg from 'pg';
import { putInForce } from '#lib/platform/env.ts';
import { serveApp } from '#tests/support/serve-app.ts';
import { type Boundary, boundaryOf, boundaryOfRequest, type Side, type Strike } from './boundaries.ts';
import type { Order, Report } from './orders.ts';

/**
 * One operating-system process of the app: it serves the routes that the queue and the scheduler call. It is struck at what
 * their code touches, never inside it: the statements that go to the database, and the requests that leave the process.
 */

const report = (told: Report): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(told, () => resolve());
  });

let strike: Strike | null = null;
let reached = 0;

const isDue = (boundary: Boundary, side: Side): Strike | null => {
  if (strike?.boundary !== boundary || strike.side !== side) return null;
  reached += 1;
  return reached === strike.nth ? strike : null;
};

/** Ends or stops this process when it is told to here and now. */
async function edge(boundary: Boundary, side: Side): Promise<void> {
  const due = isDue(boundary, side);
  if (due === null) return;
  await report({ kind: 'struck', strike: due });
  process.kill(process.pid, due.signal);
}

/** Makes one step with its three edges. */
async function step<T>(boundary: Boundary, make: () => Promise<T>): Promise<T> {
  await edge(boundary, 'before');
  const made = make();
  // Who is killed below never hears the outcome.
  made.catch(() => undefined);
  // What is written to a socket leaves the process with the turn in which it was written.
  await setImmediate();
  await edge(boundary, 'sent');
  const outcome = await made;
  await edge(boundary, 'after');
  return outcome;
}

type Query = (this: pg.Client, ...given: unknown[]) => unknown;
const query = pg.Client.prototype.query as Query;
pg.Client.prototype.query = function atEdges(this: pg.Client, ...given: unknown[]) {
  const [first] = given;
  const statement = typeof first === 'string' ? first : String((first as { text?: unknown } | undefined)?.text);
  const boundary = boundaryOf(statement);
  if (boundary === undefined) return query.apply(this, given);
  const callback = given.at(-1);
  if (typeof callback !== 'function') return step(boundary, () => query.apply(this, given) as Promise<unknown>);
  const outcome = step(
    boundary,
    () =>
      new Promise((resolve, reject) => {
        query.call(this, ...given.slice(0, -1), (error: unknown, result: unknown) =>
          error ? reject(error) : resolve(result),
        );
      }),
  );
  void outcome.then(
    (result) => callback(null, result),
    (error: unknown) => callback(error),
  );
  return undefined;
} as typeof pg.Client.prototype.query;

/** The edges of a request: made, sent whole, answered. Both undici's own package and the fetch of Node report them. */
const REQUEST_EDGES = [
  ['undici:request:create', 'before'],
  ['undici:request:bodySent', 'sent'],
  ['undici:request:headers', 'after'],
] as const satisfies readonly (readonly [string, Side])[];
for (const [channel, side] of REQUEST_EDGES) {
  subscribe(channel, (message) => {
    const { path } = (message as { request: { path: string } }).request;
    const boundary = boundaryOfRequest(path);
    const due = boundary === undefined ? null : isDue(boundary, side);
    if (due === null) return;
    // Here nothing can be waited for: a process that ends need not say so first, one that hangs must have.
    if (due.signal === 'SIGKILL') process.kill(process.pid, due.signal);
    void report({ kind: 'struck', strike: due }).then(() => process.kill(process.pid, due.signal));
  });
}

const { port } = await serveApp();
process.on('message', (order: Order) => {
  if (order.kind === 'settings') putInForce(order.settings);
  if (order.kind !== 'strike') return;
  strike = order.strike;
  reached = 0;
});
process.on('disconnect', () => process.exit());
await report({ kind: 'ready', port });
