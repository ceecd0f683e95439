import { type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';

/** A number in a statement, or a place in its text for one that is given each time. */
export type Given = Placeholder | number;

/**
 * A statement that comes many times a second with the same text. It is made once, and each time only its placeholders are filled:
 * to make a long one anew costs more than to send it. What `make` takes from anywhere else stays as it was the first time, so
 * settings are given by name as well. Gives the rows.
 */
export function fixedStatement<Values extends Record<string, string | number>>(
  make: (given: { readonly [Name in keyof Values]: Placeholder }) => SQL,
): <Row extends Record<string, unknown>>(db: Db, values: Values) => Promise<Row[]> {
  const placeholders = new Proxy({} as { readonly [Name in keyof Values]: Placeholder }, {
    get: (_, name) => sql.placeholder(String(name)),
  });
  let query: Query | undefined;
  return async <Row>(db: Db, values: Values) => {
    query ??= new PgDialect({ casing: 'snake_case' }).sqlToQuery(make(placeholders));
    const prepared = db._.session.prepareQuery(query, undefined, undefined, false);
    return ((await prepared.execute(values)) as { rows: Row[] }).rows;
  };
}
