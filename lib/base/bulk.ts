import { getTableColumns, type Placeholder, type SQL, sql } from 'drizzle-orm';
import { CasingCache } from 'drizzle-orm/casing';
import type { PgTable } from 'drizzle-orm/pg-core';

/** Postgres types that a bulk column may have. */
export type BulkType = 'text' | 'bigint' | 'integer' | 'numeric' | 'timestamptz' | 'boolean';

type BulkValue = string | number | bigint | boolean | Date | null;

const toText = (value: BulkValue): string | null => {
  if (value === null) return null;
  return value instanceof Date ? value.toISOString() : String(value);
};

const listOf = (parts: readonly SQL[]): SQL => sql.join([...parts], sql`, `);

/**
 * Texts as Postgres writes an array. One flat text is held until the statement has ended, and not thousands of small ones beside
 * the one that the driver would make of them.
 */
export const arrayText = (values: readonly (string | null)[]): string => `{${values.map(elementText).join(',')}}`;

function elementText(value: string | null): string {
  if (value === null) return 'NULL';
  return `"${/[\\"]/.test(value) ? value.replaceAll(/[\\"]/g, '\\$&') : value}"`;
}

function unnest(alias: string, columns: readonly { name: string; type: string; values: string | Placeholder }[]): SQL {
  const arrays = columns.map(({ type, values }) => sql`${values}::text[]::${sql.raw(type)}[]`);
  const names = columns.map(({ name }) => sql`${sql.identifier(name)}`);
  return sql`unnest(${listOf(arrays)}) as ${sql.identifier(alias)}(${listOf(names)})`;
}

/**
 * Rows as one set-returning expression, `unnest($1::text[], $2::bigint[], …) as alias(a, b, …)`: one parameter a column,
 * so a statement stays one statement for any number of rows. `columns` fixes names, order and types.
 */
export function bulkRows<Column extends string>(
  alias: string,
  columns: Record<Column, BulkType>,
  rows: readonly Record<Column, BulkValue>[],
): SQL {
  return bulkRowsOf(alias, columns, bulkValues(columns, rows));
}

const namesOf = <Column extends string>(columns: Record<Column, BulkType>) => Object.keys(columns) as Column[];

/** The same for the arrays of the columns, or for placeholders that `bulkValues` fills. */
export const bulkRowsOf = <Column extends string>(
  alias: string,
  columns: Record<Column, BulkType>,
  arrays: Readonly<Record<Column, string | Placeholder>>,
): SQL =>
  unnest(
    alias,
    namesOf(columns).map((name) => ({ name, type: columns[name], values: arrays[name] })),
  );

/** The array of each column. */
export const bulkValues = <Column extends string>(
  columns: Record<Column, BulkType>,
  rows: readonly Record<Column, BulkValue>[],
): Record<Column, string> =>
  Object.fromEntries(namesOf(columns).map((name) => [name, arrayText(rows.map((row) => toText(row[name])))])) as Record<
    Column,
    string
  >;

type RowOf<Table extends PgTable> = Partial<Table['$inferInsert']>;

const casing = new CasingCache('snake_case');

/** The columns that the rows of a table give: all rows give the same ones, and there is at least one row. */
function columnsOf<Table extends PgTable>(table: Table, rows: readonly RowOf<Table>[]) {
  const columns = getTableColumns(table);
  return Object.keys(rows[0] ?? {}).map((key) => {
    const column = columns[key];
    if (column === undefined) throw new Error(`The table has no column ${key}`);
    return { key, column, name: casing.getColumnCasing(column) };
  });
}

/** Rows as `bulkRows` gives them, with the names and types of the table's own columns. */
export function tableRows<Table extends PgTable>(alias: string, table: Table, rows: readonly RowOf<Table>[]): SQL {
  const columns = columnsOf(table, rows).map(({ key, column, name }) => ({
    name,
    type: column.getSQLType(),
    values: arrayText(
      rows.map((row) => {
        const value = row[key as keyof typeof row] ?? null;
        return toText(value === null ? null : (column.mapToDriverValue(value) as BulkValue));
      }),
    ),
  }));
  return unnest(alias, columns);
}

/** `insert into … select … from given`: what follows is the caller's. `computed` gives further columns for each row. */
export function insertRows<Table extends PgTable>(
  table: Table,
  rows: readonly RowOf<Table>[],
  computed: Record<string, SQL> = {},
): SQL {
  const names = columnsOf(table, rows).map(({ name }) => sql`${sql.identifier(name)}`);
  const further = Object.keys(computed).map((name) => sql`${sql.identifier(name)}`);
  return sql`insert into ${table} (${listOf([...names, ...further])})
    select ${listOf([...names, ...Object.values(computed)])} from ${tableRows('given', table, rows)}`;
}

/** `update … as t set … from given where` the row's `keys` fit: a further condition is the caller's. */
export function updateRows<Table extends PgTable, Row extends RowOf<Table>>(
  table: Table,
  keys: readonly (keyof Row & string)[],
  rows: readonly Row[],
): SQL {
  const columns = columnsOf(table, rows).map(({ key, name }) => ({ key, name: sql.identifier(name) }));
  const isKey = ({ key }: { key: string }) => keys.some((each) => each === key);
  const set = columns.filter((column) => !isKey(column)).map(({ name }) => sql`${name} = given.${name}`);
  const fits = columns.filter(isKey).map(({ name }) => sql`t.${name} = given.${name}`);
  return sql`update ${table} as t set ${listOf(set)} from ${tableRows('given', table, rows)}
    where ${sql.join(fits, sql` and `)}`;
}

/**
 * Statements that change different tables as one. Each sees the tables as they were before, and none waits for another's round
 * trip; the result is that of the last one.
 */
export function together(statements: readonly [SQL, ...SQL[]]): SQL {
  const last = statements.at(-1) ?? statements[0];
  const first = statements
    .slice(0, -1)
    .map((statement, index) => sql`${sql.identifier(`part_${index}`)} as (${statement})`);
  return first.length === 0 ? last : sql`with ${listOf(first)} ${last}`;
}

/** A text[] parameter: drizzle would expand an array into a list of parameters. */
export const textArray = (values: readonly (string | null)[]): SQL => sql`${arrayText(values)}::text[]`;
