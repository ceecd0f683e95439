import type { DueAttempt, InFlight, Room } from './claim.ts';
import { ConcurrencyLimits, Counter, type Ended } from './concurrency-limits.ts';
import { RoundRobinQueue } from './round-robin-queue.ts';

/** Attempts in flight at once: in a slice, for one webhook (docs/webhooks.md#limits), and at one host over all webhooks. */
const MOST = 64;
const PER_WEBHOOK = { first: 1, most: 8, ahead: 32 };
const PER_HOST = { first: 4, most: 16, ahead: 32 };
/** Somebody who controls many names can let them all hang: those known to fail share these, the others have the rest. */
const OF_FAILING = 16;
/** Shared by the receivers that have never taken an event: anybody can register them. */
const OF_UNTRIED = 16;
/** Of one tenant: at receivers that fail or are untried, at those that did not answer quickly last, and in all. */
const WEAK_OF_TENANT = 4;
const NOT_QUICK_OF_TENANT = 16;
const MOST_OF_TENANT = 48;
/**
 * A receiver that answers slowly has more than its first attempt only while so many are left for the others. Nor has a tenant
 * more than one at receivers that did not answer quickly last, once all tenants together have so many there: several of them
 * cannot fill a slice either.
 */
const NOT_FOR_SLOW = 16;
const OF_NOT_QUICK = MOST - NOT_FOR_SLOW;
/**
 * Attempts that are claimed before they may begin. So many of them are kept for receivers that are not known to be quick, and
 * for those of whose backlog a slice does not know.
 */
const MOST_AHEAD = 512;
const KEPT_AHEAD = 128;
/**
 * So many are queued at most when more are claimed as they are written; and so few while backlogs wait, since what fills the queue
 * then is dealt out by turns of the tenants.
 */
const WRITTEN_AHEAD = MOST_AHEAD - KEPT_AHEAD;
const FEW_AHEAD = 64;
/**
 * More is written for a slice once it has room for so many, or for half of what its quick receivers may have claimed. Fewer of these
 * than four do not take what is written at the pace of a slice: their backlogs are claimed from.
 */
const WORTH_WRITING = WRITTEN_AHEAD / 2;
const LEAST_QUICK = 4;
/** Of one tenant, so many are claimed from backlogs, those under way included, and once so few are left. */
const CLAIMED_OF_TENANT = 192;
const FEW_OF_TENANT = 96;
/** More are claimed once there is room for so many: a statement costs as much for one. */
const WORTH_A_CLAIM = 64;
/** A receiver that lets claimed attempts wait for longer no longer answers quickly. Far less than a claim lasts. */
const LONGEST_AHEAD_MS = 2_000;

/** What a slice has to begin. */
export type Supply = 'room' | 'short' | 'enough';

/** A claimed attempt, with what it counts for: as it was when it was claimed and begun, so that the same is given back. */
export interface LimitedAttempt {
  readonly due: DueAttempt;
  readonly queuedAtMs: number;
  readonly weakness: 'failing' | 'untried' | null;
  readonly claimedAsQuick: boolean;
  begunAsQuick: boolean;
}

/**
 * Decides which attempts of a slice may be claimed, and which of those that were claimed may begin. It only counts: the slice
 * tells it what was claimed and what came of it. Times are of the slice's clock.
 */
export class AttemptLimiter {
  readonly #webhooks = new ConcurrencyLimits(PER_WEBHOOK);
  readonly #hosts = new ConcurrencyLimits(PER_HOST);
  readonly #queue = new RoundRobinQueue<LimitedAttempt>();
  /** Of those claimed: by weakness, and of the tenants at weak receivers and at those that did not answer quickly. */
  readonly #claimedWeak = new Counter();
  readonly #claimedWeakOfTenant = new Counter();
  readonly #claimedNotQuickOfTenant = new Counter();
  /** Of those in flight: of the tenants in all, and at receivers that did not answer quickly. */
  readonly #inFlightOfTenant = new Counter();
  readonly #inFlightNotQuickOfTenant = new Counter();
  /** Tenant and host of webhooks, as they were claimed last. */
  readonly #owners = new Map<string, Pick<DueAttempt, 'tenantId' | 'host'>>();
  /** Webhooks for which something is known to wait that may be claimed without looking at any other. */
  readonly #backlog = new Set<string>();
  /** Those of them for which something may have been written that a refill under way does not see. */
  readonly #notedSinceRefill = new Set<string>();
  /** What the refill under way asks for; and what is left to refills by the claim under way that looks at all webhooks. */
  #asked: ReadonlyMap<string, number> = new Map();
  #leftByOffer: ReadonlySet<string> | null = null;
  /** Webhooks of which claims were returned since this kind of claim began: what it brings would come before them. */
  readonly #returned = { refill: new Set<string>(), asWritten: new Set<string>() };
  /** Hosts that had no room for what the last refill would have asked for. */
  readonly #fullHosts = new Set<string>();
  /** The refill in which a tenant, or a webhook, was dealt something last. */
  readonly #dealtIn = new Map<string, number>();
  readonly #claimedOfTenant = new Counter();
  #isRefillDue = false;
  /** The next refill is also for those of whose room less than half is free. */
  #isTopUpDue = false;
  #isLeft = false;
  #refills = 0;

