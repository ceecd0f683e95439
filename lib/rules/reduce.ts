import { allocate, type Buyer } from './allocate.ts';
import type { Drops } from './amounts.ts';
import { type CredentialsRead, holdsCredential } from './credentials.ts';
import { isQuorum } from './custody.ts';
import {
  type AllocationPart,
  type Effect,
  type Milestone,
  type ProjectState,
  REFUND_SOURCE_TAG,
  type RefusalReason,
  type SaleAction,
  type SaleEndReason,
  type SaleEntry,
  type SalePayment,
  type SaleState,
  type TierState,
  TRANSITIONS,
  type WalletTotals,
} from './types.ts';

export interface Reduced {
  state: SaleState;
  effects: Effect[];
}

/**
 * The sale's one rule book: what an entry of the deposit account's feed does. Pure; depends on the state, the entry and
 * the published terms and lists only, so reading late, twice, in other pages or on another machine changes nothing
 * (docs/verification.md, sections 2 to 5).
 */
export function reduce(state: SaleState, entry: SaleEntry): Reduced {
  return reduceAll(state, [entry]);
}

/** `reduce` over a run of entries in feed order; copies what it changes once. */
export function reduceAll(state: SaleState, entries: Iterable<SaleEntry>): Reduced {
  const run = new Run(state);
  for (const entry of entries) run.take(entry);
  return { state: run.state(), effects: run.effects };
}

/** The working copy of one run. Nothing of the state given is changed. */
class Run {
  readonly effects: Effect[] = [];
  readonly #before: SaleState;
  readonly #projects: Map<number, ProjectState>;
  readonly #held: Map<string, SalePayment>;
  /** Wallet totals of the projects that were paid to, by project id. */
  readonly #wallets = new Map<string, Map<string, WalletTotals>>();

  constructor(state: SaleState) {
    this.#before = state;
    this.#projects = new Map(state.projects);
    this.#held = new Map(state.held);
  }

  state(): SaleState {
    for (const [tag, project] of this.#projects) {
      const wallets = this.#wallets.get(project.id);
      // Who reads the state tells what has changed by identity.
      const changed = this.#before.projects.get(tag) !== project;
      if (changed && wallets !== undefined) this.#projects.set(tag, { ...project, wallets });
    }
    return { ...this.#before, projects: this.#projects, held: this.#held };
  }

  take(entry: SaleEntry): void {
    this.#endWhatIsOver(entry.closedAtMs);
    if (entry.kind === 'payment') this.#payment(entry);
    else if (entry.kind === 'action') this.#reduceAction(entry);
  }

  /** A sale is over with the first ledger that closes after `ends_at`. */
  #endWhatIsOver(closedAtMs: number): void {
    for (const project of this.#projects.values()) {
      const { endsAtMs, status } = project;
      if (endsAtMs === null || closedAtMs <= endsAtMs || (status !== 'active' && status !== 'paused')) continue;
      const ended = endSale(project, 'end_date', endsAtMs);
      this.#put(ended.project, [ended.effect]);
    }
  }

  #payment(payment: SalePayment): void {
    const project = payment.destinationTag === null ? undefined : this.#projects.get(payment.destinationTag);
    if (project === undefined || !takesPayments(project))
      this.#report([refuseWithoutProject(this.#before, this.#projects, payment)]);
    else this.#credit(project, { payment, atMs: payment.closedAtMs, assignedBy: null });
  }

  #credit(project: ProjectState, credited: Omit<Credited, 'credentials'>): void {
    const reduced = this.#reducePayment(project, credited);
    this.#put(reduced.project, reduced.effects);
  }

  #reducePayment(project: ProjectState, credited: Omit<Credited, 'credentials'>): ReturnType<typeof reducePayment> {
    const { credentials } = this.#before;
    return reducePayment(project, this.#walletsOf(project), { ...credited, credentials });
  }

  #reduceAction(action: SaleAction): void {
    const project = [...this.#projects.values()].find((candidate) => candidate.id === action.projectId);
    if (project === undefined) this.#withoutEffect(action, 'no such project on this account');
    else if (project.custody !== null && !isQuorum(project.custody, action.signers)) {
      this.#withoutEffect(action, 'not signed by a quorum of the signers in the terms');
    } else if (action.action === 'assign') this.#assign(project, action);
    else {
      const reduced = reduceAction(project, action);
      this.#put(reduced.project, reduced.effects);
    }
  }

  /** Credits a held payment as if it arrived in the action's place; what would be refused there stays held. */
  #assign(project: ProjectState, action: SaleAction): void {
    if (TRANSITIONS[project.status].assign === undefined) {
      this.#withoutEffect(action, `assign is not possible while ${project.status}`);
      return;
    }
    const payment = action.paymentHash === null ? undefined : this.#held.get(action.paymentHash);
    if (payment === undefined) {
      this.#withoutEffect(action, 'no such payment is held');
      return;
    }
    const reduced = this.#reducePayment(project, { payment, atMs: action.closedAtMs, assignedBy: action });
    const [refusal] = reduced.effects;
    if (refusal?.type === 'refused') {
      this.#withoutEffect(action, `the payment would be refused: ${refusal.reason}`);
      return;
    }
    this.#held.delete(payment.hash);
    const applied: Effect = { type: 'action_applied', projectId: project.id, action, status: project.status };
    this.#put(reduced.project, [applied, ...reduced.effects]);
  }

  #withoutEffect(action: SaleAction, detail: string): void {
    this.effects.push({ type: 'action_without_effect', action, detail });
  }

  #put(project: ProjectState, effects: readonly Effect[]): void {
    this.#projects.set(project.destinationTag, project);
    this.#report(effects);
  }

  #report(effects: readonly Effect[]): void {
    for (const effect of effects) {
      this.effects.push(effect);
      // What was refused by a project is its failed investment already, and stays that.
      const isNobodys =
        effect.type === 'held' ||
        (effect.type === 'refused' && effect.projectId === null && effect.refundedDrops === 0n);
      if (isNobodys) this.#held.set(effect.payment.hash, effect.payment);
    }
  }

  #walletsOf(project: ProjectState): Map<string, WalletTotals> {
    const known = this.#wallets.get(project.id);
    if (known !== undefined) return known;
    const wallets = new Map(project.wallets);
    this.#wallets.set(project.id, wallets);
    return wallets;
  }
}

