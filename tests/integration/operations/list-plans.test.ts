import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { listAuditContract } from '#lib/ops/status/audit/contracts.ts';
import { listAudit } from '#lib/ops/status/audit/list-audit.ts';
import { listPayoutsContract } from '#lib/payouts/operate/contracts.ts';
import { listPayouts } from '#lib/payouts/operate/read-payouts.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { DEPOSIT, DISTRIBUTOR, seedSale } from '#tests/support/sale.ts';

const ROWS = 60_000;
/** Of so many payouts one is not paid. */
const ONE_OPEN_IN = 12;
const PAGE = '200';

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}

let database: FreshDatabase;
let pool: Pool;
let db: Db;
let asked: { text: string; params: unknown[] }[] = [];

beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
  const { projectId } = await seedSale(database.db);
  await database.db.execute(sql`
    insert into payments (tx_hash, account, ledger_index, transaction_index, closed_at, sender, destination_tag,
      received_drops, project_id)
    select lpad(to_hex(n), 64, '0'), ${DEPOSIT}, 10 + n / 50, n % 50, now() - n * interval '1 second', 'rSender' || n % 97, 77, 1,
      ${projectId}
    from generate_series(1, ${ROWS}::integer) n`);
  await database.db.execute(sql`
    insert into payouts (id, kind, project_id, payment_hash, account, destination, amount, status, reason, due_at, tx_hash)
    select 'pay_' || lpad(to_hex(n * 7919 % ${ROWS}::integer), 22, '0'), case when n % 5 = 0 then 'refund' else 'distribution' end,
      ${projectId}, lpad(to_hex(n), 64, '0'), ${DISTRIBUTOR}, 'rSender' || n % 97, 1,
      case when n % ${ONE_OPEN_IN}::integer = 0 then 'waiting_holder' else 'validated' end,
      case when n % ${ONE_OPEN_IN}::integer = 0 then 'trust_line_missing' end,
      -- Some at the same moment, as when a sale ends.
      now() - (n / 4) * interval '2.000003 seconds',
      case when n % ${ONE_OPEN_IN}::integer <> 0 then lpad(to_hex(n), 64, 'F') end
    from generate_series(1, ${ROWS}::integer) n`);
  await database.db.execute(sql`
    insert into audit_entries (id, actor, action, subject, reason, request_id, created_at)
    select 'aud_' || lpad(to_hex(n * 7919 % ${ROWS}::integer), 22, '0'), 'administrator:ada', 'payout.retry', 'pay_' || n % 900,
      'asked', 'req_' || n, now() - (n / 4) * interval '2.000003 seconds'
    from generate_series(1, ${ROWS}::integer) n`);
  await database.db.execute(sql`vacuum analyze`);
  pool = new Pool({ connectionString: database.url, max: 2 });
  db = drizzle(pool, {
    casing: 'snake_case',
    logger: { logQuery: (text, params) => void asked.push({ text, params }) },
  });
}, 120_000);
afterAll(async () => {
  await pool?.end();
  await database?.close();
});

const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** What the database does for the page of a list: the plan of the statement that orders its rows and takes some. */
async function planOf(list: () => Promise<unknown>, table: string): Promise<string[]> {
  asked = [];
  await list();
  const page = asked.filter(({ text }) => text.includes(`from "${table}"`) && / order by .* limit /.test(text));
  expect(page).toHaveLength(1);
  const { rows } = await pool.query(`explain (format json) ${page[0]?.text}`, page[0]?.params as unknown[]);
  return nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode)
    .map((node) => `${node['Node Type']}${node['Relation Name'] === undefined ? '' : ` of ${node['Relation Name']}`}`)
    .filter((node) => /Sort/.test(node) || node === `Seq Scan of ${table}`);
}

const payoutsOf = (query: Record<string, string>) =>
  listPayouts(testCtx({ db }), listPayoutsContract.query.parse({ limit: PAGE, ...query }));
const auditOf = (query: Record<string, string>) =>
  listAudit(testCtx({ db }), listAuditContract.query.parse({ limit: PAGE, ...query }));

describe(`of ${ROWS} rows, a page is read in the order of an index`, () => {
  it.each([{}, { status: 'all' }, { status: 'validated' }, { status: 'waiting_holder' }])(
    'of payouts (%o), the first and the next ones, without a sort',
    async (query) => {
      expect(await planOf(() => payoutsOf(query), 'payouts')).toEqual([]);
      const { next_cursor } = await payoutsOf(query);
      expect(await planOf(() => payoutsOf({ ...query, cursor: next_cursor ?? '' }), 'payouts')).toEqual([]);
    },
  );

  it.each([{}, { actor: 'administrator:ada' }])(
    'of the audit log (%o), the first and the next ones, without a sort',
    async (query) => {
      expect(await planOf(() => auditOf(query), 'audit_entries')).toEqual([]);
      const { next_cursor } = await auditOf(query);
      expect(await planOf(() => auditOf({ ...query, cursor: next_cursor ?? '' }), 'audit_entries')).toEqual([]);
    },
  );

  it('and the pages leave nothing out and repeat nothing, also among rows of one moment', async () => {
    const open: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof payoutsOf>> = await payoutsOf(cursor === '' ? {} : { cursor });
      open.push(...page.payouts.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(new Set(open).size).toBe(open.length);
    expect(open).toHaveLength(ROWS / ONE_OPEN_IN);
    const entries: string[] = [];
    for (let cursor: string | null = ''; cursor !== null && entries.length < 2_000; ) {
      const page: Awaited<ReturnType<typeof auditOf>> = await auditOf(cursor === '' ? {} : { cursor });
      entries.push(...page.entries.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    const newest = await database.db.execute<{ id: string }>(
      sql`select id from audit_entries order by created_at desc, id desc limit ${entries.length}`,
    );
    expect(entries).toEqual(newest.rows.map(({ id }) => id));
  });
});
