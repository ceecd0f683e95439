import { type Placeholder, type Query, type SQL, sql } from 'drizzle-orm';
import { PgDialect } from 'drizzle-orm/pg-core';
import type { Db } from './db.ts';

/** A number in a statement, or a place in its text for one that is given each time. */
export type Given = Placeholder | number;

/**
 * A statement that is sent many times a second. drizzle builds its text once, and each time only its placeholders are filled: to build
 * a long one costs more than to send it. What `build` takes from anywhere else stays as it was the first time, so settings are
 * given by name as well. Gives the rows.
 */
export function fixedStatement<Values extends Record<string, string | number>>(
  build: (given: { readonly [Name in keyof Values]: Placeholder }) => SQL,
): <Row extends Record<string, unknown>>(db: Db, values: Values) => Promise<Row[]> {
  const placeholders = new Proxy({} as { readonly [Name in keyof Values]: Placeholder }, {
    get: (_, name) => sql.placeholder(String(name)),
  });
  let query: Query | undefined;
  return async <Row>(db: Db, values: Values) => {
    query ??= new PgDialect({ casing: 'snake_case' }).sqlToQuery(build(placeholders));
    const prepared = db._.session.prepareQuery(query, undefined, undefined, false);
    return ((await prepared.execute(values)) as { rows: Row[] }).rows;
  };
}
