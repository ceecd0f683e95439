import { investmentId } from '@tranche/rules/ids.ts';
import type { Effect, SaleState } from '@tranche/rules/types.ts';
import { immediateUnitsFloor } from '@tranche/rules/vesting.ts';
import { type SQL, sql } from 'drizzle-orm';
import {
  actions,
  allocations,
  depositAccounts,
  investments,
  type ProjectRow,
  payments,
  projects,
  tiers,
} from '#drizzle/schema/sale.ts';
import { bulkRows, insertRows, tableRows, textArray, together, updateRows } from '#lib/base/bulk.ts';
import type { Tx } from '#lib/base/db.ts';
import { countWallets } from '../projects/project-resource.ts';
import type { LoadedAccount } from './load-state.ts';

type Rows = LoadedAccount['rows'];
type Invested = Effect & { type: 'invested' };
export type Refused = Effect & { type: 'refused' };

export interface Confirming {
  /** Close time of the ledger that confirms what was decided in this one. */
  confirmedAt: (ledgerIndex: number) => Date;
}

/** The ledger that decided an investment: the payment's own, or that of the action that assigned it. */
export const decidingLedger = ({ payment, assignedBy }: Invested): number => (assignedBy ?? payment).ledgerIndex;

/**
 * Leaves of the rows `t` those that are given and undecided. Their keys as an array are found by one pass through an index, not by
 * reading the table. And the planner knows nothing of the condition: from statistics of a calm moment it would expect no row
 * that is undecided, and compare each one that there is in a burst with each given row.
 */
const undecided = (key: SQL, given: readonly string[], condition: SQL): SQL =>
  sql`and ${key} = any (${textArray(given)}) and coalesce(${condition}, false)`;

/** What became of each payment: received = invested + refunded + held. */
function decidedPayments(effects: readonly Effect[]): SQL[] {
  // A payment that was held and then assigned in one run is what it became last.
  const rows = [...new Map(effects.flatMap(decisionOf).map((row) => [row.txHash, row])).values()];
  if (rows.length === 0) return [];
  const hashes = rows.map(({ txHash }) => txHash);
  return [
    sql`${updateRows(payments, ['txHash'], rows)} ${undecided(sql`t.tx_hash`, hashes, sql`t.outcome in ('pending', 'held')`)}`,
  ];
}

/** What an effect makes of its payment; nothing when it is of none. */
function decisionOf(effect: Effect): (Partial<typeof payments.$inferInsert> & { txHash: string })[] {
  if (effect.type !== 'invested' && effect.type !== 'refused' && effect.type !== 'held') return [];
  const { payment } = effect;
  const row = { txHash: payment.hash, projectId: null, investedDrops: 0n, refundedDrops: 0n, heldDrops: 0n };
  if (effect.type === 'held') {
    return [{ ...row, outcome: 'held', reason: effect.reason, heldDrops: payment.receivedDrops }];
  }
  const { refundedDrops } = effect;
  const goesBack = refundedDrops > 0n;
  const { projectId } = effect;
  if (effect.type === 'refused') {
    const outcome = goesBack ? 'refunded' : 'held';
    return [{ ...row, projectId, outcome, reason: effect.reason, refundedDrops, heldDrops: effect.heldDrops }];
  }
  const { investedDrops, refundReason: reason } = effect;
  return [{ ...row, projectId, outcome: goesBack ? 'partial' : 'invested', reason, investedDrops, refundedDrops }];
}

/**
 * Writes what became of each payment and settles the investments, in one statement; an investment that an action assigns is made
 * before, because its payment was none until now.
 */
export async function writePayments(
  tx: Tx,
  rowsOf: Rows,
  decided: { effects: readonly Effect[]; invested: readonly Invested[]; refused: readonly Refused[] } & Confirming,
): Promise<void> {
  const { effects, invested } = decided;
  await insertAssigned(
    tx,
    invested.filter((effect) => effect.assignedBy !== null),
  );
  await execute(tx, [...decidedPayments(effects), ...settledInvestments(rowsOf, decided)]);
}

