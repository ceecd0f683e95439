import { encode } from 'ripple-binary-codec';
import type { JsonObject } from '../json.ts';
import { localProblem } from '../localChecks.ts';
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

/** The transaction that these fields make, which must be one a server passes on. */
export function transactionOf(fields: JsonObject): Transaction {
  const tx = assembled(fields);
  const problem = localProblem(tx.fields);
  if (problem !== undefined) throw new RpcError('invalidParams', { message: problem });
  return tx;
}

function assembled(fields: JsonObject): Transaction {
  try {
    return parseTransaction(encode(fields));
  } catch (error) {
    throw new RpcError('invalidParams', error instanceof BlobError ? { message: error.message } : {});
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