/**
 * Under custody a tag is nobody's before the launch of its sale: readers who know of different drafts must decide alike, and
 * a launch must not change what was decided before it (docs/verification.md, section 3).
 */
const takesPayments = ({ custody, status }: ProjectState): boolean => custody === null || status !== 'draft';

type Refused = Effect & { type: 'refused' };
type Wallets = Map<string, WalletTotals>;

const NOTHING_INVESTED: WalletTotals = { investedDrops: 0n, listedDrops: 0n };
const PERCENTS = [25, 50, 75] as const;

/** A payment without the tag of a project that takes it. */
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

const soldOut = (tiers: readonly TierState[]): boolean => tiers.every((tier) => tier.soldUnits === tier.totalUnits);

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

/** Where a payment is decided: the ledger, its close time, and what was read of credentials. */
interface DecisionPlace {
  ledgerIndex: number;
  atMs: number;
  credentials: CredentialsRead | undefined;
}

/**
 * A list's own limit counts in listed tiers, the sale's in all. A credential counts as the ledger before held it: the order
 * inside a ledger is nobody's choice (docs/adr/0038-credentials.md).
 */
export function buyerOf(
  project: ProjectState,
  wallets: ReadonlyMap<string, WalletTotals>,
  sender: string,
  { ledgerIndex, atMs, credentials }: DecisionPlace,
): Buyer {
  const list = project.listHash === null ? undefined : project.lists.get(project.listHash);
  const capDrops = list?.get(sender);
  const totals = wallets.get(sender) ?? NOTHING_INVESTED;
  return {
    atMs,
    admitted: capDrops !== undefined,
    holds: (required) =>
      holdsCredential(required, { ledgerIndex: ledgerIndex - 1, subject: sender }, { read: credentials, atMs }),
    leftDrops: project.maxPerWalletDrops === null ? null : project.maxPerWalletDrops - totals.investedDrops,
    leftListedDrops: capDrops === undefined || capDrops === null ? null : capDrops - totals.listedDrops,
  };
}

interface Credited {
  payment: SalePayment;
  atMs: number;
  /** The action that credits a payment held before. */
  assignedBy: SaleAction | null;
  credentials: CredentialsRead | undefined;
}

/**
 * What one payment to a project becomes at `atMs`, in its own place or that of the action which assigns it. Writes the sender's new total into `wallets`.
 */
