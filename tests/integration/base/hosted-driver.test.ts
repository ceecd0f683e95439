import { asc, eq, inArray, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { tenants } from '#drizzle/schema/access.ts';
import { events, webhooks } from '#drizzle/schema/events.ts';
import { jobRuns } from '#drizzle/schema/jobs.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { allocations, investments, payments, projects } from '#drizzle/schema/sale.ts';
import { bulkRows, textArray } from '#lib/base/bulk.ts';
import { type Db, openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { acquireLease, withLease } from '#lib/base/lease.ts';
import { confirm } from '#lib/sales/feed/confirm.ts';
import { recognise } from '#lib/sales/feed/recognise.ts';
import { startPostgresRelay } from '#sandbox/postgres/relay.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows, changeRows, rowsOf } from '#tests/support/rows.ts';
import {
  addWebhooks,
  confirmedAtMs,
  DEPOSIT,
  pageOf,
  paymentEntry,
  seedSale,
  subscribeToAll,
  XRP,
} from '#tests/support/sale.ts';
import { type HostedDatabase, hostedDatabase } from './hosted-database.ts';

const MAX_CONNECTIONS = 3;
let hosted: HostedDatabase;
let db: Db;

beforeAll(async () => {
  applyEnv(testEnv());
  hosted = await hostedDatabase({ maxConnections: MAX_CONNECTIONS });
  db = hosted.db;
});
afterEach(() => db.execute(sql`truncate tenants, events, deposit_accounts, leases, job_runs cascade`));
afterAll(() => hosted.close());

const tenantIds = async () => (await db.select().from(tenants).orderBy(asc(tenants.id))).map(({ id }) => id);

describe('a transaction over the hosted driver', () => {
  it('is written whole, over a WebSocket', async () => {
    await db.transaction(async (tx) => {
      await addRows(tx, 'tenants', { id: 'ten_a' });
      await addRows(tx, 'tenants', { id: 'ten_b' });
    });
    expect(await tenantIds()).toEqual(['ten_a', 'ten_b']);
    expect(hosted.relay.accepted).toBeGreaterThan(0);
  });

  it('that throws leaves nothing, and its error comes through', async () => {
    const failing = db.transaction(async (tx) => {
      await addRows(tx, 'tenants', { id: 'ten_a' });
      throw new Error('changed my mind');
    });
    await expect(failing).rejects.toThrow('changed my mind');
    expect(await tenantIds()).toEqual([]);
  });

  it('inside another is undone alone', async () => {
    await db.transaction(async (tx) => {
      await addRows(tx, 'tenants', { id: 'ten_outer' });
      const inner = tx.transaction(async (nested) => {
        await addRows(nested, 'tenants', { id: 'ten_inner' });
        await addRows(nested, 'tenants', { id: 'ten_outer' });
      });
      await expect(inner).rejects.toThrow('Failed query');
      await tx.transaction((nested) => addRows(nested, 'tenants', { id: 'ten_second' }));
    });
    expect(await tenantIds()).toEqual(['ten_outer', 'ten_second']);
  });

  it('is not seen by others before it ends, and its row locks hold them off', async () => {
    await addRows(db, 'jobRuns', { name: 'l', slice: 0 });
    const increment = () =>
      db.transaction(async (tx) => {
        const [row] = await tx.select().from(jobRuns).where(eq(jobRuns.name, 'l')).for('update');
        await changeRows(tx, 'jobRuns', {}, { slice: row!.slice + 1 });
      });
    await Promise.all(Array.from({ length: 12 }, increment));
    expect(await db.select({ slice: jobRuns.slice }).from(jobRuns)).toEqual([{ slice: 12 }]);
  });
});

describe('a value over the hosted driver', () => {
  it('comes back as it went: bigint, numeric, json, instant, array and null', async () => {
    const { projectId } = await seedSale(db);
    const largest = 9_223_372_036_854_775_807n;
    const vesting = { immediate_bps: 2_500, cliff_days: 30, period_days: 7, periods: 3 };
    const endsAt = new Date('2026-11-21T12:34:56.789Z');
    await changeRows(
      db,
      'projects',
      {},
      { softCapDrops: largest, raisedDrops: 0n, vesting, endsAt, name: 'Ünïcode 🪙 "q" \\' },
    );
    const price = 123_456_789_012_345_678_901_234_567_890n;
    await changeRows(db, 'tiers', {}, { price, totalUnits: largest });
    const [project] = await rowsOf(db, 'projects', { id: projectId });
    expect(project).toMatchObject({
      softCapDrops: largest,
      raisedDrops: 0n,
      maxPerWalletDrops: null,
      vesting,
      endsAt,
      name: 'Ünïcode 🪙 "q" \\',
      destinationTag: 77,
    });
    expect((await rowsOf(db, 'tiers'))[0]).toMatchObject({ price, totalUnits: largest });
    await addRows(db, 'tenants', { id: 'ten_1' });
    const chosen = ['investment.created', 'with "quotes", commas', ''];
    await addWebhooks(db, [{ id: 'wh_1', tenantId: 'ten_1', events: chosen }]);
    const found = await db
      .select()
      .from(webhooks)
      .where(sql`${webhooks.events} && ${textArray([chosen[1]!])}`);
    expect(found).toMatchObject([{ id: 'wh_1', events: chosen, deletedAt: null }]);
  });

  it('is the same as over TCP, in a raw statement too', async () => {
    const statement = sql`
      select 1 as whole, 9007199254740993::bigint as large, 1.50::numeric as exact, '{"a":[1,null]}'::jsonb as json,
        timestamptz '2026-11-21T12:34:56.789Z' as instant, array['a', null] as texts, array[1, 2]::bigint[] as numbers,
        null::text as nothing, true as truth, '\\x00ff'::bytea as bytes`;
    const direct = await openDatabase(hosted.directUrl, 1);
    const overTcp = await direct.db.execute(statement);
    await direct.close();
    const overWebSocket = await db.execute(statement);
    expect(overWebSocket.rows).toEqual(overTcp.rows);
    expect(overWebSocket.rows[0]).toMatchObject({ large: '9007199254740993', json: { a: [1, null] } });
    expect({ command: overWebSocket.command, rowCount: overWebSocket.rowCount }).toEqual({
      command: 'SELECT',
      rowCount: 1,
    });
  });

  it('may be one of thousands in a bulk write', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => ({
      name: `lease-${i}`,
      run: i % 3 === 0 ? null : `h"${i},{}`,
      started_at: i % 2 === 0 ? new Date(1_790_000_000_000 + i) : null,
      slice: 2n ** 52n + BigInt(i),
    }));
    const columns = { name: 'text', run: 'text', started_at: 'timestamptz', slice: 'bigint' } as const;
    const written = await db.execute(sql`
      insert into ${jobRuns} (name, run, started_at, slice)
      select name, run, started_at, slice from ${bulkRows('given', columns, rows)}`);
    expect(written.rowCount).toBe(5_000);
    const back = await db
      .select()
      .from(jobRuns)
      .where(inArray(jobRuns.name, ['lease-4', 'lease-3']))
      .orderBy(jobRuns.name);
    expect(back).toMatchObject([
      { name: 'lease-3', run: null, startedAt: null, slice: 2 ** 52 + 3 },
      { name: 'lease-4', run: 'h"4,{}', startedAt: new Date(1_790_000_000_004), slice: 2 ** 52 + 4 },
    ]);
  });
});

