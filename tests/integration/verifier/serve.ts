import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';
import { responseCache } from '#lib/api/response-cache.ts';
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

const ROUTES: [RegExp, { GET: typeof project.GET }][] = [
  [/^\/api\/projects$/, projects],
  [/^\/api\/projects\/(?<id>[^/]+)$/, project],
  [/^\/api\/projects\/(?<id>[^/]+)\/terms$/, terms],
  [/^\/api\/projects\/(?<id>[^/]+)\/lists$/, lists],
  [/^\/api\/projects\/(?<id>[^/]+)\/lists\/(?<list_id>[^/]+)$/, list],
  [/^\/api\/projects\/(?<id>[^/]+)\/exceptions$/, exceptions],
  [/^\/api\/projects\/(?<id>[^/]+)\/allocations$/, allocations],
  [/^\/api\/projects\/(?<id>[^/]+)\/payments$/, payments],
  [/^\/api\/projects\/(?<id>[^/]+)\/payouts$/, payouts],
  [/^\/api\/projects\/(?<id>[^/]+)\/verification$/, verification],
];

export interface Served {
  url: string;
  /** Breaks this many of the next streams off after their first chunk. */
  breakNext(streams: number): void;
  close(): Promise<void>;
}

/** The app's own public routes over real HTTP, without the framework around them. */
export async function serveRoutes(): Promise<Served> {
  let toBreak = 0;
  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1');
    for (const [pattern, route] of ROUTES) {
      const match = pattern.exec(url.pathname);
      if (match === null) continue;
      // What was changed a moment ago shows here at once, not a second later.
      responseCache().forget();
      const given = new Request(url, { headers: { 'x-forwarded-for': '127.0.0.1' } });
      const made = await route.GET(given, { params: Promise.resolve({ ...match.groups }) });
      response.writeHead(made.status, Object.fromEntries(made.headers));
      if (made.body === null) {
        response.end();
        return;
      }
      const isRows = made.headers.get('content-type')?.includes('jsonl') === true;
      if (isRows && toBreak > 0) {
        toBreak -= 1;
        const reader = made.body.getReader();
        const { value } = await reader.read();
        await reader.cancel();
        response.write(value ?? '', () => response.destroy());
        return;
      }
      await pipeline(Readable.fromWeb(made.body as ReadableStream), response).catch(() => undefined);
      return;
    }
    response.writeHead(404).end();
  }
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    breakNext(streams) {
      toBreak = streams;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
