import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { z } from 'zod';
import { httpLines, readText } from '../http-source.ts';

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
  const rows = Array.from({ length: 2_702 }, (_, number) => ({ number }));
  const linesOf = (some: typeof rows) => some.map((row) => `${JSON.stringify(row)}\n`).join('');
  const url = await platform([200, {}, linesOf(rows.slice(0, 2_000))], [200, {}, linesOf(rows.slice(2_000))]);
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
  expect(cursors).toEqual([null, '1999']);
});

it('an answer is read on to the last row where many answers are full', async () => {
  const rows = Array.from({ length: 12_000 }, (_, number) => `{"number":${number}}\n`);
  const url = await platform(
    [200, {}, rows.slice(0, 2_000).join('')],
    [200, {}, rows.slice(2_000).join('')],
    [200, {}, ''],
  );
  let count = 0;
  const at = () => new URL(url);
  for await (const some of httpLines(z.object({ number: z.int() }), at, (row) => String(row.number), null)) {
    for (const { number } of some) expect(number).toBe(count++);
  }
  expect(count).toBe(12_000);
});

it.each([
  ['no JSON', '{"number":1}\n{"number":\n'],
  ['another form', '{"number":1}\n{"number":"2"}\n'],
  ['two rows in a line', '{"number":1}\n{"number":2},{"number":3}\n'],
  ['an empty line', '{"number":1}\n\n{"number":2}\n'],
])('a row that is none is refused: %s', async (_, body) => {
  const url = await platform([200, {}, body]);
  const rows = httpLines(
    z.object({ number: z.int() }),
    () => new URL(url),
    (row) => String(row.number),
    null,
  );
  await expect(rows.next()).rejects.toMatchObject({
    code: 'service_unavailable',
    detail: expect.stringContaining('/rows'),
  });
});

it('a last line without its end is a row like any other', async () => {
  const url = await platform([200, {}, '{"number":1}\n{"number":2}']);
  const rows = httpLines(
    z.object({ number: z.int() }),
    () => new URL(url),
    (row) => String(row.number),
    null,
  );
  expect((await rows.next()).value).toEqual([{ number: 1 }, { number: 2 }]);
});