describe('an error of the database over the hosted driver', () => {
  it('names its code and constraint, and the connection goes on', async () => {
    await seedSale(db, { tag: 5 });
    await expect(seedSale(db, { tag: 5 })).rejects.toMatchObject({
      cause: { code: '23505', constraint: 'projects_tag' },
    });
    await expect(changeRows(db, 'tiers', {}, { soldUnits: -1n })).rejects.toMatchObject({
      cause: { code: '23514', constraint: 'tiers_never_oversold' },
    });
    await expect(db.execute(sql`select nonsense`)).rejects.toMatchObject({ cause: { code: '42703' } });
    expect(await db.$count(projects)).toBe(1);
  });
});

describe('the pool of the hosted driver', () => {
  it('serves many at once over no more connections than it may have', async () => {
    // Of its own: what an earlier test left closing is still counted.
    const own = await hostedDatabase({ maxConnections: MAX_CONNECTIONS });
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => (await own.db.execute(sql`select ${i}::int as n`)).rows[0]),
    );
    expect(answers).toEqual(Array.from({ length: 60 }, (_, n) => ({ n })));
    expect(own.relay.mostOpen).toBeLessThanOrEqual(MAX_CONNECTIONS);
    await own.close();
  });

  it('gives a lease to one of many', async () => {
    const taken = await Promise.all(Array.from({ length: 10 }, (_, i) => acquireLease(db, 'work', `holder-${i}`, 60)));
    expect(taken.filter(Boolean)).toHaveLength(1);
  });

  it('reports a server that is not there, and goes on when it is back', async () => {
    const alone = await hostedDatabase();
    const { port } = alone.relay;
    await alone.relay.close();
    await expect(alone.db.execute(sql`select 1`)).rejects.toThrow('Failed query');
    const target = new URL(alone.directUrl);
    const back = await startPostgresRelay({ target: { host: target.hostname, port: Number(target.port) }, port });
    expect((await alone.db.execute(sql`select 1 as n`)).rows).toEqual([{ n: 1 }]);
    await alone.close();
    await back.close();
  });
});

