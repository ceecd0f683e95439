import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as processPayments from '../../app/api/cron/process-payments/route.ts';
import * as continueJob from '../../app/api/queue/continue/route.ts';
import * as deliver from '../../app/api/queue/deliver/route.ts';

/** The handlers that nobody but QStash and the scheduler calls. */
const HANDLERS = new Map([
  ['POST /api/queue/deliver', deliver.POST],
  ['POST /api/queue/continue', continueJob.POST],
  ['GET /api/cron/process-payments', processPayments.GET],
]);

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) headers.set(name, String(value));
  const { method = 'GET', url = '/' } = incoming;
  const body = method === 'GET' ? null : Buffer.concat(chunks);
  return new Request(new URL(url, `http://${headers.get('host')}`), { method, headers, body });
}

/** Serves the app's queue and scheduler routes on a free port of 127.0.0.1, by their real handlers, as the framework would. */
export async function serveApp(): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer(async (incoming, response) => {
    const request = await toRequest(incoming);
    const handler = HANDLERS.get(`${request.method} ${new URL(request.url).pathname}`);
    if (handler === undefined) {
      response.writeHead(404).end();
      return;
    }
    const answer = await handler(request, { params: Promise.resolve({}) });
    // The next request may be for another process.
    const headers = { ...Object.fromEntries(answer.headers), connection: 'close' };
    response.writeHead(answer.status, headers).end(await answer.text());
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
