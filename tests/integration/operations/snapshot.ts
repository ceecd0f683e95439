import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Client, escapeIdentifier, escapeLiteral } from 'pg';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';

interface Table {
  schema: string;
  name: string;
}

/** What a database held at one moment: every table, and where its sequences stood. */
export interface Snapshot {
  /** Brings it into a new database of the same schema. */
  restore(): Promise<FreshDatabase>;
  remove(): Promise<void>;
}

async function connected<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return work(client).finally(() => client.end());
}

const nameOf = ({ schema, name }: Table): string => `${escapeIdentifier(schema)}.${escapeIdentifier(name)}`;

const tablesOf = async (client: Client): Promise<Table[]> =>
  (
    await client.query<Table>(`select schemaname as schema, tablename as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')`)
  ).rows;

/**
 * Takes a backup of a database that is at work: every table by COPY in one repeatable-read snapshot, which is how pg_dump
 * reads. The programs that come with the tests' own server hold no pg_dump.
 */
export async function takeSnapshot(url: string): Promise<Snapshot> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tranche-backup-'));
  // The server writes the files, and it runs as a user of its own.
  await chmod(folder, 0o777);
  const fileOf = ({ schema, name }: Table) => escapeLiteral(path.join(folder, `${schema}.${name}`));
  const sequences = await connected(url, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    for (const table of await tablesOf(client)) await client.query(`copy ${nameOf(table)} to ${fileOf(table)}`);
    const { rows } = await client.query<Table & { last: string | null }>(
      'select schemaname as schema, sequencename as name, last_value as last from pg_sequences',
    );
    await client.query('commit');
    return rows;
  });
  return {
    async restore() {
      const database = await freshDatabase({ maxConnections: 10 });
      await connected(database.url, async (client) => {
        // Tables come in any order: their references hold once all of them are there.
        await client.query('set session_replication_role = replica');
        await client.query('begin');
        for (const table of await tablesOf(client)) {
          await client.query(`delete from ${nameOf(table)}`);
          await client.query(`copy ${nameOf(table)} from ${fileOf(table)}`);
        }
        for (const { last, ...sequence } of sequences) {
          if (last !== null) await client.query('select setval($1, $2)', [nameOf(sequence), last]);
        }
        await client.query('commit');
      });
      return database;
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
