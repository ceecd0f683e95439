import { countDistinct, inArray } from 'drizzle-orm';
import { allocations, type projects } from '#drizzle/schema/sale.ts';
import type { Tx } from '#lib/base/db.ts';
import { formatDrops, formatPrice, formatUnits, minBigInt, percentageFloor } from '#lib/base/money.ts';
import type { NewEvent } from '#lib/events/envelope.ts';
import type { Effect, ProjectState, SaleState } from '#lib/rules/types.ts';
import { immediateUnitsFloor } from '#lib/rules/vesting.ts';
import { investmentId } from '../investment-id.ts';
import { createdEvent } from './recognise.ts';
import { type Confirming, decidingLedger } from './write-decisions.ts';

type ProjectRow = typeof projects.$inferSelect;

const MS_PER_HOUR = 3_600_000;

/** Events of a confirmed run of entries, in the order of the effects. Investors are counted after the run's allocations are in. */
export async function confirmationEvents(
  tx: Tx,
  rows: ReadonlyMap<string, ProjectRow>,
  { state, effects, confirmedAt }: { state: SaleState; effects: readonly Effect[] } & Confirming,
): Promise<NewEvent[]> {
  const projectOf = new Map([...state.projects.values()].map((project) => [project.id, project]));
  const investors = await countInvestors(tx, effects);
  return effects.flatMap((effect): NewEvent[] => {
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
  const tierProjects = [
    ...new Set(effects.flatMap((effect) => (effect.type === 'tier_completed' ? [effect.projectId] : []))),
  ];
  const endedProjects = [
    ...new Set(
      effects.flatMap((effect) =>
        effect.type === 'sale_ended' || effect.type === 'cancelled' ? [effect.projectId] : [],
      ),
    ),
  ];
  const wallets = countDistinct(allocations.investorAccount);
  const byTier =
    tierProjects.length === 0
      ? []
      : await tx
          .select({ projectId: allocations.projectId, tier: allocations.tier, wallets })
          .from(allocations)
          .where(inArray(allocations.projectId, tierProjects))
          .groupBy(allocations.projectId, allocations.tier);
  const byProject =
    endedProjects.length === 0
      ? []
      : await tx
          .select({ projectId: allocations.projectId, wallets })
          .from(allocations)
          .where(inArray(allocations.projectId, endedProjects))
          .groupBy(allocations.projectId);
  const tierCounts = new Map(byTier.map((row) => [`${row.projectId}/${row.tier}`, row.wallets]));
  const projectCounts = new Map(byProject.map((row) => [row.projectId, row.wallets]));
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
    case 'milestone':
      return [milestoneEvent(effect, project, row)];
    case 'cancelled':
      return [cancelledEvent(effect, project, row, investors)];
    case 'refused':
      return [failedEvent(effect, project, confirmedAt(effect.payment.ledgerIndex))];
    case 'tier_completed':
      return [tierCompletedEvent(effect, project, row, investors)];
    case 'launched':
      return [launchedEvent(effect, project, row)];
    case 'sale_ended':
      return [
        {
          type: 'project.sale_ended',
          subject: project.id,
          projectId: project.id,
          occurredAt: new Date(effect.endedAtMs),
          data: {
            project_id: project.id,
            project_name: row.name,
            reason: effect.reason,
            total_raised_xrp: formatDrops(effect.raisedDrops),
            total_investors: investors.ofProject(project.id),
            ended_at: new Date(effect.endedAtMs).toISOString(),
          },
        },
      ];
    default:
      return [];
  }
}

function confirmedEvent(
  effect: Effect & { type: 'invested' },
  project: ProjectState,
  row: ProjectRow,
  confirmedAt: Date,
): NewEvent<'investment.confirmed'> {
  const { payment } = effect;
  const totalTokens = formatUnits(effect.totalUnits, project.decimals);
  return {
    type: 'investment.confirmed',
    subject: payment.hash,
    projectId: project.id,
    occurredAt: confirmedAt,
    data: {
      investment_id: investmentId(payment.hash),
      project_id: project.id,
      investor_account: payment.sender,
      confirmed_amount_xrp: formatDrops(effect.investedDrops),
      final_tier_allocation: effect.parts.map((part) => ({
        tier: part.tier,
        amount_xrp: formatDrops(part.drops),
        tokens: formatUnits(part.units, project.decimals),
      })),
      total_tokens: totalTokens,
      tokens_to_distribute: formatUnits(immediateUnitsFloor(effect.totalUnits, row.vesting), project.decimals),
      transaction: {
        hash: payment.hash,
        ledger_index: payment.ledgerIndex,
        confirmed_at: confirmedAt.toISOString(),
      },
      status: 'confirmed',
    },
  };
}

function failedEvent(
  effect: Effect & { type: 'refused' },
  project: ProjectState,
  confirmedAt: Date,
): NewEvent<'investment.failed'> {
  const { payment } = effect;
  return {
    type: 'investment.failed',
    subject: payment.hash,
    projectId: project.id,
    // Refused when it would have been confirmed: after its `investment.created`.
    occurredAt: confirmedAt,
    data: {
      investment_id: investmentId(payment.hash),
      project_id: project.id,
      investor_account: payment.sender,
      amount_xrp: formatDrops(payment.receivedDrops),
      reason: effect.reason,
      transaction: { hash: payment.hash, ledger_index: payment.ledgerIndex },
      status: 'failed',
    },
  };
}

function launchedEvent(
  effect: Effect & { type: 'launched' },
  project: ProjectState,
  row: ProjectRow,
): NewEvent<'project.launched'> {
  const launchedAt = new Date(effect.move.closedAtMs);
  return {
    type: 'project.launched',
    subject: project.id,
    projectId: project.id,
    occurredAt: launchedAt,
    data: {
      project_id: project.id,
      project_name: row.name,
      deposit_address: row.depositAddress,
      destination_tag: project.destinationTag,
      tiers: project.tiers.map((tier) => ({
        tier: tier.tier,
        price_per_token: formatPrice(tier.price),
        total_tokens: formatUnits(tier.totalUnits, project.decimals),
      })),
      starts_at: row.startsAt?.toISOString() ?? null,
      ends_at: row.endsAt?.toISOString() ?? null,
      terms_hash: effect.move.termsHash ?? '',
      transaction: { hash: effect.move.hash, ledger_index: effect.move.ledgerIndex },
      launched_at: launchedAt.toISOString(),
    },
  };
}

/** Every documented field; times from ledger close times. */
function tierCompletedEvent(
  effect: Effect & { type: 'tier_completed' },
  project: ProjectState,
  row: ProjectRow,
  investors: InvestorCounts,
): NewEvent<'project.tier_completed'> {
  const { tier, nextTier } = effect;
  const completedAt = new Date(effect.completedAtMs);
  const openedAtMs = tier.openedAtMs ?? effect.completedAtMs;
  return {
    type: 'project.tier_completed',
    subject: `${project.id}/${tier.tier}`,
    projectId: project.id,
    occurredAt: completedAt,
    data: {
      project_id: project.id,
      project_name: row.name,
      tier_completed: tier.tier,
      tier_details: {
        tier: tier.tier,
        price_per_token: formatPrice(tier.price),
        total_tokens: formatUnits(tier.totalUnits, project.decimals),
        total_value_xrp: formatDrops(tier.valueDrops),
      },
      completion_stats: {
        total_investors: investors.ofTier(project.id, tier.tier),
        completion_time: completedAt.toISOString(),
        time_to_complete_hours: Math.round(((effect.completedAtMs - openedAtMs) / MS_PER_HOUR) * 10_000) / 10_000,
      },
      next_tier:
        nextTier === null
          ? null
          : {
              tier: nextTier.tier,
              price_per_token: formatPrice(nextTier.price),
              total_tokens: formatUnits(nextTier.totalUnits, project.decimals),
              starts_at: new Date(nextTier.openedAtMs ?? nextTier.startsAtMs ?? effect.completedAtMs).toISOString(),
            },
      project_progress: progressOf(effect, project),
    },
  };
}

const progressOf = (
  { raisedDrops, tiersCompleted }: { raisedDrops: bigint; tiersCompleted: number },
  project: ProjectState,
) => ({
  tiers_completed: tiersCompleted,
  total_tiers: project.tiers.length,
  total_raised_xrp: formatDrops(raisedDrops),
  progress_percentage: percentageFloor(minBigInt(raisedDrops, project.fullRaiseDrops), project.fullRaiseDrops),
});

/** A payment that a move assigns becomes an investment only now: subscribers hear of it as of any other. */
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

function milestoneEvent(
  effect: Effect & { type: 'milestone' },
  project: ProjectState,
  row: ProjectRow,
): NewEvent<'project.milestone_reached'> {
  const { milestone, payment } = effect;
  const reachedAt = new Date(effect.reachedAtMs);
  return {
    type: 'project.milestone_reached',
    subject: `${project.id}/${milestone.kind === 'progress' ? milestone.percent : milestone.kind}`,
    projectId: project.id,
    occurredAt: reachedAt,
    data: {
      project_id: project.id,
      project_name: row.name,
      milestone:
        milestone.kind === 'progress'
          ? { kind: 'progress', percentage: milestone.percent }
          : { kind: 'soft_cap', soft_cap_xrp: formatDrops(project.softCapDrops ?? 0n) },
      project_progress: progressOf(effect, project),
      transaction: { hash: payment.hash, ledger_index: payment.ledgerIndex },
      reached_at: reachedAt.toISOString(),
    },
  };
}

function cancelledEvent(
  effect: Effect & { type: 'cancelled' },
  project: ProjectState,
  row: ProjectRow,
  investors: InvestorCounts,
): NewEvent<'project.cancelled'> {
  const cancelledAt = new Date(effect.move.closedAtMs);
  return {
    type: 'project.cancelled',
    subject: project.id,
    projectId: project.id,
    occurredAt: cancelledAt,
    data: {
      project_id: project.id,
      project_name: row.name,
      total_raised_xrp: formatDrops(effect.raisedDrops),
      total_investors: investors.ofProject(project.id),
      transaction: { hash: effect.move.hash, ledger_index: effect.move.ledgerIndex },
      cancelled_at: cancelledAt.toISOString(),
    },
  };
}
