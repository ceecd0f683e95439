import { millisOfLedger } from './arithmetic.ts';
import { type MemoText, readMemoText } from './memo.ts';
import type { LastLedger, LedgerTransaction } from './publications.ts';

const FULLY_CANONICAL = 0x80000000;

/** Where an entry stands. */
export interface Position {
  hash: string;
  ledger: number;
  index: number;
  /** Close time in milliseconds. */
  at: number;
}

export interface ArrivedPayment extends Position {
  is: 'payment';
  sender: string;
  tag: number | null;
  sourceTag: number | null;
  received: bigint;
}

export interface PublishedAction extends Position {
  is: 'move';
  says: MemoText;
  /** The transaction that carries it, with its signers. */
  carrier: LedgerTransaction['tx_json'];
}

export type Entry = ArrivedPayment | PublishedAction;

/** The entries that can matter, in the order of the ledger (docs/verification.md section 2). */
export function readFeed(address: string, after: number, history: LedgerTransaction[], last: LastLedger): Entry[] {
  return history
    .filter((line) => line.ledger_index > after && line.ledger_index <= last.ledger_index)
    .filter((line) => line.meta.TransactionResult === 'tesSUCCESS')
    .map((line) => asPayment(address, line) ?? asAction(address, line))
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
    ...positionOf(line),
    sender: Account,
    tag: typeof DestinationTag === 'number' ? DestinationTag : null,
    sourceTag: typeof SourceTag === 'number' ? SourceTag : null,
    received: BigInt(delivered),
  };
}

function asAction(address: string, line: LedgerTransaction): PublishedAction | null {
  const { TransactionType, Account, Delegate, SetFlag, ClearFlag, Flags, Memos } = line.tx_json;
  if (TransactionType !== 'AccountSet' || Account !== address) return null;
  if (Delegate !== undefined || SetFlag !== undefined || ClearFlag !== undefined) return null;
  if (Flags !== undefined && Flags !== 0 && Flags !== FULLY_CANONICAL) return null;
  const says = readMemoText(Memos);
  return says && { is: 'move', ...positionOf(line), says, carrier: line.tx_json };
}

function positionOf(line: LedgerTransaction): Position {
  return {
    hash: line.hash,
    ledger: line.ledger_index,
    index: Number(line.meta.TransactionIndex),
    at: millisOfLedger(line.close_time),
  };
}
