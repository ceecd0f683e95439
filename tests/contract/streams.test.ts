import { get, type IncomingMessage } from 'node:http';
import { allocationRow } from '@tranche/verifier/published.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { type Database, openDatabase } from '#lib/base/db.ts';
import { seedAllocations } from '#tests/support/allocations.ts';
import { call, expectProblem } from '#tests/support/http.ts';
import { changeRows, deleteRows } from '#tests/support/rows.ts';
import { DEPOSIT, seedSale } from '#tests/support/sale.ts';

/** More text than the sockets between app and client hold. */
const COUNT = 40_000;
const ROWS = COUNT * 1.1;

/** Before a client that is still there, and takes nothing, would be broken off. */
const SOON = { timeout: 10_000, interval: 200 };

let database: Database;
let projectId: string;
let path: string;
beforeAll(async () => {
  database = await openDatabase(inject('sandbox').manifest.postgres_url, 2);
  ({ projectId } = await seedSale(database.db));
  // Its feed is made up: the app must not go on reading it.
  await changeRows(database.db, 'depositAccounts', { address: DEPOSIT }, { halted: true });
  await seedAllocations(database.db, projectId, COUNT);
  path = `/api/projects/${projectId}/allocations`;
});

afterAll(async () => {
  const { db } = database;
  await deleteRows(db, 'allocations', { projectId });
  await deleteRows(db, 'investments', { projectId });
  await deleteRows(db, 'payments', { projectId });
  await deleteRows(db, 'tiers', { projectId });
  await deleteRows(db, 'projects', { id: projectId });
  await deleteRows(db, 'depositAccounts', { address: DEPOSIT });
  await database.close();
});

/** Opens the download and reads nothing of it yet. */
const open = (): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    get(new URL(path, inject('sandbox').manifest.base_url), resolve).once('error', reject);
  });

async function readWhole(response: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk;
  return text;
}

test('a stream reaches its client whole, in either form', async () => {
  const plain = await readWhole(await open());
  const lines = plain.trimEnd().split('\n');
  expect(lines).toHaveLength(ROWS);
  for (const line of [lines[0], lines.at(-1)]) allocationRow.parse(JSON.parse(line ?? ''));
  const csv = await call(path, { headers: { accept: 'text/csv' } });
  expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
  expect(csv.text.trimEnd().split('\r\n')).toHaveLength(1 + ROWS);
});

test('a stream that fails on the way breaks off: no client can take the part for the whole', async () => {
  const response = await open();
  expect(response.statusCode).toBe(200);
  await database.db.execute(sql`alter table allocations rename to allocations_away`);
  try {
    await expect(readWhole(response)).rejects.toThrow(/aborted/);
    expect(response.complete).toBe(false);
    // What fails before the first row is an answer of its own.
    expectProblem(await call(path), 500, 'internal_error');
  } finally {
    await database.db.execute(sql`alter table allocations_away rename to allocations`);
  }
  expect((await call(`${path}?cursor=1000000-0-1`)).status).toBe(200);
});

test('two streams are open to a caller at a time, whatever they are of; a third is told when to come back, and other callers get theirs', async () => {
  const [first, second] = await Promise.all([open(), open()]);
  for (const other of [path, `/api/projects/${projectId}/payments`, `/api/projects/${projectId}/payouts`]) {
    const refused = await call(other);
    expectProblem(refused, 503, 'service_unavailable');
    expect(refused.headers.get('retry-after')).toBe('5');
    const elsewhere = await call(other, { headers: { 'x-forwarded-for': '203.0.113.9' } });
    expect(elsewhere.status).toBe(200);
  }
  first.destroy();
  // The server learns that a client has gone some time after it went.
  await expect.poll(async () => (await call(`${path}?cursor=1000000-0-1`)).status, SOON).toBe(200);
  second.destroy();
  await expect.poll(async () => (await call(path)).status, SOON).toBe(200);
});

test('a stream is refused before it begins for bad input, and 304 for whoever has it', async () => {
  expectProblem(await call(`${path}?as_of=9000000000`), 400, 'invalid_request');
  const head = await call(path, { method: 'HEAD' });
  expect({ status: head.status, text: head.text, type: head.headers.get('content-type') }).toEqual({
    status: 200,
    text: '',
    type: 'application/jsonl',
  });
  const again = await call(path, { headers: { 'if-none-match': head.headers.get('etag') ?? '' } });
  expect({ status: again.status, text: again.text }).toEqual({ status: 304, text: '' });
});
