import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'drizzle-orm';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { env } from '#lib/base/env.ts';
import { expectRecordsAgree, holders } from '#tests/integration/sales/cancelled-sales.ts';
import { openStage, type Sale, type Stage } from '#tests/integration/sales/stage.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { TEST_ADMIN_TOKEN, TEST_CRON_SECRET, testEnv } from '#tests/support/env.ts';
import { copyTemplate } from '#tests/support/postgres.ts';

const MIGRATIONS = path.resolve(import.meta.dirname, '../../../drizzle/migrations');
/** Nobody waits longer for a table: what the migration waits for its locks, its statements, and a busy machine. */
const LONGEST_WAIT_MS = 3_000;

interface Journal {
  entries: { idx: number; version: string; when: number; tag: string; breakpoints: boolean }[];
}
const readJournal = async (folder: string): Promise<Journal> =>
  JSON.parse(await readFile(path.join(folder, 'meta/_journal.json'), 'utf8'));

/** A migration as the next version may bring it: columns, an index and a table more, on what is busiest. */
const NEXT = [
  `ALTER TABLE "payments" ADD COLUMN "note" text`,
  `ALTER TABLE "investments" ADD COLUMN "channel" text DEFAULT 'web' NOT NULL`,
  `ALTER TABLE "payouts" ADD COLUMN "note" text`,
  `CREATE INDEX "events_by_type" ON "events" USING btree ("type")`,
  `CREATE TABLE "notes" ("id" text PRIMARY KEY NOT NULL)`,
];

/** The project's migrations up to, and without, the one of this name. */
async function versionBefore(tag: string): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tranche-migrations-'));
  await cp(MIGRATIONS, folder, { recursive: true });
  const journal = await readJournal(folder);
  journal.entries = journal.entries.slice(
    0,
    journal.entries.findIndex((entry) => entry.tag === tag),
  );
  await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify(journal));
  return folder;
}

/** The project's migrations, and one more. */
async function nextVersion(): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tranche-migrations-'));
  await cp(MIGRATIONS, folder, { recursive: true });
  const journal = await readJournal(folder);
  const last = journal.entries.at(-1);
  if (last === undefined) throw new Error('There are no migrations');
  const tag = '9999_next_version';
  journal.entries.push({ ...last, idx: last.idx + 1, when: last.when + 1, tag });
  await writeFile(path.join(folder, 'meta/_journal.json'), JSON.stringify(journal));
  await writeFile(path.join(folder, `${tag}.sql`), NEXT.join(';--> statement-breakpoint\n'));
  return folder;
}

async function emptyDatabase(): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const client = await connected(url.href);
  url.pathname = `/empty_${randomBytes(6).toString('hex')}`;
  await client.query(`create database ${url.pathname.slice(1)}`);
  await client.end();
  return url.href;
}

async function connected(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return client;
}

let folder: string;
beforeAll(async () => {
  folder = await nextVersion();
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the migration runner', () => {
  let url: string;
  let clients: Client[];
  beforeAll(async () => {
    ({ url } = await copyTemplate(inject('postgresUrl')));
    clients = await Promise.all([connected(url), connected(url)]);
  });
  afterAll(() => Promise.all((clients ?? []).map((client) => client.end())));

  test('keeps nobody waiting behind a table that it cannot have yet, and goes on once it can', async () => {
    const [reader, visitor] = clients as [Client, Client];
    // A long export: it holds the table against every ALTER.
    await reader.query('begin');
    await reader.query('select count(*) from payments');
    const { promise: triedTwice, resolve } = Promise.withResolvers<void>();
    const migrated = migrateDatabase(url, { folder, onRetry: (tries) => tries === 2 && resolve() });
    let isOver = false;
    const waits: number[] = [];
    const visiting = (async () => {
      while (!isOver) {
        const startedMs = performance.now();
        await visitor.query('select 1 from payments limit 1');
        waits.push(performance.now() - startedMs);
        await turn();
      }
    })();
    await triedTwice;
    await reader.query('commit');
    await migrated;
    isOver = true;
    await visiting;
    expect(Math.max(...waits)).toBeLessThan(LONGEST_WAIT_MS);
    const { rows } = await visitor.query(
      "select 1 from information_schema.columns where table_name = 'payments' and column_name = 'note'",
    );
    expect(rows).toHaveLength(1);
  });

  test('gives up, and leaves the schema as it was, when a table stays taken', async () => {
    const { url: taken } = await copyTemplate(inject('postgresUrl'));
    const holder = await connected(taken);
    try {
      await holder.query('begin');
      await holder.query('select count(*) from payouts');
      await expect(migrateDatabase(taken, { folder, giveUpAfterMs: 0 })).rejects.toThrow();
      const { rows } = await holder.query(
        "select 1 from information_schema.columns where table_name = 'payments' and column_name = 'note'",
      );
      expect(rows).toEqual([]);
    } finally {
      await holder.end();
    }
  });

  test('lets two that start together apply each migration once', async () => {
    const { url: shared } = await copyTemplate(inject('postgresUrl'));
    await Promise.all([migrateDatabase(shared, { folder }), migrateDatabase(shared, { folder })]);
    const client = await connected(shared);
    const { rows } = await client.query('select hash, count(*)::int from drizzle.__drizzle_migrations group by hash');
    await client.end();
    const { entries } = await readJournal(folder);
    expect(rows.map(({ count }) => count)).toEqual(entries.map(() => 1));
  });
});