  /** Attempts that were claimed and have not ended. */
  get count(): number {
    return this.#inFlight + this.#queue.size;
  }

  /** What may be claimed. What is known to wait at quick receivers is left to `refill`. */
  get room(): Omit<Room, 'afterWebhookId'> {
    const { ofUnknown, known } = this.#webhooks.room;
    const hosts = this.#hosts.room;
    const none = (ids: Iterable<string>) => [...ids].map((id) => [id, 0] as const);
    // Those with a backlog would else never get a place at a host that others fill.
    const kept = [...hosts.known].map(
      ([host, count]) => [host, this.#fullHosts.has(host) ? Math.max(0, count - 1) : count] as const,
    );
    return {
      // No more of one statement than is kept for it: what a tenant has ahead at its quick receivers is up to `refill`.
      capacity: Math.min(this.#capacity, MOST - this.#inFlight + KEPT_AHEAD),
      webhooks: { ofUnknown, known: new Map([...known, ...none(this.#leftToRefill), ...none(this.#asked.keys())]) },
      hosts: { ...hosts, known: new Map(kept) },
      failing: OF_FAILING - this.#claimedWeak.of('failing'),
      untried: OF_UNTRIED - this.#claimedWeak.of('untried'),
      weakOfTenant: this.#claimedWeakOfTenant.roomBelow(WEAK_OF_TENANT),
      notQuickOfTenant: this.#claimedNotQuickOfTenant.roomBelow(NOT_QUICK_OF_TENANT),
      notQuick: Math.max(0, OF_NOT_QUICK - this.#claimedNotQuickOfTenant.total),
      quick: this.#webhooks.quick,
      succeeded: this.#webhooks.succeeded,
    };
  }

  /** What a claim may take that looks at all webhooks. Until `offerEnded`, no refill asks for what it may take. */
  offer(): Omit<Room, 'afterWebhookId'> {
    this.#leftByOffer = this.#leftToRefill;
    return this.room;
  }

  offerEnded(): void {
    this.#leftByOffer = null;
  }

  /** What may be claimed as it is written. */
  offerAsWritten(): Omit<Room, 'afterWebhookId'> {
    this.#returned.asWritten.clear();
    const most = this.#backlog.size === 0 ? WRITTEN_AHEAD : FEW_AHEAD;
    return { ...this.room, capacity: Math.max(0, most - this.#queue.size) };
  }

  /** True while what is written next can be claimed as it is. */
  get hasRoomToWrite(): boolean {
    const { quick } = this.#webhooks;
    if (quick.size < LEAST_QUICK || this.#backlog.size > 0 || this.#queue.size > WRITTEN_AHEAD - WORTH_WRITING)
      return false;
    const room = [...quick].reduce((sum, id) => sum + this.#webhooks.roomOf(id), 0);
    return room >= Math.min(WORTH_WRITING, (quick.size * (PER_WEBHOOK.most + PER_WEBHOOK.ahead)) / 2);
  }

  /** Whether more should be written: there is room for it, or a slice may soon have nothing to begin, or it has enough. */
  get supply(): Supply {
    if (this.hasRoomToWrite) return 'room';
    if (this.#webhooks.quick.size < LEAST_QUICK) return 'short';
    const mayBeginSoon = ({ due }: LimitedAttempt) =>
      this.#webhooks.hasRoom(due.webhookId) && this.#hosts.hasRoom(due.host);
    const queued = this.#queue.countWhere(mayBeginSoon);
    return queued >= FEW_AHEAD || this.#refillsBring(FEW_AHEAD - queued) ? 'enough' : 'short';
  }

  /** True when refills bring so many that may begin at once: to write more in their place would only make the backlogs longer. */
  #refillsBring(wanted: number): boolean {
    const [ofHosts, ofTenants] = [new Map<string, number>(), new Map<string, number>()];
    let count = 0;
    for (const id of this.#backlog) {
      const owner = this.#owners.get(id);
      if (owner === undefined || !this.#webhooks.quick.has(id)) continue;
      const { host, tenantId } = owner;
      const ofHost = ofHosts.get(host) ?? this.#hosts.startable(host);
      const ofTenant = ofTenants.get(tenantId) ?? CLAIMED_OF_TENANT - this.#claimedOfTenant.of(tenantId);
      const some = Math.max(0, Math.min(this.#webhooks.startable(id), ofHost, ofTenant));
      ofHosts.set(host, ofHost - some);
      ofTenants.set(tenantId, ofTenant - some);
      count += some;
      if (count >= wanted) return true;
    }
    return false;
  }

  /** True while so few are queued that more should be claimed. */
  get wantsMore(): boolean {
    return this.#queue.size <= MOST_AHEAD - WORTH_A_CLAIM && this.#capacity > 0;
  }

  /** True when it is worth a statement to claim from the backlogs of quick receivers. */
  get wantsRefill(): boolean {
    return this.#isRefillDue && this.#queue.size <= MOST_AHEAD - KEPT_AHEAD - WORTH_A_CLAIM;
  }

  /**
   * Takes note that something waits for these webhooks; true when it will be claimed by `refill`. That looks after everything
   * known to wait, so that nothing waits for an end that has been.
   */
  noteBacklog(webhookIds: readonly string[]): boolean {
    const quick = webhookIds.filter((id) => this.#webhooks.quick.has(id) && this.#owners.has(id));
    for (const id of quick) {
      this.#backlog.add(id);
      this.#notedSinceRefill.add(id);
    }
    if (this.#backlog.size > 0) {
      this.#isRefillDue = true;
      this.#isTopUpDue = true;
    }
    return quick.length === webhookIds.length;
  }

  /** How many to claim from the backlogs of quick receivers: by turns of the tenants, and of each tenant's webhooks. */
  refill(): Map<string, number> {
    const isTopUp = this.#isTopUpDue;
    this.#isRefillDue = false;
    this.#isTopUpDue = false;
    this.#notedSinceRefill.clear();
    this.#returned.refill.clear();
    this.#fullHosts.clear();
    const capacity = this.#capacity - KEPT_AHEAD;
    const rooms = new Map<string, { left: number; host: string }>();
    const ofTenants = new Map<string, string[]>();
    for (const id of this.#backlog) {
      const owner = this.#owners.get(id);
      if (owner === undefined || !this.#webhooks.quick.has(id)) continue;
      if (!isTopUp && !this.#isWorthARefill(id, owner.tenantId)) continue;
      if (this.#leftByOffer?.has(id) === false) {
        this.#isRefillDue = true;
        this.#isTopUpDue ||= isTopUp;
        continue;
      }
      rooms.set(id, { left: this.#webhooks.roomOf(id), host: owner.host });
      ofTenants.set(owner.tenantId, [...(ofTenants.get(owner.tenantId) ?? []), id]);
    }
    const hosts = new Map([...rooms.values()].map(({ host }) => [host, this.#hosts.roomOf(host)]));
    const counts = new Map<string, number>();
    this.#refills += 1;
    const byTurn = (a: string, b: string) => (this.#dealtIn.get(a) ?? 0) - (this.#dealtIn.get(b) ?? 0);
    let turns = [...ofTenants]
      .sort(([a], [b]) => byTurn(a, b))
      .map(([tenantId, ids]) => ({
        tenantId,
        ids: ids.sort(byTurn),
        left: CLAIMED_OF_TENANT - this.#claimedOfTenant.of(tenantId),
      }));
    let taken = 0;
    while (taken < capacity && turns.length > 0) {
      for (const tenant of turns) {
        const id = tenant.ids.shift();
        const room = id === undefined ? undefined : rooms.get(id);
        if (id === undefined || room === undefined || room.left === 0 || tenant.left <= 0 || taken >= capacity)
          continue;
        const ofHost = hosts.get(room.host) ?? 0;
        if (ofHost === 0) {
          this.#fullHosts.add(room.host);
          continue;
        }
        hosts.set(room.host, ofHost - 1);
        room.left -= 1;
        tenant.left -= 1;
        taken += 1;
        this.#dealtIn.set(tenant.tenantId, this.#refills).set(id, this.#refills);
        counts.set(id, (counts.get(id) ?? 0) + 1);
        tenant.ids.push(id);
      }
      turns = turns.filter(({ ids, left }) => ids.length > 0 && left > 0);
    }
    // Those that had no turn have no end of their own that would bring the next one.
    if (taken >= capacity) this.#isRefillDue = true;
    this.#asked = counts;
    return counts;
  }

  /**
   * Takes in what a refill came to: where less was found than asked for, nothing more waits of what was noted before it. Gives
   * what has to be returned, as `takeIn` does.
   */
  refilled(claimed: readonly DueAttempt[], nowMs: number): DueAttempt[] {
    const found = new Counter();
    for (const { webhookId } of claimed) found.add(webhookId, 1);
    for (const [id, count] of this.#asked) {
      if (found.of(id) < count && !this.#notedSinceRefill.has(id)) this.#backlog.delete(id);
    }
    this.#asked = new Map();
    return this.takeIn(claimed, 'refill', nowMs);
  }

  /**
   * Takes in what was claimed beside the turns, and gives those that have to be returned: earlier ones of their webhook were
   * returned meanwhile, and come first.
   */
  takeIn(claimed: readonly DueAttempt[], kind: 'refill' | 'asWritten', nowMs: number): DueAttempt[] {
    const isOvertaking = ({ webhookId }: DueAttempt) => this.#returned[kind].has(webhookId);
    this.queue(
      claimed.filter((due) => !isOvertaking(due)),
      nowMs,
    );
    return claimed.filter(isOvertaking);
  }

  /** Leaves to other workers what they have in flight. */
  noteOthers(attempts: readonly InFlight[]): void {
    this.#webhooks.noteOthers(attempts.map(({ webhookId }) => webhookId));
    this.#hosts.noteOthers(attempts.map(({ host }) => host));
  }

  /** Takes in what was claimed. */
  queue(claimed: readonly DueAttempt[], nowMs: number): void {
    for (const due of claimed) {
      this.#webhooks.claim(due.webhookId);
      this.#hosts.claim(due.host);
      this.#owners.set(due.webhookId, { tenantId: due.tenantId, host: due.host });
      const isUntried = due.untried && !this.#webhooks.succeeded.has(due.webhookId);
      const claimedAsQuick = this.#isQuick(due);
      const weakness = due.failing ? 'failing' : isUntried ? 'untried' : null;
      const attempt: LimitedAttempt = { due, queuedAtMs: nowMs, weakness, claimedAsQuick, begunAsQuick: false };
      this.#countClaimed(attempt, 1);
      this.#queue.add(due.webhookId, attempt);
    }
  }

  /** The next attempt that may begin now; it counts as in flight until its `end`. None that `removeQueued` would take out. */
  next(nowMs: number): LimitedAttempt | undefined {
    if (this.#inFlight >= MOST) return undefined;
    const attempt = this.#queue.next(
      ({ due, queuedAtMs }) => nowMs - queuedAtMs <= LONGEST_AHEAD_MS && this.#mayBegin(due),
    );
    if (attempt === undefined) return undefined;
    const { webhookId, host } = attempt.due;
    this.#webhooks.begin(webhookId);
    this.#hosts.begin(host);
    attempt.begunAsQuick = this.#isQuick(attempt.due);
    this.#countInFlight(attempt, 1);
    return attempt;
  }

  /** What an attempt came to tells what its receiver can take. */
  learn({ webhookId, host }: DueAttempt, ended: Ended): void {
    this.#webhooks.learn(webhookId, ended);
    this.#hosts.learn(host, ended);
  }

  end(attempt: LimitedAttempt): void {
    this.#webhooks.end(attempt.due.webhookId);
    this.#hosts.end(attempt.due.host);
    this.#countInFlight(attempt, -1);
    this.#countClaimed(attempt, -1);
    this.#noteEndForBacklog(attempt.due);
  }

  /** True once after an end that leaves a backlog to `room`: its receiver is a quick one no more. */
  takeLeft(): boolean {
    const isLeft = this.#isLeft;
    this.#isLeft = false;
    return isLeft;
  }

  #noteEndForBacklog({ webhookId, tenantId, host }: DueAttempt): void {
    if (this.#fullHosts.has(host) && (this.#hosts.isHalfEmpty(host) || this.#hasIdleBacklogAt(host)))
      this.#isRefillDue = true;
    if (this.#backlog.size > 0 && this.#claimedOfTenant.of(tenantId) === FEW_OF_TENANT) this.#isRefillDue = true;
    if (!this.#backlog.has(webhookId)) return;
    if (!this.#webhooks.quick.has(webhookId)) {
      this.#backlog.delete(webhookId);
      this.#isLeft = true;
    } else if (this.#isWorthARefill(webhookId, tenantId)) this.#isRefillDue = true;
  }

  /** Something waits at a host for a webhook of which nothing is claimed: no end of its own brings it a refill. */
  #hasIdleBacklogAt(host: string): boolean {
    return [...this.#backlog].some((id) => this.#owners.get(id)?.host === host && this.#webhooks.isIdle(id));
  }

  get #leftToRefill(): ReadonlySet<string> {
    return new Set([...this.#backlog].filter((id) => this.#webhooks.quick.has(id)));
  }

  #isWorthARefill(webhookId: string, tenantId: string): boolean {
    return this.#claimedOfTenant.of(tenantId) <= FEW_OF_TENANT && this.#webhooks.isHalfEmpty(webhookId);
  }

  /** Takes out what was claimed and shall not wait any longer; with `all`, everything that has not begun. */
  removeQueued(nowMs: number, all: boolean): DueAttempt[] {
    const removed = this.#queue.removeWhere(
      ({ due, queuedAtMs }) =>
        all || nowMs - queuedAtMs > LONGEST_AHEAD_MS || !(this.#isQuick(due) || this.#webhooks.hasRoom(due.webhookId)),
    );
    for (const attempt of removed) {
      this.#webhooks.returnClaim(attempt.due.webhookId);
      for (const returned of Object.values(this.#returned)) returned.add(attempt.due.webhookId);
      this.#hosts.returnClaim(attempt.due.host);
      this.#countClaimed(attempt, -1);
    }
    return removed.map(({ due }) => due);
  }

  get #inFlight(): number {
    return this.#inFlightOfTenant.total;
  }

  get #capacity(): number {
    return MOST - this.#inFlight + MOST_AHEAD - this.#queue.size;
  }

  #isQuick({ webhookId }: DueAttempt): boolean {
    return this.#webhooks.quick.has(webhookId);
  }

  #mayBegin(due: DueAttempt): boolean {
    const { webhookId, tenantId, host } = due;
    // First, since in a burst it is this that each end asks all webhooks in vain.
    if (this.#inFlightOfTenant.of(tenantId) >= MOST_OF_TENANT) return false;
    if (!this.#webhooks.hasRoom(webhookId) || !this.#hosts.hasRoom(host)) return false;
    if (this.#isQuick(due)) return true;
    const notQuick = this.#inFlightNotQuickOfTenant;
    if (notQuick.of(tenantId) >= NOT_QUICK_OF_TENANT) return false;
    if (notQuick.of(tenantId) > 0 && notQuick.total >= OF_NOT_QUICK) return false;
    return this.#webhooks.hasFirstRoom(webhookId) || this.#inFlight < MOST - NOT_FOR_SLOW;
  }

  #countClaimed({ due, weakness, claimedAsQuick }: LimitedAttempt, by: 1 | -1): void {
    this.#claimedOfTenant.add(due.tenantId, by);
    if (!claimedAsQuick) this.#claimedNotQuickOfTenant.add(due.tenantId, by);
    if (weakness === null) return;
    this.#claimedWeak.add(weakness, by);
    this.#claimedWeakOfTenant.add(due.tenantId, by);
  }

  #countInFlight({ due, begunAsQuick }: LimitedAttempt, by: 1 | -1): void {
    this.#inFlightOfTenant.add(due.tenantId, by);
    if (!begunAsQuick) this.#inFlightNotQuickOfTenant.add(due.tenantId, by);
  }
}
