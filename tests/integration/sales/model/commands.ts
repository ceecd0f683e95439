import fc from 'fast-check';
import { actions } from '#drizzle/schema/sale.ts';
import type { Db } from '#lib/base/db.ts';
import { lockAndLoad, readFeedPosition } from '#lib/sales/feed/load-state.ts';
import { recognise, recordEntries } from '#lib/sales/feed/recognise.ts';
import { START_LEDGER } from '#tests/support/sale.ts';
import { addDrawnAction, type DrawnAction, drawnMove, launchMemo } from './draw-action.ts';
import { addDrawnPayment, type DrawnPayment, drawnPayment } from './draw-payment.ts';
import { publishList, publishProject } from './publish.ts';
import { expectSameRecords } from './same-books.ts';
import { terms } from './terms.ts';
import { allAtRest, cutPage, type Shift, shift, work, workerCtx } from './worker.ts';
import { sha256, type World } from './world.ts';

/** The database under test, and where this sequence's events begin. */
export interface Real {
  db: Db;
  afterSequence: number;
}

const MAX_PROJECTS = 4;
const LEDGER_MS = 4_000;

/** One step. It prints as what it draws. */
class Step<Drawn> implements fc.AsyncCommand<World, Real> {
  readonly #name: string;
  readonly #drawn: Drawn;
  readonly #take: (world: World, real: Real, drawn: Drawn) => Promise<void>;
  readonly #isPossible: (world: Readonly<World>) => boolean;

  constructor(
    name: string,
    drawn: Drawn,
    take: (world: World, real: Real, drawn: Drawn) => Promise<void>,
    isPossible: (world: Readonly<World>) => boolean = () => true,
  ) {
    this.#name = name;
    this.#drawn = drawn;
    this.#take = take;
    this.#isPossible = isPossible;
  }

  check(world: Readonly<World>): boolean {
    return this.#isPossible(world);
  }

  run(world: World, real: Real): Promise<void> {
    return this.#take(world, real, this.#drawn);
  }

  toString(): string {
    return `${this.#name}(${fc.stringify(this.#drawn)})`;
  }
}

const pay = fc.array(drawnPayment, { minLength: 1, maxLength: 6, size: 'max' }).map(
  (drawn) =>
    new Step('pay', drawn, async (world, _, payments: DrawnPayment[]) => {
      for (const each of payments) addDrawnPayment(world, each);
    }),
);

const action = drawnMove.map(
  (drawn) => new Step('action', drawn, async (world, _, given: DrawnAction) => addDrawnAction(world, given)),
);

/** Ledgers close one after the other; the last one, if so drawn, around a moment that the terms name. */
const close = fc
  .record({
    ledgers: fc.integer({ min: 1, max: 3 }),
    moment: fc.option(fc.record({ index: fc.nat(5), afterMs: fc.integer({ min: -1, max: 1 }) }), { freq: 2 }),
  })
  .map(
    (drawn) => new Step('close', drawn, async (world, _, { ledgers, moment }) => closeLedgers(world, ledgers, moment)),
  );

export function closeLedgers(world: World, ledgers: number, moment: { index: number; afterMs: number } | null): void {
  for (let n = 1; n < ledgers; n++) world.close(world.nowMs + LEDGER_MS);
  const ahead = world.projects
    .flatMap(({ terms: { startsAtMs, endsAtMs, tiers } }) => [
      startsAtMs,
      endsAtMs,
      ...tiers.map((tier) => tier.startsAtMs),
    ])
    .filter((ms) => ms !== null && ms > world.nowMs + 1)
    .sort((a, b) => (a ?? 0) - (b ?? 0));
  const chosen = moment === null ? null : ahead[moment.index % ahead.length];
  world.close(chosen == null || moment === null ? world.nowMs + LEDGER_MS : chosen + moment.afterMs);
}

const list = fc
  .record({
    project: fc.nat(MAX_PROJECTS - 1),
    inForce: fc.constantFrom(true, true, false),
    entries: fc.uniqueArray(fc.tuple(fc.nat(5), fc.option(fc.bigInt({ min: 1n, max: 20_000_000n }), { freq: 2 })), {
      minLength: 1,
      maxLength: 5,
      selector: ([investor]) => investor,
      size: 'max',
    }),
  })
  .map(
    (drawn) =>
      new Step('publishList', drawn, async (world, { db }, { project: index, inForce, entries }) => {
        const project = world.projects[index % world.projects.length];
        const hash = sha256(fc.stringify(entries));
        if (project === undefined || project.lists.has(hash)) return;
        const wallets = new Map(entries.map(([investor, capDrops]) => [`rInvestor${investor}`, capDrops]));
        project.lists.set(hash, wallets);
        await publishList(db, project, { hash, version: project.lists.size, list: wallets });
        if (inForce) world.addAction({ v: 1, project: project.id, move: 'list', list_hash: hash });
      }),
  );

