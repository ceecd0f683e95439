import { asc, eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { auditEntries } from '#drizzle/schema/access.ts';
import { listEntries } from '#drizzle/schema/sale.ts';
import { addEntries } from '#lib/sales/lists/add-entries.ts';
import { createList, MAX_DRAFTS } from '#lib/sales/lists/create-list.ts';
import { discardList } from '#lib/sales/lists/discard-list.ts';
import { entryLines } from '#lib/sales/lists/get-list.ts';
import { listLists } from '#lib/sales/lists/list-lists.ts';
import { freshDatabase } from '#tests/support/database.ts';
import { addRows, changeRows, deleteRows, rowsOf } from '#tests/support/rows.ts';
import { seedSale } from '#tests/support/sale.ts';
import { addresses, type ListsDesk, openListsDesk } from './lists-world.ts';
import { openStage, type Sale, type Stage } from './stage.ts';

let stage: Stage;
let desk: ListsDesk;

beforeAll(async () => {
  stage = await openStage();
  desk = openListsDesk(stage);
});
afterAll(() => stage?.end());

const [ANNA = '', BERT = '', CARA = ''] = addresses(3);
const entriesOf = (...wallets: string[]) => wallets.map((wallet_address) => ({ wallet_address }));

const publicLists = async (sale: Sale) =>
  (await listLists(stage.ctx, { projectId: sale.project.id, limit: 50, withDrafts: false })).lists;

describe('the published form', () => {
  it('is sorted byte by byte, also in a database that sorts text by another rule', async () => {
    const other = await freshDatabase();
    await other.db.execute(sql`alter table ${listEntries} alter column wallet_address type text collate "en-x-icu"`);
    const { projectId } = await seedSale(other.db);
    const ctx = { ...stage.ctx, db: other.db };
    const list = await createList(ctx, { projectId });
    const wallets = addresses(500);
    await addEntries(ctx, { projectId, listId: list.id, entries: entriesOf(...wallets) });
    const { rows } = await other.db.execute<{ wallet: string }>(
      sql`select wallet_address as wallet from ${listEntries} order by 1`,
    );
    let text = '';
    for await (const lines of entryLines(other.db, list.id)) text += lines;
    await other.close();
    const published = text
      .trimEnd()
      .split('\n')
      .map((line): string => JSON.parse(line).wallet_address);
    // Code units are bytes here: addresses are ASCII.
    expect(published).toEqual(wallets.toSorted());
    expect(rows.map(({ wallet }) => wallet)).not.toEqual(published);
  });
});

describe('a committed version', () => {
  it('cannot be changed by anybody, not even by a statement of the database administrator', async () => {
    const sale = await stage.draft();
    const list = await desk.inForce(sale, entriesOf(ANNA));
    const { db } = stage.database;
    const ofList = eq(listEntries.listId, list.id);
    const attempts = [
      () => addRows(db, 'listEntries', { listId: list.id, walletAddress: BERT }),
      () => db.update(listEntries).set({ capDrops: 1n }).where(ofList),
      () => db.delete(listEntries).where(ofList),
      () => changeRows(db, 'lists', { id: list.id }, { hash: 'a'.repeat(64) }),
      () => changeRows(db, 'lists', { id: list.id }, { status: 'draft', hash: null }),
      () => deleteRows(db, 'lists', { id: list.id }),
    ];

    for (const attempt of attempts) {
      await expect(attempt()).rejects.toMatchObject({ cause: { message: expect.stringContaining('never changes') } });
    }
    expect(await db.select().from(listEntries).where(ofList)).toEqual([
      { listId: list.id, walletAddress: ANNA, capDrops: null },
    ]);
  });
});

describe('a commit is refused', () => {
  const refusal = (promise: Promise<unknown>) =>
    promise.then(
      () => 'accepted',
      (error: { code: string; detail: string }) => `${error.code} ${error.detail}`,
    );

  it('for an empty draft, for what another version holds, and for the version in force', async () => {
    const sale = await stage.draft();
    const first = await desk.inForce(sale, [{ wallet_address: ANNA, cap_xrp: '10' }, { wallet_address: BERT }]);
    const second = await desk.draft(sale);
    expect(await refusal(desk.commit(second))).toBe('conflict The draft is empty. Add entries to it first.');
    // The same in another order and other words.
    await desk.add(second, [{ wallet_address: BERT, cap_xrp: null }]);
    await desk.add(second, [{ wallet_address: ANNA, cap_xrp: '10.000000' }]);
    expect(await refusal(desk.commit(second))).toBe(
      'conflict Version 1 has the same wallets and caps and is in force; discard this draft.',
    );
    expect(await refusal(desk.commit(first))).toBe('conflict Version 1 is in force already.');

    await desk.inForce(sale, entriesOf(CARA));
    expect(await refusal(desk.commit(second))).toBe(
      'conflict Version 1 has the same wallets and caps. Commit that one again; discard this draft.',
    );
    expect((await desk.listActionsOf(sale)).map(({ status }) => status)).toEqual(['applied', 'applied']);
  });

  it('while another action waits for the ledger, and then nothing is published', async () => {
    const sale = await stage.launched();
    const list = await desk.draft(sale, entriesOf(ANNA));
    await stage.act(sale, 'pause');
    await expect(desk.commit(list)).rejects.toMatchObject({ code: 'conflict' });
    expect(await desk.rowOf(list)).toMatchObject({ status: 'draft', hash: null, committedAt: null });
    await stage.settle(sale.deposit);
    await desk.commit(list);
    await stage.settle(sale.deposit);
    expect(await publicLists(sale)).toMatchObject([{ id: list.id, in_force: true }]);
  });

  it('for a project whose sale is over, which takes no new draft either', async () => {
    const sale = await stage.launched();
    const list = await desk.draft(sale, entriesOf(ANNA));
    await stage.act(sale, 'end');
    await stage.settle(sale.deposit);
    await expect(desk.commit(list)).rejects.toMatchObject({ code: 'transition_not_allowed' });
    await expect(desk.draft(sale)).rejects.toMatchObject({ code: 'transition_not_allowed' });
    expect(await desk.rowOf(list)).toMatchObject({ status: 'draft', hash: null });
  });

  it('for a version of another project', async () => {
    const [one, other] = [await stage.draft(), await stage.draft()];
    const list = await desk.draft(one, entriesOf(ANNA));
    await expect(desk.commit({ ...list, project_id: other.project.id })).rejects.toMatchObject({ code: 'not_found' });
  });
});

describe('a published version', () => {
  it('takes no part and is not discarded', async () => {
    const sale = await stage.draft();
    const list = await desk.draft(sale, entriesOf(ANNA));
    await desk.commit(list);
    const before = await desk.rowOf(list);
    await expect(desk.add(list, entriesOf(BERT))).rejects.toMatchObject({ code: 'conflict' });
    await expect(discardList(stage.ctx, { projectId: sale.project.id, listId: list.id })).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await desk.rowOf(list)).toEqual(before);
  });
});

