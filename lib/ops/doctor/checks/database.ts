import { readFile } from 'node:fs/promises';
import { inArray, sql } from 'drizzle-orm';
import { z } from 'zod';
import { jobRuns } from '#drizzle/schema/jobs.ts';
import { type Db, isHostedDatabase, openDatabase } from '#lib/base/db.ts';
import { sha256Hex } from '#lib/base/secretbox.ts';
import { CAUSES } from '#lib/ops/status/causes.ts';
import { KNOWN_JOBS, lateAfterSeconds } from '#lib/ops/status/schedule/known-jobs.ts';
import { codeOf, defineCheck, type Finding, fault, ok, reasonOf, skewFinding, warning } from '../finding.ts';

const FOLDER = new URL('../../../../drizzle/migrations/', import.meta.url);
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
async function migrationFinding(db: Db): Promise<Finding> {
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

const DATABASE = 'database';
/** Older ones get no fixes any more. */
const OLDEST_VERSION = 14;

const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Correct user and password in POSTGRES_URL.',
  '28000': 'Correct the user in POSTGRES_URL, or let it in.',
  '3D000': 'Correct the database name in POSTGRES_URL, or create it.',
  ENOTFOUND: 'Correct the host in POSTGRES_URL.',
  ECONNREFUSED: 'Start the server, or correct host and port in POSTGRES_URL.',
};

/** The hosted driver needs the pooled address; migrations and advisory locks need the direct one. */
function addressFindings(url: string, direct: string | undefined): Finding[] {
  if (!isHostedDatabase(url)) return [];
  const isPooled = (one: string) => new URL(one).hostname.includes('-pooler.');
  if (!isPooled(url))
    return [fault(DATABASE, 'POSTGRES_URL is not the pooled address', 'Use the one whose host has -pooler.')];
  if (direct !== undefined && !isPooled(direct)) return [];
  const advice = 'Set POSTGRES_URL_NON_POOLING to the address without -pooler: migrations take a session lock.';
  return [warning(DATABASE, 'migrations have no direct address', advice)];
}

/** The database: reachable, recent enough, by the right address, its schema and its clock. */
export const databaseCheck = defineCheck({
  name: DATABASE,
  needs: ['POSTGRES_URL', 'POSTGRES_URL_NON_POOLING'],
  timeoutMs: 10_000,
  run: async ({ POSTGRES_URL, POSTGRES_URL_NON_POOLING }, world) => {
    if (!URL.canParse(POSTGRES_URL)) {
      return [fault(DATABASE, 'POSTGRES_URL is no URL', 'Set it as postgres://user:password@host:port/database.')];
    }
    const address = addressFindings(POSTGRES_URL, POSTGRES_URL_NON_POOLING);
    if (address.some(({ status }) => status === 'fault')) return address;
    const { db, close } = await openDatabase(POSTGRES_URL, 1);
    try {
      await db.execute(sql`select 1`);
      const askedAtMs = world.nowMs();
      const { rows } = await db.execute<{ version: string; number: string; now: string }>(sql`
        select current_setting('server_version') as version, current_setting('server_version_num') as number,
          (extract(epoch from clock_timestamp()) * 1000)::text as now`);
      const answeredAtMs = world.nowMs();
      const [row] = rows;
      const way = isHostedDatabase(POSTGRES_URL) ? 'WebSocket, pooled by transaction' : 'TCP';
      const found = `PostgreSQL ${row?.version}, ${way}`;
      const isOld = Number(row?.number) < OLDEST_VERSION * 10_000;
      return [
        isOld ? warning(DATABASE, found, `Use PostgreSQL ${OLDEST_VERSION} or later.`) : ok(DATABASE, found),
        ...address,
        skewFinding('the database', { otherMs: Number(row?.now), askedAtMs, answeredAtMs }),
        await migrationFinding(db),
      ];
    } catch (error) {
      const advice =
        ADVICE[codeOf(error) ?? ''] ?? 'Check POSTGRES_URL, and that the database takes connections from here.';
      return [fault(DATABASE, reasonOf(error), advice)];
    } finally {
      await close();
    }
  },
});

const ROOT_JOB = 'process-payments';

function jobFinding(
  { name, everySeconds }: { name: string; everySeconds: number },
  agoSeconds: number | undefined,
): Finding[] {
  const check = `job ${name}`;
  if (agoSeconds === undefined) {
    // A new deployment's daily job has its first time to come.
    return name === ROOT_JOB
      ? [warning(check, 'has never run', CAUSES.job_late.remedy)]
      : [ok(check, 'has not run yet')];
  }
  const found = `began ${Math.round(agoSeconds)} s ago`;
  return agoSeconds > lateAfterSeconds(everySeconds)
    ? [warning(check, `late: ${found}`, CAUSES.job_late.remedy)]
    : [ok(check, found)];
}

/** Whether what should run by itself does. */
export const jobsCheck = defineCheck({
  name: 'jobs',
  needs: ['POSTGRES_URL'],
  timeoutMs: 10_000,
  run: async ({ POSTGRES_URL }) => {
    const scheduled = KNOWN_JOBS.flatMap(({ name, everySeconds }) =>
      everySeconds === null ? [] : [{ name, everySeconds }],
    );
    const { db, close } = await openDatabase(POSTGRES_URL, 1);
    try {
      const rows = await db
        .select({
          name: jobRuns.name,
          ago: sql<number | null>`extract(epoch from now() - ${jobRuns.startedAt})::float8`,
        })
        .from(jobRuns)
        .where(
          inArray(
            jobRuns.name,
            scheduled.map(({ name }) => name),
          ),
        );
      const agoOf = new Map(rows.map(({ name, ago }) => [name, ago ?? undefined]));
      return scheduled.flatMap((job) => jobFinding(job, agoOf.get(job.name)));
    } catch {
      // What is wrong with the database, its own check says.
      return [warning('jobs', 'not checked: the database does not tell', 'See the findings of the database first.')];
    } finally {
      await close();
    }
  },
});
