import { sql } from 'drizzle-orm';
import { isHostedDatabase, openDatabase } from '#lib/base/db.ts';
import { migrationFinding } from '../migrations.ts';
import { codeOf, reasonOf } from '../reason.ts';
import { skewFinding } from '../skew.ts';
import { defineCheck, type Finding, fault, ok, warning } from '../types.ts';

const check = 'database';
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
    return [fault(check, 'POSTGRES_URL is not the pooled address', 'Use the one whose host has -pooler.')];
  if (direct !== undefined && !isPooled(direct)) return [];
  const advice = 'Set POSTGRES_URL_NON_POOLING to the address without -pooler: migrations take a session lock.';
  return [warning(check, 'migrations have no direct address', advice)];
}

/** The database: reachable, recent enough, by the right address, its schema and its clock. */
export const databaseCheck = defineCheck({
  name: check,
  needs: ['POSTGRES_URL', 'POSTGRES_URL_NON_POOLING'],
  timeoutMs: 10_000,
  run: async ({ POSTGRES_URL, POSTGRES_URL_NON_POOLING }, world) => {
    if (!URL.canParse(POSTGRES_URL)) {
      return [fault(check, 'POSTGRES_URL is no URL', 'Set it as postgres://user:password@host:port/database.')];
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
        isOld ? warning(check, found, `Use PostgreSQL ${OLDEST_VERSION} or later.`) : ok(check, found),
        ...address,
        skewFinding('the database', { otherMs: Number(row?.now), askedAtMs, answeredAtMs }),
        await migrationFinding(db),
      ];
    } catch (error) {
      const advice =
        ADVICE[codeOf(error) ?? ''] ?? 'Check POSTGRES_URL, and that the database takes connections from here.';
      return [fault(check, reasonOf(error), advice)];
    } finally {
      await close();
    }
  },
});
