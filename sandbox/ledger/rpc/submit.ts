import { signatureProblem } from '../engine/signature.ts';
import { isObject, type JsonDraft, type JsonObject } from '../json.ts';
import { engineResult } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { encoded, invalidTransaction, parsed } from './blobs.ts';
import { ctid, shownFields } from './render.ts';
import { signRequest } from './sign.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const HEX = /^(?:[0-9A-Fa-f]{2})+$/;
/** Blobs whose signature failed before: the server words the second refusal differently. */
const knownBad = new Set<string>();
const MAX_KNOWN_BAD = 10_000;

function checkSignatures(tx: Transaction): void {
  if (knownBad.has(tx.hash)) throw invalidTransaction('fails local checks: Transaction has bad signature.');
  const problem = signatureProblem(tx);
  if (problem === undefined) return;
  if (knownBad.size < MAX_KNOWN_BAD) knownBad.add(tx.hash);
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
  const { result } = context.node.submit(tx, request.fail_hard === true);
  return { ...shown, ...engineResult(result) };
}

/** `submit` of a signed blob, or of a transaction in JSON with the secret to sign it. */
export const submit: Handler = (context, request) => {
  const blob = request.tx_blob;
  if (blob === undefined) return signAndSubmit(context, request);
  if (typeof blob !== 'string' || !HEX.test(blob)) throw new RpcError('invalidParams');
  const tx = parsed(blob);
  checkSignatures(tx);
  const outcome = submitted(context, tx, request.fail_hard === true);
  const before = context.node.transaction(tx.hash);
  const place = before && {
    ctid: ctid(before, context.node.rules.networkId),
    inLedger: before.ledger.ledgerIndex,
    ledger_index: before.ledger.ledgerIndex,
  };
  return { ...outcome, tx_json: { ...(tx.fields as JsonObject), hash: tx.hash, ...place } };
};

/** `submit_multisigned`: a transaction in JSON that already carries its Signers. */
export const submitMultisigned: Handler = (context, request) => {
  const fields = request.tx_json;
  if (!isObject(fields)) throw new RpcError('invalidParams', { message: "Missing field 'tx_json'." });
  const tx = parsed(encoded(fields));
  checkSignatures(tx);
  const { result } = context.node.submit(tx, request.fail_hard === true);
  const shown = shownFields(tx.fields, context.apiVersion);
  const answer = { ...engineResult(result), tx_blob: tx.blob };
  return context.apiVersion === 1
    ? { ...answer, tx_json: { ...shown, hash: tx.hash } }
    : { ...answer, hash: tx.hash, tx_json: shown };
};