const draft = fc.record({ terms, launched: fc.constantFrom(true, true, false) }).map(
  (drawn) =>
    new Step(
      'draft',
      drawn,
      async (world, { db }, given) => {
        const project = world.addProject(given.terms);
        await publishProject(db, world, project);
        if (given.launched) world.addAction(launchMemo(project));
      },
      (world) => world.projects.length < MAX_PROJECTS,
    ),
);

/** The platform signs an action, and no ledger ever takes it. */
const loseAction = fc.record({ project: fc.nat(MAX_PROJECTS - 1), ledgers: fc.integer({ min: 1, max: 4 }) }).map(
  (drawn) =>
    new Step('loseAction', drawn, async (world, { db }, { project: index, ledgers }) => {
      const project = world.projects[index % world.projects.length];
      if (project === undefined) return;
      const lost = {
        hash: world.hashOf(`lost ${world.lost.length}`),
        projectId: project.id,
        lastLedgerSequence: world.lastClosed + ledgers,
      };
      const written = await db
        .insert(actions)
        .values({ txHash: lost.hash, account: world.account, action: 'pause', status: 'submitted', ...lost })
        .onConflictDoNothing()
        .returning({ hash: actions.txHash });
      // The one before it may still be open.
      if (written.length > 0) world.lost.push(lost);
    }),
);

const workOnce = shift.map(
  (drawn) =>
    new Step('work', drawn, async (world, { db, afterSequence }, given: Shift) => {
      await work(db, world, given);
      await expectSameRecords(db, world, afterSequence);
    }),
);

/** Two to four workers at once, and perhaps a draft that is created meanwhile. */
const workAtOnce = fc
  .record({
    shifts: fc.array(shift, { minLength: 2, maxLength: 4, size: 'max' }),
    draft: fc.oneof({ weight: 4, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: terms }),
  })
  .map(
    (drawn) =>
      new Step('workAtOnce', drawn, async (world, { db, afterSequence }, { shifts, draft: given }) => {
        const working = shifts.map((each) => work(db, world, each));
        if (given !== null && world.projects.length < MAX_PROJECTS) {
          const project = world.addProject(given);
          working.push(publishProject(db, world, project));
          world.addAction(launchMemo(project));
        }
        await allAtRest(working);
        await expectSameRecords(db, world, afterSequence);
      }),
  );

/** A page that was read long ago comes again, and everything that is recorded is recorded again. */
const redeliver = fc.record({ index: fc.nat(100), maxEntries: fc.constantFrom(1, 3, 2_000) }).map(
  (drawn) =>
    new Step('redeliver', drawn, async (world, { db, afterSequence }, { index, maxEntries }) => {
      const ctx = workerCtx(db, world, maxEntries);
      await db.transaction(async (tx) => {
        const loaded = await lockAndLoad(tx, world.account);
        const { cursorLedger } = loaded.account;
        const known = cutPage(world, { afterLedger: START_LEDGER, throughLedger: cursorLedger, maxEntries: 2_000 });
        await recordEntries(ctx, tx, loaded, known.entries, cursorLedger);
      });
      const { cursorLedger } = await readFeedPosition(db, world.account);
      const afterLedger = START_LEDGER + (index % (cursorLedger - START_LEDGER + 1));
      if (afterLedger < cursorLedger) {
        const page = cutPage(world, { afterLedger, throughLedger: world.lastClosed, maxEntries });
        await recognise(ctx, { account: world.account, afterLedger, page });
      }
      await expectSameRecords(db, world, afterSequence);
    }),
);

/** Everything that may happen, in about the shares in which it happens. */
export const steps = fc.oneof(
  { weight: 10, arbitrary: pay },
  { weight: 5, arbitrary: action },
  { weight: 6, arbitrary: close },
  { weight: 2, arbitrary: list },
  { weight: 1, arbitrary: draft },
  { weight: 1, arbitrary: loseAction },
  { weight: 2, arbitrary: workOnce },
  { weight: 2, arbitrary: workAtOnce },
  { weight: 1, arbitrary: redeliver },
) as fc.Arbitrary<fc.AsyncCommand<World, Real>>;
