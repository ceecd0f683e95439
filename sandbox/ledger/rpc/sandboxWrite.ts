import { type UnsignedFields, writePayments, writeTransactions } from '../bulk.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { requiredText } from './fields.ts';
import { type Handler, RpcError } from './types.ts';

const MAX_PAYMENTS = 1_000_000;
const MAX_TRANSACTIONS = 20_000;
const MAX_SENDERS = 10_000;
const MAX_PER_LEDGER = 20_000;

function invalid(name: string): RpcError {
  return new RpcError('invalidParams', { message: `Invalid field '${name}'.` });
}

function whole(name: string, value: Json | undefined, most: number, least = 1): number | undefined {
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return value;
  throw invalid(name);
}

function drops(request: JsonObject): bigint {
  const text = requiredText(request, 'amount');
  if (!/^[1-9]\d{0,16}$/.test(text)) throw invalid('amount');
  return BigInt(text);
}

/**
 * `sandbox_write_payments`: writes `count` validated payments of `amount` drops to `destination` at once, for load
 * tests. `destination_tag`, `senders` and `per_ledger` may be given. No real server has this command.
 */
export const sandboxWritePayments: Handler = ({ chain }, request) => {
  const destination = requiredText(request, 'destination');
  if (!isAddress(destination)) throw invalid('destination');
  const count = whole('count', request.count, MAX_PAYMENTS);
  if (count === undefined) throw new RpcError('invalidParams', { message: "Missing field 'count'." });
  const written = writePayments(chain, {
    count,
    destination,
    amountDrops: drops(request),
    destinationTag: whole('destination_tag', request.destination_tag, 2 ** 32 - 1, 0),
    senders: whole('senders', request.senders, MAX_SENDERS),
    perLedger: whole('per_ledger', request.per_ledger, MAX_PER_LEDGER),
  });
  return {
    count: written.count,
    ledger_index_max: written.lastLedgerIndex,
    ledger_index_min: written.firstLedgerIndex,
    senders: written.senders,
  };
};

function fieldsOf(value: Json): UnsignedFields {
  if (!isObject(value)) throw invalid('transactions');
  const { TransactionType, Account, SigningPubKey } = value;
  if (typeof TransactionType !== 'string' || typeof Account !== 'string' || typeof SigningPubKey !== 'string') {
    throw invalid('transactions');
  }
  return { ...value, TransactionType, Account, SigningPubKey };
}

/**
 * `sandbox_write_transactions`: writes the given transactions as validated ones, `per_ledger` a ledger, for load tests.
 * Each names its account and the key that would sign. No real server has this command.
 */
export const sandboxWriteTransactions: Handler = ({ chain }, request) => {
  const { transactions, per_ledger: perLedger } = request;
  if (!Array.isArray(transactions) || transactions.length > MAX_TRANSACTIONS) throw invalid('transactions');
  if (typeof perLedger !== 'number' || !Number.isInteger(perLedger) || perLedger < 1) throw invalid('per_ledger');
  const written = writeTransactions(chain, transactions.map(fieldsOf), perLedger);
  return { transactions: written.map(({ hash, ledgerIndex }) => ({ hash, ledger_index: ledgerIndex })) };
};
