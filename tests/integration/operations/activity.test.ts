import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { Pool } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Db } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { readDeliveryHistory } from '#lib/ops/status/delivery-history.ts';
import { readPayoutHistory } from '#lib/payouts/operate/payout-history.ts';
import { listInvestors } from '#lib/sales/investments/list-investors.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { DEPOSIT, DISTRIBUTOR, seedSale } from '#tests/support/sale.ts';

const ROWS = 40_000;
/** Of so many attempts one failed, and one expired. */
const ONE_LOST_IN = 100;
/** Attempts are so many seconds apart: those of a day are a small part of all. */
const APART_SECONDS = 90;
const DAY_SECONDS = 86_400;

let database: FreshDatabase;
let pool: Pool;
let asked: { text: string; params: unknown[] }[] = [];
let db: Db;
let projectId: string;
const WALLETS = 700;
const walletOf = (n: number) => `rWallet${String(n).padStart(4, '0')}`;

beforeAll(async () => {
  applyEnv(testEnv());
  database = await freshDatabase();
  ({ projectId } = await seedSale(database.db));
  await database.db.execute(sql`
    insert into payments (tx_hash, account, ledger_index, transaction_index, closed_at, sender, destination_tag,
      received_drops, project_id)
    select upper(lpad(to_hex(n), 64, '0')), ${DEPOSIT}, 10 + n / 50, n % 50, now() - n * interval '1 second',
      'rWallet' || lpad((n % ${WALLETS}::integer)::text, 4, '0'), 77, 1, ${projectId}
    from generate_series(1, ${ROWS}::integer) n`);
  await database.db.execute(sql`
    insert into investments (id, tx_hash, project_id, investor_account, amount_drops, status, quote_tier, quote_price,
      quote_units, confirmed_drops, total_units, units_to_distribute, rounding_drops, paid_at, confirmed_at)
    select 'inv_' || lpad(to_hex(n), 22, '0'), upper(lpad(to_hex(n), 64, '0')), ${projectId},
      'rWallet' || lpad((n % ${WALLETS}::integer)::text, 4, '0'), 1, 'confirmed', 1, 1, 1,
      1000 + n % ${WALLETS}::integer, 5, 5, 0, now() - n * interval '1 second', now()
    from generate_series(1, ${ROWS}::integer) n`);
  await database.db.execute(sql`
    insert into payouts (id, kind, project_id, payment_hash, account, destination, amount, status, due_at, tx_hash)
    select 'pay_' || lpad(to_hex(n), 22, '0'), 'distribution', ${projectId}, upper(lpad(to_hex(n), 64, '0')), ${DISTRIBUTOR},
      'rSomebody', 1, case when n % 1000 = 0 then 'held' else 'validated' end,
      now() - n * make_interval(secs => ${APART_SECONDS}::integer),
      case when n % 1000 <> 0 then lpad(to_hex(n), 64, 'F') end
    from generate_series(1, ${ROWS}::integer) n`);
  await database.db.execute(sql`
    insert into payout_attempts (tx_hash, payout_id, attempt, account, tx_blob, ticket, fee_drops, first_ledger,
      last_ledger_sequence, status, created_at)
    select lpad(to_hex(n), 64, 'F'), 'pay_' || lpad(to_hex(n), 22, '0'), 1, ${DISTRIBUTOR}, '', n, 12, 1, 20,
      case n % ${ONE_LOST_IN}::integer when 1 then 'failed' when 2 then 'expired' else 'validated' end,
      now() - n * make_interval(secs => ${APART_SECONDS}::integer)
    from generate_series(1, ${ROWS}::integer) n`);
  await database.db.execute(sql`
    insert into delivery_minutes (minute, outcome, below_ms, attempts)
    select date_trunc('minute', now()) - n * interval '1 minute', o.outcome, o.below_ms, o.attempts
    from generate_series(1, 1600) n,
      (values ('delivered', 100, 8), ('delivered', 5000, 2), ('retried', 0, 3), ('given_up', 0, 1)) o(outcome, below_ms, attempts)`);
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

interface PlanNode {
  'Node Type': string;
  'Relation Name'?: string;
  Plans?: PlanNode[];
}
const nodesOf = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesOf)];

