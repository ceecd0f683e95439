import { investmentId } from '@tranche/rules/ids.ts';
import type {
  Effect,
  ProjectState,
  RefusalReason,
  SaleAction,
  SalePayment,
  SaleState,
  TierState,
} from '@tranche/rules/types.ts';
import { immediateUnitsFloor } from '@tranche/rules/vesting.ts';
import { countDistinct, inArray } from 'drizzle-orm';
import { allocations, type ProjectRow } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import { formatDrops, formatPrice, formatUnits, minBigInt, percentageFloor } from '#lib/base/money.ts';
import type { EventData, EventType } from '#lib/events/catalogue.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import { countWallets } from '../projects/project-resource.ts';
import { createdEvent } from './recognise.ts';
import { type Confirming, decidingLedger } from './write-decisions.ts';

const MS_PER_HOUR = 3_600_000;

/** Events of a confirmed run of entries, in the order of the effects, made one by one. Investors are counted after the run's allocations are in. */
export async function confirmationEvents(
  tx: Tx,
  rows: ReadonlyMap<string, ProjectRow>,
  { state, effects, confirmedAt }: { state: SaleState; effects: readonly Effect[] } & Confirming,
): Promise<Iterable<NewEvent>> {
  const projectOf = new Map([...state.projects.values()].map((project) => [project.id, project]));
  const investors = await countInvestors(tx, effects);
  return effects.values().flatMap((effect): NewEvent[] => {
    const projectId = 'projectId' in effect ? effect.projectId : null;
    if (projectId === null) return [];
    const project = projectOf.get(projectId);
    const row = rows.get(projectId);
    if (project === undefined || row === undefined) return [];
    return eventsOf(effect, project, row, { investors, confirmedAt });
  });
}

interface InvestorCounts {
  ofTier(projectId: string, tier: number): number;
  ofProject(projectId: string): number;
}

/** Distinct wallets with a confirmed part: in each completed tier, which takes no more, and in each ended project. */
async function countInvestors(tx: Tx, effects: readonly Effect[]): Promise<InvestorCounts> {
  const idsOf = (...types: Effect['type'][]) => [
    ...new Set(
      effects.flatMap((effect) =>
        types.includes(effect.type) && 'projectId' in effect && effect.projectId !== null ? [effect.projectId] : [],
      ),
    ),
  ];
  const tierProjects = idsOf('tier_completed');
  const byTier =
    tierProjects.length === 0
      ? []
      : await tx
          .select({
            projectId: allocations.projectId,
            tier: allocations.tier,
            wallets: countDistinct(allocations.investorAccount),
          })
          .from(allocations)
          .where(inArray(allocations.projectId, tierProjects))
          .groupBy(allocations.projectId, allocations.tier);
  const tierCounts = new Map(byTier.map((row) => [`${row.projectId}/${row.tier}`, row.wallets]));
  const projectCounts = await countWallets(tx, idsOf('sale_ended', 'cancelled'));
  return {
    ofTier: (projectId, tier) => tierCounts.get(`${projectId}/${tier}`) ?? 0,
    ofProject: (projectId) => projectCounts.get(projectId) ?? 0,
  };
}

function eventsOf(
  effect: Effect,
  project: ProjectState,
  row: ProjectRow,
  { investors, confirmedAt }: { investors: InvestorCounts } & Confirming,
): NewEvent[] {
  switch (effect.type) {
    case 'invested':
      return [
        ...(effect.assignedBy === null ? [] : [assignedEvent(effect, project)]),
        confirmedEvent(effect, project, row, confirmedAt(decidingLedger(effect))),
      ];
    case 'refused':
      // Refused when it would have been confirmed: after its `investment.created`.
      return [failedEvent(effect.payment, project.id, effect.reason, confirmedAt(effect.payment.ledgerIndex))];
    case 'launched':
      return [launchedEvent(effect, project, row)];
    case 'tier_completed':
      return [tierCompletedEvent(effect, project, row, investors)];
    case 'milestone':
      return [milestoneEvent(effect, project, row)];
    case 'sale_ended':
      return [
        projectEvent('project.sale_ended', project.id, row, effect.endedAtMs, (ended_at) => ({
          reason: effect.reason,
          total_raised_xrp: formatDrops(effect.raisedDrops),
          total_investors: investors.ofProject(project.id),
          ended_at,
        })),
      ];
    case 'cancelled':
      return [
        projectEvent('project.cancelled', project.id, row, effect.action.closedAtMs, (cancelled_at) => ({
          total_raised_xrp: formatDrops(effect.raisedDrops),
          total_investors: investors.ofProject(project.id),
          transaction: transactionOf(effect.action),
          cancelled_at,
        })),
      ];
    default:
      return [];
  }
}

const transactionOf = ({ hash, ledgerIndex }: SalePayment | SaleAction) => ({ hash, ledger_index: ledgerIndex });

function confirmedEvent(
  { payment, investedDrops, parts, totalUnits }: Effect & { type: 'invested' },
  { id, decimals }: ProjectState,
  row: ProjectRow,
  confirmedAt: Date,
): NewEvent<'investment.confirmed'> {
  return {
    type: 'investment.confirmed',
    subject: payment.hash,
    projectId: id,
    occurredAt: confirmedAt,
    data: {
      investment_id: investmentId(payment.hash),
      project_id: id,
      investor_account: payment.sender,
      confirmed_amount_xrp: formatDrops(investedDrops),
      final_tier_allocation: parts.map((part) => ({
        tier: part.tier,
        amount_xrp: formatDrops(part.drops),
        tokens: formatUnits(part.units, decimals),
      })),
      total_tokens: formatUnits(totalUnits, decimals),
      tokens_to_distribute: formatUnits(immediateUnitsFloor(totalUnits, row.vesting), decimals),
      transaction: { ...transactionOf(payment), confirmed_at: confirmedAt.toISOString() },
      status: 'confirmed',
    },
  };
}

