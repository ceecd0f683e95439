import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { listEntries } from '#drizzle/schema/sale.ts';
import { MAX_BODY_BYTES } from '#lib/api/parse-request.ts';
import { responseCache } from '#lib/api/response-cache.ts';
import type { Handlers } from '#lib/api/route.ts';
import { MAX_PART_BYTES } from '#lib/sales/lists/contracts.ts';
import { TEST_ADMIN_TOKEN, TEST_READ_ONLY_TOKEN } from '#tests/support/env.ts';
import * as commitRoute from '../../../app/api/admin/projects/[id]/lists/[list_id]/commit/route.ts';
import * as entriesRoute from '../../../app/api/admin/projects/[id]/lists/[list_id]/entries/route.ts';
import * as adminList from '../../../app/api/admin/projects/[id]/lists/[list_id]/route.ts';
import * as adminLists from '../../../app/api/admin/projects/[id]/lists/route.ts';
import * as publicList from '../../../app/api/projects/[id]/lists/[list_id]/route.ts';
import * as publicLists from '../../../app/api/projects/[id]/lists/route.ts';
import { addresses } from './lists-world.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage?.end());

interface Asked {
  token?: string;
  body?: unknown;
  text?: string;
  query?: string;
  headers?: Record<string, string>;
}

/** Calls a route as the framework would. */
async function ask(
  route: Handlers,
  method: 'GET' | 'POST' | 'DELETE',
  params: Record<string, string>,
  { token = TEST_ADMIN_TOKEN, body, text, query = '', headers = {} }: Asked = {},
): Promise<Response> {
  const sent = text ?? (body === undefined ? undefined : JSON.stringify(body));
  const request = new Request(`http://127.0.0.1:3000/path${query}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${token}`, ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  });
  // All are asked under one address: what was kept of another list is not this one's.
  responseCache().forget();
  return route[method](request, { params: Promise.resolve(params) });
}

// The tests' assertions say what it must be.
const jsonOf = async (response: Promise<Response>): Promise<Record<string, unknown>> =>
  (await (await response).json()) as Record<string, unknown>;

async function newDraft(sale: Sale): Promise<{ id: string; list_id: string }> {
  const { id } = await jsonOf(ask(adminLists, 'POST', { id: sale.project.id }, { body: {} }));
  return { id: sale.project.id, list_id: String(id) };
}

/** Bodies of at most 1 MiB that hold the entries in order. */
function* parts(entries: readonly unknown[]): Generator<string> {
  let texts: string[] = [];
  let bytes = 0;
  for (const entry of entries) {
    const text = JSON.stringify(entry);
    if (bytes + text.length + 1 > MAX_PART_BYTES - 16) {
      yield `{"entries":[${texts.join(',')}]}`;
      texts = [];
      bytes = 0;
    }
    texts.push(text);
    bytes += text.length + 1;
  }
  yield `{"entries":[${texts.join(',')}]}`;
}

describe('an allowlist of 100,000 wallets', () => {
  it('is uploaded in parts of at most 1 MiB; the hash on the ledger is the SHA-256 of what anybody downloads', async () => {
    const sale = await stage.draft();
    const params = await newDraft(sale);
    const wallets = addresses(100_000);
    const entries = wallets.map((wallet_address, index) => ({
      wallet_address,
      cap_xrp: index % 3 === 0 ? null : `${index}.5`,
    }));
    for (const text of parts(entries)) {
      const answer = await ask(entriesRoute, 'POST', params, { text });
      expect(answer.status).toBe(200);
    }
    const [oneMore] = addresses(1);
    const beyond = await jsonOf(
      ask(entriesRoute, 'POST', params, { body: { entries: [{ wallet_address: oneMore }] } }),
    );
    expect(beyond).toMatchObject({ status: 409, code: 'limit_reached' });
    expect(await stage.database.db.$count(listEntries, sql`list_id = ${params.list_id}`)).toBe(100_000);

    const answer = await ask(commitRoute, 'POST', params, { body: { reason: 'the round of friends' } });
    expect(answer.status).toBe(202);
    const committed = (await answer.json()) as { hash: string; url: string };
    expect(committed).toMatchObject({ entries: 100_000, status: 'committed', pending_action: { action: 'list' } });
    await stage.settle(sale.deposit);

    const download = await ask(publicList, 'GET', params);
    const text = await download.text();
    expect(Object.fromEntries(download.headers)).toMatchObject({
      'content-type': 'application/jsonl',
      'cache-control': 'public, max-age=31536000, immutable',
      etag: `"${committed.hash}"`,
    });
    expect(createHash('sha256').update(text).digest('hex')).toBe(committed.hash);
    expect(committed.url).toBe(`http://127.0.0.1:9/api/projects/${params.id}/lists/${params.list_id}`);

    const capOf = new Map(entries.map((entry) => [entry.wallet_address, entry.cap_xrp]));
    // Code units are bytes here: addresses are ASCII.
    const expected = wallets.toSorted().map((wallet) => {
      const cap = capOf.get(wallet);
      return `{"wallet_address":"${wallet}","cap_xrp":${cap == null ? 'null' : `"${cap}00000"`}}\n`;
    });
    expect(text === expected.join('')).toBe(true);

    const { lists } = (await jsonOf(ask(publicLists, 'GET', { id: params.id }))) as { lists: unknown[] };
    expect(lists).toMatchObject([{ id: params.list_id, version: 1, hash: committed.hash, in_force: true }]);
    const again = await ask(publicList, 'GET', params, { headers: { 'if-none-match': `"${committed.hash}"` } });
    expect({ status: again.status, text: await again.text() }).toEqual({ status: 304, text: '' });
  });
});

