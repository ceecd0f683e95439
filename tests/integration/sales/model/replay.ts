import { max } from 'drizzle-orm';
import { expect } from 'vitest';
import { events } from '#drizzle/schema/events.ts';
import type { Db } from '#lib/base/db.ts';
import { exportAllocations } from '#lib/sales/published/export-allocations.ts';
import { publishList, publishProject, registerAccount } from './publish.ts';
import { type Shift, work, workerCtx, workUntilDone } from './worker.ts';
import type { World } from './world.ts';
import { readWritten, type Written, writtenRecords } from './written-books.ts';

/**
 * Reads the world's whole feed in another database, where all that was ever published stands from the first: the
 * published allocations and the events are the same bytes, and so is every other line of the books.
 */
export async function replay(
  world: World,
  here: { db: Db; written: Written },
  otherDb: Db,
  paging: Shift,
): Promise<void> {
  const [last] = await otherDb.select({ sequence: max(events.sequence) }).from(events);
  const otherAfter = last?.sequence ?? 0;
  await registerAccount(otherDb, world);
  for (const project of world.projects) {
    await publishProject(otherDb, world, project);
    let version = 0;
    for (const [hash, list] of project.lists) await publishList(otherDb, project, { hash, version: ++version, list });
  }
  // One ledger short of the end first: what ends by time alone needs a ledger of its own.
  await work(otherDb, world, { ...paging, ledgersBehind: 1, outOfTime: false });
  await workUntilDone(otherDb, world, paging);

  const projectIds = world.projects.map(({ id }) => id);
  const there = await readWritten(otherDb, world.account, projectIds, otherAfter);
  const lost = new Set(world.lost.map(({ hash }) => hash));
  const seen = { ...here.written, actions: here.written.actions.filter((action) => !lost.has(action.txHash)) };
  expect(writtenRecords(there)).toEqual(writtenRecords(seen));
  expect(bodiesOf(there)).toEqual(bodiesOf(here.written));
  const [ours, theirs] = await Promise.all(
    [here.db, otherDb].map((db) => Promise.all(projectIds.map((id) => exported(db, world, id)))),
  );
  expect(theirs).toEqual(ours);
}

const bodiesOf = ({ events: told }: Written): string[] => told.map(({ event }) => event.body).sort();

/** The published allocations of a project, as anybody downloads them. */
async function exported(db: Db, world: World, id: string): Promise<string> {
  const { chunks } = await exportAllocations(workerCtx(db, world, 1), { id, format: 'jsonl' });
  let text = '';
  for await (const chunk of chunks) text += chunk;
  return text;
}