/** `investment.failed`: a payment that got no token, or an investment that a cancelled sale has taken back whole. */
export const failedEvent = (
  payment: SalePayment,
  projectId: string,
  reason: RefusalReason,
  occurredAt: Date,
): NewEvent<'investment.failed'> => ({
  type: 'investment.failed',
  subject: payment.hash,
  projectId,
  occurredAt,
  data: {
    investment_id: investmentId(payment.hash),
    project_id: projectId,
    investor_account: payment.sender,
    amount_xrp: formatDrops(payment.receivedDrops),
    reason,
    transaction: transactionOf(payment),
    status: 'failed',
  },
});

/** A payment that an action assigns becomes an investment only now: subscribers hear of it as of any other. */
function assignedEvent(effect: Effect & { type: 'invested' }, project: ProjectState): NewEvent<'investment.created'> {
  const tier = project.tiers.find((candidate) => candidate.tier === effect.parts[0]?.tier);
  return createdEvent({
    payment: effect.payment,
    projectId: project.id,
    tier: tier?.tier ?? 1,
    price: tier?.price ?? 0n,
    units: effect.totalUnits,
    decimals: project.decimals,
  });
}

type ProjectEventType = Extract<EventType, `project.${string}`>;

/** An event of a project at a close time of the ledger, which its data holds as text. */
const projectEvent = <T extends ProjectEventType>(
  type: T,
  subject: string,
  { id, name }: ProjectRow,
  closedAtMs: number,
  data: (closedAt: string) => Omit<EventData[T], 'project_id' | 'project_name'>,
): NewEvent<T> => ({
  type,
  subject,
  projectId: id,
  occurredAt: new Date(closedAtMs),
  data: { project_id: id, project_name: name, ...data(new Date(closedAtMs).toISOString()) } as EventData[T],
});

const tierOf = (tier: TierState, { decimals }: ProjectState) => ({
  tier: tier.tier,
  price_per_token: formatPrice(tier.price),
  total_tokens: formatUnits(tier.totalUnits, decimals),
});

const launchedEvent = ({ action }: Effect & { type: 'launched' }, project: ProjectState, row: ProjectRow) =>
  projectEvent('project.launched', project.id, row, action.closedAtMs, (launched_at) => ({
    deposit_address: row.depositAddress,
    destination_tag: project.destinationTag,
    tiers: project.tiers.map((tier) => tierOf(tier, project)),
    starts_at: row.startsAt?.toISOString() ?? null,
    ends_at: row.endsAt?.toISOString() ?? null,
    terms_hash: action.termsHash ?? '',
    transaction: transactionOf(action),
    launched_at,
  }));

/** Every documented field; times from ledger close times. */
function tierCompletedEvent(
  effect: Effect & { type: 'tier_completed' },
  project: ProjectState,
  row: ProjectRow,
  investors: InvestorCounts,
) {
  const { tier, nextTier, completedAtMs } = effect;
  const openedAtMs = tier.openedAtMs ?? completedAtMs;
  const nextStartsAtMs = nextTier?.openedAtMs ?? nextTier?.startsAtMs ?? completedAtMs;
  return projectEvent(
    'project.tier_completed',
    `${project.id}/${tier.tier}`,
    row,
    completedAtMs,
    (completion_time) => ({
      tier_completed: tier.tier,
      tier_details: { ...tierOf(tier, project), total_value_xrp: formatDrops(tier.valueDrops) },
      completion_stats: {
        total_investors: investors.ofTier(project.id, tier.tier),
        completion_time,
        time_to_complete_hours: Math.round(((completedAtMs - openedAtMs) / MS_PER_HOUR) * 10_000) / 10_000,
      },
      next_tier:
        nextTier === null ? null : { ...tierOf(nextTier, project), starts_at: new Date(nextStartsAtMs).toISOString() },
      project_progress: progressOf(effect, project),
    }),
  );
}

const progressOf = (
  { raisedDrops, tiersCompleted }: { raisedDrops: bigint; tiersCompleted: number },
  { tiers, fullRaiseDrops }: ProjectState,
) => ({
  tiers_completed: tiersCompleted,
  total_tiers: tiers.length,
  total_raised_xrp: formatDrops(raisedDrops),
  progress_percentage: percentageFloor(minBigInt(raisedDrops, fullRaiseDrops), fullRaiseDrops),
});

function milestoneEvent(effect: Effect & { type: 'milestone' }, project: ProjectState, row: ProjectRow) {
  const { milestone, payment, reachedAtMs } = effect;
  const name = milestone.kind === 'progress' ? milestone.percent : milestone.kind;
  return projectEvent('project.milestone_reached', `${project.id}/${name}`, row, reachedAtMs, (reached_at) => ({
    milestone:
      milestone.kind === 'progress'
        ? { kind: 'progress' as const, percentage: milestone.percent }
        : { kind: 'soft_cap' as const, soft_cap_xrp: formatDrops(project.softCapDrops ?? 0n) },
    project_progress: progressOf(effect, project),
    transaction: transactionOf(payment),
    reached_at,
  }));
}
