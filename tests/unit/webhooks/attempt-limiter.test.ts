import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AttemptLimiter, type LimitedAttempt } from '#lib/webhooks/delivery/attempt-limiter.ts';
import type { DueAttempt } from '#lib/webhooks/delivery/claim.ts';
import { ConcurrencyLimits } from '#lib/webhooks/delivery/concurrency-limits.ts';
import { RoundRobinQueue } from '#lib/webhooks/delivery/round-robin-queue.ts';

const QUICK = { errorKind: null, durationMs: 1_000 };
const SLOW = { errorKind: null, durationMs: 1_001 };
const FAILED = { errorKind: 'status', durationMs: 10 } as const;

/** How many may be in flight at a receiver whose attempts came to this. */
function allowedAfter(...ends: (typeof QUICK | typeof FAILED)[]): number | undefined {
  const limits = new ConcurrencyLimits({ first: 1, most: 8, ahead: 0 });
  for (const end of ends) limits.learn('receiver', end);
  const { known, ofUnknown } = limits.room;
  return known.get('receiver') ?? ofUnknown;
}

describe('the concurrency limit of a receiver', () => {
  test('doubles with each success, up to the most', () => {
    expect(allowedAfter(QUICK)).toBe(2);
    expect(allowedAfter(QUICK, SLOW)).toBe(4);
    expect(allowedAfter(QUICK, QUICK, QUICK, QUICK, QUICK)).toBe(8);
  });

  test('is as at first after a failure', () => {
    expect(allowedAfter(QUICK, QUICK, FAILED)).toBe(1);
  });

  test('is less by what other workers have in flight, once that and its own come to the most', () => {
    const limits = new ConcurrencyLimits({ first: 1, most: 8, ahead: 0 });
    const room = () => limits.room.known.get('receiver');
    const others = (count: number) => limits.noteOthers(Array.from({ length: count }, () => 'receiver'));
    others(7);
    expect([limits.hasRoom('receiver'), room()]).toEqual([true, 1]);
    for (let n = 0; n < 3; n++) limits.learn('receiver', QUICK);
    expect(room()).toBe(1);
    others(40);
    expect([limits.hasRoom('receiver'), room()]).toEqual([false, 0]);
    others(0);
    expect(room()).toBe(8);
  });

  test('lets more be claimed ahead for one that answered quickly last, until a claim is returned', () => {
    const limits = new ConcurrencyLimits({ first: 1, most: 8, ahead: 4 });
    const room = () => limits.room.known.get('receiver');
    limits.learn('receiver', QUICK);
    expect(room()).toBe(2 + 4);
    for (let n = 0; n < 3; n++) limits.claim('receiver');
    limits.begin('receiver');
    limits.begin('receiver');
    expect(limits.hasRoom('receiver')).toBe(false);
    expect(room()).toBe(3);
    limits.returnClaim('receiver');
    expect(room()).toBe(0);
    limits.end('receiver');
    limits.learn('receiver', SLOW);
    expect(room()).toBe(4 - 1);
  });
});

function queueOf(...keys: string[]): RoundRobinQueue<string> {
  const queue = new RoundRobinQueue<string>();
  for (const [n, key] of keys.entries()) queue.add(key, `${key}${n}`);
  return queue;
}

describe('the queue of claimed attempts', () => {
  test('gives them in order within a webhook, and webhooks by turns', () => {
    const queue = queueOf('a', 'a', 'a', 'b', 'b');
    const order = Array.from({ length: 6 }, () => queue.next(() => true));
    expect(order).toEqual(['a0', 'b3', 'a1', 'b4', 'a2', undefined]);
    expect(queue.size).toBe(0);
  });

  test('gives none before its webhook may have it, and holds no other up', () => {
    const queue = queueOf('a', 'b');
    expect(queue.next((first) => !first.startsWith('a'))).toBe('b1');
    expect(queue.size).toBe(1);
  });

  test('loses all that wait behind one that must go', () => {
    const queue = queueOf('a', 'b', 'a');
    expect(queue.removeWhere((first) => first === 'a0')).toEqual(['a0', 'a2']);
    expect(queue.size).toBe(1);
  });
});

