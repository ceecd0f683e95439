import { randomBytes } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';
import { expect, inject, test } from 'vitest';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { holderBalances, holderSyncs } from '#drizzle/schema/holders.ts';
import { finishSync } from '#lib/accounts/holders/finish-sync.ts';
import { listHolders } from '#lib/accounts/holders/list-holders.ts';
import { readHolding } from '#lib/accounts/holders/read-holding.ts';
import { openDatabase } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { testEnv } from '#tests/support/env.ts';
import { addRows } from '#tests/support/rows.ts';
import { writeRead } from '#tests/support/snapshot-pages.ts';
import { testWallet, testWallets } from '#tests/support/token-crowd.ts';

const TOKEN = { kind: 'iou' as const, currency: 'DMO', issuer: testWallet(1).address };
const NAME = `DMO.${TOKEN.issuer}`;
const CROWD = testWallets(1_100, 10).map(({ address }) => address);
const syncId = (n: number) => `sync_${String(n).padStart(22, '0')}`;

/** An empty database with every migration before `tag`. */
async function migratedBefore(tag: string): Promise<string> {
  const url = new URL(inject('postgresUrl'));
  const admin = new Client({ connectionString: url.href });
  await admin.connect();
  url.pathname = `/before_${randomBytes(6).toString('hex')}`;
  await admin.query(`create database ${url.pathname.slice(1)}`);
  await admin.end();
  const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
  await cp(new URL('../../../drizzle/migrations', import.meta.url).pathname, folder, { recursive: true });
  const journalPath = join(folder, 'meta/_journal.json');
  const journal = JSON.parse(await readFile(journalPath, 'utf8')) as { entries: { tag: string }[] };
  journal.entries.length = journal.entries.findIndex((entry) => entry.tag === tag);
  await writeFile(journalPath, JSON.stringify(journal));
  const client = new Client({ connectionString: url.href });
  await client.connect();
  await migrate(drizzle(client), { migrationsFolder: folder });
  await client.end();
  await rm(folder, { recursive: true });
  return url.href;
}

test('a database that has snapshots already keeps the last one, and begins anew what was running', async () => {
  applyEnv(testEnv());
  const url = await migratedBefore('0013_holder_blocks');
  const { db, close } = await openDatabase(url, 2);
  const states = [
    { id: syncId(1), status: 'complete', completedAt: new Date('2026-11-20T00:00:00Z'), holders: 1_100 },
    { id: syncId(2), status: 'complete', completedAt: new Date('2026-11-21T00:00:00Z'), holders: 1_098 },
    { id: syncId(3), status: 'running', completedAt: null, holders: 400 },
  ] as const;
  const at = new Date('2026-11-19T00:00:00Z');
  const ledger = {
    token: NAME,
    ledgerHash: 'A'.repeat(64),
    ledgerClosedAt: at,
    server: 'ws://127.0.0.1:9',
    startedAt: at,
  };
  // Of two that hold the same, and two that are excluded.
  const balances = CROWD.map((account, n) => ({ account, balance: `${1 + (n % 600)}.5`, excluded: n < 2 }));
  const supply = '320000';
  for (const [n, state] of states.entries()) {
    await addRows(db, 'holderSyncs', { ...ledger, ...state, ledgerIndex: n + 1, statistics: { supply } });
    await db.execute(sql`
      insert into holder_balances (sync_id, account, balance, excluded)
      select ${state.id}, h.account, h.balance, h.excluded
      from jsonb_to_recordset(${JSON.stringify(balances)}::jsonb) as h(account text, balance numeric, excluded boolean)`);
  }

  await migrateDatabase(url);

  const rankOf = (balance: number) =>
    1 + balances.filter((each) => !each.excluded && Number(each.balance) > balance).length;
  for (const n of [2, 599, 700, 1_099]) {
    const { account, balance } = balances[n]!;
    expect(await readHolding(db, TOKEN, account)).toMatchObject({ ledgerIndex: 2, rank: rankOf(Number(balance)) });
  }
  expect(await readHolding(db, TOKEN, CROWD[1]!)).toMatchObject({ balance: '2.500000', rank: null, excluded: true });
  expect(await readHolding(db, TOKEN, TOKEN.issuer)).toMatchObject({
    balance: '0.000000',
    rank: null,
    excluded: false,
  });
  const ctx = testCtx({ db });
  const { holders } = await listHolders(ctx, { token: TOKEN, limit: 1_200 });
  expect(holders).toHaveLength(1_098);
  expect(holders.map(({ rank }) => rank)).toEqual(holders.map(({ balance }) => rankOf(Number(balance))));
  const kept = await db
    .select({ id: holderSyncs.id, status: holderSyncs.status, pruned: holderSyncs.pruned })
    .from(holderSyncs);
  expect(kept.toSorted((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
    { id: syncId(1), status: 'complete', pruned: true },
    { id: syncId(2), status: 'complete', pruned: false },
    { id: syncId(3), status: 'abandoned', pruned: true },
  ]);
  // Instances of the release before read what they always read, and write nothing any more.
  expect(await db.$count(holderBalances, eq(holderBalances.excluded, true))).toBe(2);
  await expect(
    db.execute(sql`insert into holder_balances (sync_id, account, balance) values ('sync_3', 'r1', 1)`),
  ).rejects.toThrow();
  const next = await writeRead(db, { id: syncId(4), token: NAME, ledgerIndex: 4 }, balances.slice(3));
  expect(await finishSync(ctx, TOKEN, next)).toMatchObject({ holders: 1_097, added: 0, removed: 1 });
  await close();
});