describe('a part', () => {
  it('of 1 MiB is taken, and one byte more is 413; other bodies of these routes stay at 64 KiB', async () => {
    const params = await newDraft(await stage.draft());
    const [wallet_address] = addresses(1);
    const body = JSON.stringify({ entries: [{ wallet_address }] });
    const sized = (bytes: number) => body + ' '.repeat(bytes - body.length);
    expect((await ask(entriesRoute, 'POST', params, { text: sized(MAX_PART_BYTES) })).status).toBe(200);
    expect(await jsonOf(ask(entriesRoute, 'POST', params, { text: sized(MAX_PART_BYTES + 1) }))).toMatchObject({
      status: 413,
      code: 'payload_too_large',
      detail: 'The body must be at most 1048576 bytes.',
    });
    for (const [route, method] of [
      [adminLists, 'POST'],
      [commitRoute, 'POST'],
      [adminList, 'DELETE'],
    ] as const) {
      const answer = await ask(route, method, params, { text: sized(MAX_BODY_BYTES + 1) });
      expect(answer.status).toBe(413);
    }
  });

  it('with faults writes nothing and names the place of each', async () => {
    const params = await newDraft(await stage.draft());
    const [good] = addresses(1);
    const entries = [{ wallet_address: good }, { wallet_address: 'rNobody' }, { wallet_address: good }];
    const problem = await jsonOf(ask(entriesRoute, 'POST', params, { body: { entries } }));
    expect(problem).toMatchObject({
      status: 400,
      code: 'invalid_request',
      errors: [
        { field: 'entries[1].wallet_address' },
        { field: 'entries[2].wallet_address', message: 'is the same wallet as entries[0]' },
      ],
    });
    expect(await stage.database.db.$count(listEntries, sql`list_id = ${params.list_id}`)).toBe(0);
    const later = await jsonOf(ask(entriesRoute, 'POST', params, { body: { entries, first_line: 10_001 } }));
    expect(later.errors).toMatchObject([
      { field: 'entries[1].wallet_address', message: expect.stringMatching(/^line 10002: is not an XRP Ledger/) },
      { field: 'entries[2].wallet_address', message: 'line 10003: is the same wallet as line 10001' },
    ]);
    const empty = await jsonOf(ask(entriesRoute, 'POST', params, { body: { entries: [] } }));
    expect(empty).toMatchObject({ status: 400, errors: [{ field: 'entries' }] });
    const without = await jsonOf(ask(entriesRoute, 'POST', params, { body: {} }));
    expect(without).toMatchObject({ detail: 'entries: is required' });
  });
});

describe('a draft', () => {
  it('is 404 in public, and gone once it is discarded', async () => {
    const params = await newDraft(await stage.draft());
    expect(await jsonOf(ask(publicList, 'GET', params))).toMatchObject({ status: 404, code: 'not_found' });
    expect(await jsonOf(ask(publicLists, 'GET', { id: params.id }))).toEqual({ lists: [], next_cursor: null });
    expect((await ask(adminList, 'DELETE', params, { query: '?reason=a%20mistake' })).status).toBe(204);
    expect(await jsonOf(ask(adminList, 'DELETE', params))).toMatchObject({ status: 404, code: 'not_found' });
  });

  it('is shown to an administrator who only reads, and not changed by one', async () => {
    const params = await newDraft(await stage.draft());
    const token = TEST_READ_ONLY_TOKEN;
    expect(await jsonOf(ask(adminLists, 'GET', { id: params.id }, { token }))).toMatchObject({
      lists: [{ id: params.list_id, status: 'draft' }],
    });
    const [wallet_address] = addresses(1);
    for (const refused of [
      ask(adminLists, 'POST', { id: params.id }, { token, body: {} }),
      ask(entriesRoute, 'POST', params, { token, body: { entries: [{ wallet_address }] } }),
      ask(commitRoute, 'POST', params, { token, body: { reason: 'none' } }),
      ask(adminList, 'DELETE', params, { token }),
    ]) {
      expect((await refused).status).toBe(403);
    }
  });

  it('of a project that does not exist cannot be begun', async () => {
    const answer = ask(adminLists, 'POST', { id: 'proj_0000000000000000000000' }, { body: {} });
    expect(await jsonOf(answer)).toMatchObject({ status: 404, code: 'project_not_found' });
  });
});
