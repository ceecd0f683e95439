import { Client } from 'pg';

async function execute(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

/** A process that is stopped within a transaction holds its locks until the server cuts it off. */
export const cutWhoHangs = (url: string): Promise<void> =>
  execute(url, `alter role current_user set idle_in_transaction_session_timeout = '1s'`);

/** Removes every row, for less than a tenth of what another copy costs. */
export const emptyDatabase = (url: string): Promise<void> =>
  execute(
    url,
    `do $$ declare name text; begin
      set local session_replication_role = replica;
      for name in select tablename from pg_tables where schemaname = 'public' loop
        execute format('delete from %I', name);
      end loop;
    end $$`,
  );
