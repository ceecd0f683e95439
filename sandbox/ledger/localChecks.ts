import { encodeObject } from './binary/encode.ts';
import { isMpt } from './entries.ts';
import { isObject, type JsonObject } from './json.ts';
import { innerTransactions, type TransactionFields } from './transaction.ts';

/** Serialized memos may not be longer, wrapped as they are but without the list's own head and end. */
const MAX_MEMOS_BYTES = 1024;
/** The head of the list of memos and its end: a byte each. */
const LIST_FRAME_BYTES = 2;
const MEMO_FIELDS = new Set(['MemoData', 'MemoFormat', 'MemoType']);
/** What may stand in a URL: RFC 3986. */
const URL_TEXT = /^[0-9A-Za-z\-._~:/?#[\]@!$&'()*+,;=%]*$/;

const PSEUDO_TRANSACTIONS = new Set(['EnableAmendment', 'SetFee', 'UNLModify']);

/** Where an amount may be of a multi-purpose token, by type. */
const MPT_FIELDS: Readonly<Record<string, readonly string[]>> = {
  AMMClawback: ['Amount'],
  AMMCreate: ['Amount', 'Amount2'],
  AMMDeposit: ['Amount', 'Amount2'],
  AMMWithdraw: ['Amount', 'Amount2'],
  CheckCash: ['Amount', 'DeliverMin'],
  CheckCreate: ['SendMax'],
  Clawback: ['Amount'],
  EscrowCreate: ['Amount'],
  LoanBrokerCoverClawback: ['Amount'],
  LoanBrokerCoverDeposit: ['Amount'],
  LoanBrokerCoverWithdraw: ['Amount'],
  LoanPay: ['Amount'],
  OfferCreate: ['TakerGets', 'TakerPays'],
  Payment: ['Amount', 'DeliverMin', 'SendMax'],
  VaultClawback: ['Amount'],
  VaultDeposit: ['Amount'],
  VaultWithdraw: ['Amount'],
};
const AMOUNTS = ['Amount', 'Amount2', 'DeliverMin', 'LimitAmount', 'SendMax', 'TakerGets', 'TakerPays', 'Fee'] as const;

function memoProblem(memos: readonly JsonObject[]): string | undefined {
  if (encodeObject({ Memos: memos }).length / 2 - LIST_FRAME_BYTES > MAX_MEMOS_BYTES) {
    return 'The memo exceeds the maximum allowed size.';
  }
  for (const wrapped of memos) {
    const { Memo: memo } = wrapped;
    if (!isObject(memo)) return 'A memo array may contain only Memo objects.';
    for (const [name, value] of Object.entries(memo)) {
      if (!MEMO_FIELDS.has(name)) return 'A memo may contain only MemoType, MemoData or MemoFormat fields.';
      if (name !== 'MemoData' && !URL_TEXT.test(Buffer.from(String(value), 'hex').toString('latin1'))) {
        return 'The MemoType and MemoFormat fields may only contain characters that are allowed in URLs under RFC 3986.';
      }
    }
  }
  return undefined;
}

function hasForeignMpt(fields: TransactionFields & JsonObject): boolean {
  return AMOUNTS.some((name) => {
    const amount = fields[name];
    return isObject(amount) && isMpt(amount as never) && !MPT_FIELDS[fields.TransactionType]?.includes(name);
  });
}

/** Why a server that is asked to submit a well-signed transaction refuses it by itself, in the server's words. */
export function localProblem(fields: TransactionFields): string | undefined {
  const json = fields as TransactionFields & JsonObject;
  if (Array.isArray(json.Memos)) {
    const problem = memoProblem(json.Memos);
    if (problem !== undefined) return problem;
  }
  if (PSEUDO_TRANSACTIONS.has(fields.TransactionType)) return 'Cannot submit pseudo transactions.';
  if (hasForeignMpt(json)) return 'Amount can not be MPT.';
  if (fields.RawTransactions === undefined) return undefined;
  for (const { fields: inner } of innerTransactions(fields)) {
    const problem = localProblem(inner);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
