import { encode } from 'ripple-binary-codec';
import { applyTransaction, transactionCostDrops } from '../engine/apply.ts';
import { signatureProblem } from '../engine/signature.ts';
import { account } from '../engine/view.ts';
import { isObject, type JsonDraft, type JsonObject } from '../json.ts';
import { engineResult } from '../results.ts';
import { BlobError, parseTransaction, type Transaction } from '../transaction.ts';
import { ctid, metaBlob, shownFields, shownMeta } from './render.ts';
import { signRequest } from './sign.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const HEX = /^(?:[0-9A-Fa-f]{2})+$/;
/** Blobs whose signature failed before: the server words the second refusal differently. */
const knownBad = new Set<string>();
const MAX_KNOWN_BAD = 10_000;

function invalidTransaction(problem: string): RpcError {
  return new RpcError('invalidTransaction', { fields: { error_exception: problem } });
}

function parsed(blob: string): Transaction {
  try {
    return parseTransaction(blob);
  } catch (error) {
    if (error instanceof BlobError) throw invalidTransaction(error.message);
    throw error;
  }
}

function checkSignatures(tx: Transaction): void {
  if (knownBad.has(tx.hash)) throw invalidTransaction('fails local checks: Transaction has bad signature.');
  const problem = signatureProblem(tx.fields);
  if (problem === undefined) return;
  if (knownBad.size < MAX_KNOWN_BAD) knownBad.add(tx.hash);
  throw invalidTransaction(`fails local checks: ${problem}`);
}

/** Submits to the open ledger; every outcome that reaches the engine is a success of the command. */
function submitted({ chain }: RpcContext, tx: Transaction, failHard: boolean): JsonDraft {
  const { result, applied, nextSequence } = chain.submit(tx, { failHard });
  const kept = applied || !failHard;
  return {
    accepted: kept,
    account_sequence_available: nextSequence,
    account_sequence_next: nextSequence,
    applied,
    broadcast: applied,
    ...engineResult(result),
    kept,
    open_ledger_cost: String(transactionCostDrops(tx.fields, chain.rules, chain.open)),
    queued: false,
    tx_blob: tx.blob,
    validated_ledger_index: chain.history.lastIndex,
  };
}

const SUBMIT_DEPRECATED =
  "Signing support in the 'submit' command has been deprecated and will be removed in a future version of the server. Please migrate to a standalone signing tool.";

function signAndSubmit(context: RpcContext, request: JsonObject): JsonObject {
  const { tx, shown } = signRequest(context, request, SUBMIT_DEPRECATED);
  const { result } = context.chain.submit(tx, { failHard: request.fail_hard === true });
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
  const before = context.chain.history.transaction(tx.hash);
  const place = before && {
    ctid: ctid(before, context.chain.rules.networkId),
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
  const outcome = submitted(context, tx, request.fail_hard === true);
  const shown = shownFields(tx.fields, context.apiVersion);
  return context.apiVersion === 1
    ? { ...outcome, tx_json: { ...shown, hash: tx.hash } }
    : { ...outcome, hash: tx.hash, tx_json: shown };
};

function encoded(fields: JsonObject): string {
  try {
    return encode(fields);
  } catch {
    throw new RpcError('invalidParams');
  }
}

/** Fills in what a simulated transaction may leave out. */
function completed({ chain }: RpcContext, fields: JsonObject): JsonObject {
  const sender = typeof fields.Account === 'string' ? account(chain.open, fields.Account) : undefined;
  return {
    Fee: String(chain.rules.baseFeeDrops),
    Sequence: sender?.Sequence ?? 0,
    SigningPubKey: '',
    TxnSignature: '',
    ...fields,
  };
}

/** `simulate`: what an unsigned transaction would do to the open ledger. */
export const simulate: Handler = (context, request) => {
  const { chain } = context;
  const { tx_blob: blob, tx_json: json } = request;
  if (typeof blob !== 'string' && !isObject(json)) {
    throw new RpcError('invalidParams', { message: 'Neither `tx_blob` nor `tx_json` included.' });
  }
  const given = typeof blob === 'string' ? (parsed(blob).fields as JsonObject) : isObject(json) ? json : {};
  if (given.TxnSignature) throw new RpcError('transactionSigned');
  const tx = parsed(encoded(completed(context, given)));
  const outcome = applyTransaction(chain.open, tx, chain.rules, { open: false, refuseTec: false, dryRun: true });
  const meta = {
    AffectedNodes: outcome.affectedNodes,
    ...(outcome.deliveredAmount === undefined ? {} : { DeliveredAmount: outcome.deliveredAmount }),
    TransactionIndex: 0,
    TransactionResult: outcome.result,
  };
  const named = engineResult(outcome.result);
  const binary = request.binary === true;
  return {
    applied: false,
    ...named,
    ...(outcome.result === 'tesSUCCESS'
      ? { engine_result_message: 'The simulated transaction would have been applied.' }
      : {}),
    ledger_index: chain.open.ledgerIndex,
    ...(!outcome.applied ? {} : binary ? { meta_blob: metaBlob(meta) } : { meta: shownMeta(meta, tx.fields) }),
    ...(binary ? { tx_blob: tx.blob } : { tx_json: { ...(tx.fields as JsonObject), hash: tx.hash } }),
  };
};
