import { asc, eq } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { deliveries, events } from '#drizzle/schema/events.ts';
import { payouts } from '#drizzle/schema/payouts.ts';
import { allocations, depositAccounts, investments, moves, payments, projects, tiers } from '#drizzle/schema/sale.ts';
import { EVENT_CATALOGUE, type EventType } from '#lib/events/catalogue.ts';
import { advanceAccount } from '#lib/jobs/advance-account.ts';
import { cutToWholeLedgers } from '#lib/ledger/feed.ts';
import { closeLedger, lazyLedger } from '#lib/ledger/lazy.ts';
import { REFUND_SOURCE_TAG } from '#lib/ledger/tags.ts';
import type { FeedEntry, Ledger, ServerState } from '#lib/ledger/types.ts';
import type { Db } from '#lib/platform/db.ts';
import { putInForce } from '#lib/platform/env.ts';
import { projectState } from '#lib/sale/feed/load-state.ts';
import { decodeMove } from '#lib/sale/feed/move-memo.ts';
import { type Reduced, reduceAll } from '#lib/sale/rules/reduce.ts';
import type { Effect, ProjectState, SaleEntry } from '#lib/sale/rules/types.ts';
import { testCtx } from '#tests/support/ctx.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import {
  closeOf,
  DEPOSIT,
  PRICE_ONE,
  pageOf,
  paymentEntry,
  START_LEDGER,
  seedSale,
  subscribeToAll,
  XRP,
} from '#tests/support/sale.ts';

/** Histories to run: one (`SEEDS=17`), or a range (`SEEDS=1-500`). A failure names its seed. */
const [FIRST_SEED = 1, LAST_SEED = FIRST_SEED] = (process.env.SEEDS ?? '1-12').split('-').map(Number);
const SEEDS = Array.from({ length: LAST_SEED - FIRST_SEED + 1 }, (_, place) => FIRST_SEED + place);

const TAGS = [77, 78, 79];
const LAST_LEDGER = START_LEDGER + 40;
const WORKERS = 4;
/** Far more than any history needs; whoever gets there makes no progress. */
const MAX_STEPS = 5_000;
const TERMS_HASH = 'c'.repeat(64);
const OTHER_HASH = 'd'.repeat(64);

const between = (min: bigint, max: bigint) => fc.bigInt({ min, max });

const payment = fc.record({
  kind: fc.constant('payment' as const),
  drops: fc.oneof(
    { weight: 8, arbitrary: between(1n, 20n * XRP) },
    // Around what is too little for a unit, or for a refund.
    { weight: 1, arbitrary: between(1n, 2_000n) },
  ),
  sender: fc.nat(8),
  tag: fc.constantFrom(...TAGS, ...TAGS, null, 5, REFUND_SOURCE_TAG),
  sourceTag: fc.option(fc.nat(2 ** 32 - 1)),
});
const move = fc.record({
  kind: fc.constant('move' as const),
  project: fc.nat(2),
  move: fc.constantFrom('launch', 'launch', 'pause', 'pause', 'pause', 'resume', 'resume', 'resume', 'end', 'cancel'),
  termsHash: fc.constantFrom(TERMS_HASH, TERMS_HASH, TERMS_HASH, OTHER_HASH),
  memoBefore: fc.constantFrom('x', '{}'),
});
const entry = fc.oneof(
  { weight: 10, arbitrary: payment },
  { weight: 1, arbitrary: move },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('other' as const) }) },
);
const ledger = fc.oneof(
  { weight: 3, arbitrary: fc.constant([]) },
  { weight: 8, arbitrary: fc.array(entry, { maxLength: 8 }) },
  { weight: 1, arbitrary: fc.array(entry, { minLength: 60, maxLength: 60 }) },
);
/** What a worker finds at one of its turns, over and over. */
const turn = fc.record({
  maxEntries: fc.constantFrom(1, 5, 20, 2_000),
  ledgersBehind: fc.nat(1),
  onePageOnly: fc.boolean(),
  ledgersClosedAfter: fc.integer({ min: 1, max: 6 }),
});
const tierList = fc
  .tuple(between(50n, 550n), between(50n, 550n), between(1_000n, 60_000n), fc.nat(999))
  .map(([first, second, third, odd]) => [
    { price: PRICE_ONE / 10n + BigInt(odd), totalUnits: first * XRP },
    { price: PRICE_ONE / 3n, totalUnits: second * XRP + BigInt(odd) },
    // A unit costs 2,500 drops: change goes back, and small payments buy nothing.
    { price: PRICE_ONE * 2_500n, totalUnits: third },
  ]);
