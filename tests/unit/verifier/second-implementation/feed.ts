import { millisOfLedger } from './arithmetic.ts';
import { type MoveText, readMoveText } from './memo.ts';
import type { LastLedger, LedgerTransaction, PublishedAccount } from './publications.ts';

const FULLY_CANONICAL = 0x80000000;

/** Where an entry stands. */
export interface Place {
  hash: string;
  ledger: number;
  index: number;
  /** Close time in milliseconds. */
  at: number;
}

export interface ArrivedPayment extends Place {
  is: 'payment';
  sender: string;
  tag: number | null;
  sourceTag: number | null;
  received: bigint;
}

export interface PublishedMove extends Place {
  is: 'move';
  says: MoveText;
}

export type Entry = ArrivedPayment | PublishedMove;

/** The entries that can matter, in the order of the ledger (docs/verification.md section 2). */
export function readFeed(account: PublishedAccount, history: LedgerTransaction[], last: LastLedger): Entry[] {
  return history
    .filter((line) => line.ledger_index > account.registered_ledger && line.ledger_index <= last.ledger_index)
    .filter((line) => line.meta.TransactionResult === 'tesSUCCESS')
    .map((line) => asPayment(account.address, line) ?? asMove(account.address, line))
    .filter((entry) => entry !== null)
    .sort((a, b) => a.ledger - b.ledger || a.index - b.index);
}

function asPayment(address: string, line: LedgerTransaction): ArrivedPayment | null {
  const { TransactionType, Destination, Account, DestinationTag, SourceTag } = line.tx_json;
  if (TransactionType !== 'Payment' || Destination !== address) return null;
  if (typeof Account !== 'string' || Account === address) return null;
  const delivered = line.meta.delivered_amount;
  if (typeof delivered !== 'string' || !/^[1-9][0-9]*$/.test(delivered)) return null;
  return {
    is: 'payment',
    ...placeOf(line),
    sender: Account,
    tag: typeof DestinationTag === 'number' ? DestinationTag : null,
    sourceTag: typeof SourceTag === 'number' ? SourceTag : null,
    received: BigInt(delivered),
  };
}

function asMove(address: string, line: LedgerTransaction): PublishedMove | null {
  const { TransactionType, Account, SetFlag, ClearFlag, Flags, Memos } = line.tx_json;
  if (TransactionType !== 'AccountSet' || Account !== address) return null;
  if (SetFlag !== undefined || ClearFlag !== undefined) return null;
  if (Flags !== undefined && Flags !== 0 && Flags !== FULLY_CANONICAL) return null;
  const says = readMoveText(Memos);
  return says && { is: 'move', ...placeOf(line), says };
}

function placeOf(line: LedgerTransaction): Place {
  return {
    hash: line.hash,
    ledger: line.ledger_index,
    index: Number(line.meta.TransactionIndex),
    at: millisOfLedger(line.close_time),
  };
}