async function execute(tx: Tx, [first, ...others]: readonly SQL[]): Promise<void> {
  if (first !== undefined) await tx.execute(together([first, ...others]));
}

function settledInvestments(
  rowsOf: Rows,
  { invested, refused, confirmedAt }: { invested: readonly Invested[]; refused: readonly Refused[] } & Confirming,
): SQL[] {
  const rows = [
    ...invested.map((effect) => {
      const project = rowsOf.get(effect.projectId);
      const { totalUnits } = effect;
      return {
        id: investmentId(effect.payment.hash),
        status: 'confirmed' as const,
        confirmedDrops: effect.investedDrops,
        totalUnits,
        unitsToDistribute: project === undefined ? totalUnits : immediateUnitsFloor(totalUnits, project.vesting),
        payoutsPlanned: project?.distribution === 'immediate',
        roundingDrops: effect.roundingDrops,
        reason: null,
        confirmedAt: confirmedAt(decidingLedger(effect)),
        decidedAt: new Date(effect.decidedAtMs),
      };
    }),
    ...refused
      .filter((effect) => effect.projectId !== null)
      .map((effect) => ({
        id: investmentId(effect.payment.hash),
        status: 'failed' as const,
        confirmedDrops: 0n,
        totalUnits: 0n,
        unitsToDistribute: 0n,
        payoutsPlanned: true,
        roundingDrops: 0n,
        reason: effect.reason,
        confirmedAt: null,
        decidedAt: null,
      })),
  ];
  if (rows.length === 0) return [];
  const ids = rows.map(({ id }) => id);
  return [
    sql`${updateRows(investments, ['id'], rows)} ${undecided(sql`t.id`, ids, sql`t.status = 'pending_confirmation'`)}`,
  ];
}

/** One row a tier that an investment bought in. Gives by project how many wallets had none before. */
export async function writeAllocations(tx: Tx, invested: readonly Invested[]): Promise<ReadonlyMap<string, number>> {
  const rows = invested.flatMap((effect) =>
    effect.parts.map((part) => ({
      investmentId: investmentId(effect.payment.hash),
      projectId: effect.projectId,
      tier: part.tier,
      investorAccount: effect.payment.sender,
      amountDrops: part.drops,
      units: part.units,
    })),
  );
  if (rows.length === 0) return new Map();
  // One by one (offset 0), whatever the planner thinks: a run must not cost what the whole sale is large.
  const { rows: counted } = await tx.execute<{ project_id: string; wallets: number }>(sql`
    with bought as (${insertRows(allocations, rows)} returning project_id, investor_account)
    select b.project_id, count(distinct b.investor_account)::integer as wallets from bought as b
    where not exists (select from ${allocations} as a
      where a.project_id = b.project_id and a.investor_account = b.investor_account offset 0)
    group by b.project_id`);
  return new Map(counted.map((row) => [row.project_id, row.wallets]));
}

async function insertAssigned(tx: Tx, assigned: readonly Invested[]): Promise<void> {
  if (assigned.length === 0) return;
  const rows = assigned.map((effect) => ({
    id: investmentId(effect.payment.hash),
    txHash: effect.payment.hash,
    projectId: effect.projectId,
    quoteTier: effect.parts[0]?.tier ?? 1,
    quoteUnits: effect.totalUnits,
  }));
  await tx.execute(sql`
    insert into ${investments} (id, tx_hash, project_id, investor_account, amount_drops, quote_tier, quote_price,
      quote_units, paid_at)
    select g.id, g.tx_hash, g.project_id, p.sender, p.received_drops, t.tier, t.price, g.quote_units, p.closed_at
    from ${tableRows('g', investments, rows)}
    join ${payments} p on p.tx_hash = g.tx_hash
    join ${tiers} t on t.project_id = g.project_id and t.tier = g.quote_tier`);
}

type Counted = Pick<ProjectRow, 'investors' | 'investorsDrops'>;

/**
 * The count of a project's investors, `newWallets` of whom this run has brought, for the sum raised now. Where the count
 * before is of another sum than the row's, somebody has added allocations without counting: then all are counted anew.
 */
