import { setImmediate as nextTurn } from 'node:timers/promises';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';
import type { DueAttempt } from './claim.ts';
import type { Left, Room } from './claim-first-attempts.ts';
import type { Elsewhere } from './elsewhere.ts';
import { Places } from './places.ts';
import type { Outcome, Sender } from './send.ts';
import { performAttempt } from './send.ts';
import { Signers } from './signature.ts';
import { Waiting } from './waiting.ts';

/**
 * Attempts under way at once: in a slice, for one webhook (docs/webhooks.md#limits), and at one host over all webhooks.
 */
const MOST = 64;
const PER_WEBHOOK = { first: 1, most: 8, ahead: 32 };
const PER_HOST = { first: 4, most: 16, ahead: 32 };
/** Who controls many names can let them all hang: those known to fail share so many places, the others have the rest. */
const OF_FAILING = 16;
/** So many places share those that have never taken an event: anybody can register them. */
const OF_UNTRIED = 16;
/** Of one tenant: at receivers that fail or are untried, at those that did not answer quickly last, and in all. */
const WEAK_OF_TENANT = 4;
const NOT_QUICK_OF_TENANT = 16;
const MOST_OF_TENANT = 48;
/**
 * Who answers slowly has more than its first place only while so many are left for the others. Nor has a tenant more than
 * one at receivers that did not answer quickly last, once all tenants together have so many there: several of them cannot
 * fill a slice either.
 */
const NOT_FOR_SLOW = 16;
const OF_NOT_QUICK = MOST - NOT_FOR_SLOW;
/** Attempts that are claimed before there is a place for them, and how few of them are left when more are claimed. */
const MOST_AHEAD = 128;
const FEW_AHEAD = 64;
/** A receiver that lets claimed attempts wait for longer no longer answers quickly. Far less than a claim lasts. */
const LONGEST_AHEAD_MS = 2_000;

/** A share of the places, by what was claimed of it. */
class Share {
  readonly #most: number;
  readonly #counts = new Map<string, number>();
  #total = 0;

  constructor(most: number) {
    this.#most = most;
  }

