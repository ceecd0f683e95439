import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';

/** Brings the database at `url` to the newest schema. Safe to run twice and from several places at once. */
export async function migrateDatabase(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Two deployments that start together must not both apply the same migration. The number is this product's own.
    await client.query('select pg_advisory_lock(7261726)');
    await migrate(drizzle(client), { migrationsFolder: new URL('./migrations', import.meta.url).pathname });
  } finally {
    await client.end();
  }
}

if (import.meta.main) {
  const url = process.env.POSTGRES_URL_NON_POOLING ?? process.env.POSTGRES_URL;
  if (!url) throw new Error('Set POSTGRES_URL (or POSTGRES_URL_NON_POOLING) to the database to migrate');
  await migrateDatabase(url);
  process.stdout.write('Database is up to date\n');
}
