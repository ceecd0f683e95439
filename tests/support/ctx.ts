import { randomBytes } from 'node:crypto';
import type { Clock } from '#lib/base/clock.ts';
import type { Db } from '#lib/base/db.ts';
import { newId } from '#lib/base/ids.ts';
import { logger } from '#lib/base/log.ts';
import { queue } from '#lib/base/queue.ts';
import { redis } from '#lib/base/redis.ts';
import type { Ctx } from '#lib/ctx.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';

/**
 * Where the clocks of tests begin: three days before the database's own, whatever the day. What a test puts off by more is
 * ahead for both, and what the database alone takes for past is due, as for an app whose clock is behind.
 */
export const START_MS = Math.floor(Date.now() / 60_000) * 60_000 - 3 * 86_400_000;

/** A clock that stands still until a test moves it. */
export class TestClock implements Clock {
  #nowMs: number;

  constructor(nowMs = START_MS) {
    this.#nowMs = nowMs;
  }

  nowMs(): number {
    return this.#nowMs;
  }

  set(time: number | string): void {
    this.#nowMs = typeof time === 'number' ? time : Date.parse(time);
  }

  advance(ms: number): void {
    this.#nowMs += ms;
  }
}

export type TestCtx = Omit<Ctx, 'clock'> & { clock: TestClock };

/**
 * A ctx of real parts: the given database, and the clients of Redis, QStash and the ledger that production uses, made on
 * first use from the settings in force (`withStandIns()` or `applyEnv(testEnv(…))` first). Only the clock is the test's.
 */
export function testCtx({ db, overrides = {} }: { db: Db; overrides?: Partial<TestCtx> }): TestCtx {
  return {
    db,
    get redis() {
      return redis();
    },
    get queue() {
      return queue();
    },
    ledger: overrides.ledger ?? lazyLedger(),
    clock: new TestClock(),
    random: randomBytes,
    actor: { kind: 'system' },
    requestId: newId('req', randomBytes),
    get log() {
      return logger();
    },
    ...overrides,
  };
}
