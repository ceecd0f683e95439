import { endSale } from './end-sale.ts';
import { reduceMove } from './reduce-move.ts';
import { reducePayment, refuseWithoutProject } from './reduce-payment.ts';
import { TRANSITIONS } from './transitions.ts';
import type { Effect, ProjectState, SaleEntry, SaleMove, SalePayment, SaleState, WalletTotals } from './types.ts';

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
    else if (entry.kind === 'move') this.#move(entry);
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
    if (project === undefined) this.#report([refuseWithoutProject(this.#before, this.#projects, payment)]);
    else this.#credit(project, { payment, atMs: payment.closedAtMs, assignedBy: null });
  }

  #credit(project: ProjectState, payment: Parameters<typeof reducePayment>[2]): void {
    const reduced = reducePayment(project, this.#walletsOf(project), payment);
    this.#put(reduced.project, reduced.effects);
  }

  #move(move: SaleMove): void {
    const project = [...this.#projects.values()].find((candidate) => candidate.id === move.projectId);
    if (project === undefined) this.#withoutEffect(move, 'no such project on this account');
    else if (move.move === 'assign') this.#assign(project, move);
    else {
      const reduced = reduceMove(project, move);
      this.#put(reduced.project, reduced.effects);
    }
  }

  /** Credits a held payment as if it arrived in the move's place; what would be refused there stays held. */
  #assign(project: ProjectState, move: SaleMove): void {
    if (TRANSITIONS[project.status].assign === undefined) {
      this.#withoutEffect(move, `assign is not possible while ${project.status}`);
      return;
    }
    const payment = move.paymentHash === null ? undefined : this.#held.get(move.paymentHash);
    if (payment === undefined) {
      this.#withoutEffect(move, 'no such payment is held');
      return;
    }
    const reduced = reducePayment(project, this.#walletsOf(project), {
      payment,
      atMs: move.closedAtMs,
      assignedBy: move,
    });
    const [refusal] = reduced.effects;
    if (refusal?.type === 'refused') {
      this.#withoutEffect(move, `the payment would be refused: ${refusal.reason}`);
      return;
    }
    this.#held.delete(payment.hash);
    const moved: Effect = { type: 'moved', projectId: project.id, move, status: project.status };
    this.#put(reduced.project, [moved, ...reduced.effects]);
  }

  #withoutEffect(move: SaleMove, detail: string): void {
    this.effects.push({ type: 'move_without_effect', move, detail });
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
