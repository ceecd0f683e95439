import { randomBytes } from 'node:crypto';
import type { ListResource } from '@tranche/verifier/published.ts';
import { encodeAccountID } from 'ripple-address-codec';
import type { actions, lists } from '#drizzle/schema/sale.ts';
import { addEntries } from '#lib/sales/lists/add-entries.ts';
import { type CommittedList, commitList } from '#lib/sales/lists/commit-list.ts';
import type { EntryInput } from '#lib/sales/lists/contracts.ts';
import { createList } from '#lib/sales/lists/create-list.ts';
import { changeRows, rowsOf } from '#tests/support/rows.ts';
import type { Sale, Stage } from './stage.ts';

/** Addresses of accounts that need not exist. */
export const addresses = (count: number): string[] =>
  Array.from({ length: count }, () => encodeAccountID(randomBytes(20)));

/** What tests do with a sale's allowlist. */
export interface ListsDesk {
  draft(sale: Sale, entries?: readonly EntryInput[]): Promise<ListResource>;
  add(list: ListResource, entries: readonly EntryInput[]): ReturnType<typeof addEntries>;
  commit(list: ListResource): Promise<CommittedList>;
  /** A version that the ledger has put in force. */
  inForce(sale: Sale, entries: readonly EntryInput[]): Promise<ListResource>;
  /** A launched sale that sells to the wallets of a list only, with such a list in force. */
  launched(entries: readonly EntryInput[]): Promise<Sale>;
  rowOf(list: ListResource): Promise<typeof lists.$inferSelect | undefined>;
  listActionsOf(sale: Sale): Promise<(typeof actions.$inferSelect)[]>;
}

export function openListsDesk(stage: Stage): ListsDesk {
  const { ctx, database } = stage;
  const desk: ListsDesk = {
    async draft(sale, entries = []) {
      const list = await createList(ctx, { projectId: sale.project.id });
      if (entries.length > 0) await desk.add(list, entries);
      return list;
    },
    add: (list, entries) => addEntries(ctx, { projectId: list.project_id, listId: list.id, entries }),
    commit: (list) => commitList(ctx, { projectId: list.project_id, listId: list.id, reason: 'asked for' }),
    async inForce(sale, entries) {
      const list = await desk.draft(sale, entries);
      await desk.commit(list);
      await stage.settle(sale.deposit);
      return list;
    },
    async launched(entries) {
      const sale = await stage.draft();
      await changeRows(database.db, 'projects', { id: sale.project.id }, { access: 'allowlist' });
      await desk.inForce(sale, entries);
      await stage.act(sale, 'launch');
      await stage.settle(sale.deposit);
      return sale;
    },
    async rowOf(list) {
      const [row] = await rowsOf(database.db, 'lists', { id: list.id });
      return row;
    },
    async listActionsOf(sale) {
      const rows = await rowsOf(database.db, 'actions', { projectId: sale.project.id });
      return rows.filter((row) => row.action === 'list');
    },
  };
  return desk;
}
