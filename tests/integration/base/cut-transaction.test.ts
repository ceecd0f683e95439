import { Client } from 'pg';
import { expect, test } from 'vitest';
import { isDatabaseUnavailable } from '#lib/base/database-errors.ts';
import { freshDatabase } from '#tests/support/database.ts';

/** A connection as pg has it: a paused socket hears nothing, like that of a process that is frozen. */
type WithSocket = Client & { connection: { stream: { pause(): void; resume(): void } } };

test('a frozen process whose transaction the server has cut off counts the database as unavailable, not its own work as wrong', async () => {
  const database = await freshDatabase();
  const [frozen, other] = [new Client(database.url) as WithSocket, new Client(database.url)];
  frozen.on('error', () => undefined);
  await Promise.all([frozen.connect(), other.connect()]);
  try {
    await frozen.query(`set idle_in_transaction_session_timeout = '1ms'`);
    const { rows } = await frozen.query<{ pid: number }>('select pg_backend_pid() as pid');
    // It hears nothing from before the transaction begins: cut off, the connection would say so at once.
    frozen.connection.stream.pause();
    const begun = frozen.query('begin');
    await expect
      .poll(async () => (await other.query('select from pg_stat_activity where pid = $1', [rows[0]?.pid])).rowCount)
      .toBe(0);
    const statement = frozen.query('select 1');
    frozen.connection.stream.resume();
    await begun;
    const failure: unknown = await statement.catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: '25P03' });
    expect(isDatabaseUnavailable(failure)).toBe(true);
  } finally {
    await Promise.all([frozen.end(), other.end()]);
    await database.close();
  }
});
