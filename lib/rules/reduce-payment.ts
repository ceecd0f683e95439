import { allocate, type Buyer } from './allocate.ts';
import type { Drops } from './amounts.ts';
import { endSale } from './end-sale.ts';
import type {
  AllocationPart,
  Effect,
  Milestone,
  ProjectState,
  RefusalReason,
  SaleMove,
  SalePayment,
  SaleState,
  TierState,
  WalletTotals,
} from './types.ts';
import { REFUND_SOURCE_TAG } from './types.ts';

type Refused = Effect & { type: 'refused' };
type Wallets = Map<string, WalletTotals>;

const NOTHING_INVESTED: WalletTotals = { investedDrops: 0n, listedDrops: 0n };
const PERCENTS = [25, 50, 75] as const;

/** A payment without a project's tag. */
export function refuseWithoutProject(
  state: SaleState,
  projects: ReadonlyMap<number, ProjectState>,
  payment: SalePayment,
): Effect {
  // Only terms that a launch has anchored count: a draft is nobody's word.
  const operating = [...projects.values()].some(
    (project) => project.launchedAtMs !== null && project.operatingAccounts.includes(payment.sender),
  );
  if (operating) return { type: 'held', payment, reason: 'operating_funds' };
  if (payment.destinationTag === REFUND_SOURCE_TAG) return { type: 'held', payment, reason: 'refund_bounced' };
  const reason = payment.destinationTag === null ? 'no_tag' : 'unknown_tag';
  return refused(payment, null, reason, state.refundMinDrops);
}

function refused(
  payment: SalePayment,
  projectId: string | null,
  reason: RefusalReason,
  refundMinDrops: Drops,
): Refused {
  const refundable = payment.receivedDrops >= refundMinDrops;
  return {
    type: 'refused',
    payment,
    projectId,
    reason,
    refundedDrops: refundable ? payment.receivedDrops : 0n,
    heldDrops: refundable ? 0n : payment.receivedDrops,
  };
}

export const soldOut = (tiers: readonly TierState[]): boolean =>
  tiers.every((tier) => tier.soldUnits === tier.totalUnits);

/** Whether wallet totals decide anything in this sale: then they are kept, else not even loaded. */
export const countsWallets = (project: Pick<ProjectState, 'maxPerWalletDrops' | 'tiers'>): boolean =>
  project.maxPerWalletDrops !== null || project.tiers.some((tier) => tier.listed);

/** Why the whole sale is not open to this payment, or null when it is. The order of the checks is part of the rules. */
function refusalOf(project: ProjectState, receivedDrops: Drops, atMs: number): RefusalReason | null {
  if (project.status === 'cancelled') {
    return project.endReason === 'soft_cap_missed' ? 'soft_cap_missed' : 'cancelled';
  }
  if (project.status === 'completed') return soldOut(project.tiers) ? 'sold_out' : 'after_end';
  if (project.status !== 'active') return 'not_active';
  const firstTierStartsAtMs = project.tiers[0]?.startsAtMs ?? 0;
  if (atMs < Math.max(project.startsAtMs ?? 0, firstTierStartsAtMs)) return 'before_start';
  if (project.minInvestmentDrops !== null && receivedDrops < project.minInvestmentDrops) return 'below_minimum';
  return null;
}

/** A list's own limit counts in listed tiers, the sale's in all. */
export function buyerOf(
  project: ProjectState,
  wallets: ReadonlyMap<string, WalletTotals>,
  sender: string,
  atMs: number,
): Buyer {
  const list = project.listHash === null ? undefined : project.lists.get(project.listHash);
  const capDrops = list?.get(sender);
  const totals = wallets.get(sender) ?? NOTHING_INVESTED;
  return {
    atMs,
    admitted: capDrops !== undefined,
    leftDrops: project.maxPerWalletDrops === null ? null : project.maxPerWalletDrops - totals.investedDrops,
    leftListedDrops: capDrops === undefined || capDrops === null ? null : capDrops - totals.listedDrops,
  };
}

/**
 * What one payment to a project becomes at `atMs`. `assignedBy` is the move that credits a payment held before.
 * Writes the sender's new total into `wallets`.
 */
