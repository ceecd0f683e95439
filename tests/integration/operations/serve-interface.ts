import { once } from 'node:events';
import { globSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Handlers } from '#lib/api/route.ts';

const APP_FOLDER = path.resolve(import.meta.dirname, '../../../app');

/** Every operation by its own route file; a fixed segment goes before a parameter. */
const ROUTES = globSync('api/**/route.ts', { cwd: APP_FOLDER })
  .filter((file) => !file.includes('[['))
  .map((file) => ({
    file: path.join(APP_FOLDER, file),
    shape: new RegExp(`^/${path.dirname(file).replaceAll(/\[(\w+)\]/g, '(?<$1>[^/]+)')}$`),
    parameters: file.split('[').length - 1,
  }))
  .sort((a, b) => a.parameters - b.parameters);

/** The operations of /api on a free port of 127.0.0.1, for programs that know nothing but an address. */
export async function serveInterface(): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (incoming, response) => {
    const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host}`);
    const route = ROUTES.find(({ shape }) => shape.test(url.pathname));
    if (route === undefined) {
      response.writeHead(404).end();
      return;
    }
    const handlers = (await import(route.file)) as Handlers;
    const method = incoming.method ?? 'GET';
    const headers = new Headers(Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]));
    const body = method === 'GET' ? null : await text(incoming);
    const params = { ...route.shape.exec(url.pathname)?.groups };
    const handler = handlers[method as keyof Handlers];
    const answer = await handler(new Request(url, { method, headers, body }), { params: Promise.resolve(params) });
    response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
