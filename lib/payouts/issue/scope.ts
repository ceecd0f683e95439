import { and, asc, eq, inArray, type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { latest, loadStored, type StoredPayout } from '../load.ts';
import { requireProject } from '../operate/require-project.ts';

export interface Scope {
  project_id?: string | undefined;
  investment_ids?: string[] | undefined;
}

/** Throws `project_not_found` or `investment_not_found`, the latter with the field that names it. */
export async function assertScope(db: Db, { project_id: projectId, investment_ids: ids = [] }: Scope): Promise<void> {
  await requireProject(db, 'project_id', projectId);
  if (ids.length === 0) return;
  const known = await db
    .select({ id: investments.id })
    .from(investments)
    .where(
      and(inArray(investments.id, ids), projectId === undefined ? undefined : eq(investments.projectId, projectId)),
    );
  const found = new Set(known.map(({ id }) => id));
  const missing = ids.findIndex((id) => !found.has(id));
  if (missing === -1) return;
  const where = projectId === undefined ? '' : ` in project ${projectId}`;
  throw new PlatformError(
    'investment_not_found',
    `investment_ids[${missing}]: there is no ${ids[missing]}${where}. Leave it out.`,
  );
}

const inScope = ({ project_id: projectId, investment_ids: ids }: Scope): SQL | undefined =>
  and(
    eq(payouts.kind, 'distribution'),
    projectId === undefined ? undefined : eq(payouts.projectId, projectId),
    ids === undefined ? undefined : inArray(payouts.investmentId, ids),
  );

const isUnpaid = sql`${payouts.status} in ('scheduled', 'waiting_holder', 'ready', 'held')`;

/** Distributions of the scope that are due and unpaid, those due longest first. */
export const loadCandidates = (db: Db, scope: Scope, ledgerTime: Date, limit: number): Promise<StoredPayout[]> =>
  loadStored(
    db,
    and(inScope(scope), isUnpaid, sql`${payouts.dueAt} <= ${latest(ledgerTime)}`),
    [asc(payouts.dueAt), asc(payouts.id)],
    limit,
  );

export interface ScopeCounts {
  alreadyPaid: number;
  underWay: number;
  cancelled: number;
  /** Parts of later, and investments whose parts are planned when their sale ends. */
  notDue: number;
  /** Due and unpaid, the candidates of any limit. */
  due: number;
}

/** The whole scope by what has become of it. */
export async function countScope(db: Db, scope: Scope, ledgerTime: Date): Promise<ScopeCounts> {
  const { project_id: projectId, investment_ids: ids } = scope;
  const isDue = sql`${payouts.dueAt} <= ${latest(ledgerTime)}`;
  const number = (condition: SQL) => sql<number>`(count(*) filter (where ${condition}))::int`;
  const [counted] = await db
    .select({
      alreadyPaid: number(sql`${payouts.status} = 'validated'`),
      underWay: number(sql`${payouts.status} = 'submitted'`),
      cancelled: number(sql`${payouts.status} = 'cancelled'`),
      notDue: number(sql`${isUnpaid} and not ${isDue}`),
      due: number(sql`${isUnpaid} and ${isDue}`),
    })
    .from(payouts)
    .where(inScope(scope));
  const unplanned = await db.$count(
    investments,
    and(
      eq(investments.status, 'confirmed'),
      eq(investments.payoutsPlanned, false),
      projectId === undefined ? undefined : eq(investments.projectId, projectId),
      ids === undefined ? undefined : inArray(investments.id, ids),
    ),
  );
  if (counted === undefined) throw new Error('An aggregate gives one row');
  return { ...counted, notDue: counted.notDue + unplanned };
}