describe('indexes that are built before a migration', () => {
  const indexes = async (client: Client) =>
    (await client.query("select indexdef from pg_indexes where tablename = 'events' order by indexname")).rows;

  test('by the statements of the guide are those that the migration would build', async () => {
    const guide = await readFile(path.resolve(import.meta.dirname, '../../../docs/operations.md'), 'utf8');
    const [, statements = ''] = /```sql\n(ALTER TABLE events [\s\S]*?)```/.exec(guide) ?? [];
    const before = await versionBefore('0028_list_of_events');
    const [built, fresh] = await Promise.all([emptyDatabase(), copyTemplate(inject('postgresUrl'))]);
    const clients = await Promise.all([connected(built), connected(fresh.url)]);
    try {
      await migrateDatabase(built, { folder: before });
      for (const statement of statements.split('\n').filter(Boolean)) await clients[0].query(statement);
      await migrateDatabase(built);
      expect(await indexes(clients[0])).toEqual(await indexes(clients[1]));
    } finally {
      await Promise.all(clients.map((client) => client.end()));
      await rm(before, { recursive: true });
    }
  });

  test('keep everything from being migrated while one of them is not built to the end', async () => {
    const { url } = await copyTemplate(inject('postgresUrl'));
    const client = await connected(url);
    try {
      await client.query("insert into events (id, type, body) values ('evt_1', 'twice', ''), ('evt_2', 'twice', '')");
      await expect(client.query('create unique index concurrently events_by_type on events (type)')).rejects.toThrow();
      await expect(migrateDatabase(url, { folder })).rejects.toThrow(/events_by_type.*build it again/);
      await client.query('drop index events_by_type');
      await migrateDatabase(url, { folder });
    } finally {
      await client.end();
    }
  });
});