export function reducePayment(
  project: ProjectState,
  wallets: Wallets,
  { payment, atMs, assignedBy }: { payment: SalePayment; atMs: number; assignedBy: SaleMove | null },
): { project: ProjectState; effects: Effect[] } {
  const refuse = (reason: RefusalReason) => ({
    project,
    effects: [refused(payment, project.id, reason, project.refundMinDrops)],
  });
  const reason = refusalOf(project, payment.receivedDrops, atMs);
  if (reason !== null) return refuse(reason);
  const buyer = buyerOf(project, wallets, payment.sender, atMs);
  const allocation = allocate(payment.receivedDrops, project.tiers, buyer, project);
  const { parts, stoppedBy, ...sums } = allocation;
  if (parts.length === 0) return refuse(stoppedBy === 'change' ? 'below_one_unit' : stoppedBy);

  const effects: Effect[] = [
    {
      type: 'invested',
      payment,
      projectId: project.id,
      parts,
      ...sums,
      refundReason: sums.refundedDrops === 0n ? null : stoppedBy,
      decidedAtMs: atMs,
      assignedBy,
    },
  ];
  const tiers = bookParts(project, parts, atMs);
  if (countsWallets(project)) bookWallet(project, wallets, payment.sender, parts);
  const raisedDrops = project.raisedDrops + sums.investedDrops;
  const after = { ...project, tiers, raisedDrops };
  const tiersCompleted = tiers.filter((tier) => tier.completedAtMs !== null).length;
  for (const milestone of milestonesReached(project, raisedDrops)) {
    effects.push({
      type: 'milestone',
      projectId: project.id,
      milestone,
      payment,
      reachedAtMs: atMs,
      raisedDrops,
      tiersCompleted,
    });
  }
  tiers.forEach((tier, place) => {
    if (tier.completedAtMs === null || project.tiers[place]?.completedAtMs !== null) return;
    effects.push({
      type: 'tier_completed',
      projectId: project.id,
      tier,
      nextTier: tiers[place + 1] ?? null,
      completedAtMs: tier.completedAtMs,
      tiersCompleted: tiers.slice(0, place + 1).filter((candidate) => candidate.completedAtMs !== null).length,
      // One payment may fill several tiers: what it put into later ones was not raised yet when this one was full.
      raisedDrops: parts.reduce((sum, part) => (part.tier <= tier.tier ? sum + part.drops : sum), project.raisedDrops),
    });
  });
  if (!soldOut(tiers)) return { project: after, effects };
  const ended = endSale(after, 'sold_out', atMs);
  return { project: ended.project, effects: [...effects, ended.effect] };
}

function milestonesReached(project: ProjectState, raisedDrops: Drops): Milestone[] {
  const reached = (thresholdTimes100: Drops): boolean =>
    project.raisedDrops * 100n < thresholdTimes100 && raisedDrops * 100n >= thresholdTimes100;
  const milestones: Milestone[] = PERCENTS.filter((percent) => reached(BigInt(percent) * project.fullRaiseDrops)).map(
    (percent) => ({ kind: 'progress', percent }),
  );
  if (project.softCapDrops !== null && reached(project.softCapDrops * 100n)) milestones.push({ kind: 'soft_cap' });
  return milestones;
}

function bookWallet(project: ProjectState, wallets: Wallets, sender: string, parts: readonly AllocationPart[]): void {
  const listed = new Set(project.tiers.filter((tier) => tier.listed).map((tier) => tier.tier));
  const before = wallets.get(sender) ?? NOTHING_INVESTED;
  wallets.set(sender, {
    investedDrops: parts.reduce((sum, part) => sum + part.drops, before.investedDrops),
    listedDrops: parts.reduce((sum, part) => (listed.has(part.tier) ? sum + part.drops : sum), before.listedDrops),
  });
}

/** Adds the parts to their tiers; a tier that fills is completed, and the next one opens then or at its own start. */
function bookParts(project: ProjectState, parts: readonly AllocationPart[], atMs: number): TierState[] {
  const partOf = new Map(parts.map((part) => [part.tier, part]));
  let open = true;
  return project.tiers.map((tier) => {
    const part = partOf.get(tier.tier);
    const soldUnits = tier.soldUnits + (part?.units ?? 0n);
    const complete = soldUnits === tier.totalUnits;
    const opensAtMs = Math.max(atMs, project.startsAtMs ?? 0, tier.startsAtMs ?? 0);
    const booked: TierState = {
      ...tier,
      soldUnits,
      valueDrops: tier.valueDrops + (part?.drops ?? 0n),
      openedAtMs: tier.openedAtMs ?? (open ? opensAtMs : null),
      completedAtMs: tier.completedAtMs ?? (complete ? atMs : null),
    };
    open = complete;
    return booked;
  });
}