const due = (deliveryId: string, webhook: number, kind: Pick<DueAttempt, 'failing' | 'untried'>): DueAttempt => ({
  ...kind,
  deliveryId,
  attempt: 1,
  leasedUntil: '2026-11-21 12:00:00+00',
  webhookId: `wh_${webhook}`,
  tenantId: `ten_${webhook % 7}`,
  host: `host_${webhook % 11}`,
  url: 'https://receiver.example',
  sealedSecret: '',
  nextSealedSecret: null,
  sealedHeaders: null,
  eventId: `evt_${deliveryId}`,
  body: '{}',
  isTest: false,
});

const step = fc.oneof(
  fc.record({
    does: fc.constant('claim' as const),
    webhook: fc.nat(40),
    count: fc.integer({ min: 1, max: 12 }),
    failing: fc.boolean(),
    untried: fc.boolean(),
  }),
  fc.record({ does: fc.constant('end' as const), which: fc.nat(63), end: fc.constantFrom(QUICK, SLOW, FAILED) }),
  fc.record({ does: fc.constant('remove' as const), afterMs: fc.constantFrom(0, 3_000), all: fc.boolean() }),
);

const mostOf = (inFlight: readonly LimitedAttempt[], nameOf: (attempt: LimitedAttempt) => string): number =>
  Math.max(
    0,
    ...Map.groupBy(inFlight, nameOf)
      .values()
      .map((attempts) => attempts.length),
  );

describe('the attempts of a slice', () => {
  test('stay within every limit, whatever is claimed and however it ends, and nothing stays counted', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const limiter = new AttemptLimiter();
        const inFlight: LimitedAttempt[] = [];
        const begin = () => {
          for (let next = limiter.next(0); next !== undefined; next = limiter.next(0)) inFlight.push(next);
        };
        const end = (which: number, ended: typeof QUICK | typeof FAILED) => {
          const [attempt] = inFlight.splice(which % inFlight.length, 1);
          if (attempt === undefined) return;
          limiter.learn(attempt.due, ended);
          limiter.end(attempt);
        };
        let claimed = 0;
        for (const taken of steps) {
          if (taken.does === 'claim') {
            const attempts = Array.from({ length: taken.count }, () => due(`del_${claimed++}`, taken.webhook, taken));
            limiter.queue(attempts, 0);
          } else if (taken.does === 'end') end(taken.which, taken.end);
          else limiter.removeQueued(taken.afterMs, taken.all);
          begin();
          const notQuick = inFlight.filter(({ begunAsQuick }) => !begunAsQuick);
          expect(inFlight.length).toBeLessThanOrEqual(64);
          expect(mostOf(inFlight, (attempt) => attempt.due.webhookId)).toBeLessThanOrEqual(8);
          expect(mostOf(inFlight, (attempt) => attempt.due.host)).toBeLessThanOrEqual(16);
          expect(mostOf(inFlight, (attempt) => attempt.due.tenantId)).toBeLessThanOrEqual(48);
          expect(mostOf(notQuick, (attempt) => attempt.due.tenantId)).toBeLessThanOrEqual(16);
        }
        limiter.removeQueued(0, true);
        while (inFlight.length > 0) end(0, FAILED);
        const { capacity, failing, untried, notQuick, weakOfTenant, notQuickOfTenant } = limiter.room;
        expect({ capacity, failing, untried, notQuick }).toEqual({
          capacity: 192,
          failing: 16,
          untried: 16,
          notQuick: 48,
        });
        expect([limiter.count, weakOfTenant.known.size, notQuickOfTenant.known.size]).toEqual([0, 0, 0]);
      }),
      { numRuns: 60 },
    );
  });
});

const KNOWN = { failing: false, untried: false };