describe('a running sale', { timeout: 180_000 }, () => {
  let stage: Stage;
  let app: ChildProcess;
  let baseUrl: string;
  let sale: Sale;
  beforeAll(async () => {
    stage = await openStage();
    sale = await stage.launched();
    const { KV_REST_API_URL, QSTASH_URL, XRPL_URLS, XRPL_NETWORK_ID, BASE_URL } = env();
    const entries = [sale.issuer, sale.deposit].map(({ address, seed }) => `${address}=ed25519:${seed}`);
    const settings = testEnv({
      BASE_URL,
      KV_REST_API_URL,
      QSTASH_URL,
      XRPL_URLS: XRPL_URLS.join(','),
      XRPL_NETWORK_ID: String(XRPL_NETWORK_ID),
      POSTGRES_URL: stage.database.url,
      SIGNING_KEYS: entries.join(','),
      RATE_LIMIT_SCALE: '1000',
    });
    app = spawn(process.execPath, [path.join(import.meta.dirname, 'interface-worker.ts')], {
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (app.stdout === null) throw new Error('The app has no output');
    const lines = createInterface(app.stdout);
    [baseUrl] = (await once(lines, 'line')) as [string];
    // Enough that an index takes its time.
    await stage.database.db.execute(sql`insert into events (id, type, body, fanned_out)
      select 'evt_filler_' || n, 'system.network_status', '{}', true from generate_series(1, 50000) n`);
  });
  afterAll(async () => {
    app?.kill();
    await stage?.end();
  });

  test('is migrated while it takes payments and answers: no answer fails, nobody waits long, nothing is lost', async () => {
    const investors = await holders(stage, sale, 4);
    let isOver = false;
    const answers: { path: string; status: number }[] = [];
    let asked = 0;
    const ask = async (path: string, init: RequestInit = {}): Promise<void> => {
      asked += 1;
      const answer = await fetch(`${baseUrl}${path}`, init);
      await answer.text();
      answers.push({ path, status: answer.status });
    };
    const repeatedly = async (work: () => Promise<void>): Promise<void> => {
      while (!isOver) await work();
    };
    const cron = { headers: { authorization: `Bearer ${TEST_CRON_SECRET}` } };
    const hashes: string[] = [];
    const operator = (body: object): RequestInit => ({
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${TEST_ADMIN_TOKEN}` },
      body: JSON.stringify({ reason: 'a test', ...body }),
    });
    const probe = await connected(stage.database.url);
    let longestWaitMs = 0;
    const traffic = [
      repeatedly(async () => {
        const { rows } = await probe.query<{ ms: number }>(`select
          coalesce(max(extract(epoch from clock_timestamp() - query_start)), 0)::float * 1000 as ms
          from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'`);
        longestWaitMs = Math.max(longestWaitMs, rows[0]?.ms ?? 0);
      }),
      repeatedly(async () => {
        const investor = investors[hashes.length % investors.length];
        if (investor !== undefined) hashes.push(await stage.pay(investor, sale, 1));
        stage.desk.close();
        await ask('/api/cron/process-payments', cron);
      }),
      repeatedly(() => ask('/api/cron/process-payments', cron)),
      repeatedly(() => ask(`/api/projects/${sale.project.id}`)),
      repeatedly(() => ask(`/api/investments?wallet_address=${investors[0]?.address}`)),
      repeatedly(() => ask(`/api/projects/${sale.project.id}/payments`)),
      repeatedly(async () => {
        await ask('/api/admin/maintenance', operator({ message: 'The schema is brought up to date.' }));
        await ask('/api/admin/maintenance/end', operator({}));
      }),
    ];
    const countOf = (part: string) => answers.filter((one) => one.path.startsWith(part)).length;
    const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 60_000 });
    let during = 0;
    try {
      await until(() => countOf('/api/cron') >= 4 && countOf('/api/projects') >= 10);
      const before = answers.length;
      await migrateDatabase(stage.database.url, { folder });
      // Some were under way when it began, and however quick it was, it had to go with them.
      during = asked - before;
      const end = countOf('/api/cron') + 4;
      await until(() => countOf('/api/cron') >= end);
    } finally {
      isOver = true;
      await Promise.all(traffic);
      await probe.end();
    }

    expect(during).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status >= 400)).toEqual([]);
    expect(longestWaitMs).toBeLessThan(LONGEST_WAIT_MS);
    // The rest of what came in meanwhile.
    const open = async (): Promise<number> => {
      stage.desk.close(2);
      await ask('/api/cron/process-payments', cron);
      const { rows } = await stage.database.db.execute<{ open: number }>(sql`select
        (${hashes.length} - (select count(*) from investments where status = 'confirmed')
          + (select count(*) from payouts where status <> 'validated'))::int as open`);
      return rows[0]?.open ?? 0;
    };
    while ((await open()) > 0);
    await expectRecordsAgree(stage, sale);
    const { rows } = await stage.database.db.execute(sql`select channel, count(*)::int from investments group by 1`);
    expect(rows).toEqual([{ channel: 'web', count: hashes.length }]);
  });
});

/** Renames and removals, made before there was a release that could run beside them (CHANGELOG.md). */
const BEFORE_ANY_RELEASE = new Set(['0022_plain_names', '0023_leases_alone']);