  get left(): Left {
    return {
      ofUnknown: this.#most,
      known: new Map([...this.#counts].map(([name, count]) => [name, Math.max(0, this.#most - count)])),
    };
  }

  /** Of all names. */
  get total(): number {
    return this.#total;
  }

  has(name: string): boolean {
    return this.#counts.has(name);
  }

  hasRoom(name: string): boolean {
    return (this.#counts.get(name) ?? 0) < this.#most;
  }

  add(name: string, by: 1 | -1): void {
    this.#total += by;
    const count = (this.#counts.get(name) ?? 0) + by;
    if (count > 0) this.#counts.set(name, count);
    else this.#counts.delete(name);
  }
}

/** What an attempt in hand counts for: as it was when it was claimed, so that it is given back where it was taken. */
interface Shares {
  weakness: 'failing' | 'untried' | null;
  isQuick: boolean;
}

/** The attempts that a slice has in hand: those under way, and those that begin as soon as there is a place. */
export class Flights {
  readonly #webhooks = new Places(PER_WEBHOOK);
  readonly #hosts = new Places(PER_HOST);
  readonly #signers = new Signers();
  readonly #waiting = new Waiting();
  readonly #underWay = new Set<Promise<void>>();
  readonly #ctx: Ctx;
  readonly #sender: Sender;
  readonly #isOver: () => boolean;
  readonly #take: (outcome: Outcome) => void;
  readonly #shares = new WeakMap<DueAttempt, Shares>();
  /** Claimed, by tenant. */
  readonly #weak = new Share(WEAK_OF_TENANT);
  readonly #notQuick = new Share(NOT_QUICK_OF_TENANT);
  /** Under way, by tenant. */
  readonly #notQuickUnderWay = new Share(NOT_QUICK_OF_TENANT);
  readonly #ofTenant = new Share(MOST_OF_TENANT);
  readonly #claimedOf = { failing: 0, untried: 0 };
  #ends = 0;
  #begun = 0;
  #wanting = Promise.withResolvers<void>();

  /** Begins nothing once the slice `isOver`. Each outcome goes to `take` at once. */
  constructor(ctx: Ctx, sender: Sender, isOver: () => boolean, take: (outcome: Outcome) => void) {
    this.#ctx = ctx;
    this.#sender = sender;
    this.#isOver = isOver;
    this.#take = take;
  }

  /** Attempts in hand. */
  get count(): number {
    return this.#underWay.size + this.#waiting.count;
  }

  /** Attempts that began, and those that ended, with an outcome or without. */
  get begun(): number {
    return this.#begun;
  }
  get ends(): number {
    return this.#ends;
  }

  /** What may be claimed. */
  get room(): Omit<Room, 'afterWebhookId'> {
    return {
      capacity: this.#capacity,
      webhooks: this.#webhooks.left,
      hosts: this.#hosts.left,
      failing: OF_FAILING - this.#claimedOf.failing,
      untried: OF_UNTRIED - this.#claimedOf.untried,
      weakOfTenant: this.#weak.left,
      notQuickOfTenant: this.#notQuick.left,
      notQuick: Math.max(0, OF_NOT_QUICK - this.#notQuick.total),
      quick: this.#webhooks.quick,
      succeeded: this.#webhooks.succeeded,
    };
  }

  /** True while so few wait that more should be claimed. */
  get wantsMore(): boolean {
    return this.#waiting.count <= FEW_AHEAD && this.#capacity > 0;
  }

  get #capacity(): number {
    return MOST - this.#underWay.size + MOST_AHEAD - this.#waiting.count;
  }

  /** Takes in what was claimed, and begins what has a place. */
  add(claimed: readonly DueAttempt[]): void {
    const nowMs = this.#ctx.clock.nowMs();
    for (const due of claimed) {
      this.#webhooks.claim(due.webhookId);
      this.#hosts.claim(due.host);
      const isUntried = due.untried && !this.#webhooks.succeeded.has(due.webhookId);
      const weakness = due.failing ? 'failing' : isUntried ? 'untried' : null;
      this.#shares.set(due, { weakness, isQuick: this.#webhooks.isQuick(due.webhookId) });
      this.#countShares(due, 1);
      this.#waiting.add(due, nowMs);
    }
    this.#beginAll();
  }

  #countShares(due: DueAttempt, by: 1 | -1): void {
    const { weakness, isQuick } = this.#shares.get(due) ?? { weakness: null, isQuick: true };
    if (!isQuick) this.#notQuick.add(due.tenantId, by);
    if (weakness === null) return;
    this.#weak.add(due.tenantId, by);
    this.#claimedOf[weakness] += by;
  }

  /** Leaves to others the places that they have taken. */
  makeRoomFor({ ofWebhooks, ofHosts }: Pick<Elsewhere, 'ofWebhooks' | 'ofHosts'>): void {
    this.#webhooks.noteElsewhere(ofWebhooks);
    this.#hosts.noteElsewhere(ofHosts);
    this.#beginAll();
  }

  /** Takes out what was claimed and is not to wait any longer; all that has not begun, once the time is up. */
  surplus(): DueAttempt[] {
    const nowMs = this.#ctx.clock.nowMs();
    const isOver = this.#isOver();
    const removed = this.#waiting.removeWhere(
      ({ due, sinceMs }) =>
        isOver ||
        nowMs - sinceMs > LONGEST_AHEAD_MS ||
        !(this.#webhooks.isQuick(due.webhookId) || this.#webhooks.hasRoom(due.webhookId)),
    );
    for (const due of removed) {
      this.#webhooks.giveBack(due.webhookId);
      this.#hosts.giveBack(due.host);
      this.#countShares(due, -1);
    }
    return removed;
  }

  /** Waits up to `maxWaitMs` until an attempt has ended and more should be claimed, or for `news`. */
  async change(maxWaitMs: number, news: Promise<void>[]): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, maxWaitMs);
    await Promise.race([promise, this.#wanting.promise, ...news]);
    clearTimeout(timer);
    this.#wanting = Promise.withResolvers();
  }

  /** Waits until nothing is under way, `withinMs` at most. */
  async allEnded(withinMs: number): Promise<void> {
    const { promise: tooLong, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, withinMs);
    const all = async () => {
      while (this.#underWay.size > 0) await Promise.all(this.#underWay);
    };
    await Promise.race([all(), tooLong]);
    clearTimeout(timer);
  }

  #beginAll(): void {
    while (this.#underWay.size < MOST && !this.#isOver()) {
      const due = this.#waiting.next((first) => this.#hasRoomFor(first));
      if (due === undefined) return;
      this.#begin(due);
    }
  }

  #hasRoomFor({ webhookId, tenantId, host }: DueAttempt): boolean {
    if (!this.#webhooks.hasRoom(webhookId) || !this.#hosts.hasRoom(host) || !this.#ofTenant.hasRoom(tenantId))
      return false;
    if (this.#webhooks.isQuick(webhookId)) return true;
    if (!this.#notQuickUnderWay.hasRoom(tenantId)) return false;
    if (this.#notQuickUnderWay.has(tenantId) && this.#notQuickUnderWay.total >= OF_NOT_QUICK) return false;
    return this.#webhooks.hasFirstRoom(webhookId) || this.#underWay.size < MOST - NOT_FOR_SLOW;
  }

  #begin(due: DueAttempt): void {
    this.#webhooks.begin(due.webhookId);
    this.#hosts.begin(due.host);
    this.#ofTenant.add(due.tenantId, 1);
    const isQuick = this.#webhooks.isQuick(due.webhookId);
    if (!isQuick) this.#notQuickUnderWay.add(due.tenantId, 1);
    this.#begun += 1;
    const flight = this.#fly(due).finally(() => {
      this.#underWay.delete(flight);
      this.#webhooks.end(due.webhookId);
      this.#hosts.end(due.host);
      this.#ofTenant.add(due.tenantId, -1);
      if (!isQuick) this.#notQuickUnderWay.add(due.tenantId, -1);
      this.#countShares(due, -1);
      this.#ends += 1;
      this.#beginAll();
      if (this.wantsMore) this.#wanting.resolve();
    });
    this.#underWay.add(flight);
  }

  async #fly(due: DueAttempt): Promise<void> {
    try {
      const outcome = await performAttempt(this.#ctx, this.#sender, due, this.#signers);
      const ended = { succeeded: outcome.errorKind === null, durationMs: outcome.durationMs };
      this.#webhooks.judge(due.webhookId, ended);
      this.#hosts.judge(due.host, ended);
      this.#take(outcome);
      // Its connection is free in the turn after the next: who took its place before would open another.
      await nextTurn();
      await nextTurn();
    } catch (err) {
      // Its lease runs out and it is made again: one broken row must not stop the slice.
      logFailure(this.#ctx, { err, delivery_id: due.deliveryId }, 'A delivery attempt could not be made');
    }
  }
}