const history = fc.record({
  tierLists: fc.tuple(tierList, tierList, tierList),
  ledgers: fc.array(ledger, { minLength: LAST_LEDGER - START_LEDGER, maxLength: LAST_LEDGER - START_LEDGER }),
  /** The first sale's end: around the close of this ledger, to the millisecond. */
  endsWithLedger: fc.integer({ min: START_LEDGER + 5, max: LAST_LEDGER }),
  endsAfterMs: fc.integer({ min: -1, max: 1 }),
  turns: fc.array(fc.array(turn, { minLength: 6, maxLength: 6 }), { minLength: WORKERS, maxLength: WORKERS }),
});
type History = typeof history extends fc.Arbitrary<infer T> ? T : never;
type Entry = typeof entry extends fc.Arbitrary<infer T> ? T : never;
type Turn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

function historyOf(seed: number): History {
  const [drawn] = fc.sample(history, { seed, numRuns: 1 });
  if (drawn === undefined) throw new Error('fast-check drew nothing');
  return drawn;
}

/** Three sales on one account: one that ends by its date, a draft with a start of its own, and one without dates. */
async function seedSales(db: Db, { tierLists, endsWithLedger, endsAfterMs }: History): Promise<string[]> {
  const ids: string[] = [];
  for (const [place, tag] of TAGS.entries()) {
    ids.push((await seedSale(db, { tag, tierList: tierLists[place] ?? [] })).projectId);
  }
  const [ending = '', draft = ''] = ids;
  await db
    .update(projects)
    .set({ endsAt: new Date(closeOf(endsWithLedger) + endsAfterMs) })
    .where(eq(projects.id, ending));
  await db
    .update(projects)
    .set({ status: 'draft', termsHash: TERMS_HASH, launchedAt: null, startsAt: new Date(closeOf(START_LEDGER + 10)) })
    .where(eq(projects.id, draft));
  await db.update(tiers).set({ openedAt: null }).where(eq(tiers.projectId, draft));
  return ids;
}

function feedOf({ ledgers }: History, projectIds: readonly string[]): FeedEntry[] {
  return ledgers.flatMap((entries, place) => {
    const ledgerIndex = START_LEDGER + 1 + place;
    return entries.map((drawn, index) => feedEntryOf(drawn, ledgerIndex, index, projectIds));
  });
}

function feedEntryOf(drawn: Entry, ledgerIndex: number, index: number, projectIds: readonly string[]): FeedEntry {
  if (drawn.kind === 'payment') {
    return paymentEntry(ledgerIndex, index, drawn.drops, {
      sender: `rInvestor${drawn.sender}`,
      destinationTag: drawn.tag,
      sourceTag: drawn.sourceTag,
    });
  }
  const { hash, transactionIndex, closedAtMs } = paymentEntry(ledgerIndex, index, 0n);
  const inFeed = { hash, ledgerIndex, transactionIndex, closedAtMs, changeDrops: -10n, feeDrops: 10n };
  if (drawn.kind === 'other') return { kind: 'other', ...inFeed, transactionType: 'OfferCreate', counterparty: null };
  const memo = { v: 1, project: projectIds[drawn.project], move: drawn.move };
  const anchored = drawn.move === 'launch' ? { ...memo, terms_hash: drawn.termsHash } : memo;
  return { kind: 'self', ...inFeed, memos: [drawn.memoBefore, JSON.stringify(anchored)] };
}

async function readStates(db: Db): Promise<Map<number, ProjectState>> {
  const rows = await db.select().from(projects);
  const tierRows = await db.select().from(tiers).orderBy(asc(tiers.tier));
  return new Map(
    rows.map((row) => [
      row.destinationTag,
      projectState(
        row,
        tierRows.filter((tier) => tier.projectId === row.id),
      ),
    ]),
  );
}

/** The whole feed through the pure reducer at once. */
function reduceFeed(states: ReadonlyMap<number, ProjectState>, feed: readonly FeedEntry[]): Reduced {
  const entries = feed.flatMap((each): SaleEntry[] => {
    if (each.kind === 'payment') {
      const { deliveredDrops, sourceTag: _, ...rest } = each;
      return [{ ...rest, receivedDrops: deliveredDrops }];
    }
    const decoded = each.kind === 'self' ? decodeMove(each) : null;
    return decoded === null ? [] : [decoded];
  });
  return reduceAll({ projects: states, held: new Map(), refundMinDrops: 1_000n }, [
    ...entries,
    { kind: 'close', closedAtMs: closeOf(LAST_LEDGER) },
  ]);
}

