import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { expect, inject, it } from 'vitest';
import { migrateDatabase } from '#drizzle/migrate.ts';
import { openDatabase } from '#lib/base/db.ts';

it('a migrated database ends a transaction whose client has been silent for 30 seconds, and its locks with it', async () => {
  const admin = await openDatabase(inject('postgresUrl'), 1);
  const name = `migrated_${randomBytes(6).toString('hex')}`;
  await admin.db.execute(sql.raw(`create database ${name}`));
  const url = new URL(inject('postgresUrl'));
  url.pathname = `/${name}`;
  await migrateDatabase(url.href);
  // Migrations run again at every deployment.
  await migrateDatabase(url.href);

  const { db, close } = await openDatabase(url.href, 1);
  const { rows } = await db.execute<{ idle_in_transaction_session_timeout: string }>(
    sql`show idle_in_transaction_session_timeout`,
  );
  await close();
  await admin.db.execute(sql.raw(`drop database ${name} with (force)`));
  await admin.close();

  expect(rows).toEqual([{ idle_in_transaction_session_timeout: '30s' }]);
});
