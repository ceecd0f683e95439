import WebSocket from 'ws';
import { edgeAtOnce, runAppProcess } from '#tests/faults/process.ts';
import { serveApp } from '#tests/support/serve-app.ts';
import { ROUTES } from './app-routes.ts';

/** One operating-system process of the app: everything from the ledger's feed to the webhooks, by the code of production. */

const send = WebSocket.prototype.send;
WebSocket.prototype.send = function atEdges(this: WebSocket, ...given: unknown[]) {
  const isSubmit = typeof given[0] === 'string' && given[0].includes('"command":"submit"');
  if (isSubmit) edgeAtOnce('submit', 'before');
  (send as (...args: unknown[]) => void).apply(this, given);
  if (!isSubmit) return;
  // What is written to a socket leaves the process with the turn in which it was written.
  setImmediate(() => edgeAtOnce('submit', 'sent'));
} as typeof send;

await runAppProcess({ serve: () => serveApp(ROUTES) });
