import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Scheduler, startScheduler } from '#sandbox/scheduler/index.ts';
import { until } from '../launcher/conditions.ts';

let folder: string;
let server: Server;
let scheduler: Scheduler | undefined;
let calls: { method: string | undefined; url: string | undefined; authorization: string | undefined }[];
let open: ServerResponse[];
let failures: string[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tranche-test-'));
  calls = [];
  open = [];
  failures = [];
  answer = (_request, response) => response.end('{}');
  server = createServer((request, response) => {
    calls.push({ method: request.method, url: request.url, authorization: request.headers.authorization });
    answer(request, response);
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
});

afterEach(async () => {
  await scheduler?.close();
  scheduler = undefined;
  server.close();
  server.closeAllConnections();
  await rm(folder, { recursive: true, force: true });
});

async function start(config: unknown): Promise<Scheduler> {
  const cronFile = path.join(folder, 'vercel.json');
  await writeFile(cronFile, JSON.stringify(config));
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  scheduler = await startScheduler({
    cronFile,
    baseUrl: `http://127.0.0.1:${port}`,
    cronSecret: 'the-cron-secret',
    onFailure: (line) => failures.push(line),
  });
  return scheduler;
}

const EVERY_SECOND = '* * * * * *';

describe('the scheduler', { timeout: 20_000 }, () => {
  it('calls the crons of vercel.json as Vercel does', async () => {
    await start({
      crons: [
        { path: '/api/cron/a?x=1', schedule: EVERY_SECOND },
        { path: '/api/b', schedule: '0 0 1 1 *' },
      ],
    });
    await until('two calls', () => calls.length >= 2);
    const expected = { method: 'GET', url: '/api/cron/a?x=1', authorization: 'Bearer the-cron-secret' };
    expect(calls.slice(0, 2)).toEqual([expected, expected]);
    expect(failures).toEqual([]);
  });

  it('does not call a cron again while its last call runs, and closes over an open call', async () => {
    answer = (request, response) => {
      if (request.url === '/slow') open.push(response);
      else response.end();
    };
    const { close } = await start({
      crons: [
        { path: '/slow', schedule: EVERY_SECOND },
        { path: '/quick', schedule: EVERY_SECOND },
      ],
    });
    await until('three quick calls', () => calls.filter(({ url }) => url === '/quick').length >= 3);
    expect(open).toHaveLength(1);
    await close();
    expect(failures).toEqual([]);
  });

  it('reports calls that fail, and goes on', async () => {
    answer = (_request, response) => response.writeHead(500).end('out of order');
    await start({ crons: [{ path: '/broken', schedule: EVERY_SECOND }] });
    await until('two failures', () => failures.length >= 2);
    expect(failures[0]).toBe('/broken: 500 out of order');
  });

  it('has nothing to do without crons', async () => {
    expect((await start({ framework: 'nextjs' })).crons).toEqual([]);
  });
});
