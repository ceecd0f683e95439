import { and, asc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import { investments } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { ServerState } from '#lib/xrpl/types.ts';
import { findPayer } from '../attempts.ts';
import { readAllowance, readMinor, spend } from '../ceiling.ts';
import { type Plan, planPayouts, readFacts } from '../check.ts';
import { latest, loadOpenAttempts, loadStored, requireProject, type StoredPayout } from '../load.ts';
import { BATCH, type Payout, type PayoutReason } from '../types.ts';

interface Scope {
  project_id?: string | undefined;
  investment_ids?: readonly string[] | undefined;
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

/** Untried parts that one answer names. */
const MAX_UNTRIED = 5_000;

/** Distributions of these investments that are paid, on their way, cancelled or not due. */
export const loadUntried = (db: Db, investmentIds: readonly string[], ledgerTime: Date): Promise<StoredPayout[]> =>
  loadStored(
    db,
    and(
      inScope({ investment_ids: investmentIds }),
      sql`(${payouts.status} in ('validated', 'submitted', 'cancelled') or ${payouts.dueAt} > ${latest(ledgerTime)})`,
    ),
    [asc(payouts.investmentId), asc(payouts.part)],
    MAX_UNTRIED,
  );

/** Of these investments, those without any distribution, and why there is none. */
export async function loadWithoutPayout(
  db: Db,
  investmentIds: readonly string[],
): Promise<{ investmentId: string; outcome: 'not_due' | 'nothing_owed'; reason: string }[]> {
  const rows = await db
    .select({
      id: investments.id,
      status: investments.status,
      reason: investments.reason,
      payoutsPlanned: investments.payoutsPlanned,
    })
    .from(investments)
    .leftJoin(payouts, and(eq(payouts.investmentId, investments.id), eq(payouts.kind, 'distribution')))
    .where(and(inArray(investments.id, [...investmentIds]), isNull(payouts.id)))
    .orderBy(asc(investments.id));
  return rows.map(({ id, status, reason, payoutsPlanned }) =>
    status === 'confirmed' && !payoutsPlanned
      ? { investmentId: id, outcome: 'not_due', reason: 'sale_not_ended' }
      : { investmentId: id, outcome: 'nothing_owed', reason: reason ?? status },
  );
}

export interface CheckedCandidates {
  /** The ledger would take them now. */
  payable: StoredPayout[];
  /** Of those, the ids that come after what the hour still allows their account. */
  beyondCeiling: Set<string>;
  /** The ledger, or what is known of the paying account, says why not. */
  postponed: Plan['postponed'];
  /** For a person, or for their turn within the hour: not asked about. */
  untouched: StoredPayout[];
  /** The time ran out before them. */
  unreached: StoredPayout[];
}

/** Why a payout is held that is over when the ledger would take it; any other hold is for a person to release. */
const CURABLE: ReadonlySet<string | null> = new Set<PayoutReason>([
  'destination_missing',
  'destination_tag_required',
  'deposit_authorization_required',
  'issuer_missing',
  'issuance_missing',
  'issuance_maximum',
  'transfer_fee',
  'transfer_not_allowed',
]);
const isCurable = (reason: string | null): boolean => CURABLE.has(reason) || (reason?.startsWith('tec') ?? false);

/** What is left alone: a hold that no ledger ends, a stop, and what the hourly ceiling put in line. */
const isUntouchable = ({ status, reason, stopped }: StoredPayout): boolean =>
  stopped !== null || (status === 'held' ? !isCurable(reason) : reason === 'hourly_ceiling');

/**
 * Checks candidates against what the ledger shows now, in their order, within `deadlineMs`. Reads only. Each counts what those
 * before it and those under way take. Throws PlatformError `ledger_unavailable`.
 */
export async function checkCandidates(
  ctx: Ctx,
  candidates: readonly StoredPayout[],
  server: ServerState,
  deadlineMs: number,
): Promise<CheckedCandidates> {
  const checked: CheckedCandidates = {
    payable: [],
    beyondCeiling: new Set(),
    postponed: [],
    untouched: candidates.filter(isUntouchable),
    unreached: [],
  };
  const open = candidates.filter((candidate) => !isUntouchable(candidate));
  for (const [account, ofAccount] of Map.groupBy(open, ({ payout }) => payout.account)) {
    await checkAccount(ctx, account, ofAccount, { server, deadlineMs, checked });
  }
  return checked;
}

async function checkAccount(
  ctx: Ctx,
  account: string,
  candidates: readonly StoredPayout[],
  { server, deadlineMs, checked }: { server: ServerState; deadlineMs: number; checked: CheckedCandidates },
): Promise<void> {
  const postponeAll = (reason: PayoutReason) =>
    void checked.postponed.push(
      ...candidates.map(({ payout }) => ({ payout, decision: { kind: 'later', reason } as const })),
    );
  const found = await findPayer(ctx, account);
  if (typeof found === 'string') return postponeAll(found);
  const { payer } = found;
  const inFlight: Payout[] = (await loadOpenAttempts(ctx.db, account)).map((attempt) => attempt.payout);
  const allowance = await readAllowance(ctx, account);
  const ids = candidates.map(({ payout }) => payout.id);
  const minor = await readMinor(ctx.db, ids, allowance);
  for (let from = 0; from < candidates.length; from += BATCH) {
    if (ctx.clock.nowMs() >= deadlineMs) {
      checked.unreached.push(...candidates.slice(from));
      return;
    }
    const batch = candidates.slice(from, from + BATCH);
    const facts = await readFacts(
      ctx.ledger,
      payer,
      server,
      batch.map(({ payout }) => payout),
    );
    const plan = planPayouts(facts, inFlight);
    checked.postponed.push(...plan.postponed);
    const payable = new Set(plan.payable.map(({ id }) => id));
    for (const candidate of batch.filter(({ payout }) => payable.has(payout.id))) {
      inFlight.push(candidate.payout);
      checked.payable.push(candidate);
      const isMinor = minor.has(candidate.payout.id);
      if (allowance.payouts <= 0 || (isMinor && allowance.minorPayouts <= 0)) {
        checked.beyondCeiling.add(candidate.payout.id);
      } else spend(allowance, [candidate.payout], isMinor ? 1 : 0);
    }
  }
}