const serverAt = (validatedIndex: number): ServerState => ({
  validatedIndex,
  completeLedgers: [[1, validatedIndex]],
  networkId: 0,
  validatedHash: pageOf([], validatedIndex).readThroughHash,
  validatedAtMs: closeOf(validatedIndex),
  baseFeeDrops: 10n,
  reserveBaseDrops: 1_000_000n,
  reserveIncrementDrops: 200_000n,
  loadFactor: 1n,
  loadBase: 1n,
});

/** Four workers at once, each with its own pages, lag and deadlines, while the validated ledger moves on. */
async function work(db: Db, feed: readonly FeedEntry[], turns: readonly Turn[][]): Promise<void> {
  let validated = START_LEDGER;
  const worker = async (own: readonly Turn[], closesLedgers: boolean): Promise<void> => {
    for (let step = 0; step < MAX_STEPS; step++) {
      const now = own[step % own.length];
      if (now === undefined) throw new Error('A worker needs turns');
      const ledger: Ledger = {
        ...lazyLedger(),
        closedAtMs: async (ledgerIndex) => closeOf(ledgerIndex),
        balanceAt: async (_address, ledgerIndex) =>
          feed.reduce((sum, each) => (each.ledgerIndex <= ledgerIndex ? sum + each.changeDrops : sum), 10n * XRP),
        async readFeed({ afterLedger, throughLedger }) {
          const inRange = feed.filter((each) => each.ledgerIndex > afterLedger && each.ledgerIndex <= throughLedger);
          const { entries, readThrough } = cutToWholeLedgers(inRange, throughLedger, now.maxEntries);
          return pageOf(entries, readThrough);
        },
      };
      const ctx = testCtx({ db, overrides: { ledger } });
      ctx.clock.set(closeOf(LAST_LEDGER) + 3_600_000);
      const seen = validated;
      await advanceAccount(ctx, {
        account: DEPOSIT,
        server: serverAt(seen - now.ledgersBehind),
        deadlineMs: now.onePageOnly ? 0 : Number.POSITIVE_INFINITY,
        stillMine: async () => true,
      });
      const [account] = await db.select().from(depositAccounts);
      if (seen > LAST_LEDGER && (account?.confirmedLedger ?? 0) >= LAST_LEDGER) return;
      if (closesLedgers) validated = Math.min(LAST_LEDGER + 1, validated + now.ledgersClosedAfter);
    }
    throw new Error(`A worker is not done after ${MAX_STEPS} turns`);
  };
  await Promise.all(turns.map((own, place) => worker(own, place === 0)));
}

/** What a payment came to: drops invested, refunded, held, why, and its parts. */
type Book = [hash: string, invested: bigint, refunded: bigint, held: bigint, reason: string | null, parts: string];

function expectedBook(effect: Effect): Book[] {
  switch (effect.type) {
    case 'invested': {
      const parts = effect.parts.map((part) => `${part.tier}:${part.drops}:${part.units}`).join(' ');
      return [[effect.payment.hash, effect.investedDrops, effect.refundedDrops, 0n, effect.refundReason, parts]];
    }
    case 'refused':
      return [[effect.payment.hash, 0n, effect.refundedDrops, effect.heldDrops, effect.reason, '']];
    case 'held':
      return [[effect.payment.hash, 0n, 0n, effect.payment.receivedDrops, effect.reason, '']];
    default:
      return [];
  }
}

const byText = (a: { toString(): string }, b: { toString(): string }) => (a.toString() < b.toString() ? -1 : 1);

async function writtenBooks(db: Db): Promise<Book[]> {
  const [paymentRows, investmentRows, parts] = await Promise.all([
    db.select().from(payments),
    db.select().from(investments),
    db.select().from(allocations).orderBy(asc(allocations.tier)),
  ]);
  const investmentOf = new Map(investmentRows.map((row) => [row.txHash, row.id]));
  const partsOf = Map.groupBy(parts, (part) => part.investmentId);
  return paymentRows.map((row) => {
    const own = partsOf.get(investmentOf.get(row.txHash) ?? '') ?? [];
    const text = own.map((part) => `${part.tier}:${part.amountDrops}:${part.units}`).join(' ');
    return [row.txHash, row.investedDrops, row.refundedDrops, row.heldDrops, row.reason, text];
  });
}

