import type { ExpectedAllocation } from './expected.ts';
import { addDifference, addFieldDifferences, type Findings } from './findings.ts';
import type { AllocationRow, PublishedPayment } from './published.ts';
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
    placeOf: (row: ExpectedAllocation): Place => [row.ledger_index, row.transaction_index, row.tier],
    nameOf: (row: ExpectedAllocation): string => `${row.transaction_hash} tier ${row.tier}`,
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

/** Compares what is expected with the next published row, and returns that; null when it is not there. */
async function compare<Expected extends { ledger_index: number }, Row extends Expected>(
  name: keyof typeof named,
  kind: Kind<Expected>,
  rows: Rows<Row>,
  expected: Expected,
  findings: Findings,
): Promise<Row | null> {
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
    return null;
  }
  rows.take();
  addFieldDifferences<Expected>(findings, { ...about, kind: `${name}_differs` }, expected, published);
  return published;
}

/** Compares one decision with the next published one; both come in feed order. */
export const comparePayment = (rows: Rows<PublishedPayment>, expected: PublishedPayment, findings: Findings) =>
  compare('payment', named.payment, rows, expected, findings);

/** The same of one allocation, which is confirmed when it is decided or later. */
export async function compareAllocation(
  rows: Rows<AllocationRow>,
  expected: ExpectedAllocation,
  findings: Findings,
): Promise<void> {
  const published = await compare('allocation', named.allocation, rows, expected, findings);
  if (published === null) return;
  const { confirmed_at: found } = published;
  if (Date.parse(found) >= Date.parse(expected.decided_at)) return;
  const subject = named.allocation.nameOf(expected);
  addDifference(findings, {
    kind: 'allocation_differs',
    subject,
    ledger_index: expected.ledger_index,
    field: 'confirmed_at',
    expected: `${expected.decided_at} or later`,
    found,
    message: `${subject}: confirmed_at must be ${expected.decided_at} or later, and is published as ${found}`,
  });
}

/** What is published beyond the last decision. */
export async function endComparison(
  payments: Rows<PublishedPayment>,
  allocations: Rows<AllocationRow>,
  findings: Findings,
): Promise<void> {
  await dropExtra('payment', named.payment, payments, null, findings);
  await dropExtra('allocation', named.allocation, allocations, null, findings);
}
