import { onTestFinished, vi } from 'vitest';
import type { Db } from '#lib/base/db.ts';

interface Result {
  rows: Record<string, unknown>[];
}

/**
 * Until the test has finished, or the returned function is called, each statement of `db` outside transactions is sent by `around`,
 * which is told its text.
 */
export function aroundStatements(
  db: Db,
  around: (text: string, send: () => Promise<Result>) => Promise<unknown>,
): () => void {
  const { session } = db._;
  const prepareQuery = session.prepareQuery.bind(session);
  const spy = vi.spyOn(session, 'prepareQuery').mockImplementation((query, ...rest) => {
    const prepared = prepareQuery(query, ...rest);
    const execute = prepared.execute.bind(prepared) as (values?: Record<string, unknown>) => Promise<Result>;
    prepared.execute = (values) => around(query.sql, () => execute(values));
    return prepared;
  });
  onTestFinished(() => spy.mockRestore());
  return () => spy.mockRestore();
}
