import type { AllocationRow } from '../allocations/contracts.ts';
import type { PublishedPayment } from '../published/contracts.ts';
import { addDifference, addFieldDifferences, type Findings } from './findings.ts';
import type { Rows } from './rows.ts';

/** A row's place: compared number by number. */
type Place = readonly number[];

const comparePlaces = (a: Place, b: Place): number => {
  for (const [index, number] of a.entries()) {
    const difference = number - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
};

const named = {
  payment: {
    placeOf: (row: PublishedPayment): Place => [row.ledger_index, row.transaction_index],
    nameOf: (row: PublishedPayment): string => row.transaction_hash,
  },
  allocation: {
    placeOf: (row: AllocationRow): Place => [row.ledger_index, row.transaction_index, row.tier],
    nameOf: (row: AllocationRow): string => `${row.transaction_hash} tier ${row.tier}`,
  },
};

interface Kind<Row> {
  placeOf: (row: Row) => Place;
  nameOf: (row: Row) => string;
}

/** Rows that stand before `place` (null: all that are left) are of nothing that the ledger holds. */
async function dropExtra<Row extends { ledger_index: number }>(
  name: keyof typeof named,
  { placeOf, nameOf }: Kind<Row>,
  rows: Rows<Row>,
  place: Place | null,
  findings: Findings,
): Promise<Row | null> {
  for (;;) {
    const row = rows.here ?? (await rows.peek());
    if (row === null || (place !== null && comparePlaces(placeOf(row), place) >= 0)) return row;
    rows.take();
    addDifference(findings, {
      kind: `${name}_extra`,
      subject: nameOf(row),
      ledger_index: row.ledger_index,
      found: JSON.stringify(row),
      message: `${nameOf(row)}: is published, and does not follow from the ledger`,
    });
  }
}

async function compare<Row extends { ledger_index: number }>(
  name: keyof typeof named,
  kind: Kind<Row>,
  rows: Rows<Row>,
  expected: Row,
  findings: Findings,
): Promise<void> {
  const published = await dropExtra(name, kind, rows, kind.placeOf(expected), findings);
  const subject = kind.nameOf(expected);
  const about = { subject, ledger_index: expected.ledger_index };
  if (published === null || comparePlaces(kind.placeOf(published), kind.placeOf(expected)) !== 0) {
    addDifference(findings, {
      ...about,
      kind: `${name}_missing`,
      expected: JSON.stringify(expected),
      message: `${subject}: follows from the ledger, and is not published`,
    });
    return;
  }
  rows.take();
  addFieldDifferences(findings, { ...about, kind: `${name}_differs` }, expected, published);
}

/** Compares one decision with the next published one; both come in feed order. */
export const comparePayment = (rows: Rows<PublishedPayment>, expected: PublishedPayment, findings: Findings) =>
  compare('payment', named.payment, rows, expected, findings);

/** The same of one allocation. */
export const compareAllocation = (rows: Rows<AllocationRow>, expected: AllocationRow, findings: Findings) =>
  compare('allocation', named.allocation, rows, expected, findings);

/** What is published beyond the last decision. */
export async function endComparison(
  payments: Rows<PublishedPayment>,
  allocations: Rows<AllocationRow>,
  findings: Findings,
): Promise<void> {
  await dropExtra('payment', named.payment, payments, null, findings);
  await dropExtra('allocation', named.allocation, allocations, null, findings);
}
