import { inject } from 'vitest';
import { type Db, openDatabase } from '#lib/base/db.ts';
import { copyTemplate } from './postgres.ts';

export interface FreshDatabase {
  url: string;
  db: Db;
  /** Closes the pool. The database goes with its server: removing its files makes ext4 slow to create the next ones. */
  close(): Promise<void>;
}

/** A migrated, empty database of the caller's own, in milliseconds. For projects whose globalSetup is `postgres.ts`. */
export async function freshDatabase({ maxConnections = 5 } = {}): Promise<FreshDatabase> {
  const { url } = await copyTemplate(inject('postgresUrl'));
  const { db, close } = await openDatabase(url, maxConnections);
  return { url, db, close };
}
