import { inArray, sql } from 'drizzle-orm';
import { leases } from '#drizzle/schema/jobs.ts';
import { openDatabase } from '#lib/base/db.ts';
import { KNOWN_JOBS, lateAfterSeconds } from '#lib/ops/status/schedule/known-jobs.ts';
import { defineCheck, type Finding, ok, warning } from '../types.ts';

const ROOT = 'process-payments';
const ADVICE =
  'Check that the crons are on (Vercel: Settings, Cron Jobs). Where the plan’s are too rare, run `npx tranche setup`.';

function finding(
  { name, everySeconds }: { name: string; everySeconds: number },
  agoSeconds: number | undefined,
): Finding[] {
  const check = `job ${name}`;
  if (agoSeconds === undefined) {
    // A new deployment's daily job has its first time to come.
    return name === ROOT ? [warning(check, 'has never run', ADVICE)] : [ok(check, 'has not run yet')];
  }
  const found = `began ${Math.round(agoSeconds)} s ago`;
  return agoSeconds > lateAfterSeconds(everySeconds) ? [warning(check, `late: ${found}`, ADVICE)] : [ok(check, found)];
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
          name: leases.name,
          ago: sql<number | null>`extract(epoch from now() - ${leases.lastStartedAt})::float8`,
        })
        .from(leases)
        .where(
          inArray(
            leases.name,
            scheduled.map(({ name }) => name),
          ),
        );
      const agoOf = new Map(rows.map(({ name, ago }) => [name, ago ?? undefined]));
      return scheduled.flatMap((job) => finding(job, agoOf.get(job.name)));
    } catch {
      // What is wrong with the database, its own check says.
      return [warning('jobs', 'not checked: the database does not tell', 'See the findings of the database first.')];
    } finally {
      await close();
    }
  },
});
