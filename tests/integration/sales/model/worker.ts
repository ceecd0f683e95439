import { cutToWholeLedgers } from '@tranche/verifier/read-feed.ts';
import fc from 'fast-check';
import type { Db } from '#lib/base/db.ts';
import { planDistributions } from '#lib/sales/plan-distributions.ts';
import { fanOutEvents } from '#lib/webhooks/delivery/fan-out.ts';
import { lazyLedger } from '#lib/xrpl/lazy.ts';
import type { FeedPage, Ledger, ServerState } from '#lib/xrpl/types.ts';
import { advanceAccount } from '#tests/integration/sales/advance-account.ts';
import { type TestCtx, testCtx } from '#tests/support/ctx.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { pageOf, START_LEDGER } from '#tests/support/sale.ts';
import type { World } from './world.ts';

/** One run of a worker, and what it runs into. */
export interface Shift {
  maxEntries: number;
  /** Its server is behind by so many ledgers. */
  ledgersBehind: number;
  /** The time is up after a page. */
  outOfTime: boolean;
  /** The how-manieth of its transactions is rolled back when all is written, and the worker dies; null for none. */
  diesInTransaction: number | null;
}

export const shift: fc.Arbitrary<Shift> = fc.record({
  maxEntries: fc.constantFrom(1, 4, 15, 40, 2_000, 2_000),
  ledgersBehind: fc.constantFrom(0, 0, 0, 1, 3),
  outOfTime: fc.boolean(),
  diesInTransaction: fc.constantFrom(null, null, null, null, 1, 2, 3, 4),
});

export const STEADY: Shift = { maxEntries: 2_000, ledgersBehind: 0, outOfTime: false, diesInTransaction: null };

/** A page as the ledger cuts it: whole ledgers of the range, about `maxEntries`. */
export function cutPage(
  world: World,
  { afterLedger, throughLedger, maxEntries }: { afterLedger: number; throughLedger: number; maxEntries: number },
): FeedPage {
  const inRange = world.feed.filter(({ ledgerIndex }) => ledgerIndex > afterLedger && ledgerIndex <= throughLedger);
  const { entries, readThrough } = cutToWholeLedgers(inRange, throughLedger, maxEntries);
  return pageOf(entries, readThrough);
}

/** A ctx whose ledger is the world's; everything else is real. */
export function workerCtx(db: Db, world: World, maxEntries: number): TestCtx {
  const ledger: Ledger = {
    ...lazyLedger(),
    head: async (ledgerIndex) => ({
      hash: pageOf([], ledgerIndex).readThroughHash,
      closedAtMs: world.closedAtMs(ledgerIndex),
    }),
    balanceAt: async (_address, ledgerIndex) => world.balanceAt(ledgerIndex),
    readFeed: async (request) => cutPage(world, { ...request, maxEntries }),
  };
  const ctx = testCtx({ db, overrides: { ledger } });
  ctx.clock.set(world.nowMs + 1_000);
  return ctx;
}

class Died extends Error {}

/** The same database for a worker that dies: everything of that transaction is written, nothing is committed. */
function dyingIn(db: Db, diesInTransaction: number): Db {
  let begun = 0;
  const dying: Db = Object.create(db);
  dying.transaction = (body, config) => {
    const position = ++begun;
    return db.transaction(async (tx) => {
      const result = await body(tx);
      if (position === diesInTransaction) throw new Died();
      return result;
    }, config);
  };
  return dying;
}

const serverAt = (world: World, validatedIndex: number): ServerState => ({
  validatedIndex,
  completeLedgers: [[1, validatedIndex]],
  networkId: 0,
  validatedHash: pageOf([], validatedIndex).readThroughHash,
  validatedAtMs: world.closedAtMs(validatedIndex),
  baseFeeDrops: 10n,
  reserveBaseDrops: 1_000_000n,
  reserveIncrementDrops: 200_000n,
  loadFactor: 1n,
  loadBase: 1n,
});

/** One worker reads and decides what it can, plans what is due at an end, and fans events out. */
export async function work(db: Db, world: World, given: Shift): Promise<void> {
  const { maxEntries, ledgersBehind, outOfTime, diesInTransaction } = given;
  const ctx = workerCtx(diesInTransaction === null ? db : dyingIn(db, diesInTransaction), world, maxEntries);
  const deadlineMs = outOfTime ? 0 : Number.POSITIVE_INFINITY;
  try {
    await advanceAccount(ctx, {
      account: world.account,
      server: serverAt(world, Math.max(START_LEDGER, world.lastClosed - ledgersBehind)),
      deadlineMs,
      stillMine: async () => true,
    });
    await planDistributions(ctx, deadlineMs);
    await fanOutEvents(ctx, deadlineMs);
  } catch (error) {
    if (!(error instanceof Died)) throw error;
  }
}

/** Waits for all, also when one has failed: nobody works on when this returns or throws. */
export async function allAtRest(working: readonly Promise<unknown>[]): Promise<void> {
  for (const result of await Promise.allSettled(working)) if (result.status === 'rejected') throw result.reason;
}

/** Works until all but the newest ledger is decided. */
export async function workUntilDone(db: Db, world: World, given: Shift = STEADY): Promise<void> {
  for (let turn = 0; turn <= world.lastClosed - START_LEDGER; turn++) {
    await work(db, world, given);
    const [row] = await rowsOf(db, 'depositAccounts', { address: world.account });
    if (row?.confirmedLedger === world.lastClosed - 1) return;
  }
  throw new Error('The worker makes no progress');
}
