import type { PublishedPayment, PublishedPayout } from '@tranche/verifier/published.ts';
import type { Db } from '#lib/base/db.ts';
import type { ProjectRow } from '../projects/project-resource.ts';
import { decisionWindows } from './decision-windows.ts';
import type { AsOf } from './payout-row.ts';
import type { DecisionPlace, PaidPlace, PayoutPlace } from './places.ts';
import { readPayments } from './read-payments.ts';
import { readPaid, readPayoutsOf, readReleases } from './read-payouts.ts';
import { pagesAfter } from './rows-as-text.ts';

/** Rows a statement, and a chunk of an answer. */
const PAGE_ROWS = 2_000;

/** Pages of decisions after a place (null: from the first). */
export const openPayments = (db: Db, project: ProjectRow, asOf: number, after: DecisionPlace | null) =>
  pagesAfter(
    after ?? { ledgerIndex: 0, transactionIndex: 0 },
    PAGE_ROWS,
    (place, limit) => readPayments(db, project, { asOf, after: place, limit }),
    (row: PublishedPayment): DecisionPlace => ({
      ledgerIndex: row.ledger_index,
      transactionIndex: row.transaction_index,
    }),
  );

/** Rows of `payouts` a page: a long vesting makes many of each payment. */
const paymentsAPage = ({ vesting }: ProjectRow): number => Math.max(10, Math.floor(PAGE_ROWS / (vesting.periods + 1)));

/** Pages of payouts in the order of their payments, releases last. */
export async function* openPayouts(
  db: Db,
  project: ProjectRow,
  asOf: AsOf,
  after: PayoutPlace | null,
): AsyncGenerator<PublishedPayout[]> {
  if (after?.kind !== 'release') {
    const from = after ?? { ledgerIndex: 0, transactionIndex: 0 };
    for await (const decided of decisionWindows(db, project, asOf.ledger, { from, limit: paymentsAPage(project) })) {
      const rows = await readPayoutsOf(db, project, asOf, decided);
      yield after === null ? rows : rows.filter((row) => isAfter(row, after));
    }
  }
  yield* pagesAfter(
    after?.kind === 'release' ? after.id : '',
    PAGE_ROWS,
    (id, limit) => readReleases(db, project, asOf, { after: id, limit }),
    (row: PublishedPayout) => row.id,
  );
}

/** Whether a row of a payment stands after a place; only those of the place's own payment can stand before it. */
function isAfter(row: PublishedPayout, after: PayoutPlace): boolean {
  const ofSame =
    row.decided_ledger_index === after.ledgerIndex && row.decided_transaction_index === after.transactionIndex;
  return !ofSame || row.kind > after.kind || (row.kind === after.kind && row.part > after.part);
}

/** Pages of validated payouts as the ledger shows them. */
export const openPaid = (db: Db, project: ProjectRow, asOf: number, account: string | null, after: PaidPlace | null) =>
  pagesAfter(
    after ?? { ledgerIndex: 0, transactionHash: '' },
    PAGE_ROWS,
    (place, limit) => readPaid(db, project, { asOf, after: place, limit, account }),
    (row: PublishedPayout): PaidPlace => ({
      ledgerIndex: row.ledger_index ?? 0,
      transactionHash: row.transaction_hash ?? '',
    }),
  );