async function countInvestors(
  tx: Tx,
  row: ProjectRow | undefined,
  { id, raisedDrops }: Pick<ProjectRow, 'id' | 'raisedDrops'>,
  newWallets: number,
): Promise<Counted> {
  const isKnown = row !== undefined && row.investorsDrops === row.raisedDrops;
  if (isKnown) return { investors: row.investors + newWallets, investorsDrops: raisedDrops };
  return { investors: (await countWallets(tx, [id])).get(id) ?? 0, investorsDrops: raisedDrops };
}

/**
 * Writes where the account stands: projects and tiers that the reducer changed, actions that are closed, and that everything up
 * to `through` is decided, in one statement. After `writeAllocations`, whose count it takes.
 */
export async function writeSale(
  tx: Tx,
  rowsOf: Rows,
  decided: {
    account: string;
    through: number;
    effects: readonly Effect[];
    before: SaleState;
    after: SaleState;
    newWallets: ReadonlyMap<string, number>;
  },
): Promise<void> {
  const { account, through, effects } = decided;
  await execute(tx, [
    ...(await changedProjects(tx, rowsOf, decided)),
    closedActions(account, through, effects),
    sql`update ${depositAccounts} set confirmed_ledger = ${through} where address = ${account}`,
  ]);
}

/** Only what the reducer changed: project status and sums, tiers sold. */
async function changedProjects(
  tx: Tx,
  rowsOf: Rows,
  { before, after, newWallets }: { before: SaleState; after: SaleState; newWallets: ReadonlyMap<string, number> },
): Promise<SQL[]> {
  const changed = [...after.projects.values()].filter(
    (project) => before.projects.get(project.destinationTag) !== project,
  );
  if (changed.length === 0) return [];
  const toDate = (ms: number | null): Date | null => (ms === null ? null : new Date(ms));
  const projectRows = [];
  for (const project of changed) {
    const { id, status, raisedDrops, launchedAtMs, endedAtMs, endReason, listHash } = project;
    projectRows.push({
      id,
      status,
      raisedDrops,
      ...(await countInvestors(tx, rowsOf.get(id), project, newWallets.get(id) ?? 0)),
      launchedAt: toDate(launchedAtMs),
      endedAt: toDate(endedAtMs),
      endReason,
      listHash,
    });
  }
  const tierRows = changed.flatMap((project) =>
    project.tiers.map(({ tier, soldUnits, valueDrops, openedAtMs, completedAtMs }) => ({
      projectId: project.id,
      tier,
      soldUnits,
      valueDrops,
      openedAt: toDate(openedAtMs),
      completedAt: toDate(completedAtMs),
    })),
  );
  return [
    updateRows(projects, ['id'], projectRows),
    ...(tierRows.length > 0 ? [updateRows(tiers, ['projectId', 'tier'], tierRows)] : []),
  ];
}

/**
 * Actions that are closed: those the reducer decided, and our own submissions that can no longer appear, because the feed has been
 * read whole past their LastLedgerSequence without them (docs/ledger-facts.md, 12).
 */
function closedActions(account: string, through: number, effects: readonly Effect[]): SQL {
  const rows = effects.flatMap((effect) => {
    if (effect.type === 'launched' || effect.type === 'action_applied' || effect.type === 'cancelled') {
      return { tx_hash: effect.action.hash, status: 'applied', detail: null as string | null };
    }
    if (effect.type === 'action_without_effect') {
      return { tx_hash: effect.action.hash, status: 'ineffective', detail: effect.detail };
    }
    return [];
  });
  return sql`
    update ${actions} as m
    set status = coalesce(d.status, 'expired'), detail = d.detail
    from ${actions} as own
    left join ${bulkRows('d', { tx_hash: 'text', status: 'text', detail: 'text' }, rows)} on d.tx_hash = own.tx_hash
    where m.tx_hash = own.tx_hash and own.account = ${account}
      and (d.tx_hash is not null or (own.status = 'submitted' and own.last_ledger_sequence <= ${through}))`;
}
