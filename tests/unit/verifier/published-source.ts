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
export function publishedSource({ projects, exceptions, last }: DrawnSale): PublishedSource {
  const of = (id: string) => {
    const project = projects.find(({ row }) => row.id === id);
    if (project === undefined) throw new Error(`${id} is no project of this sale`);
    return project;
  };
  const resourceOf = ({ row, tiers }: DrawnProject) => projectResourceOf(row, tiers, 0, null);
  async function* none(): AsyncGenerator<never[]> {}
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
    payments: none,
    allocations: none,
    payouts: none,
    paid: none,
  };
}