// The same for both drivers: the process lives, every place in the pool comes back, and nothing is half written.
describe.each(['WebSocket', 'TCP'])('a connection over %s that the server drops', (driver) => {
  const open = async () => {
    if (driver === 'WebSocket') return { db, dropAll: async () => void hosted.relay.dropConnections(), close() {} };
    const direct = await openDatabase(hosted.directUrl, MAX_CONNECTIONS);
    const dropAll = async () => {
      await db.execute(sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid()`);
    };
    return { db: direct.db, dropAll, close: direct.close };
  };
  /** Has every connection that the pool may have at work at once. */
  const fillPool = (of: Db) =>
    Promise.all(Array.from({ length: MAX_CONNECTIONS }, () => of.execute(sql`select pg_sleep(0.02)`)));
  const expectWholePool = (of: Db) =>
    expect
      .poll(() =>
        fillPool(of)
          .then(({ length }) => length)
          .catch(() => 'failing'),
      )
      .toBe(MAX_CONNECTIONS);

  it('while idle is replaced', async () => {
    const pool = await open();
    await fillPool(pool.db);
    await pool.dropAll();
    await expectWholePool(pool.db);
    await pool.close();
  });

  it('as transactions begin costs no place in the pool', async () => {
    const pool = await open();
    await fillPool(pool.db);
    await pool.dropAll();
    // Not yet told of the loss, the pool hands the dead connections out.
    const begun = await Promise.allSettled(
      Array.from({ length: MAX_CONNECTIONS }, () => pool.db.transaction((tx) => tx.execute(sql`select 1`))),
    );
    expect(begun).toHaveLength(MAX_CONNECTIONS);
    await expectWholePool(pool.db);
    await pool.close();
  });

  it('between the statements of a transaction fails that transaction alone', async () => {
    const pool = await open();
    const cut = pool.db.transaction(async (tx) => {
      await addRows(tx, 'tenants', { id: 'ten_cut' });
      await pool.dropAll();
      await expect.poll(() => tx.execute(sql`select 1`).catch(() => 'lost'), { interval: 5 }).toBe('lost');
      await addRows(tx, 'tenants', { id: 'ten_after' });
    });
    await expect(cut).rejects.toThrow('Failed query');
    await expectWholePool(pool.db);
    expect(await tenantIds()).toEqual([]);
    await pool.close();
  });

  it('during a statement fails that statement', async () => {
    const pool = await open();
    const slow = pool.db.transaction((tx) => tx.execute(sql`select pg_sleep(30)`));
    const outcome = expect(slow).rejects.toThrow('Failed query');
    await expect
      .poll(async () => {
        const { rows } = await db.execute(
          sql`select 1 from pg_stat_activity where query like 'select pg_sleep(30)%' and state = 'active'`,
        );
        return rows.length;
      })
      .toBe(1);
    await pool.dropAll();
    await outcome;
    await expectWholePool(pool.db);
    await pool.close();
  });
});

describe('the verbs of the product over the hosted driver', () => {
  // A project's id is random, and a row's time of writing its own.
  const comparable = (row: object) => ({ ...row, projectId: undefined, createdAt: undefined });
  const runSale = async (sale: Db) => {
    await subscribeToAll(sale);
    await seedSale(sale);
    const ctx = testCtx({ db: sale });
    const entries = Array.from({ length: 60 }, (_, i) =>
      paymentEntry(101 + Math.floor(i / 10), i % 10, 12n * XRP + BigInt(i), {
        destinationTag: i % 9 === 0 ? null : 77,
        sourceTag: i % 2 === 0 ? 4_000_000_000 + i : null,
      }),
    );
    await recognise(ctx, { account: DEPOSIT, afterLedger: 100, page: pageOf(entries, 106) });
    const confirmed = await confirm(ctx, { account: DEPOSIT, throughLedger: 106, closedAtMs: null, confirmedAtMs });
    return {
      confirmed,
      payments: (await sale.select().from(payments).orderBy(payments.txHash)).map(comparable),
      investments: (await sale.select().from(investments).orderBy(investments.id)).map(comparable),
      allocations: (await sale.select().from(allocations).orderBy(allocations.investmentId, allocations.tier)).map(
        comparable,
      ),
      payouts: (await sale.select().from(payouts).orderBy(payouts.id)).length,
      events: (await sale.select().from(events).orderBy(events.sequence)).map(({ type }) => type),
    };
  };

  it('write the same books as over TCP', async () => {
    const direct = await freshDatabase();
    const overTcp = await runSale(direct.db);
    await direct.close();
    const overWebSocket = await runSale(db);
    expect(overWebSocket).toEqual(overTcp);
    expect(overWebSocket.confirmed).toMatchObject({ confirmed: 53, refused: 7 });
    expect(overWebSocket.events).toContain('project.tier_completed');
  });

  it('exclude each other by a lease', async () => {
    let underWay = 0;
    let most = 0;
    const work = async (stillMine: () => Promise<boolean>) => {
      most = Math.max(most, ++underWay);
      expect(await stillMine()).toBe(true);
      underWay -= 1;
    };
    const lease = { name: 'one', ttlSeconds: 60, waitMs: 10_000 };
    const results = await Promise.all(
      Array.from({ length: 4 }, (_, i) => withLease(db, { ...lease, holder: `h${i}` }, work)),
    );
    expect(results).not.toContain(null);
    expect(most).toBe(1);
  });
});
