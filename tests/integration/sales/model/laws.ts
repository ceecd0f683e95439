import { expect } from 'vitest';
import type { Drops } from '#lib/base/money.ts';
import { eventId } from '#lib/events/envelope.ts';
import type { World, WorldProject } from './world.ts';
import type { Written } from './written-books.ts';

type PaymentRow = Written['payments'][number];
type ActionRow = Written['actions'][number];
interface Decision {
  payment: PaymentRow;
  /** The project that it was paid to or assigned to. */
  project: WorldProject;
  atMs: number;
  parts: Written['allocations'];
}

const BASE_BPS = 10_000n;
const PERCENTS = [25n, 50n, 75n];

/** Drops that units cost, exactly, in 10^-12 of a drop and of a unit's fraction: nothing is rounded in comparisons. */
const scaleOf = (project: WorldProject): bigint => 10n ** BigInt(6 + project.terms.decimals);
const ceilOf = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;
const sum = (values: readonly bigint[]): bigint => values.reduce((total, value) => total + value, 0n);

/**
 * Reads the decided books from the first payment to the last and holds each decision against the rules of
 * docs/verification.md, in words of its own: the reducer, which the books were written by, has no part in it.
 */
export function expectLawful(world: World, written: Written): void {
  for (const project of world.projects) {
    const sale = new SaleSoFar(world, project, written);
    for (const event of decisionsOf(world, project, written)) {
      if ('action' in event) sale.action(event.action);
      else sale.decide(event);
    }
    sale.end();
  }
}

type Happening = Decision | { action: ActionRow };
const isAt = (row: { ledgerIndex: number | null; transactionIndex: number | null }): number =>
  (row.ledgerIndex ?? 0) * 10_000 + (row.transactionIndex ?? 0);

/** What decided about a project, in its order: payments in their place, or in that of the action that assigned them. */
function decisionsOf(world: World, project: WorldProject, written: Written): Happening[] {
  const applied = written.actions.filter((row) => row.projectId === project.id && row.status === 'applied');
  const assignedBy = new Map(applied.filter((row) => row.action === 'assign').map((row) => [row.paymentHash, row]));
  const investmentOf = new Map(written.investments.map((row) => [row.txHash, row.id]));
  const partsOf = Map.groupBy(written.allocations, (row) => row.investmentId);
  const decisions = written.payments
    .filter((row) => row.projectId === project.id && row.outcome !== 'pending')
    .map((payment) => {
      const by = assignedBy.get(payment.txHash);
      const atMs = world.closedAtMs(by?.ledgerIndex ?? payment.ledgerIndex);
      const parts = partsOf.get(investmentOf.get(payment.txHash) ?? '') ?? [];
      return { index: isAt(by ?? payment), happening: { payment, project, atMs, parts } };
    });
  const actions = applied
    .filter((row) => row.action !== 'assign')
    .map((action) => ({ index: isAt(action), happening: { action } }));
  return [...decisions, ...actions].sort((a, b) => a.index - b.index).map(({ happening }) => happening);
}

/** One sale while its decisions are gone through. */
class SaleSoFar {
  readonly #world: World;
  readonly #project: WorldProject;
  readonly #written: Written;
  readonly #soldUnits: bigint[];
  readonly #wallets = new Map<string, { all: Drops; listed: Drops }>();
  #raised = 0n;
  #onSale = false;
  #listHash: string | null = null;
  readonly #milestones = new Map<string, string>();

  constructor(world: World, project: WorldProject, written: Written) {
    this.#world = world;
    this.#project = project;
    this.#written = written;
    this.#soldUnits = project.terms.tiers.map(() => 0n);
  }

