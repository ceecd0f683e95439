import type { PublishedAllocation, PublishedPayment, PublishedPayout } from '@tranche/verifier/published.ts';
import { allocationCursor, paidCursor, paymentCursor, payoutCursor } from '@tranche/verifier/rows.ts';
import type { PublishedSource } from '@tranche/verifier/types.ts';
import { formatDrops } from '#lib/base/money.ts';
import { projectResourceOf } from '#lib/sales/projects/project-resource.ts';
import { DEPOSIT, REFUND_MIN_DROPS, REGISTERED_LEDGER } from './random-sales/accounts.ts';
import type { DrawnSale } from './random-sales/sale.ts';
import { type DrawnProject, sha256 } from './random-sales/terms.ts';

export const ACCOUNT = {
  address: DEPOSIT,
  registered_ledger: REGISTERED_LEDGER,
  refund_min_xrp: formatDrops(REFUND_MIN_DROPS),
};

/** A random sale as the platform would answer for it, but for its results. */
export function publishedSource(
  { projects, exceptions, last, throughLedger }: DrawnSale,
  rows: PublishedRows = NO_ROWS,
): PublishedSource {
  const of = (id: string) => {
    const project = projects.find(({ row }) => row.id === id);
    if (project === undefined) throw new Error(`${id} is no project of this sale`);
    return project;
  };
  const resourceOf = ({ row, tiers }: DrawnProject) =>
    projectResourceOf({ ...row, custodyThroughLedger: throughLedger }, tiers, 0, null);
  return {
    depositAccount: async () => ({ ...ACCOUNT, network_id: 0, confirmed_ledger: last.ledger_index }),
    project: async (id) => resourceOf(of(id)),
    projects: async () => projects.map(resourceOf),
    terms: async (id) => ({ canonical: of(id).canonical, sha256: sha256(of(id).canonical), anchor: null }),
    lists: async (id) => [...of(id).lists.keys()].map((hash) => ({ id: hash, hash })),
    async *listText(id, listId) {
      yield of(id).lists.get(listId) ?? '';
    },
    // The first project answers for all: a verifier reads them together.
    exceptions: async (id) => (of(id) === projects[0] ? exceptions : []),
    payments: (id, _, cursor) => pageAfter(rows.payments(id), paymentCursor, cursor),
    allocations: (id, _, cursor) => pageAfter(rows.allocations(id), allocationCursor, cursor),
    payouts: (id, _, cursor) => pageAfter(rows.payouts(id), payoutCursor, cursor),
    paid: (id, _, account, cursor) =>
      pageAfter(rows.payouts(id).filter(isPaidBy(account)).toSorted(byLedger), paidCursor, cursor),
  };
}

export interface PublishedRows {
  payments(project: string): PublishedPayment[];
  allocations(project: string): PublishedAllocation[];
  payouts(project: string): PublishedPayout[];
}

const NO_ROWS: PublishedRows = { payments: () => [], allocations: () => [], payouts: () => [] };

const isPaidBy = (account: string) => (row: PublishedPayout) => row.account === account && row.status === 'validated';
const byLedger = (a: PublishedPayout, b: PublishedPayout) =>
  (a.ledger_index ?? 0) - (b.ledger_index ?? 0) || ((a.transaction_hash ?? '') < (b.transaction_hash ?? '') ? -1 : 1);

/** All after the row of a cursor, which is always one that was given. */
async function* pageAfter<Row>(
  all: Row[],
  cursorOf: (row: Row) => string,
  cursor: string | null,
): AsyncGenerator<Row[]> {
  const from = cursor === null ? 0 : all.findIndex((row) => cursorOf(row) === cursor) + 1;
  if (from < all.length) yield all.slice(from);
}
