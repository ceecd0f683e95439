import type { ListResource } from '@tranche/verifier/published.ts';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { auditEntries } from '#drizzle/schema/access.ts';
import { depositAccounts, listEntries } from '#drizzle/schema/sale.ts';
import { hashEntries } from '#lib/sales/lists/get-list.ts';
import { addRows } from '#tests/support/rows.ts';
import { addresses, type ListsDesk, openListsDesk } from './lists-world.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let desk: ListsDesk;

beforeAll(async () => {
  stage = await openStage();
  desk = openListsDesk(stage);
});
afterAll(() => stage?.end());

const part = (count: number) => addresses(count).map((wallet_address) => ({ wallet_address }));

/** Database sessions that wait for a row which another one holds. */
const untilWaiting = (sessions: number) =>
  vi.waitFor(
    async () => {
      const { rows } = await stage.database.db.execute<{ waiting: number }>(sql`
        select count(*)::integer as waiting from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`);
      expect(rows[0]?.waiting).toBe(sessions);
    },
    { timeout: 10_000, interval: 10 },
  );

const expectUnpublished = async (list: ListResource, entries: number) => {
  expect(await desk.rowOf(list)).toMatchObject({ status: 'draft', hash: null, entries });
};

describe('a commit and a part at once', () => {
  it('never publish rows that were not hashed: a part that arrives while the action is signed makes the commit a conflict', async () => {
    const sale = await stage.draft();
    const list = await desk.draft(sale, part(3));
    const committing = await stage.database.db.transaction(async (tx) => {
      await tx.select().from(depositAccounts).where(sql`address = ${sale.deposit.address}`).for('update');
      // It has hashed and signed, and waits to persist its action.
      const begun = desk.commit(list).then(
        () => 'accepted',
        (error: { code: string }) => error.code,
      );
      await untilWaiting(1);
      expect(await desk.add(list, part(1))).toMatchObject({ added: 1, entries: 4 });
      return { begun };
    });
    expect(await committing.begun).toBe('conflict');
    await expectUnpublished(list, 4);
    expect(await desk.listActionsOf(sale)).toEqual([]);
    await desk.commit(list);
  });

  it('never publish rows that were not hashed: a part that only changes a cap and is being written makes it one too', async () => {
    const sale = await stage.draft();
    const [first, ...others] = part(3);
    const [newcomer] = addresses(1);
    const list = await desk.draft(sale, [first!, ...others]);
    const sides = await stage.database.db.transaction(async (tx) => {
      // The part holds the list, and waits for this row.
      await addRows(tx, 'listEntries', { listId: list.id, walletAddress: newcomer! });
      const adding = desk.add(list, [{ ...first!, cap_xrp: '7' }, { wallet_address: newcomer! }]);
      await untilWaiting(1);
      const committing = desk.commit(list).then(
        () => 'accepted',
        (error: { code: string }) => error.code,
      );
      await untilWaiting(2);
      await tx.delete(listEntries).where(sql`wallet_address = ${newcomer!}`);
      return { adding, committing };
    });
    expect(await sides.adding).toEqual({ added: 1, changed: 1, entries: 4 });
    expect(await sides.committing).toBe('conflict');
    await expectUnpublished(list, 4);
    expect(await desk.listActionsOf(sale)).toEqual([]);
  });

  it('never add to what is published: a part that waits for the commit is refused', async () => {
    const sale = await stage.draft();
    const list = await desk.draft(sale, part(3));
    const sides = await stage.database.db.transaction(async (tx) => {
      // The commit has published the list when it waits to write its audit entry.
      await tx.execute(sql`lock table ${auditEntries} in share row exclusive mode`);
      const committing = desk.commit(list);
      await untilWaiting(1);
      const adding = desk.add(list, part(1)).then(
        () => 'accepted',
        (error: { code: string }) => error.code,
      );
      await untilWaiting(2);
      return { committing, adding };
    });
    expect(await sides.committing).toMatchObject({ status: 'committed', entries: 3 });
    expect(await sides.adding).toBe('conflict');
    expect((await desk.rowOf(list))?.hash).toBe(await hashEntries(stage.database.db, list.id));
  });

  it('never publish a hash that is not of the rows, whoever comes first', async () => {
    const sale = await stage.draft();
    for (let round = 0; round < 12; round++) {
      const list = await desk.draft(sale, part(20));
      const settled = await Promise.allSettled([
        desk.commit(list),
        ...Array.from({ length: 4 }, async (_, index) => {
          // Spread over what a commit does.
          for (let i = 0; i < index + 4 * round; i++) await desk.rowOf(list);
          return desk.add(list, part(5));
        }),
      ]);
      for (const side of settled) {
        if (side.status === 'rejected') expect(side.reason).toMatchObject({ code: 'conflict' });
      }
      const row = await desk.rowOf(list);
      const rows = await stage.database.db.$count(listEntries, sql`list_id = ${list.id}`);
      expect(row?.entries).toBe(rows);
      if (row?.status === 'committed') {
        expect(row.hash).toBe(await hashEntries(stage.database.db, list.id));
        const [action] = (await desk.listActionsOf(sale)).filter(({ listHash }) => listHash === row.hash);
        expect(action).toBeDefined();
      } else {
        await desk.commit(list);
      }
      await stage.settle(sale.deposit);
    }
  });

  it('two commits of one draft make one action', async () => {
    const sale = await stage.draft();
    const list = await desk.draft(sale, part(3));
    const settled = await Promise.allSettled([desk.commit(list), desk.commit(list), desk.commit(list)]);
    expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    expect(await desk.listActionsOf(sale)).toHaveLength(1);
  });
});