/** Tables of payouts that any statement of `work` reads from end to end. */
async function readWhole(work: () => Promise<unknown>): Promise<string[]> {
  asked = [];
  await work();
  const whole: string[] = [];
  for (const { text, params } of [...asked]) {
    const { rows } = await pool.query(`explain (format json) ${text}`, params);
    const nodes = nodesOf(rows[0]['QUERY PLAN'][0].Plan as PlanNode);
    whole.push(...nodes.filter((node) => node['Node Type'] === 'Seq Scan').map((node) => node['Relation Name'] ?? ''));
  }
  return whole.filter((table) => table.startsWith('payout'));
}

const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

describe('payouts over time', () => {
  it.each([
    ['day', 24, DAY_SECONDS],
    ['month', 30, 30 * DAY_SECONDS],
  ] as const)(
    'of a %s have an entry for each period, and count what was paid, lost and held in it',
    async (span, entries, seconds) => {
      const history = await readPayoutHistory(db, span);
      expect(history).toHaveLength(entries);
      const from = Date.parse(history[0]?.at ?? '');
      // From the begin of the first period until now, as many attempts as were spread over it.
      const spread = Math.min(ROWS, (Date.now() - from) / 1_000 / APART_SECONDS);
      expect(spread).toBeLessThanOrEqual(seconds / APART_SECONDS);
      const counted = sum(history.map(({ paid, unsuccessful }) => paid + unsuccessful));
      expect(Math.abs(counted - spread)).toBeLessThan(2);
      expect(Math.abs(sum(history.map(({ unsuccessful }) => unsuccessful)) - (spread * 2) / ONE_LOST_IN)).toBeLessThan(
        3,
      );
      expect(Math.abs(sum(history.map(({ held }) => held)) - spread / 1_000)).toBeLessThan(2);
    },
  );

  it('are read out of indexes, however many there are', async () => {
    expect(await readWhole(() => readPayoutHistory(db, 'day'))).toEqual([]);
  });
});

describe('deliveries over time', () => {
  it('have 24 hours with outcomes and latencies of what was counted, and nothing older', async () => {
    const hours = await readDeliveryHistory(db);
    expect(hours).toHaveLength(24);
    expect(hours[5]).toMatchObject({ delivered: 600, retried: 180, givenUp: 60, p50Ms: 93, p95Ms: 4_750 });
    expect(
      hours.every(
        ({ at }, index) => index === 0 || Date.parse(at) - Date.parse(hours[index - 1]?.at ?? '') === 3_600_000,
      ),
    ).toBe(true);
  });

  it('are there, empty, when nothing was ever delivered', async () => {
    const empty = await freshDatabase();
    const hours = await readDeliveryHistory(empty.db);
    expect(hours).toHaveLength(24);
    expect(hours.every(({ delivered, p50Ms }) => delivered === 0 && p50Ms === null)).toBe(true);
    await empty.close();
  });
});

describe('the investors of a sale', () => {
  const list = (input: { search?: string; cursor?: string } = {}) =>
    listInvestors(testCtx({ db: database.db }), { projectId, ...input });

  it('come page by page, the largest first, each wallet once with all its payments', async () => {
    const wallets: string[] = [];
    const amounts: number[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(cursor === undefined ? {} : { cursor });
      wallets.push(...page.investors.map(({ wallet }) => wallet));
      amounts.push(...page.investors.map(({ investedXrp }) => Number(investedXrp)));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(new Set(wallets).size).toBe(WALLETS);
    expect(wallets).toHaveLength(WALLETS);
    expect(amounts).toEqual(amounts.toSorted((a, b) => b - a));
  });

  it('are found by the hash of a payment, and by nothing that is neither hash nor wallet', async () => {
    const hash = (12_345).toString(16).padStart(64, '0');
    const { investors } = await list({ search: hash });
    expect(investors.map(({ wallet }) => wallet)).toEqual([walletOf(12_345 % WALLETS)]);
    expect((await list({ search: 'F'.repeat(64) })).investors).toEqual([]);
    expect((await list({ search: DISTRIBUTOR })).investors).toEqual([]);
    await expect(list({ search: 'rWall' })).rejects.toMatchObject({ code: 'invalid_request' });
    await expect(list({ cursor: 'bm90IG91cnM' })).rejects.toMatchObject({ code: 'invalid_request' });
  });
});
