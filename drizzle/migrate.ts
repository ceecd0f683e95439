import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/node-postgres';
import { migrate } from 'drizzle-orm/node-postgres/migrator';
import { Client } from 'pg';

const MIGRATIONS = fileURLToPath(new URL('./migrations', import.meta.url));
/**
 * While a migration waits for a table, every request for that table waits behind it. So it waits this long only, lets all of
 * them through and tries again. Below PostgreSQL's deadlock_timeout (1 s): of a deadlock, the migration is what ends.
 */
const LOCK_TIMEOUT_MS = 500;
const PAUSE_MS = 1_000;
const GIVE_UP_AFTER_MS = 120_000;

/** A lock that was not to be had in time, a deadlock. drizzle wraps the driver's error. */
const LOCK_FAULTS: ReadonlySet<unknown> = new Set(['55P03', '40P01']);
const isLockFault = (error: unknown): boolean =>
  error instanceof Error && (LOCK_FAULTS.has((error as Error & { code?: unknown }).code) || isLockFault(error.cause));

/** Throws when the build of an index broke off: it stands there, is not used, and a unique one keeps nothing unique. */
async function refuseInvalidIndexes(client: Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select indexrelid::regclass::text as name from pg_index where not indisvalid and indexrelid::regclass::text !~ '^pg_toast'",
  );
  const names = rows.map(({ name }) => name).join(', ');
  if (names !== '')
    throw new Error(
      `Not built to the end: ${names}. Wait if it is being built; else drop it, build it again, then migrate`,
    );
}

export interface MigrateOptions {
  /** Folder of the migrations; the project's own when left out. */
  folder?: string;
  giveUpAfterMs?: number;
  /** Called before each further try, with how many there were. */
  onRetry?: (tries: number) => void;
}

/**
 * Brings the database at `url` to the newest schema: all that is missing or, when one statement fails, nothing. Safe to run
 * twice, from several places at once, and beside an app at work: it makes nobody wait for its locks longer than
 * LOCK_TIMEOUT_MS and the statements themselves take. Throws when it did not get its locks within `giveUpAfterMs`.
 */
export async function migrateDatabase(url: string, options: MigrateOptions = {}): Promise<void> {
  const { folder = MIGRATIONS, giveUpAfterMs = GIVE_UP_AFTER_MS, onRetry } = options;
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    // Two deployments that start together must not both apply the same migration. The number is this product's own.
    await client.query('select pg_advisory_lock(7261726)');
    // After it: whoever waits for another migration holds nothing up.
    await refuseInvalidIndexes(client);
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT_MS}ms'`);
    const endMs = Date.now() + giveUpAfterMs;
    for (let tries = 1; ; tries++) {
      try {
        await migrate(drizzle(client), { migrationsFolder: folder });
        return;
      } catch (error) {
        if (!isLockFault(error) || Date.now() + PAUSE_MS > endMs) throw error;
        onRetry?.(tries);
        await sleep(PAUSE_MS);
      }
    }
  } finally {
    await client.end();
  }
}

/** `migrateDatabase` of the database that the environment names. Throws when it names none. */
export async function migrateNamedDatabase(say: (line: string) => void): Promise<void> {
  const url = process.env.POSTGRES_URL_NON_POOLING ?? process.env.POSTGRES_URL;
  if (!url) throw new Error('Set POSTGRES_URL (or POSTGRES_URL_NON_POOLING) to the database to migrate');
  await migrateDatabase(url, { onRetry: (tries) => say(`A table is in use: try ${tries + 1}`) });
  say('Database is up to date');
}

// The sandbox starts it as a program of its own.
if (import.meta.main) await migrateNamedDatabase((line) => void process.stdout.write(`${line}\n`));
