import { batchSignersProblem, signatureProblem } from '../engine/signature.ts';
import { hasFlag, TF_INNER_BATCH } from '../engine/types.ts';
import type { JsonDraft, JsonObject } from '../json.ts';
import { localProblem } from '../localChecks.ts';
import { engineResult } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { invalidTransaction, parsed } from './blobs.ts';
import { asBool, asText } from './fields.ts';
import { ctid } from './render.ts';
import { impersonatedTransaction, isImpersonated } from './sandboxImpersonate.ts';
import { signRequest } from './sign.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

/** Hex of any length: a single digit in front is a byte of its own. */
const HEX = /^[0-9A-Fa-f]+$/;
/** What was wrong with a transaction before: the server words the second refusal differently. */
const knownBad = new Map<string, string>();
const MAX_KNOWN_BAD = 10_000;

/** Checks that are the server's own: nothing that fails them reaches the engine. */
function checkLocally(context: RpcContext, tx: Transaction): void {
  if (hasFlag(tx.fields, TF_INNER_BATCH) && context.chain.rules.amendments.has('BatchV1_1')) {
    throw invalidTransaction('fails local checks: Batch inner transactions are never considered validly signed.');
  }
  const isUnsigned = isImpersonated(context, tx);
  const known = isUnsigned ? undefined : knownBad.get(tx.hash);
  if (known !== undefined) throw invalidTransaction(`fails local checks: ${known}`);
  // The others whose transactions a batch holds must have signed all the same.
  const signature = isUnsigned ? batchSignersProblem(tx.fields) : signatureProblem(tx);
  const problem = signature ?? localProblem(tx.fields);
  if (problem === undefined) return;
  if (knownBad.size < MAX_KNOWN_BAD) {
    knownBad.set(
      tx.hash,
      signature === undefined ? 'Transaction failed local checks.' : 'Transaction has bad signature.',
    );
  }
  throw invalidTransaction(`fails local checks: ${problem}`);
}

/** Submits to the open ledger; every outcome that reaches the engine is a success of the command. */
function submitted({ chain, node }: RpcContext, tx: Transaction, failHard: boolean): JsonDraft {
  const { result, applied, queued, nextSequence, availableSequence } = node.submit(tx, failHard);
  const kept = applied || !failHard;
  return {
    accepted: kept,
    account_sequence_available: availableSequence,
    account_sequence_next: nextSequence,
    applied,
    broadcast: applied || queued,
    ...engineResult(result),
    kept,
    open_ledger_cost: String(chain.openLedgerCostDrops(tx.fields)),
    queued,
    tx_blob: tx.blob,
    validated_ledger_index: node.lastIndex,
  };
}

const SUBMIT_DEPRECATED =
  "Signing support in the 'submit' command has been deprecated and will be removed in a future version of the server. Please migrate to a standalone signing tool.";

function signAndSubmit(context: RpcContext, request: JsonObject): JsonObject {
  const { tx, shown } = signRequest(context, request, SUBMIT_DEPRECATED);
  const { result } = context.node.submit(tx, asBool(request.fail_hard));
  return { ...shown, ...engineResult(result) };
}

/** The bytes of a blob in hex; nothing but hex is one. */
function hexIn(text: string): string {
  if (!HEX.test(text)) throw new RpcError('invalidParams');
  return text.length % 2 === 0 ? text : `0${text}`;
}

/** `submit` of a signed blob, or of a transaction in JSON with the secret to sign it or of an impersonated account. */
export const submit: Handler = (context, request) => {
  const blob = request.tx_blob;
  const unsigned = blob === undefined ? impersonatedTransaction(context, request) : undefined;
  if (blob === undefined && !unsigned) return signAndSubmit(context, request);
  const tx = unsigned ?? parsed(hexIn(asText(blob)));
  checkLocally(context, tx);
  const outcome = submitted(context, tx, asBool(request.fail_hard));
  const before = context.node.transaction(tx.hash);
  const place = before && {
    ctid: ctid(before, context.node.rules.networkId),
    inLedger: before.ledger.ledgerIndex,
    ledger_index: before.ledger.ledgerIndex,
  };
  return { ...outcome, tx_json: { ...(tx.fields as JsonObject), hash: tx.hash, ...place } };
};
