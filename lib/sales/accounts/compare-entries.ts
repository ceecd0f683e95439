import type { SaleMove } from '@tranche/rules/types.ts';
import { and, eq, sql } from 'drizzle-orm';
import { accountChanges, moves, payments } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import type { LoadedAccount } from '../feed/load-state.ts';
import { type Arrival, arrivalsOf, type Change, changesOf, movesOf } from '../feed/recognise.ts';

type Value = string | number | null;

interface Difference {
  field: string;
  books: Value;
  ledger: Value;
}

/** One entry of the ledger's feed beside what the books have of it. */
export interface Compared {
  entry: FeedEntry;
  kind: 'payment' | 'move' | 'change';
  /** Drops that it brought or took. */
  changeDrops: bigint;
  /** `missing` is at or below the cursor, where it should be in the books; `ahead` is still to be read. */
  outcome: 'known' | 'missing' | 'ahead' | 'differs';
  differences: Difference[];
  /** Its ledger is decided already. */
  late: boolean;
}

interface Books {
  payments: ReadonlyMap<string, typeof payments.$inferSelect>;
  moves: ReadonlyMap<string, typeof moves.$inferSelect>;
  changes: ReadonlyMap<string, typeof accountChanges.$inferSelect>;
}

/**
 * Compares entries of the ledger's feed with the account's books: three queries for any number. Entries that have no
 * place in the books are left out. What is in the books is never judged by anything but the ledger's own words.
 */
export async function compareEntries(
  db: Db,
  loaded: LoadedAccount,
  entries: readonly FeedEntry[],
): Promise<Compared[]> {
  const { address, cursorLedger, confirmedLedger } = loaded.account;
  const arrivals = arrivalsOf(entries, confirmedLedger);
  const arrivalOf = new Map(arrivals.map((arrival) => [arrival.entry.hash, arrival]));
  const changeOf = new Map(changesOf(entries, arrivals).map((change) => [change.entry.hash, change]));
  const books = await loadBooks(
    db,
    address,
    entries.map((entry) => entry.hash),
  );
  return entries.flatMap((entry): Compared[] => {
    const arrival = arrivalOf.get(entry.hash);
    const change = changeOf.get(entry.hash);
    const [move] = movesOf([entry], loaded);
    const found = [
      ...(arrival === undefined ? [] : [paymentDifferences(books, address, arrival)]),
      ...(move === undefined ? [] : [moveDifferences(books, move)]),
      ...(change === undefined ? [] : [changeDifferences(books, change)]),
    ];
    if (found.length === 0) return [];
    const differences = found.flatMap((each) => each ?? []);
    const absent = entry.ledgerIndex > cursorLedger ? 'ahead' : 'missing';
    return [
      {
        entry,
        kind: arrival !== undefined ? 'payment' : move !== undefined ? 'move' : 'change',
        changeDrops: entry.changeDrops,
        outcome: differences.length > 0 ? 'differs' : found.includes(null) ? absent : 'known',
        differences,
        late: entry.ledgerIndex <= confirmedLedger,
      },
    ];
  });
}

async function loadBooks(db: Db, address: string, hashes: readonly string[]): Promise<Books> {
  const asked = textArray(hashes);
  const paymentRows = await db.select().from(payments).where(sql`${payments.txHash} = any (${asked})`);
  const moveRows = await db.select().from(moves).where(sql`${moves.txHash} = any (${asked})`);
  const changeRows = await db
    .select()
    .from(accountChanges)
    .where(and(eq(accountChanges.account, address), sql`${accountChanges.txHash} = any (${asked})`));
  return {
    payments: new Map(paymentRows.map((row) => [row.txHash, row])),
    moves: new Map(moveRows.map((row) => [row.txHash, row])),
    changes: new Map(changeRows.map((row) => [row.txHash, row])),
  };
}

const differing = (pairs: Record<string, [books: Value, ledger: Value]>): Difference[] =>
  Object.entries(pairs).flatMap(([field, [books, ledger]]) => (books === ledger ? [] : [{ field, books, ledger }]));

/** Null when the books have nothing of it. */
function paymentDifferences(books: Books, address: string, arrival: Arrival): Difference[] | null {
  const row = books.payments.get(arrival.entry.hash);
  if (row === undefined) return null;
  return differing({
    account: [row.account, address],
    ledger_index: [row.ledgerIndex, arrival.entry.ledgerIndex],
    transaction_index: [row.transactionIndex, arrival.entry.transactionIndex],
    sender: [row.sender, arrival.sender],
    destination_tag: [row.destinationTag, arrival.destinationTag],
    source_tag: [row.sourceTag, arrival.sourceTag],
    received_xrp: [formatDrops(row.receivedDrops), formatDrops(arrival.receivedDrops)],
  });
}

function moveDifferences(books: Books, move: SaleMove): Difference[] | null {
  const row = books.moves.get(move.hash);
  // Our own submission that the feed has not brought has no place yet.
  if (row === undefined || row.status === 'submitted' || row.status === 'expired') return null;
  return differing({
    ledger_index: [row.ledgerIndex, move.ledgerIndex],
    transaction_index: [row.transactionIndex, move.transactionIndex],
    project_id: [row.projectId, move.projectId],
    move: [row.move, move.move],
    terms_hash: [row.termsHash, move.termsHash],
    list_hash: [row.listHash, move.listHash],
    payment_hash: [row.paymentHash, move.paymentHash],
  });
}

function changeDifferences(books: Books, change: Change): Difference[] | null {
  const row = books.changes.get(change.entry.hash);
  if (row === undefined) return null;
  return differing({
    ledger_index: [row.ledgerIndex, change.entry.ledgerIndex],
    transaction_index: [row.transactionIndex, change.entry.transactionIndex],
    change_xrp: [formatDrops(row.changeDrops), formatDrops(change.changeDrops)],
  });
}
