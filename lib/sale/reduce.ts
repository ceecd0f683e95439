import { REFUND_SOURCE_TAG } from '#lib/ledger/tags.ts';
import { allocate } from './allocate.ts';
import { TRANSITIONS } from './transitions.ts';
import type {
  AllocationPart,
  Effect,
  ProjectState,
  RefusalReason,
  SaleEndReason,
  SaleEntry,
  SaleMove,
  SalePayment,
  SaleState,
  TierState,
} from './types.ts';

export interface Reduced {
  state: SaleState;
  effects: Effect[];
}

/**
 * The sale's one rule book: what an entry of the deposit account's feed does. Pure; depends on the state, the entry and
 * the published terms only, so reading late, twice, in other pages or on another machine changes nothing
 * (design section 4).
 */
export function reduce(state: SaleState, entry: SaleEntry): Reduced {
  return reduceAll(state, [entry]);
}

/** `reduce` over a run of entries in feed order; copies the project map once. */
export function reduceAll(state: SaleState, entries: Iterable<SaleEntry>): Reduced {
  const projects = new Map(state.projects);
  const effects: Effect[] = [];
  const put = (project: ProjectState) => void projects.set(project.destinationTag, project);
  for (const entry of entries) {
    for (const project of projects.values()) {
      if (endDatePassed(project, entry.closedAtMs)) put(endSale(project, 'end_date', project.endsAtMs, effects));
    }
    if (entry.kind === 'payment') {
      const project = entry.destinationTag === null ? undefined : projects.get(entry.destinationTag);
      if (project === undefined) effects.push(refuseWithoutProject(state, projects, entry));
      else put(reducePayment(project, entry, effects));
    } else if (entry.kind === 'move') {
      const project = [...projects.values()].find((candidate) => candidate.id === entry.projectId);
      if (project === undefined) {
        effects.push({ type: 'move_without_effect', move: entry, detail: 'no such project on this account' });
      } else put(reduceMove(project, entry, effects));
    }
  }
  return { state: { ...state, projects }, effects };
}

/** A sale is over with the first ledger that closes after `ends_at`. */
const endDatePassed = (project: ProjectState, closedAtMs: number): project is ProjectState & { endsAtMs: number } =>
  project.endsAtMs !== null &&
  closedAtMs > project.endsAtMs &&
  (project.status === 'active' || project.status === 'paused');

function endSale(project: ProjectState, reason: SaleEndReason, endedAtMs: number, effects: Effect[]): ProjectState {
  effects.push({ type: 'sale_ended', projectId: project.id, reason, endedAtMs, raisedDrops: project.raisedDrops });
  return { ...project, status: 'completed', endedAtMs };
}

function refuseWithoutProject(
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
  refundMinDrops: bigint,
): Effect & { type: 'refused' } {
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

const soldOut = (tiers: readonly TierState[]): boolean => tiers.every((tier) => tier.soldUnits === tier.totalUnits);

/** Why this payment may not buy, or null when it may. The order of the checks is part of the rules. */
function refusalOf(project: ProjectState, payment: SalePayment): RefusalReason | null {
  if (project.status === 'cancelled') return 'cancelled';
  if (project.status === 'completed') return soldOut(project.tiers) ? 'sold_out' : 'after_end';
  if (project.status !== 'active') return 'not_active';
  if (project.startsAtMs !== null && payment.closedAtMs < project.startsAtMs) return 'before_start';
  if (project.minInvestmentDrops !== null && payment.receivedDrops < project.minInvestmentDrops) return 'below_minimum';
  return null;
}

function reducePayment(project: ProjectState, payment: SalePayment, effects: Effect[]): ProjectState {
  const reason = refusalOf(project, payment);
  if (reason !== null) {
    effects.push(refused(payment, project.id, reason, project.refundMinDrops));
    return project;
  }
  const allocation = allocate(payment.receivedDrops, project.tiers, project.decimals, project.refundMinDrops);
  if (allocation.parts.length === 0) {
    effects.push(refused(payment, project.id, 'below_one_unit', project.refundMinDrops));
    return project;
  }
  effects.push({
    type: 'invested',
    payment,
    projectId: project.id,
    parts: allocation.parts,
    investedDrops: allocation.investedDrops,
    totalUnits: allocation.totalUnits,
    roundingDrops: allocation.roundingDrops,
    refundedDrops: allocation.refundedDrops,
    refundReason: allocation.refundReason,
  });
  const before = project.tiers;
  const tiers = bookParts(before, allocation.parts, payment.closedAtMs, project.startsAtMs);
  const raisedDrops = project.raisedDrops + allocation.investedDrops;
  const after = { ...project, tiers, raisedDrops };
  tiers.forEach((tier, place) => {
    if (tier.completedAtMs === null || before[place]?.completedAtMs !== null) return;
    effects.push({
      type: 'tier_completed',
      projectId: project.id,
      tier,
      nextTier: tiers[place + 1] ?? null,
      completedAtMs: tier.completedAtMs,
      tiersCompleted: tiers.slice(0, place + 1).filter((candidate) => candidate.completedAtMs !== null).length,
      raisedDrops,
    });
  });
  return soldOut(tiers) ? endSale(after, 'sold_out', payment.closedAtMs, effects) : after;
}

/** Adds the parts to their tiers; a tier that fills is completed, and the next one opens at the same moment. */
function bookParts(
  tiers: readonly TierState[],
  parts: readonly AllocationPart[],
  closedAtMs: number,
  startsAtMs: number | null,
): TierState[] {
  const partOf = new Map(parts.map((part) => [part.tier, part]));
  let open = true;
  return tiers.map((tier) => {
    const part = partOf.get(tier.tier);
    const soldUnits = tier.soldUnits + (part?.units ?? 0n);
    const complete = soldUnits === tier.totalUnits;
    const booked: TierState = {
      ...tier,
      soldUnits,
      valueDrops: tier.valueDrops + (part?.drops ?? 0n),
      openedAtMs: tier.openedAtMs ?? (open ? Math.max(closedAtMs, startsAtMs ?? 0) : null),
      completedAtMs: tier.completedAtMs ?? (complete ? closedAtMs : null),
    };
    open = complete;
    return booked;
  });
}

function reduceMove(project: ProjectState, move: SaleMove, effects: Effect[]): ProjectState {
  const next = TRANSITIONS[project.status][move.move];
  if (next === undefined) {
    effects.push({ type: 'move_without_effect', move, detail: `${move.move} is not possible while ${project.status}` });
    return project;
  }
  if (move.move === 'launch') {
    if (project.termsHash === null || move.termsHash !== project.termsHash) {
      effects.push({
        type: 'move_without_effect',
        move,
        detail: 'the anchored hash is not that of the published terms',
      });
      return project;
    }
    effects.push({ type: 'launched', projectId: project.id, move });
    const openedAtMs = Math.max(move.closedAtMs, project.startsAtMs ?? 0);
    const tiers = project.tiers.map((tier, place) => (place === 0 ? { ...tier, openedAtMs } : tier));
    return { ...project, status: next, launchedAtMs: move.closedAtMs, tiers };
  }
  effects.push({ type: 'moved', projectId: project.id, move, status: next });
  if (move.move === 'end') return endSale(project, 'ended', move.closedAtMs, effects);
  return { ...project, status: next, endedAtMs: next === 'cancelled' ? move.closedAtMs : project.endedAtMs };
}
