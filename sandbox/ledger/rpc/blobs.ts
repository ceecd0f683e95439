import { encode } from 'ripple-binary-codec';
import type { JsonObject } from '../json.ts';
import { BlobError, parseTransaction, type Transaction } from '../transaction.ts';
import { RpcError } from './types.ts';

/** The error for a blob that never reaches the engine. */
export function invalidTransaction(problem: string): RpcError {
  return new RpcError('invalidTransaction', { fields: { error_exception: problem } });
}

/** The transaction in a blob. */
export function parsed(blob: string): Transaction {
  try {
    return parseTransaction(blob);
  } catch (error) {
    if (error instanceof BlobError) throw invalidTransaction(error.message);
    throw error;
  }
}

/** A transaction in JSON as a blob. */
export function encoded(fields: JsonObject): string {
  try {
    return encode(fields);
  } catch {
    throw new RpcError('invalidParams');
  }
}