  action({ action, termsHash, listHash }: ActionRow): void {
    if (action === 'launch') expect(termsHash).toBe(this.#project.termsHash);
    if (action === 'list') {
      expect([...this.#project.lists.keys()]).toContain(listHash);
      this.#listHash = listHash;
    } else this.#onSale = action === 'launch' || action === 'resume';
  }

  decide({ payment, atMs, parts }: Decision): void {
    const { terms } = this.#project;
    if (parts.length === 0) {
      this.#refused(payment, atMs);
      return;
    }
    expect(this.#onSale).toBe(true);
    expect(atMs).toBeGreaterThanOrEqual(terms.startsAtMs ?? 0);
    expect(atMs).toBeLessThanOrEqual(terms.endsAtMs ?? atMs);
    expect(payment.receivedDrops).toBeGreaterThanOrEqual(terms.minInvestmentDrops ?? 0n);
    this.#parts(payment, atMs, parts);
    this.#wallet(payment, parts);
    this.#told(payment);
  }

  /** Tiers fill in order, none before its start; a part costs what its units cost, the last one with the kept change. */
  #parts(payment: PaymentRow, atMs: number, parts: Decision['parts']): void {
    const { terms } = this.#project;
    const scale = scaleOf(this.#project);
    for (const [index, part] of parts.entries()) {
      const tier = terms.tiers[part.tier - 1];
      if (tier === undefined) throw new Error(`There is no tier ${part.tier}`);
      for (let before = 0; before < part.tier - 1; before++) {
        expect(this.#soldUnits[before]).toBe(terms.tiers[before]?.totalUnits);
      }
      expect(atMs).toBeGreaterThanOrEqual(tier.startsAtMs ?? 0);
      const cost = ceilOf(part.units * tier.price, scale);
      const sold = (this.#soldUnits[part.tier - 1] ?? 0n) + part.units;
      expect(sold <= tier.totalUnits).toBe(true);
      this.#soldUnits[part.tier - 1] = sold;
      if (index < parts.length - 1) expect(part.amountDrops).toBe(cost);
      else this.#change(payment, part.amountDrops - cost);
    }
    expect(sum(parts.map((part) => part.amountDrops))).toBe(payment.investedDrops);
  }

  /** Change goes back when it is worth sending, else it stays in the last part; it would not have bought another unit. */
  #change({ reason, refundedDrops, sender }: PaymentRow, keptDrops: Drops): void {
    const { terms } = this.#project;
    if (refundedDrops === 0n) expect(keptDrops < terms.refundMinDrops).toBe(true);
    else expect([keptDrops, refundedDrops >= terms.refundMinDrops]).toEqual([0n, true]);
    const selling = this.#selling();
    if (reason === 'sold_out') expect(selling).toBe(undefined);
    if (reason === 'change' && selling !== undefined) {
      expect(refundedDrops * scaleOf(this.#project) < selling.price).toBe(true);
    }
    if (reason === 'above_wallet_cap') expect(this.#isLimited(sender)).toBe(true);
  }

  #selling(): WorldProject['terms']['tiers'][number] | undefined {
    return this.#project.terms.tiers.find((tier, index) => this.#soldUnits[index] !== tier.totalUnits);
  }

  #capOf(wallet: string): Drops | null | undefined {
    return this.#listHash === null ? undefined : this.#project.lists.get(this.#listHash)?.get(wallet);
  }

  #isLimited(sender: string): boolean {
    return this.#project.terms.maxPerWalletDrops !== null || typeof this.#capOf(sender) === 'bigint';
  }

  /** In all, and in listed tiers, no wallet has more than it may, but for kept change. */
  #wallet({ sender }: PaymentRow, parts: Decision['parts']): void {
    const { terms } = this.#project;
    const isListed = ({ tier }: Decision['parts'][number]): boolean =>
      terms.access === 'allowlist' || terms.tiers[tier - 1]?.access === 'allowlist';
    const listedParts = parts.filter(isListed);
    const before = this.#wallets.get(sender) ?? { all: 0n, listed: 0n };
    const all = before.all + sum(parts.map((part) => part.amountDrops));
    const listed = before.listed + sum(listedParts.map((part) => part.amountDrops));
    this.#wallets.set(sender, { all, listed });
    if (terms.maxPerWalletDrops !== null) expect(all < terms.maxPerWalletDrops + terms.refundMinDrops).toBe(true);
    if (listedParts.length === 0) return;
    const cap = this.#capOf(sender);
    expect(cap).not.toBe(undefined);
    if (typeof cap === 'bigint') expect(listed < cap + terms.refundMinDrops).toBe(true);
  }

  /** The whole goes back when it is worth sending, and the reason is one that holds. */
  #refused(payment: PaymentRow, atMs: number): void {
    const { terms } = this.#project;
    const isSent = payment.receivedDrops >= terms.refundMinDrops;
    expect([payment.refundedDrops, payment.heldDrops]).toEqual(
      isSent ? [payment.receivedDrops, 0n] : [0n, payment.receivedDrops],
    );
    const selling = this.#selling();
    const isFull = selling === undefined;
    const startsAtMs = Math.max(terms.startsAtMs ?? 0, terms.tiers[0]?.startsAtMs ?? 0);
    const isListed = terms.access === 'allowlist' || selling?.access === 'allowlist';
    const missed = terms.softCapDrops !== null && this.#raised < terms.softCapDrops;
    const holds: Record<string, boolean> = {
      not_active: !this.#onSale,
      before_start: atMs < startsAtMs,
      after_end: !missed && !isFull && (!this.#onSale || atMs > (terms.endsAtMs ?? atMs)),
      soft_cap_missed: missed && (!this.#onSale || atMs > (terms.endsAtMs ?? atMs)),
      cancelled: !this.#onSale,
      between_tiers: atMs < (selling?.startsAtMs ?? 0),
      below_minimum: payment.receivedDrops < (terms.minInvestmentDrops ?? 0n),
      not_admitted: isListed && this.#capOf(payment.sender) === undefined,
      above_wallet_cap: this.#isLimited(payment.sender),
      below_one_unit: selling !== undefined && payment.receivedDrops * scaleOf(this.#project) < selling.price,
      sold_out: isFull,
    };
    expect(`${payment.reason} ${holds[payment.reason ?? '']}`).toBe(`${payment.reason} true`);
  }

  /** Notes which milestones this payment has reached. */
  #told({ txHash, investedDrops }: PaymentRow): void {
    const { terms } = this.#project;
    const full = sum(terms.tiers.map((tier) => ceilOf(tier.totalUnits * tier.price, scaleOf(this.#project))));
    const before = this.#raised;
    this.#raised += investedDrops;
    const marks = PERCENTS.map((percent): [string, bigint] => [`${percent}`, percent * 100n * full]);
    if (terms.softCapDrops !== null) marks.push(['soft_cap', terms.softCapDrops * BASE_BPS]);
    for (const [name, mark] of marks) {
      if (before * BASE_BPS < mark && this.#raised * BASE_BPS >= mark) this.#milestones.set(name, txHash);
    }
    if (this.#selling() === undefined) this.#onSale = false;
  }

  /** Each tier that is full was told of, and each milestone with the payment that reached it, and no other. */
  end(): void {
    const { id, terms } = this.#project;
    const told = new Map(this.#written.events.map(({ event }) => [event.id, event.body]));
    for (const [index, tier] of terms.tiers.entries()) {
      const isFull = this.#soldUnits[index] === tier.totalUnits;
      expect(told.has(eventId('project.tier_completed', `${id}/${index + 1}`))).toBe(isFull);
    }
    for (const name of [...PERCENTS.map(String), 'soft_cap']) {
      const body = told.get(eventId('project.milestone_reached', `${id}/${name}`));
      const reachedBy = body === undefined ? undefined : JSON.parse(body).data.transaction.hash;
      expect(reachedBy).toBe(this.#milestones.get(name));
    }
    const row = this.#written.projects.find((each) => each.id === id);
    expect(row?.raisedDrops).toBe(this.#raised);
    this.#paidOut();
  }

  /** Distributions sum to what was bought, each part due not before the one ahead of it. */
  #paidOut(): void {
    const bought = new Map(this.#written.investments.map((row) => [row.txHash, row]));
    const parts = this.#written.payouts.filter(
      (row) => row.projectId === this.#project.id && row.kind === 'distribution',
    );
    for (const [hash, own] of Map.groupBy(parts, (row) => row.paymentHash)) {
      const inOrder = own.toSorted((a, b) => a.part - b.part);
      expect(sum(inOrder.map((row) => row.amount))).toBe(bought.get(hash ?? '')?.totalUnits);
      expect(inOrder.map((row) => row.dueAt.getTime())).toEqual(inOrder.map((row) => row.dueAt.getTime()).sort());
      expect(inOrder[0]?.dueAt.getTime()).toBeGreaterThanOrEqual(this.#world.closedAtMs(this.#ledgerOf(hash)));
    }
  }

  #ledgerOf(hash: string | null): number {
    return this.#written.payments.find((row) => row.txHash === hash)?.ledgerIndex ?? 0;
  }
}
