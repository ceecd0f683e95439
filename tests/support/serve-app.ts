import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import * as processPayments from '../../app/api/cron/process-payments/route.ts';
import * as continueJob from '../../app/api/queue/continue/route.ts';
import * as deliver from '../../app/api/queue/deliver/route.ts';

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;
export type Route = readonly [method: string, path: RegExp, handler: Handler];

/** The handlers that nobody but QStash and the scheduler calls. */
export const QUEUE_ROUTES: readonly Route[] = [
  ['POST', /^\/api\/queue\/deliver$/, deliver.POST],
  ['POST', /^\/api\/queue\/continue$/, continueJob.POST],
  ['GET', /^\/api\/cron\/process-payments$/, processPayments.GET],
];

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  headers.set('x-forwarded-for', '127.0.0.1');
  const { method = 'GET', url = '/' } = incoming;
  const body = method === 'GET' ? null : Buffer.concat(chunks);
  return new Request(new URL(url, `http://${headers.get('host')}`), { method, headers, body });
}

async function answer(routes: readonly Route[], incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = await toRequest(incoming);
  const { pathname } = new URL(request.url);
  for (const [method, pattern, handler] of routes) {
    const match = method === request.method ? pattern.exec(pathname) : null;
    if (match === null) continue;
    const made = await handler(request, { params: Promise.resolve({ ...match.groups }) });
    // The next request may be for another process.
    response.writeHead(made.status, { ...Object.fromEntries(made.headers), connection: 'close' });
    if (made.body === null) response.end();
    else await pipeline(Readable.fromWeb(made.body as ReadableStream), response).catch(() => undefined);
    return;
  }
  response.writeHead(404).end();
}

/** Serves routes of the app on a free port of 127.0.0.1, by their real handlers, as the framework would. */
export async function serveApp(routes = QUEUE_ROUTES): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((incoming, response) => {
    // Who called may be gone.
    answer(routes, incoming, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
