import type { JsonDraft, JsonObject } from '../json.ts';
import { feeDrops, type Queued } from '../queue.ts';
import { sequenceKey } from '../transaction.ts';

const maxSpendDrops = ({ tx, spendDrops }: Queued): bigint => feeDrops(tx) + spendDrops;

/** One transaction of the queue, as both `account_info` and `ledger` describe it. */
export function shownQueued(queued: Queued): JsonDraft {
  const { tx, level, isBlocker } = queued;
  const { LastLedgerSequence: lastLedger } = tx.fields;
  return {
    ...(lastLedger === undefined ? {} : { LastLedgerSequence: lastLedger }),
    auth_change: isBlocker,
    fee: String(feeDrops(tx)),
    fee_level: String(level),
    max_spend_drops: String(maxSpendDrops(queued)),
  };
}

/** `queue_data` of `account_info`. */
export function accountQueueData(waiting: readonly Queued[]): JsonObject {
  if (waiting.length === 0) return { txn_count: 0 };
  const keys = waiting.map(({ tx }) => sequenceKey(tx.fields));
  const sequences = keys.filter(({ isTicket }) => !isTicket).map(({ value }) => value);
  const tickets = keys.filter(({ isTicket }) => isTicket).map(({ value }) => value);
  return {
    auth_change_queued: waiting.some(({ isBlocker }) => isBlocker),
    ...(sequences.length === 0
      ? {}
      : {
          highest_sequence: Math.max(...sequences),
          lowest_sequence: Math.min(...sequences),
          sequence_count: sequences.length,
        }),
    ...(tickets.length === 0
      ? {}
      : { highest_ticket: Math.max(...tickets), lowest_ticket: Math.min(...tickets), ticket_count: tickets.length }),
    max_spend_drops_total: String(waiting.reduce((sum, queued) => sum + maxSpendDrops(queued), 0n)),
    transactions: waiting.map((queued) => {
      const { isTicket, value } = sequenceKey(queued.tx.fields);
      return { ...shownQueued(queued), ...(isTicket ? { ticket: value } : { seq: value }) };
    }),
    txn_count: waiting.length,
  };
}
