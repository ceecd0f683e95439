import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import * as action from '../../../app/api/admin/projects/[id]/[action]/route.ts';
import * as processPayments from '../../../app/api/cron/process-payments/route.ts';
import * as allocations from '../../../app/api/projects/[id]/allocations/route.ts';
import * as exceptions from '../../../app/api/projects/[id]/exceptions/route.ts';
import * as list from '../../../app/api/projects/[id]/lists/[list_id]/route.ts';
import * as lists from '../../../app/api/projects/[id]/lists/route.ts';
import * as payments from '../../../app/api/projects/[id]/payments/route.ts';
import * as payouts from '../../../app/api/projects/[id]/payouts/route.ts';
import * as project from '../../../app/api/projects/[id]/route.ts';
import * as terms from '../../../app/api/projects/[id]/terms/route.ts';
import * as verification from '../../../app/api/projects/[id]/verification/route.ts';
import * as projects from '../../../app/api/projects/route.ts';
import * as continueJob from '../../../app/api/queue/continue/route.ts';
import * as deliver from '../../../app/api/queue/deliver/route.ts';
import * as status from '../../../app/api/system/status/route.ts';

type Handler = (request: Request, context: { params: Promise<Record<string, string>> }) => Promise<Response>;

/** What the campaign's operators, scheduler, queue, readers and verifier call. */
const ROUTES: readonly [string, RegExp, Handler][] = [
  ['GET', /^\/api\/cron\/process-payments$/, processPayments.GET],
  ['POST', /^\/api\/queue\/continue$/, continueJob.POST],
  ['POST', /^\/api\/queue\/deliver$/, deliver.POST],
  ['POST', /^\/api\/admin\/projects\/(?<id>[^/]+)\/(?<action>[^/]+)$/, action.POST],
  ['GET', /^\/api\/system\/status$/, status.GET],
  ['GET', /^\/api\/projects$/, projects.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)$/, project.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/terms$/, terms.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/lists$/, lists.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/lists\/(?<list_id>[^/]+)$/, list.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/exceptions$/, exceptions.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/allocations$/, allocations.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/payments$/, payments.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/payouts$/, payouts.GET],
  ['GET', /^\/api\/projects\/(?<id>[^/]+)\/verification$/, verification.GET],
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

async function answer(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
  const request = await toRequest(incoming);
  const { pathname } = new URL(request.url);
  for (const [method, pattern, handler] of ROUTES) {
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

/** Serves the app's routes on a free port of 127.0.0.1, by their real handlers, as the framework would. */
export async function serveRoutes(): Promise<{ port: number }> {
  const server = createServer((incoming, response) => {
    // Who called may be gone.
    answer(incoming, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { port: (server.address() as AddressInfo).port };
}
