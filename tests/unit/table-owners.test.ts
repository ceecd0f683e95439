import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import { getTableName, is } from 'drizzle-orm';
import { PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, it } from 'vitest';
import { OWNERS, type TableName } from '#drizzle/owners.ts';
import * as schema from '#drizzle/schema/index.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');

/** Writes rows into the table that it is given: where it is called, `insertRows(payments, …)` is a write of that file. */
const BULK = 'lib/base/bulk.ts';

/** What stands for a table in a statement without being its name: `*` in every file, else in that file alone. */
const STAND_INS: Record<string, Record<string, TableName>> = {
  '*': { payoutsAsP: 'payouts' },
  'lib/accounts/holders/prune-balances.ts': { table: 'holderPages' },
};

const tables = new Map(
  Object.entries<unknown>(schema).flatMap(([name, value]) => (is(value, PgTable) ? [[name as TableName, value]] : [])),
);
const byName = new Map(
  [...tables].flatMap(([name, table]) => [[name as string, name] as const, [getTableName(table), name] as const]),
);

const IDENTIFIER = String.raw`(?:\w+\.)?(\w+)`;
/** `tx.insert(payouts)`, `ctx.db\n  .update(payouts)`. */
const BUILT = new RegExp(String.raw`\.(?:insert|update|delete)\(\s*${IDENTIFIER}\s*\)`, 'g');
/** `insertRows(payments, rows)`. */
const BUILT_IN_BULK = new RegExp(String.raw`\b(?:insertRows|updateRows)\(\s*${IDENTIFIER}`, 'g');
/** The same of what is surely a database, whatever its argument. */
const BUILT_ON_DATABASE = new RegExp(String.raw`\b(?:db|tx)\s*\.(?:insert|update|delete)\(\s*${IDENTIFIER}`, 'g');
/** `insert into ${payouts}`, `update "payouts"`; never `for update of p`, `on conflict do update set`. */
const WRITTEN = new RegExp(
  String.raw`\b(?:insert\s+into|delete\s+from|merge\s+into|truncate(?:\s+table)?|(?<!\b(?:for|key|do)\s+)update)\s+(?:only\s+)?(?:\$\{\s*${IDENTIFIER}\s*\}|"?(\w+)"?)`,
  'gi',
);
const RENAMED = /import[^;]*\b(\w+) as (\w+)[^;]*#drizzle\/schema/g;

/** Every write in `text` that `file` may not make, as the table's name or what stands for it. */
function foreignWrites(file: string, text: string): string[] {
  const tableOf = (name: string) => byName.get(name) ?? STAND_INS[file]?.[name] ?? STAND_INS['*']?.[name];
  const isOwn = (table: TableName) => file === OWNERS[table] || file.startsWith(`${OWNERS[table]}/`);
  const named = [...text.matchAll(BUILT)].flatMap(([, name = '']) => tableOf(name) ?? []);
  const raw = [...text.matchAll(WRITTEN)].flatMap(([, inserted, literal = '']): string[] =>
    // A word after `update` in a comment is no table; an expression in a statement must be one that is known.
    inserted === undefined
      ? [tableOf(literal)].filter((table) => table !== undefined)
      : [tableOf(inserted) ?? inserted],
  );
  const inBulk = [...text.matchAll(BUILT_IN_BULK)].map(([, name = '']) => tableOf(name) ?? name);
  const unknown = [...text.matchAll(BUILT_ON_DATABASE)].flatMap(([, name = '']) => (tableOf(name) ? [] : [name]));
  const renamed = [...text.matchAll(RENAMED)].map(([, from = '', to = '']) => `${from} as ${to}`);
  const own = [...named, ...raw, ...inBulk].filter((name) => !(name in OWNERS) || !isOwn(name as TableName));
  return [...own, ...unknown, ...renamed];
}

/** Names in braces are those of a template. */
const inTemplate = (text: string) => text.replaceAll(/\{(\w+)\}/g, (_, name: string) => `\${${name}}`);

describe('the tables', () => {
  it('have one owner each', () => {
    expect(Object.keys(OWNERS).sort()).toEqual([...tables.keys()].sort());
  });

  it('are written by their owners alone', async () => {
    const found: string[] = [];
    let files = 0;
    for await (const file of glob('{lib,app}/**/*.{ts,tsx}', { cwd: ROOT })) {
      files++;
      if (file === BULK) continue;
      const text = await readFile(path.join(ROOT, file), 'utf8');
      found.push(...foreignWrites(file, text).map((table) => `${file} writes ${table}`));
    }
    expect(files).toBeGreaterThan(500);
    expect(found).toEqual([]);
  });

  it.each([
    ['await tx.insert(payouts).values(rows);'],
    ['await ctx.db\n  .update(payouts)\n  .set({ status });'],
    ['await tx.delete(schema.payouts);'],
    ['await tx.execute(sql`insert into {payouts} (id) values (1)`);'],
    ['await tx.execute(sql`\n  update {payouts} as p set x = 1`);'],
    ['await tx.execute(sql`with gone as (delete from {payouts} p returning 1) select 1`);'],
    ['await tx.execute(sql`update payouts set status = 1`);'],
    ['await tx.execute(sql`UPDATE "payouts" SET status = 1`);'],
    ['await tx.execute(sql`update {payoutsAsP} set status = 1`);'],
    ['await tx.execute(sql`delete from {whichever}`);'],
    ['await tx.update(whichever).set({ status });'],
    ['await tx.execute(insertRows(payouts, rows));'],
    ['await tx.execute(updateRows(payouts, keys, rows));'],
    ['await tx.execute(updateRows(whichever, rows));'],
    ["import { payouts as due } from '#drizzle/schema/payouts.ts';"],
  ])('%s is a write of payouts, and not for the sale', (text) => {
    expect(foreignWrites('lib/sales/feed/example.ts', inTemplate(text))).toHaveLength(1);
  });

  it.each([
    ['await tx.insert(payments).values(rows);'],
    ['await tx.execute(insertRows(payments, rows));'],
    ['await tx.select().from(payouts).for("no key update");'],
    ['sql`select from {payouts} p where p.id = 1 for update of p skip locked`'],
    ['sql`select from {payouts} p for no key update skip locked`'],
    ['sql`insert into {payments} (a) values (1) on conflict (a) do update set a = 2`'],
    ['open.delete(id); hash.update(lines); // update the payouts'],
  ])('%s is for the sale', (text) => {
    expect(foreignWrites('lib/sales/feed/example.ts', inTemplate(text))).toEqual([]);
  });

  it('their owners may write them', () => {
    expect(foreignWrites('lib/payouts/example.ts', 'await tx.update(payouts).set({ status });')).toEqual([]);
    expect(foreignWrites('lib/audit.ts', 'await tx.insert(auditEntries).values(row);')).toEqual([]);
  });
});
