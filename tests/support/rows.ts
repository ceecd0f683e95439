import { and, type Column, eq, isNull, type SQL } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import * as schema from '#drizzle/schema/index.ts';
import type { Db } from '#lib/base/db.ts';

const TABLES = { ...schema };
type Schema = typeof TABLES;
type TableName = { [Name in keyof Schema]: Schema[Name] extends PgTable ? Name : never }[keyof Schema];
type Row<Name extends keyof Schema> = Schema[Name] extends { $inferSelect: infer Read } ? Read : never;
type NewRow<Name extends TableName> = Schema[Name] extends { $inferInsert: infer Written } ? Written : never;

/** What the rows that are meant have; all rows where nothing is named. */
type Like<Name extends keyof Schema> = Partial<Row<Name>>;

const matching = (table: object, like: object): SQL | undefined =>
  and(
    ...Object.entries(like).map(([name, value]) => {
      const column: Column = Reflect.get(table, name);
      return value === null ? isNull(column) : eq(column, value);
    }),
  );

/** Rows of a table or a view, in no order. */
export const rowsOf = async <Name extends TableName | 'holderBalances'>(
  db: Db,
  name: Name,
  like: Like<Name> = {},
): Promise<Row<Name>[]> => {
  const table = TABLES[name] as PgTable;
  return (await db.select().from(table).where(matching(table, like))) as Row<Name>[];
};

/** Writes rows that no verb has written: what a test begins with. */
export const addRows = async <Name extends TableName>(
  db: Db,
  name: Name,
  rows: NewRow<Name> | NewRow<Name>[],
): Promise<void> => void (await db.insert(TABLES[name]).values(rows as never));

/** Changes rows behind the back of the verbs. */
export const changeRows = async <Name extends TableName>(
  db: Db,
  name: Name,
  like: Like<Name>,
  values: { [Key in keyof Row<Name>]?: Row<Name>[Key] | SQL | undefined },
): Promise<void> =>
  void (await db
    .update(TABLES[name])
    .set(values as never)
    .where(matching(TABLES[name], like)));

export const deleteRows = async <Name extends TableName>(db: Db, name: Name, like: Like<Name> = {}): Promise<void> =>
  void (await db.delete(TABLES[name]).where(matching(TABLES[name], like)));
