import type { SaleAction } from '@tranche/rules/types.ts';
import { and, eq, sql } from 'drizzle-orm';
import { accountChanges, actions, type PaymentRow, payments } from '#drizzle/schema/sale.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { formatDrops } from '#lib/base/money.ts';
import type { FeedEntry } from '#lib/xrpl/types.ts';
import type { LoadedAccount } from '../feed/load-state.ts';
import { type Arrival, actionsOf, arrivalsOf, type Change, changesOf } from '../feed/recognise.ts';

type Value = string | number | null;

interface Difference {
  field: string;
  recorded: Value;
  ledger: Value;
}

/** One entry of the ledger's feed beside what the records have of it. */
export interface Compared {
  entry: FeedEntry;
  kind: 'payment' | 'action' | 'change';
  /** Drops that it brought or took. */
  changeDrops: bigint;
  /** `missing` is at or below the cursor, where it should be in the records; `ahead` is still to be read. */
  outcome: 'known' | 'missing' | 'ahead' | 'differs';
  differences: Difference[];
  /** Its ledger is decided already. */
  late: boolean;
}

interface Records {
  payments: ReadonlyMap<string, PaymentRow>;
  actions: ReadonlyMap<string, typeof actions.$inferSelect>;
  changes: ReadonlyMap<string, typeof accountChanges.$inferSelect>;
}

/**
 * Compares entries of the ledger's feed with the account's records: three queries for any number. Entries that have no
 * place in the records are left out. What is in the records is never judged by anything but the ledger's own words.
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
  const records = await loadRecords(
    db,
    address,
    entries.map((entry) => entry.hash),
  );
  return entries.flatMap((entry): Compared[] => {
    const arrival = arrivalOf.get(entry.hash);
    const change = changeOf.get(entry.hash);
    const [action] = actionsOf([entry], loaded);
    const found = [
      ...(arrival === undefined ? [] : [paymentDifferences(records, address, arrival)]),
      ...(action === undefined ? [] : [actionDifferences(records, action)]),
      ...(change === undefined ? [] : [changeDifferences(records, change)]),
    ];
    if (found.length === 0) return [];
    const differences = found.flatMap((each) => each ?? []);
    const absent = entry.ledgerIndex > cursorLedger ? 'ahead' : 'missing';
    return [
      {
        entry,
        kind: arrival !== undefined ? 'payment' : action !== undefined ? 'action' : 'change',
        changeDrops: entry.changeDrops,
        outcome: differences.length > 0 ? 'differs' : found.includes(null) ? absent : 'known',
        differences,
        late: entry.ledgerIndex <= confirmedLedger,
      },
    ];
  });
}

async function loadRecords(db: Db, address: string, hashes: readonly string[]): Promise<Records> {
  const asked = textArray(hashes);
  const paymentRows = await db.select().from(payments).where(sql`${payments.txHash} = any (${asked})`);
  const actionRows = await db.select().from(actions).where(sql`${actions.txHash} = any (${asked})`);
  const changeRows = await db
    .select()
    .from(accountChanges)
    .where(and(eq(accountChanges.account, address), sql`${accountChanges.txHash} = any (${asked})`));
  return {
    payments: new Map(paymentRows.map((row) => [row.txHash, row])),
    actions: new Map(actionRows.map((row) => [row.txHash, row])),
    changes: new Map(changeRows.map((row) => [row.txHash, row])),
  };
}

const differing = (pairs: Record<string, [recorded: Value, ledger: Value]>): Difference[] =>
  Object.entries(pairs).flatMap(([field, [recorded, ledger]]) =>
    recorded === ledger ? [] : [{ field, recorded, ledger }],
  );

/** Null when the records have nothing of it. */
function paymentDifferences(records: Records, address: string, arrival: Arrival): Difference[] | null {
  const row = records.payments.get(arrival.entry.hash);
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

function actionDifferences(records: Records, action: SaleAction): Difference[] | null {
  const row = records.actions.get(action.hash);
  // Our own submission that the feed has not brought has no place yet.
  if (row === undefined || row.status === 'submitted' || row.status === 'expired') return null;
  return differing({
    ledger_index: [row.ledgerIndex, action.ledgerIndex],
    transaction_index: [row.transactionIndex, action.transactionIndex],
    project_id: [row.projectId, action.projectId],
    action: [row.action, action.action],
    terms_hash: [row.termsHash, action.termsHash],
    list_hash: [row.listHash, action.listHash],
    payment_hash: [row.paymentHash, action.paymentHash],
  });
}

function changeDifferences(records: Records, change: Change): Difference[] | null {
  const row = records.changes.get(change.entry.hash);
  if (row === undefined) return null;
  return differing({
    ledger_index: [row.ledgerIndex, change.entry.ledgerIndex],
    transaction_index: [row.transactionIndex, change.entry.transactionIndex],
    change_xrp: [formatDrops(row.changeDrops), formatDrops(change.changeDrops)],
  });
}
