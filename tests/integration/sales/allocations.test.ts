import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { investmentId } from '@tranche/rules/ids.ts';
import { allocationRow, type PublishedAllocation } from '@tranche/verifier/published.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openBody } from '#lib/api/stream.ts';
import { applyEnv } from '#lib/base/env.ts';
import { exportAllocations } from '#lib/sales/published/export-allocations.ts';
import { listExceptions } from '#lib/sales/published/list-exceptions.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import { seedAllocations } from '#tests/support/allocations.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import { closeOf, paymentEntry, seedSale, takeEntries, XRP } from '#tests/support/sale.ts';
import { GET } from '../../../app/api/projects/[id]/allocations/route.ts';

let big: FreshDatabase;
let bigProject: string;
let lastLedger: number;
const COUNT = 20_000;
const ROWS = COUNT * 1.1;

let small: FreshDatabase;

beforeAll(async () => {
  [big, small] = await Promise.all([freshDatabase(), freshDatabase()]);
  applyEnv(testEnv({ RATE_LIMIT_SCALE: '1000', POSTGRES_URL: big.url }));
  bigProject = (await seedSale(big.db)).projectId;
  lastLedger = await seedAllocations(big.db, bigProject, COUNT);
});
afterAll(async () => {
  await big?.close();
  await small?.close();
});

const bigCtx = () => testCtx({ db: big.db });
async function textOf(chunks: AsyncIterable<string>): Promise<string> {
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}
const linesOf = (text: string): PublishedAllocation[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => allocationRow.parse(JSON.parse(line)));
const get = (query = '', headers: Record<string, string> = {}, method = 'GET') =>
  GET(new Request(`http://127.0.0.1/api/projects/${bigProject}/allocations${query}`, { method, headers }), {
    params: Promise.resolve({ id: bigProject }),
  });

function heapAfterCollection(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

describe('the export of a sale’s allocations', () => {
  it('is the whole table in ledger order, in flat memory', async () => {
    const table = await big.db.execute<{ id: string; tier: number; ledger: string; place: number }>(sql`
      select a.investment_id as id, a.tier, p.ledger_index as ledger, p.transaction_index as place from allocations a
      join investments i on i.id = a.investment_id join payments p on p.tx_hash = i.tx_hash
      order by p.ledger_index, p.transaction_index, a.tier`);
    const expected = table.rows.map(({ id, tier, ledger, place }) => `${ledger}/${place}/${tier}/${id}`);
    const found: string[] = [];
    const { chunks } = await exportAllocations(bigCtx(), { id: bigProject, format: 'jsonl' });
    let heapAtStart = 0;
    let chunkCount = 0;
    for await (const chunk of chunks) {
      const rows = linesOf(chunk);
      expect(rows.length).toBeLessThanOrEqual(2_000);
      for (const row of rows) {
        found.push(`${row.ledger_index}/${row.transaction_index}/${row.tier}/${row.investment_id}`);
      }
      chunkCount += 1;
      if (chunkCount === 3) heapAtStart = heapAfterCollection();
    }
    expect(found).toHaveLength(ROWS);
    expect(found).toEqual(expected);
    expect(chunkCount).toBe(COUNT / 1_000);
    // The rows themselves are 9 MB of text; what is kept here of each is a short name.
    expect(heapAfterCollection() - heapAtStart).toBeLessThan(4_000_000);
  });

  it('says the same in CSV: a header, one record a row, CRLF', async () => {
    const csv = await (await get('?format=csv')).text();
    const rows = linesOf(await (await get('?format=jsonl')).text());
    const [header, ...records] = csv.split('\r\n');
    expect(header).toBe(
      'investment_id,transaction_hash,ledger_index,transaction_index,investor_account,tier,price_per_token,amount_xrp,tokens,assigned_by,confirmed_at,decided_at',
    );
    expect(records.pop()).toBe('');
    expect(records).toEqual(rows.map((row) => Object.values(row).join(',')));
  });

  it('comes as an attachment that names its ledger, in the form of the query or else of the Accept header', async () => {
    const asked = await get('?format=csv', { accept: 'application/jsonl' });
    expect(asked.headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(asked.headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="[a-z0-9-]+-allocations-${lastLedger}\\.csv"$`),
    );
    expect(asked.headers.get('x-as-of-ledger')).toBe(String(lastLedger));
    expect(asked.headers.get('vary')).toBe('accept');
    await asked.body?.cancel();
    const accepted = await get('', { accept: 'text/csv' });
    expect(accepted.headers.get('content-type')).toMatch(/^text\/csv/);
    await accepted.body?.cancel();
    const usual = await get('', {}, 'HEAD');
    expect({ type: usual.headers.get('content-type'), body: usual.body }).toEqual({
      type: 'application/jsonl',
      body: null,
    });
  });

  it('goes on after the last row that a client has', async () => {
    const whole = await (await get()).text();
    const lines = whole.split('\n');
    // Row 11 is the second tier of the tenth payment: its place is shared with the row before it.
    for (const kept of [1, 10, 11, 2_000, ROWS - 1, ROWS]) {
      const last = linesOf(lines[kept - 1] ?? '')[0];
      const cursor = `${last?.ledger_index}-${last?.transaction_index}-${last?.tier}`;
      const rest = await (await get(`?cursor=${cursor}`)).text();
      expect(rest === lines.slice(kept).join('\n'), `after ${kept} rows`).toBe(true);
    }
  });

  it('is 304 to whoever has it, without a row being read', async () => {
    const first = await get(`?as_of=${lastLedger - 1}`);
    const etag = first.headers.get('etag') ?? '';
    await first.body?.cancel();
    const again = await get(`?as_of=${lastLedger - 1}`, { 'if-none-match': etag });
    expect({ status: again.status, body: again.body }).toEqual({ status: 304, body: null });
    for (const other of ['', `?as_of=${lastLedger - 1}&format=csv`, `?as_of=${lastLedger - 1}&cursor=101-0-1`]) {
      const response = await get(other, { 'if-none-match': etag });
      expect(response.status).toBe(200);
      await response.body?.cancel();
    }
  });

  it('of a ledger that is not confirmed is refused with the highest that is', async () => {
    const response = await get(`?as_of=${lastLedger + 1}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'as_of', message: `must be at most ${lastLedger}, the last ledger that is confirmed` }],
    });
    for (const query of ['?as_of=0', '?as_of=', '?as_of=1.5', '?as_of=x', '?cursor=1-2', '?cursor=x', '?format=xml']) {
      expect((await get(query)).status, query).toBe(400);
    }
  });

  it('of a project that does not exist is 404', async () => {
    await expect(exportAllocations(bigCtx(), { id: 'proj_none', format: 'csv' })).rejects.toThrow(/project_not_found/);
  });

  it('reads no further once the client is gone', async () => {
    let pages = 0;
    const counting = new Proxy(big.db, {
      get(db, name) {
        if (name === 'execute') pages += 1;
        const found: unknown = Reflect.get(db, name);
        return typeof found === 'function' ? found.bind(db) : found;
      },
    });
    const { chunks } = await exportAllocations(testCtx({ db: counting }), { id: bigProject, format: 'jsonl' });
    const reader = (await openBody(chunks, () => undefined)).getReader();
    await reader.read();
    await reader.read();
    await reader.cancel();
    expect(await chunks[Symbol.asyncIterator]().next()).toEqual({ done: true, value: undefined });
    // Two chunks, of one statement each.
    expect(pages).toBe(2);
  });
});

