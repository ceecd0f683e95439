import { type UnsignedFields, writeTransactions } from '../bulk.ts';
import { isObject, type Json } from '../json.ts';
import { type Handler, RpcError } from './types.ts';

const MAX_COUNT = 20_000;

const invalid = (name: string) => new RpcError('invalidParams', { message: `Invalid field '${name}'.` });

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
  if (!Array.isArray(transactions) || transactions.length > MAX_COUNT) throw invalid('transactions');
  if (typeof perLedger !== 'number' || !Number.isInteger(perLedger) || perLedger < 1) throw invalid('per_ledger');
  const written = writeTransactions(chain, transactions.map(fieldsOf), perLedger);
  return { transactions: written.map(({ hash, ledgerIndex }) => ({ hash, ledger_index: ledgerIndex })) };
};
