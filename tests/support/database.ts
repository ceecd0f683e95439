import { inject } from 'vitest';
import { type Db, openDatabase } from '#lib/platform/db.ts';
import { copyTemplate } from './postgres.ts';

export interface FreshDatabase {
  url: string;
  db: Db;
  /** Closes the pool and removes the database. */
  close(): Promise<void>;
}

/** A migrated, empty database of the caller's own, in milliseconds. For projects whose globalSetup is `postgres.ts`. */
export async function freshDatabase({ maxConnections = 5 } = {}): Promise<FreshDatabase> {
  const { url, drop } = await copyTemplate(inject('postgresUrl'));
  const { db, close } = await openDatabase(url, maxConnections);
  return {
    url,
    db,
    close: async () => {
      await close();
      await drop();
    },
  };
}
