import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { httpLines, readText } from '#lib/sale/verify/http-read.ts';

let server: Server;
afterEach(() => server.close());

/** A platform that gives these answers, one a request. */
async function platform(...answers: [status: number, headers: Record<string, string>, body: string][]): Promise<URL> {
  server = createServer((_, response) => {
    const [status, headers, body] = answers.shift() ?? [500, {}, 'asked too often'];
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/rows`);
}

const busy: [number, Record<string, string>, string] = [429, { 'retry-after': '0' }, ''];

it('a platform that asks for patience gets it, more often than one that fails', async () => {
  const url = await platform(...Array.from({ length: 12 }, () => busy), [200, {}, 'rows']);
  expect(await readText(url)).toBe('rows');
});

it('what the platform refuses is not asked again', async () => {
  const url = await platform([404, {}, 'no such project'], [200, {}, 'rows']);
  await expect(readText(url)).rejects.toMatchObject({ detail: expect.stringContaining('404') });
});

it('rows of several answers come whole and in their order, a few at a time', async () => {
  const rows = Array.from({ length: 10_002 }, (_, number) => ({ number }));
  const linesOf = (some: typeof rows) => some.map((row) => `${JSON.stringify(row)}\n`).join('');
  const url = await platform([200, {}, linesOf(rows.slice(0, 10_000))], [200, {}, linesOf(rows.slice(10_000))]);
  const cursors: (string | null)[] = [];
  const at = (cursor: string | null) => {
    cursors.push(cursor);
    return new URL(url);
  };
  const read: typeof rows = [];
  for await (const some of httpLines(z.object({ number: z.int() }), at, (row) => String(row.number), null)) {
    expect(some.length).toBeLessThanOrEqual(500);
    read.push(...some);
  }
  expect(read).toEqual(rows);
  expect(cursors).toEqual([null, '9999']);
});
