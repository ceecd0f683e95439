import type pg from 'pg';
import WebSocket from 'ws';
import { edgeAtOnce, runAppProcess } from '#tests/faults/app-process.ts';
import { serveRoutes } from './app-routes.ts';
import { boundaryOf, boundaryOfRequest } from './boundaries.ts';

/** One operating-system process of the app: everything from the ledger's feed to the webhooks, by the code of production. */

const written = new WeakMap<pg.Client, string>();
const send = WebSocket.prototype.send;
WebSocket.prototype.send = function atEdges(this: WebSocket, ...given: unknown[]) {
  const isSubmit = typeof given[0] === 'string' && given[0].includes('"command":"submit"');
  if (isSubmit) edgeAtOnce('submit', 'before');
  (send as (...args: unknown[]) => void).apply(this, given);
  if (!isSubmit) return;
  // What is written to a socket leaves the process with the turn in which it was written.
  setImmediate(() => edgeAtOnce('submit', 'sent'));
} as typeof send;

await runAppProcess({
  boundaryOf(statement, client) {
    const boundary = boundaryOf(statement, written.get(client));
    // The commit that follows belongs to what was written, not to its events.
    if (boundary !== undefined && boundary !== 'append events') written.set(client, boundary);
    return boundary;
  },
  boundaryOfRequest,
  serve: serveRoutes,
});
