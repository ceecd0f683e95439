import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  AttemptLimiter,
  ConcurrencyLimits,
  type LimitedAttempt,
  RoundRobinQueue,
} from '#lib/webhooks/delivery/attempt-limiter.ts';
import type { DueAttempt } from '#lib/webhooks/delivery/claim.ts';

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
          for (let next = limiter.next(); next !== undefined; next = limiter.next()) inFlight.push(next);
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
