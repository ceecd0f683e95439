import { subscribe } from 'node:diagnostics_channel';
import type pg from 'pg';
import { applyEnv } from '#lib/base/env.ts';
import { setClockOffset } from './clock-offset.ts';
import { type Side, stepsWith, strikeAtStatements } from './edges.ts';
import type { AppOrder, AppReport, Strike } from './strike.ts';

/** The edges of a request: made, sent whole, answered. Both undici's own package and the fetch of Node report them. */
const REQUEST_EDGES = [
  ['undici:request:create', 'before'],
  ['undici:request:bodySent', 'sent'],
  ['undici:request:headers', 'after'],
] as const satisfies readonly (readonly [string, Side])[];

const report = (told: AppReport): Promise<void> =>
  new Promise((resolve) => {
    process.send?.(told, () => resolve());
  });

let strikes: { strike: Strike; reached: number }[] = [];

function isDue(boundary: string, side: Side): Strike | null {
  const found = strikes.find(({ strike }) => strike.boundary === boundary && strike.side === side);
  if (found === undefined) return null;
  found.reached += 1;
  if (found.reached !== found.strike.nth) return null;
  // One is enough for a process.
  strikes = [];
  return found.strike;
}

/** Ends or stops this process when it is told to here and now. */
async function edge(boundary: string, side: Side): Promise<void> {
  const due = isDue(boundary, side);
  if (due === null) return;
  await report({ kind: 'struck', strike: due });
  process.kill(process.pid, due.signal);
}

/** The same where nothing can be waited for: a process that ends need not say so first, one that hangs must have. */
export function edgeAtOnce(boundary: string, side: Side): void {
  const due = isDue(boundary, side);
  if (due === null) return;
  if (due.signal === 'SIGKILL') process.kill(process.pid, due.signal);
  void report({ kind: 'struck', strike: due }).then(() => process.kill(process.pid, due.signal));
}

/**
 * Makes this operating-system process one of the app, that obeys the campaign. It is struck at what the app's code touches,
 * never inside it: the statements that go to the database, and the requests that leave the process.
 */
export async function runAppProcess(given: {
  boundaryOf: (statement: string, client: pg.Client) => string | undefined;
  /** By path. */
  boundaryOfRequest: (path: string) => string | undefined;
  serve: () => Promise<{ port: number }>;
}): Promise<void> {
  // The queue's library tells of each of its failures here, and it is made to fail.
  for (const tell of ['log', 'warn', 'error'] as const) console[tell] = () => undefined;
  strikeAtStatements(given.boundaryOf, stepsWith(edge));
  for (const [channel, side] of REQUEST_EDGES) {
    subscribe(channel, (message) => {
      const { path } = (message as { request: { path: string } }).request;
      const boundary = given.boundaryOfRequest(path);
      if (boundary !== undefined) edgeAtOnce(boundary, side);
    });
  }
  const { port } = await given.serve();
  process.on('message', (order: AppOrder) => {
    if (order.kind === 'settings') applyEnv(order.settings);
    if (order.kind === 'clock') setClockOffset(order.offsetMs);
    if (order.kind === 'strike') strikes = order.strikes.map((strike) => ({ strike, reached: 0 }));
  });
  process.on('disconnect', () => process.exit());
  await report({ kind: 'ready', port });
}