describe('drafts', () => {
  it('are at most five a project, each with a number of its own, also when eight are asked for at once', async () => {
    const sale = await stage.draft();
    const asked = await Promise.allSettled(
      Array.from({ length: 8 }, () => createList(stage.ctx, { projectId: sale.project.id })),
    );
    const begun = asked.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    expect(begun.map(({ version }) => version).toSorted()).toEqual([1, 2, 3, 4, 5]);
    for (const each of asked) {
      if (each.status === 'rejected') expect(each.reason).toMatchObject({ code: 'limit_reached' });
    }
    expect(begun).toHaveLength(MAX_DRAFTS);
    // Any of the eight may have become the last version, whose number is free again without it.
    const first = begun.find(({ version }) => version === 1);
    await discardList(stage.ctx, { projectId: sale.project.id, listId: first?.id ?? '' });
    expect(await desk.draft(sale)).toMatchObject({ version: 6, status: 'draft', entries: 0, hash: null, url: null });
  });

  it('are seen by administrators only', async () => {
    const sale = await stage.draft();
    const published = await desk.inForce(sale, entriesOf(ANNA));
    const draft = await desk.draft(sale, entriesOf(BERT));
    expect((await publicLists(sale)).map(({ id }) => id)).toEqual([published.id]);
    const all = await listLists(stage.ctx, { projectId: sale.project.id, limit: 1, withDrafts: true });
    expect(all.lists).toMatchObject([{ id: draft.id, status: 'draft', entries: 1, in_force: false }]);
    const rest = await listLists(stage.ctx, {
      projectId: sale.project.id,
      limit: 1,
      withDrafts: true,
      cursor: all.next_cursor ?? '',
    });
    expect(rest).toMatchObject({ lists: [{ id: published.id }], next_cursor: null });
  });

  it('count a wallet once: the same part again changes nothing, a new cap is told', async () => {
    const sale = await stage.draft();
    const list = await desk.draft(sale);
    const part = [{ wallet_address: ANNA, cap_xrp: '10' }, { wallet_address: BERT }];
    expect(await desk.add(list, part)).toEqual({ added: 2, changed: 0, entries: 2 });
    expect(await desk.add(list, part)).toEqual({ added: 0, changed: 0, entries: 2 });
    expect(await desk.add(list, [...part.slice(0, 1), { wallet_address: BERT, cap_xrp: '0.5' }])).toEqual({
      added: 0,
      changed: 1,
      entries: 2,
    });
  });
});

describe('what administrators do', () => {
  it('stands in the audit log with who and why', async () => {
    const sale = await stage.draft();
    const actor = { kind: 'administrator', name: 'alice', role: 'operator' } as const;
    const alice = openListsDesk({ ...stage, ctx: { ...stage.ctx, actor } });
    const list = await alice.draft(sale, entriesOf(ANNA));
    const discarded = await alice.draft(sale);
    await discardList(
      { ...stage.ctx, actor },
      { projectId: sale.project.id, listId: discarded.id, reason: 'a mistake' },
    );
    await alice.commit(list);
    const entries = await stage.database.db
      .select({ action: auditEntries.action, actor: auditEntries.actor, reason: auditEntries.reason })
      .from(auditEntries)
      .where(eq(auditEntries.subject, list.id))
      .orderBy(asc(auditEntries.createdAt));
    const by = 'administrator:alice';
    expect(entries).toEqual([
      { action: 'list.create', actor: by, reason: 'created' },
      { action: 'list.add_entries', actor: by, reason: 'part uploaded' },
      { action: 'list.commit', actor: by, reason: 'asked for' },
    ]);
    const [dropped] = await rowsOf(stage.database.db, 'auditEntries', {
      subject: discarded.id,
      action: 'list.discard',
    });
    expect(dropped).toMatchObject({ actor: by, reason: 'a mistake' });
  });
});
