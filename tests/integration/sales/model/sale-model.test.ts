import { max } from 'drizzle-orm';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { events } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { applyEnv } from '#lib/base/env.ts';
import { ADMINISTRATORS_TENANT } from '#lib/webhooks/registry/acting-tenant.ts';
import { closeLedger } from '#lib/xrpl/lazy.ts';
import { type FreshDatabase, freshDatabase } from '#tests/support/database.ts';
import { testEnv } from '#tests/support/env.ts';
import { subscribeToAll } from '#tests/support/sale.ts';
import { closeLedgers, type Real, steps } from './commands.ts';
import { launchMemo } from './draw-action.ts';
import { expectLawful } from './laws.ts';
import { publishProject, registerAccount } from './publish.ts';
import { replay } from './replay.ts';
import { expectSameRecords } from './same-books.ts';
import { terms } from './terms.ts';
import { STEADY, workUntilDone } from './worker.ts';
import { World } from './world.ts';
import type { Written } from './written-books.ts';

/** Sequences to run; without a number as many as fit into the time of an everyday run. */
const RUNS = process.env.MODEL_RUNS === undefined ? null : Number(process.env.MODEL_RUNS);
const EVERYDAY_RUNS = 40;
const EVERYDAY_MS = 5_000;
const MAX_STEPS = 40;
/** For starting, and for the sequence that is under way when the time is over. */
const MARGIN_MS = 60_000;
const MS_PER_RUN = 2_000;

/**
 * A failure prints its seed and path: with MODEL_SEED and MODEL_PATH it is run again and shrunk. What it is shrunk to is
 * run again with that path and MODEL_REPLAY, the `replayPath` printed beside its steps.
 */
const REPRODUCED = {
  ...(process.env.MODEL_SEED === undefined ? {} : { seed: Number(process.env.MODEL_SEED) }),
  ...(process.env.MODEL_PATH === undefined ? {} : { path: process.env.MODEL_PATH }),
};

const opening = fc.record({
  projects: fc.array(fc.record({ terms, launched: fc.constantFrom(true, true, true, true, true, true, false) }), {
    minLength: 2,
    maxLength: 3,
    size: 'max',
  }),
  /** How the same feed is read once more, by one worker in another database. */
  otherPaging: fc.constantFrom(5, 20, 50, 2_000).map((maxEntries) => ({ ...STEADY, maxEntries })),
});
const sequence = fc.commands([steps], {
  maxCommands: MAX_STEPS,
  size: 'max',
  ...(process.env.MODEL_REPLAY === undefined ? {} : { replayPath: process.env.MODEL_REPLAY }),
});

let database: FreshDatabase;
let other: FreshDatabase;
let runs = 0;

beforeAll(async () => {
  applyEnv(testEnv());
  [database, other] = await Promise.all([freshDatabase({ maxConnections: 12 }), freshDatabase({ maxConnections: 12 })]);
  // Some of the sales are drafts, of which administrators alone are told.
  await Promise.all([database, other].map(({ db }) => subscribeToAll(db, ADMINISTRATORS_TENANT)));
});
afterAll(async () => {
  await Promise.all([database?.close(), other?.close()]);
  await closeLedger();
});

async function lastSequence(db: Db): Promise<number> {
  const [row] = await db.select({ last: max(events.sequence) }).from(events);
  return row?.last ?? 0;
}

type Opening = typeof opening extends fc.Arbitrary<infer T> ? T : never;

async function open({ projects }: Opening): Promise<{ model: World; real: Real }> {
  const world = new World(++runs);
  const { db } = database;
  const afterSequence = await lastSequence(db);
  await registerAccount(db, world);
  for (const { terms: given, launched } of projects) {
    const project = world.addProject(given);
    await publishProject(db, world, project);
    if (launched) world.addAction(launchMemo(project));
  }
  return { model: world, real: { db, afterSequence } };
}

/** Everything is decided, no sale is over without having ended, and nothing that is due is unplanned. */
async function settle(world: World, { db, afterSequence }: Real): Promise<Written> {
  closeLedgers(world, 2, null);
  await workUntilDone(db, world);
  closeLedgers(world, 1, null);
  await workUntilDone(db, world);
  const written = await expectSameRecords(db, world, afterSequence);
  expectLawful(world, written);
  const decidedAtMs = world.closedAtMs(written.position.confirmedLedger);
  for (const project of written.projects) {
    const isOpen = project.status === 'active' || project.status === 'paused';
    if (isOpen) expect(project.endsAt?.getTime() ?? decidedAtMs).toBeGreaterThanOrEqual(decidedAtMs);
    const unplanned = written.investments.filter((row) => row.projectId === project.id && !row.payoutsPlanned);
    if (project.status === 'completed') expect(unplanned).toEqual([]);
  }
  return written;
}

describe('the sale, whatever happens in whatever order', () => {
  it(
    'has the same books as the reducer, and the same bytes in any other paging',
    async () => {
      const overAtMs = RUNS === null ? performance.now() + EVERYDAY_MS : Number.POSITIVE_INFINITY;
      let begun = 0;
      const property = fc.asyncProperty(opening, sequence, async (given, commands) => {
        // However slow the machine is, one sequence is run.
        if (begun > 0 && performance.now() > overAtMs) return;
        begun += 1;
        let started: { model: World; real: Real } | undefined;
        await fc.asyncModelRun(async () => {
          started = await open(given);
          return started;
        }, commands);
        if (started === undefined) throw new Error('No sequence was started');
        const written = await settle(started.model, started.real);
        await replay(started.model, { db: started.real.db, written }, other.db, given.otherPaging);
      });
      await fc.assert(property, {
        numRuns: RUNS ?? EVERYDAY_RUNS,
        endOnFailure: RUNS !== null && process.env.MODEL_PATH === undefined,
        ...REPRODUCED,
      });
    },
    MARGIN_MS + (RUNS ?? EVERYDAY_RUNS) * MS_PER_RUN,
  );
});
