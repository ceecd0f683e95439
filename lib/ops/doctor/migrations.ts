import { readFile } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import type { Db } from '#lib/base/db.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { type Finding, fault, ok, warning } from './types.ts';

const FOLDER = new URL('../../../drizzle/migrations/', import.meta.url);
const journal = z.object({ entries: z.array(z.object({ when: z.number(), tag: z.string() })) });

interface Migration {
  tag: string;
  when: number;
  hash: string;
}

async function readOwn(): Promise<Migration[]> {
  const { entries } = journal.parse(JSON.parse(await readFile(new URL('meta/_journal.json', FOLDER), 'utf8')));
  return Promise.all(
    entries.map(async ({ when, tag }) => ({
      tag,
      when,
      hash: sha256Hex(await readFile(new URL(`${tag}.sql`, FOLDER), 'utf8')),
    })),
  );
}

/** What the migrator has noted in the database; null where it never ran. */
async function readApplied(db: Db): Promise<{ when: number; hash: string }[] | null> {
  const known = await db.execute<{ known: boolean }>(
    sql`select to_regclass('drizzle.__drizzle_migrations') is not null as known`,
  );
  if (known.rows[0]?.known !== true) return null;
  const applied = await db.execute<{ hash: string; when: string }>(
    sql`select hash, created_at::text as "when" from drizzle.__drizzle_migrations order by created_at`,
  );
  return applied.rows.map(({ hash, when }) => ({ hash, when: Number(when) }));
}

/** Whether the database has the schema of this code: what is pending, what it has that this code does not know. */
export async function migrationFinding(db: Db): Promise<Finding> {
  const check = 'migrations';
  const [own, applied] = await Promise.all([readOwn(), readApplied(db)]);
  const migrate = 'Run `npx tranche migrate` with this code.';
  if (applied === null) return fault(check, 'none was ever applied', migrate);
  const appliedAt = new Map(applied.map(({ when, hash }) => [when, hash]));
  const pending = own.filter(({ when }) => !appliedAt.has(when));
  if (pending.length > 0) return fault(check, `pending: ${pending.map(({ tag }) => tag).join(', ')}`, migrate);
  const unknown = applied.filter(({ when }) => !own.some((one) => one.when === when));
  if (unknown.length > 0) {
    const advice = 'Deploy the code that belongs to this database, or point POSTGRES_URL at the right one.';
    return fault(check, `${unknown.length} applied that this code does not know`, advice);
  }
  const changed = own.filter(({ when, hash }) => appliedAt.get(when) !== hash);
  if (changed.length === 0) return ok(check, `${own.length} applied, none pending`);
  const advice = 'Compare the schema with a fresh database: a migration was edited after it had been applied.';
  return warning(check, `not as applied: ${changed.map(({ tag }) => tag).join(', ')}`, advice);
}