/** Up to here there was no deployment whose code had to go on while its database was migrated. */
const FIRST_THAT_RUN_BESIDE = '0012_replays_unfinished';
/** What breaks code that does not know of it: gone or renamed, or asked for where it gives nothing. */
const BREAKS_RUNNING_CODE =
  /\bDROP (TABLE|COLUMN|CONSTRAINT|TYPE)\b|\bRENAME\b|\bSET DATA TYPE\b|\bSET NOT NULL\b|ADD COLUMN (?![^;]*\bDEFAULT\b)[^;]*\bNOT NULL\b/i;
/** Checks that a migration replaced by wider ones, and rows of every sort that they tell apart. */
const WIDENED = [
  {
    tag: '0042_unsold_tokens',
    before: '0003_releases',
    check: 'payouts_of_a_payment',
    rows: sql`(values ('distribution', 'A'), ('distribution', null), ('refund', 'A'), ('refund', null), ('release', 'A'),
      ('release', null)) as "payouts"(kind, payment_hash)`,
  },
  {
    tag: '0043_vesting_locks',
    before: '0042_unsold_tokens',
    check: 'payouts_of_a_payment',
    rows: sql`(values ('distribution', 'A'), ('distribution', null), ('refund', 'A'), ('refund', null), ('release', 'A'),
      ('release', null), ('lock', 'A'), ('lock', null)) as "payouts"(kind, payment_hash)`,
  },
  {
    tag: '0043_vesting_locks',
    before: '0042_unsold_tokens',
    check: 'payouts_locked',
    rows: sql`(select kind, until as locked_until, project as project_id, destination, 'A' as account, tag as destination_tag
      from (values ('distribution'), ('refund'), ('release'), ('lock')) as k(kind), (values (now()), (null)) as u(until),
        (values ('P'), (null)) as p(project), (values ('A'), ('B')) as d(destination), (values (1), (null)) as t(tag)) as "payouts"`,
  },
];
const isWidened = (tag: string, name: string): boolean => WIDENED.some((one) => one.tag === tag && one.check === name);

/** The text without tables that go and leave a view of their name to who still reads them, and without checks that became wider. */
const withoutReplaced = (tag: string, text: string): string =>
  text
    .replaceAll(/DROP TABLE "(\w+)"/g, (drop, table) =>
      new RegExp(`CREATE VIEW ("public"\\.)?"${table}"`).test(text) ? '' : drop,
    )
    .replaceAll(/DROP CONSTRAINT "(\w+)"/g, (drop, name) => (isWidened(tag, name) ? '' : drop));

test('a migration only adds: the code before it goes on with the new schema, so that the order is migrate, then deploy', async () => {
  const { entries } = await readJournal(MIGRATIONS);
  const position = entries.findIndex(({ tag }) => tag === FIRST_THAT_RUN_BESIDE);
  const later = entries.slice(position);
  expect(later.length).toBeGreaterThan(0);
  for (const { tag } of later) {
    if (BEFORE_ANY_RELEASE.has(tag)) continue;
    const text = (await readFile(path.join(MIGRATIONS, `${tag}.sql`), 'utf8')).replaceAll(/--(?!> statement).*$/gm, '');
    expect(withoutReplaced(tag, text), tag).not.toMatch(BREAKS_RUNNING_CODE);
  }
  // The migrator goes by time: one that is dated before another that was applied would be passed over in silence.
  const times = entries.map(({ when }) => when);
  expect(times).toEqual(times.toSorted((a, b) => a - b));
});

test.each(WIDENED)('$tag lets through what $check let through before', async ({ tag, before, check, rows }) => {
  const checkIn = async (file: string): Promise<string> => {
    const text = await readFile(path.join(MIGRATIONS, `${file}.sql`), 'utf8');
    const found = new RegExp(`ADD CONSTRAINT "${check}" CHECK (.+?)(?: NOT VALID)?;`).exec(text)?.[1];
    if (found === undefined) throw new Error(`${file} has no check ${check}`);
    return found;
  };
  const [former, now] = await Promise.all([checkIn(before), checkIn(tag)]);
  const database = await freshDatabase();
  try {
    const { rows: refused } = await database.db.execute(
      sql`select * from ${rows} where (${sql.raw(former)}) and not (${sql.raw(now)})`,
    );
    expect(refused).toEqual([]);
    const { rows: kept } = await database.db.execute(sql`select * from ${rows} where (${sql.raw(former)})`);
    expect(kept.length).toBeGreaterThan(0);
  } finally {
    await database.close();
  }
});