describe('an export as of a ledger', () => {
  it('has the same bytes before and after the sale went on, and after a payment in it was assigned', async () => {
    const { projectId } = await seedSale(small.db);
    const ctx = testCtx({ db: small.db });
    const take = (through: number, ...entries: FeedEntry[]) => takeEntries(ctx, entries, { through });
    const exported = async (format: 'jsonl' | 'csv', asOf?: number) =>
      textOf((await exportAllocations(ctx, { id: projectId, format, as_of: asOf })).chunks);
    expect(await exported('jsonl')).toBe('');
    expect(await exported('csv')).toMatch(/^investment_id,[\w,]+\r\n$/);

    // Too little to be sent back, and without a tag: it is held.
    const stray = paymentEntry(102, 0, 900n, { destinationTag: null });
    await take(102, paymentEntry(101, 4, 3n * XRP), paymentEntry(101, 1, 150n * XRP), stray);
    const [jsonl, csv] = [await exported('jsonl'), await exported('csv')];
    expect(linesOf(jsonl).map((row) => [row.ledger_index, row.transaction_index, row.tier])).toEqual([
      [101, 1, 1],
      [101, 1, 2],
      [101, 4, 2],
    ]);

    await take(105, paymentEntry(103, 0, 2n * XRP), {
      kind: 'self',
      signers: [],
      hash: 'C'.repeat(64),
      ledgerIndex: 104,
      transactionIndex: 3,
      closedAtMs: closeOf(104),
      memos: [JSON.stringify({ v: 1, project: projectId, move: 'assign', payment: stray.hash })],
      changeDrops: -10n,
      feeDrops: 10n,
    });
    expect((await rowsOf(small.db, 'actions')).map(({ status }) => status)).toEqual(['applied']);
    expect(await exported('jsonl', 102)).toBe(jsonl);
    expect(await exported('csv', 102)).toBe(csv);
    expect((await exported('jsonl', 103)).startsWith(jsonl)).toBe(true);
    expect(linesOf(await exported('jsonl', 103))).toHaveLength(4);

    const now = linesOf(await exported('jsonl'));
    expect(now.at(-1)).toMatchObject({
      investment_id: investmentId(stray.hash),
      transaction_hash: stray.hash,
      ledger_index: 104,
      transaction_index: 3,
      assigned_by: 'C'.repeat(64),
      confirmed_at: new Date(closeOf(105)).toISOString(),
      decided_at: new Date(closeOf(104)).toISOString(),
      amount_xrp: '0.000900',
    });
    expect(now.slice(0, -1).every((row) => row.assigned_by === null)).toBe(true);

    // What a cancelled sale takes back changes the payment, not what was allocated.
    const before = await exported('jsonl');
    await changeRows(
      small.db,
      'payments',
      { projectId },
      { outcome: 'refunded', refundedDrops: sql`received_drops`, investedDrops: 0n, heldDrops: 0n },
    );
    await changeRows(small.db, 'projects', { id: projectId }, { status: 'cancelled' });
    expect(await exported('jsonl')).toBe(before);

    expect(await listExceptions(ctx, { id: projectId, limit: 50 })).toEqual({
      exceptions: [
        {
          kind: 'assign',
          action_hash: 'C'.repeat(64),
          ledger_index: 104,
          transaction_index: 3,
          payment_hash: stray.hash,
          payment_ledger_index: 102,
          investor_account: stray.sender,
          amount_xrp: '0.000900',
          investment_id: investmentId(stray.hash),
          assigned_at: new Date(closeOf(104)).toISOString(),
        },
      ],
      next_cursor: null,
    });
  });
});