function expectedPayouts(effects: readonly Effect[], sourceTags: ReadonlyMap<string, number | null>): string[] {
  return effects.flatMap((effect) => {
    if (effect.type !== 'invested' && effect.type !== 'refused') return [];
    const { hash, sender } = effect.payment;
    const to = `${hash} ${sender} ${sourceTags.get(hash) ?? null}`;
    return [
      ...(effect.type === 'invested' ? [`distribution ${effect.totalUnits} ${to}`] : []),
      ...(effect.refundedDrops > 0n ? [`refund ${effect.refundedDrops} ${to}`] : []),
    ];
  });
}

const readEvents = async (db: Db) =>
  (await db.select().from(events).orderBy(asc(events.sequence))).map((row) => JSON.parse(row.body));

describe('four workers at once over a random history', () => {
  let database: FreshDatabase;

  beforeAll(() => putInForce(testEnv()));
  beforeEach(async () => {
    database = await freshDatabase({ maxConnections: 12 });
  });
  afterEach(() => database.close());
  afterAll(closeLedger);

  it.each(SEEDS)('write what the pure reducer says, each thing once (SEEDS=%i)', async (seed) => {
    const { db } = database;
    const given = historyOf(seed);
    await subscribeToAll(db);
    const feed = feedOf(given, await seedSales(db, given));
    const { state, effects } = reduceFeed(await readStates(db), feed);
    const times = (type: Effect['type']) => effects.filter((effect) => effect.type === type).length;

    await work(db, feed, given.turns);

    expect((await writtenBooks(db)).toSorted(byText)).toEqual(effects.flatMap(expectedBook).toSorted(byText));
    expect(await readStates(db)).toEqual(state.projects);
    const moveStatuses = effects.flatMap((effect): [string, string][] => {
      if (effect.type === 'move_without_effect') return [[effect.move.hash, 'ineffective']];
      return effect.type === 'launched' || effect.type === 'moved' || effect.type === 'cancelled'
        ? [[effect.move.hash, 'applied']]
        : [];
    });
    expect(new Map((await db.select().from(moves)).map((row) => [row.txHash, row.status]))).toEqual(
      new Map<string, string>(moveStatuses),
    );

    const sourceTags = new Map(feed.map((each) => [each.hash, each.kind === 'payment' ? each.sourceTag : null]));
    const owed = (await db.select().from(payouts)).map(
      (row) => `${row.kind} ${row.amount} ${row.paymentHash} ${row.destination} ${row.destinationTag}`,
    );
    expect(owed.toSorted()).toEqual(expectedPayouts(effects, sourceTags).toSorted());

    // The quote at recognition is what the confirmation brings.
    const invested = await db.select().from(investments);
    for (const row of invested) {
      expect([row.status, row.quoteUnits]).toEqual(
        row.totalUnits === 0n ? ['failed', 0n] : ['confirmed', row.totalUnits],
      );
    }

    const bodies = await readEvents(db);
    for (const body of bodies) EVENT_CATALOGUE[body.event_type as EventType].parse(body.data);
    const told = (type: EventType) => bodies.filter((body) => body.event_type === type);
    expect(told('investment.created')).toHaveLength(invested.length);
    expect(told('investment.confirmed')).toHaveLength(times('invested'));
    expect(told('investment.failed')).toHaveLength(invested.length - times('invested'));
    expect(told('project.tier_completed')).toHaveLength(times('tier_completed'));
    expect(told('project.sale_ended')).toHaveLength(times('sale_ended'));
    expect(told('project.launched')).toHaveLength(times('launched'));
    expect(await db.$count(deliveries)).toBe(bodies.length);
    // Whoever compared whenever: the books explained every balance.
    expect(told('system.alert')).toEqual([]);
    // Confirmations are told in ledger order, and never before the investment itself.
    const placeOf = new Map(feed.map((each, place) => [each.hash, place]));
    const places = told('investment.confirmed').map((body) => placeOf.get(body.data.transaction.hash) ?? -1);
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    const created = new Set<string>();
    for (const body of bodies) {
      if (body.event_type === 'investment.created') created.add(body.data.investment_id);
      if (body.event_type === 'investment.confirmed' || body.event_type === 'investment.failed') {
        expect(created).toContain(body.data.investment_id);
      }
    }
  });
});