describe('what is claimed as it is written', () => {
  const quickOnes = Array.from({ length: 16 }, (_, n) => n);

  test('fills no more of the queue than leaves room for claims of others', () => {
    const limiter = quickAt(quickOnes);
    expect(limiter.offerAsWritten().capacity).toBe(384);
    limiter.takeIn(
      Array.from({ length: 384 }, (_, n) => due(`del_${n}`, n % 16, KNOWN)),
      'asWritten',
      0,
    );
    expect(limiter.offerAsWritten().capacity).toBe(0);
    expect(limiter.wantsMore).toBe(true);
    expect(limiter.room.capacity).toBeGreaterThanOrEqual(128);
  });

  test('is little while a backlog waits, which is dealt out by turns of the tenants', () => {
    const limiter = quickAt([...quickOnes, 16]);
    limiter.noteBacklog(['wh_16']);
    expect(limiter.offerAsWritten().capacity).toBe(64);
    limiter.refill();
    limiter.refilled([], 0);
    expect(limiter.offerAsWritten().capacity).toBe(384);
  });

  test('finds room in half of a queue, and while no backlog waits; else a slice has enough, or is short of it', () => {
    const limiter = quickAt(quickOnes);
    const queued = (count: number) =>
      limiter.takeIn(
        Array.from({ length: count }, (_, n) => due(`del_${n}`, n % 16, KNOWN)),
        'asWritten',
        0,
      );
    queued(192);
    expect(limiter.supply).toBe('room');
    queued(1);
    expect(limiter.supply).toBe('enough');
    limiter.next(0);
    expect(limiter.supply).toBe('room');
    limiter.noteBacklog(['wh_0']);
    expect(limiter.supply).toBe('enough');
  });

  test('finds room once half of what a few receivers may have is free, and none with fewer', () => {
    const limiter = quickAt([0, 1, 2, 3]);
    const queuedForEach = (count: number) =>
      limiter.takeIn(
        Array.from({ length: 4 * count }, (_, n) => due(`del_${n}`, n % 4, KNOWN)),
        'asWritten',
        0,
      );
    queuedForEach(20);
    expect(limiter.supply).toBe('room');
    queuedForEach(1);
    expect(limiter.supply).toBe('enough');
    expect(quickAt([0, 1, 2]).supply).toBe('short');
  });

  test('has enough while backlogs bring what may begin: to write more would only make them longer', () => {
    const limiter = quickAt(quickOnes);
    limiter.noteBacklog(['wh_0', 'wh_1', 'wh_2', 'wh_3', 'wh_4', 'wh_5', 'wh_6']);
    expect(limiter.supply).toBe('short');
    limiter.noteBacklog(['wh_7']);
    expect(limiter.supply).toBe('enough');
    limiter.takeIn(
      Array.from({ length: 8 }, (_, n) => due(`del_${n}`, 0, KNOWN)),
      'refill',
      0,
    );
    for (let n = 0; n < 8; n++) limiter.next(0);
    expect(limiter.supply).toBe('short');
  });

  test('does not count what backlogs hold at a host that has no place for it', () => {
    const limiter = quickAt(quickOnes, (webhook, id) => ({ ...due(id, webhook, KNOWN), host: 'shared.example' }));
    limiter.noteBacklog(quickOnes.map((n) => `wh_${n}`));
    expect(limiter.supply).toBe('short');
  });

  test('does not count what a tenant may not claim from its backlogs: too much of it is claimed', () => {
    const ofOne = (webhook: number, id: string) => ({
      ...due(id, webhook, KNOWN),
      tenantId: 'ten_launch',
      host: `${webhook}.example`,
    });
    const limiter = quickAt(quickOnes, ofOne);
    limiter.noteBacklog(quickOnes.slice(8).map((n) => `wh_${n}`));
    const claim = (count: number) =>
      limiter.takeIn(
        Array.from({ length: count }, (_, n) => ofOne(0, `del_${n}`)),
        'asWritten',
        0,
      );
    claim(128);
    for (let n = 0; n < 8; n++) limiter.next(0);
    expect(limiter.supply).toBe('enough');
    claim(1);
    expect(limiter.supply).toBe('short');
  });

  test('does not count what waits for receivers that have all their places: a slice is short beside it', () => {
    const limiter = quickAt(quickOnes);
    limiter.noteBacklog(['wh_0']);
    limiter.takeIn(
      Array.from({ length: 100 }, (_, n) => due(`del_${n}`, 0, KNOWN)),
      'asWritten',
      0,
    );
    for (let n = 0; n < 8; n++) limiter.next(0);
    expect(limiter.supply).toBe('short');
  });
});