function reducePayment(
  project: ProjectState,
  wallets: Wallets,
  { payment, atMs, assignedBy, credentials }: Credited,
): { project: ProjectState; effects: Effect[] } {
  const refuse = (reason: RefusalReason) => ({
    project,
    effects: [refused(payment, project.id, reason, project.refundMinDrops)],
  });
  const reason = refusalOf(project, payment.receivedDrops, atMs);
  if (reason !== null) return refuse(reason);
  const { ledgerIndex } = assignedBy ?? payment;
  const buyer = buyerOf(project, wallets, payment.sender, { ledgerIndex, atMs, credentials });
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
  const tiers = addParts(project, parts, atMs);
  if (countsWallets(project)) addToWallet(project, wallets, payment.sender, parts);
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
  tiers.forEach((tier, index) => {
    if (tier.completedAtMs === null || project.tiers[index]?.completedAtMs !== null) return;
    effects.push({
      type: 'tier_completed',
      projectId: project.id,
      tier,
      nextTier: tiers[index + 1] ?? null,
      completedAtMs: tier.completedAtMs,
      tiersCompleted: tiers.slice(0, index + 1).filter((candidate) => candidate.completedAtMs !== null).length,
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

function addToWallet(project: ProjectState, wallets: Wallets, sender: string, parts: readonly AllocationPart[]): void {
  const listed = new Set(project.tiers.filter((tier) => tier.listed).map((tier) => tier.tier));
  const before = wallets.get(sender) ?? NOTHING_INVESTED;
  wallets.set(sender, {
    investedDrops: parts.reduce((sum, part) => sum + part.drops, before.investedDrops),
    listedDrops: parts.reduce((sum, part) => (listed.has(part.tier) ? sum + part.drops : sum), before.listedDrops),
  });
}

/** Adds the parts to their tiers; a tier that fills is completed, and the next one opens then or at its own start. */
function addParts(project: ProjectState, parts: readonly AllocationPart[], atMs: number): TierState[] {
  const partOf = new Map(parts.map((part) => [part.tier, part]));
  let open = true;
  return project.tiers.map((tier) => {
    const part = partOf.get(tier.tier);
    const soldUnits = tier.soldUnits + (part?.units ?? 0n);
    const complete = soldUnits === tier.totalUnits;
    const opensAtMs = Math.max(atMs, project.startsAtMs ?? 0, tier.startsAtMs ?? 0);
    const recorded: TierState = {
      ...tier,
      soldUnits,
      valueDrops: tier.valueDrops + (part?.drops ?? 0n),
      openedAtMs: tier.openedAtMs ?? (open ? opensAtMs : null),
      completedAtMs: tier.completedAtMs ?? (complete ? atMs : null),
    };
    open = complete;
    return recorded;
  });
}

/** What an action makes of its project; `assign` is reduced as the payment that it names (reduce.ts). */
function reduceAction(project: ProjectState, action: SaleAction): { project: ProjectState; effects: Effect[] } {
  const without = (detail: string) => ({
    project,
    effects: [{ type: 'action_without_effect' as const, action, detail }],
  });
  const next = TRANSITIONS[project.status][action.action];
  if (next === undefined) return without(`${action.action} is not possible while ${project.status}`);
  const applied = { type: 'action_applied' as const, projectId: project.id, action, status: next } satisfies Effect;
  switch (action.action) {
    case 'launch': {
      if (project.termsHash === null || action.termsHash !== project.termsHash) {
        return without('the anchored hash is not that of the published terms');
      }
      if (project.endsAtMs !== null && action.closedAtMs > project.endsAtMs) {
        return without('the sale was over before it was launched');
      }
      const [first, ...others] = project.tiers;
      const openedAtMs = Math.max(action.closedAtMs, project.startsAtMs ?? 0, first?.startsAtMs ?? 0);
      const tiers = first === undefined ? [] : [{ ...first, openedAtMs }, ...others];
      return {
        project: { ...project, status: next, launchedAtMs: action.closedAtMs, tiers },
        effects: [{ type: 'launched', projectId: project.id, action }],
      };
    }
    case 'list':
      // Under custody whoever lacks the list knows that from here on it cannot decide: two readers must never decide differently.
      if (action.listHash === null || (project.custody === null && !project.lists.has(action.listHash))) {
        return without('the anchored hash is not that of a published list');
      }
      return { project: { ...project, listHash: action.listHash }, effects: [applied] };
    case 'end': {
      const ended = endSale(project, 'ended', action.closedAtMs);
      // A soft cap that was missed makes it cancelled.
      return { project: ended.project, effects: [{ ...applied, status: ended.project.status }, ended.effect] };
    }
    case 'cancel':
      return {
        project: { ...project, status: next, endedAtMs: action.closedAtMs, endReason: 'cancelled' },
        effects: [{ type: 'cancelled', projectId: project.id, action, raisedDrops: project.raisedDrops }],
      };
    default:
      return { project: { ...project, status: next }, effects: [applied] };
  }
}

/** Ends a sale. One that has not reached its soft cap ends cancelled: all that was invested goes back. */
export function endSale(
  project: ProjectState,
  reason: Exclude<SaleEndReason, 'soft_cap_missed'>,
  endedAtMs: number,
): { project: ProjectState; effect: Effect & { type: 'sale_ended' } } {
  const missed = project.softCapDrops !== null && project.raisedDrops < project.softCapDrops;
  const endReason = missed ? 'soft_cap_missed' : reason;
  return {
    project: { ...project, status: missed ? 'cancelled' : 'completed', endedAtMs, endReason },
    effect: {
      type: 'sale_ended',
      projectId: project.id,
      reason: endReason,
      endedAtMs,
      raisedDrops: project.raisedDrops,
      unsoldUnits: missed ? 0n : project.tiers.reduce((sum, tier) => sum + tier.totalUnits - tier.soldUnits, 0n),
    },
  };
}
