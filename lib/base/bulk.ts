import { type SQL, sql } from 'drizzle-orm';

/** Postgres types that a bulk column may have. */
export type BulkType = 'text' | 'bigint' | 'integer' | 'numeric' | 'timestamptz' | 'boolean';

type BulkValue = string | number | bigint | boolean | Date | null;

const toText = (value: BulkValue): string | null => {
  if (value === null) return null;
  return value instanceof Date ? value.toISOString() : String(value);
};

/**
 * Rows as one set-returning expression, `unnest($1::text[], $2::bigint[], …) as alias(a, b, …)`: one parameter a column,
 * so a statement stays one statement for any number of rows. `columns` fixes names, order and types.
 */
export function bulkRows<Column extends string>(
  alias: string,
  columns: Record<Column, BulkType>,
  rows: readonly Record<Column, BulkValue>[],
): SQL {
  const names = Object.keys(columns) as Column[];
  const arrays = names.map(
    (name) => sql`${sql.param(rows.map((row) => toText(row[name])))}::text[]::${sql.raw(columns[name])}[]`,
  );
  return sql`unnest(${sql.join(arrays, sql`, `)}) as ${sql.identifier(alias)}(${sql.join(
    names.map((name) => sql.identifier(name)),
    sql`, `,
  )})`;
}

/** A text[] parameter: drizzle would expand an array into a list of parameters. */
export const textArray = (values: readonly (string | null)[]): SQL => sql`${sql.param([...values])}::text[]`;