/** Webhooks that answered quickly so often that each has all its places. */
function quickAt(
  webhooks: readonly number[],
  dueOf = (webhook: number, id: string) => due(id, webhook, KNOWN),
): AttemptLimiter {
  const limiter = new AttemptLimiter();
  for (const webhook of webhooks) {
    for (let n = 0; n < 4; n++) {
      limiter.queue([dueOf(webhook, `del_${webhook}_${n}`)], 0);
      const attempt = limiter.next(0);
      if (attempt === undefined) throw new Error('Nothing else is under way');
      limiter.learn(attempt.due, QUICK);
      limiter.end(attempt);
    }
  }
  return limiter;
}

describe('the backlogs of quick receivers', () => {
  test('are claimed to their end by the ends of attempts alone, whoever shares tenants and hosts', () => {
    const backlogs = fc.dictionary(fc.nat(60).map(String), fc.integer({ min: 1, max: 400 }), {
      minKeys: 1,
      maxKeys: 40,
    });
    fc.assert(
      fc.property(backlogs, fc.infiniteStream(fc.nat(63)), (waiting, choices) => {
        const webhooks = Object.keys(waiting).map(Number);
        const limiter = quickAt(webhooks);
        const left = new Map(webhooks.map((webhook) => [`wh_${webhook}`, waiting[webhook] ?? 0]));
        expect(limiter.noteBacklog([...left.keys()])).toBe(true);
        const inFlight: LimitedAttempt[] = [];
        for (;;) {
          while (limiter.wantsRefill) {
            const counts = limiter.refill();
            const claimed = [...counts].flatMap(([id, count]) => {
              const found = Math.min(count, left.get(id) ?? 0);
              left.set(id, (left.get(id) ?? 0) - found);
              return Array.from({ length: found }, (_, n) =>
                due(`${id}_${left.get(id)}_${n}`, Number(id.slice(3)), KNOWN),
              );
            });
            limiter.refilled(claimed, 0);
            if (counts.size === 0) break;
          }
          for (let next = limiter.next(0); next !== undefined; next = limiter.next(0)) inFlight.push(next);
          const [attempt] = inFlight.splice((choices.next().value ?? 0) % Math.max(1, inFlight.length), 1);
          if (attempt === undefined) break;
          limiter.learn(attempt.due, QUICK);
          limiter.end(attempt);
        }
        expect([...left.values()].reduce((sum, count) => sum + count, 0)).toBe(0);
      }),
      { numRuns: 30 },
    );
  });

  test('are claimed by turns of the tenants, and one tenant keeps no other’s out', () => {
    // Of tenants 0 and 1: the first has ten webhooks, each at another host.
    const limiter = quickAt([0, 7, 14, 21, 28, 35, 42, 49, 56, 63, 1]);
    limiter.noteBacklog([
      'wh_0',
      'wh_7',
      'wh_14',
      'wh_21',
      'wh_28',
      'wh_35',
      'wh_42',
      'wh_49',
      'wh_56',
      'wh_63',
      'wh_1',
    ]);
    const counts = limiter.refill();
    expect(counts.get('wh_1')).toBe(40);
    expect([...counts.values()].reduce((sum, count) => sum + count, 0)).toBe(192 + 40);
  });

  test('of many tenants are claimed in their turn: none waits for more than a few claims', () => {
    const TENANTS = 200;
    const of = (n: number, id: string) => ({ ...due(id, n, KNOWN), tenantId: `ten_${n}`, host: `host_${n}` });
    const limiter = quickAt(
      Array.from({ length: TENANTS }, (_, n) => n),
      of,
    );
    limiter.noteBacklog(Array.from({ length: TENANTS }, (_, n) => `wh_${n}`));
    const inFlight: LimitedAttempt[] = [];
    const dealtIn = new Map<string, number>();
    let longest = 0;
    for (let refills = 0; refills < 300; ) {
      while (limiter.wantsRefill) {
        const counts = limiter.refill();
        if (counts.size === 0) break;
        refills += 1;
        for (const id of counts.keys()) {
          longest = Math.max(longest, refills - (dealtIn.get(id) ?? refills));
          dealtIn.set(id, refills);
        }
        limiter.refilled(
          [...counts].flatMap(([id, count]) =>
            Array.from({ length: count }, (_, n) => of(Number(id.slice(3)), `${id}_${refills}_${n}`)),
          ),
          0,
        );
      }
      for (let next = limiter.next(0); next !== undefined; next = limiter.next(0)) inFlight.push(next);
      const attempt = inFlight.shift();
      if (attempt === undefined) break;
      limiter.learn(attempt.due, QUICK);
      limiter.end(attempt);
    }
    const last = Math.max(...dealtIn.values());
    for (const refills of dealtIn.values()) longest = Math.max(longest, last - refills);
    expect(dealtIn.size).toBe(TENANTS);
    expect(longest).toBeLessThanOrEqual(8);
  });

  test('get the next free place at a host that others fill', () => {
    const of = (n: number, id: string) => ({ ...due(id, n, KNOWN), host: 'host_of_all' });
    const limiter = quickAt([1, 2, 3, 4], of);
    const inFlight: LimitedAttempt[] = [];
    const fill = () => {
      const { hosts } = limiter.room;
      const places = hosts.known.get('host_of_all') ?? 0;
      limiter.queue(
        Array.from({ length: places }, (_, n) => of(2 + (n % 3), `del_${n}`)),
        0,
      );
      for (let next = limiter.next(0); next !== undefined; next = limiter.next(0)) inFlight.push(next);
    };
    fill();
    limiter.noteBacklog(['wh_1']);
    expect(limiter.refill().size).toBe(0);
    const attempt = inFlight.shift();
    if (attempt === undefined) throw new Error('Nothing is under way');
    limiter.learn(attempt.due, QUICK);
    limiter.end(attempt);
    fill();
    expect(limiter.wantsRefill).toBe(true);
    expect([...limiter.refill()]).toEqual([['wh_1', 1]]);
  });

  test('are not asked for while a claim is under way that may take the same, nor the other way round', () => {
    const limiter = quickAt([1]);
    expect(limiter.offer().webhooks.known.get('wh_1')).toBe(40);
    limiter.noteBacklog(['wh_1']);
    expect(limiter.refill().size).toBe(0);
    limiter.offerEnded();
    expect(limiter.wantsRefill).toBe(true);
    expect([...limiter.refill()]).toEqual([['wh_1', 40]]);
    limiter.queue([due('del', 1, KNOWN)], 0);
    const attempt = limiter.next(0);
    if (attempt === undefined) throw new Error('Nothing is under way');
    limiter.learn(attempt.due, SLOW);
    limiter.end(attempt);
    expect(limiter.offer().webhooks.known.get('wh_1')).toBe(0);
    limiter.refilled([], 0);
    expect(limiter.offer().webhooks.known.get('wh_1')).toBe(8);
  });

  test.each(['asWritten', 'refill'] as const)(
    'never overtake what was returned while they were claimed (%s)',
    (kind) => {
      const limiter = quickAt([1]);
      const begun = () => limiter.offerAsWritten() && limiter.refill();
      limiter.queue(
        Array.from({ length: 12 }, (_, n) => due(`del_${n}`, 1, KNOWN)),
        0,
      );
      const inFlight = Array.from({ length: 8 }, () => limiter.next(0));
      begun();
      for (const [n, attempt] of inFlight.entries()) {
        if (attempt === undefined) throw new Error('It may begin');
        limiter.learn(attempt.due, n === 0 ? FAILED : QUICK);
        if (n === 0) expect(limiter.removeQueued(0, false)).toHaveLength(4);
        limiter.end(attempt);
      }
      const later = due('del_later', 1, KNOWN);
      expect(limiter.takeIn([later], kind, 0)).toEqual([later]);
      expect(limiter.next(0)).toBeUndefined();
      begun();
      expect(limiter.takeIn([later], kind, 0)).toEqual([]);
      expect(limiter.next(0)?.due).toBe(later);
    },
  );

  test('do not begin once they have waited for so long that they are to be returned', () => {
    const limiter = quickAt([1]);
    limiter.queue([due('del', 1, KNOWN)], 0);
    expect(limiter.next(2_001)).toBeUndefined();
    expect(limiter.next(2_000)).toBeDefined();
  });

  test('of a tenant that comes late are claimed soon, however many others have filled the queue', () => {
    const late = 6;
    // Of tenants 0 to 5, each with six webhooks at as many hosts.
    const busy = Array.from({ length: 36 }, (_, n) => Math.floor(n / 6) + 7 * (n % 6));
    const limiter = quickAt([...busy, late]);
    limiter.noteBacklog(busy.map((webhook) => `wh_${webhook}`));
    const inFlight: LimitedAttempt[] = [];
    let claimed = 0;
    const work = () => {
      while (limiter.wantsRefill) {
        const counts = limiter.refill();
        if (counts.size === 0) break;
        claimed += counts.get(`wh_${late}`) ?? 0;
        const found = [...counts].flatMap(([id, count]) =>
          Array.from({ length: count }, (_, n) => due(`${id}_${n}`, Number(id.slice(3)), KNOWN)),
        );
        limiter.refilled(found, 0);
      }
      for (let next = limiter.next(0); next !== undefined; next = limiter.next(0)) inFlight.push(next);
    };
    const endOne = () => {
      const attempt = inFlight.shift();
      if (attempt === undefined) throw new Error('Nothing is under way');
      limiter.learn(attempt.due, QUICK);
      limiter.end(attempt);
      work();
    };
    work();
    for (let n = 0; n < 500; n++) endOne();
    limiter.noteBacklog([`wh_${late}`]);
    let ends = 0;
    for (work(); claimed === 0; ends++) endOne();
    expect(ends).toBeLessThanOrEqual(64);
    expect(claimed).toBeGreaterThan(4);
  });

  test('are not forgotten when more is written while a claim that finds less is under way', () => {
    const limiter = quickAt([1]);
    limiter.noteBacklog(['wh_1']);
    limiter.refill();
    limiter.noteBacklog(['wh_1']);
    limiter.refilled([], 0);
    expect(limiter.wantsRefill).toBe(true);
    const again = limiter.refill();
    expect([...again.keys()]).toEqual(['wh_1']);
    limiter.refilled([], 0);
    expect(limiter.refill().size).toBe(0);
  });

  test('of one that answers slowly, or fails, are left to whoever looks at all', () => {
    for (const end of [SLOW, FAILED]) {
      const limiter = quickAt([1, 2]);
      expect(limiter.noteBacklog(['wh_1', 'wh_2', 'wh_3'])).toBe(false);
      limiter.queue([due('del', 1, KNOWN)], 0);
      const attempt = limiter.next(0);
      if (attempt === undefined) throw new Error('Nothing else is under way');
      limiter.learn(attempt.due, end);
      limiter.end(attempt);
      expect([limiter.takeLeft(), limiter.takeLeft()]).toEqual([true, false]);
      expect([...limiter.refill().keys()]).toEqual(['wh_2']);
      expect(limiter.room.webhooks.known.get('wh_2')).toBe(0);
      expect(limiter.room.webhooks.known.get('wh_1')).toBeGreaterThan(0);
    }
  });
});
