import { encodeForMultisigning, encodeForSigning } from 'ripple-binary-codec';
import { deriveAddress, sign as signHex } from 'ripple-keypairs';
import { account } from '../engine/view.ts';
import { has, LSF } from '../entries.ts';
import { isObject, type Json, type JsonDraft, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { FIRST_NETWORK_WITH_FIELD } from '../rules.ts';
import type { Transaction } from '../transaction.ts';
import { transactionOf } from './blobs.ts';
import { asBool, asText, invalidField, missingField } from './fields.ts';
import { keypairOf } from './keypair.ts';
import { shownFields } from './render.ts';
import { sortedSigners } from './signers.ts';
import { readTransactionJson } from './transactionJson.ts';
import {
  checkMultiSigned,
  checkPayment,
  checkSender,
  currentFee,
  nextSequence,
  transactionJson,
} from './transactionRequest.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const SIGN_DEPRECATED =
  'This command has been deprecated and will be removed in a future version of the server. Please migrate to a standalone signing tool.';

/** Whether a key may sign for an account; one that the ledger does not have is signed for by its own key. */
function checkKey({ chain }: RpcContext, address: string, publicKey: string): void {
  const root = account(chain.open, address);
  const signer = deriveAddress(publicKey);
  if (signer === address) {
    if (root && has(root.Flags, LSF.disableMaster)) throw new RpcError('masterDisabled');
    return;
  }
  if (!root || root.RegularKey !== signer) throw new RpcError('badSecret');
}

function shownSigned(tx: Transaction, apiVersion: number): JsonObject {
  const shown = shownFields(tx.fields, apiVersion === 1 ? 1 : 2);
  const named = apiVersion === 1 ? { tx_json: { ...shown, hash: tx.hash } } : { hash: tx.hash, tx_json: shown };
  return { tx_blob: tx.blob, ...named };
}

/**
 * A transaction that lacks nothing but its signature, of an account the key may sign for; whose key it is is not asked of
 * one that signs besides the sender.
 */
function completed(context: RpcContext, request: JsonObject, publicKey: string | undefined): JsonDraft {
  const { networkId } = context.node.rules;
  const json = transactionJson(request);
  const sender = checkSender(json);
  const isOnline = !asBool(request.offline);
  const fields: JsonDraft = { ...json };
  if (isOnline) {
    const next = nextSequence(context, sender, json);
    fields.Sequence ??= next;
    if (networkId >= FIRST_NETWORK_WITH_FIELD) fields.NetworkID ??= networkId;
  } else if (!('Sequence' in json)) {
    throw missingField('tx_json.Sequence');
  }
  if (!('Fee' in json)) {
    if (!isOnline) throw missingField('tx_json.Fee');
    fields.Fee = currentFee(context, fields, request);
  }
  const payment = checkPayment(fields, request, isOnline);
  if ('Signers' in payment) throw new RpcError('alreadyMultisig');
  if (publicKey === undefined) return payment;
  if (isOnline) checkKey(context, typeof json.Delegate === 'string' ? json.Delegate : sender, publicKey);
  return { ...payment, SigningPubKey: publicKey };
}

/** The object that a signature goes into where it is not the sender's: there is only one such. */
function targetOf(request: JsonObject): 'CounterpartySignature' | undefined {
  const { signature_target: target } = request;
  if (!('signature_target' in request)) return undefined;
  if (target === 'CounterpartySignature') return target;
  throw new RpcError('invalidParams', { message: asText(target) });
}

/** Completes and signs the `tx_json` of a request; `deprecated` is the notice that every such answer carries. */
export function signRequest(
  context: RpcContext,
  request: JsonObject,
  deprecated: string,
): { tx: Transaction; shown: JsonObject } {
  return withNotice(deprecated, () => {
    const keys = keypairOf(request, context.apiVersion);
    const target = targetOf(request);
    const fields: JsonDraft = {
      ...readTransactionJson(completed(context, request, target === undefined ? keys.publicKey : undefined)),
    };
    const signature = (): string => signHex(encodeForSigning(fields), keys.privateKey);
    if (target === undefined) {
      delete fields.TxnSignature;
      transactionOf(fields);
      fields.TxnSignature = signature();
    } else {
      const own = fields[target];
      fields[target] = { ...(isObject(own) ? own : {}), SigningPubKey: keys.publicKey, TxnSignature: signature() };
    }
    const tx = transactionOf(fields);
    return { tx, shown: { deprecated, ...shownSigned(tx, context.apiVersion) } };
  });
}

/** Puts the notice beside whatever the answer is. */
function withNotice<T>(deprecated: string, answer: () => T): T {
  try {
    return answer();
  } catch (error) {
    if (error instanceof RpcError) throw error.with({ deprecated });
    throw error;
  }
}

/** `sign`: for a developer's own machine only, as on a real server. */
export const sign: Handler = (context, request) => signRequest(context, request, SIGN_DEPRECATED).shown;

function checkNetwork({ node }: RpcContext, json: JsonObject): void {
  const { networkId } = node.rules;
  if (networkId < FIRST_NETWORK_WITH_FIELD) return;
  if (!('NetworkID' in json)) throw missingField('tx_json.NetworkID');
  if (json.NetworkID !== networkId) throw invalidField('tx_json.NetworkID');
}

function signedFor(context: RpcContext, request: JsonObject): JsonObject {
  const { account: signer } = request;
  if (!('account' in request)) throw missingField('account');
  if (typeof signer !== 'string' || !isAddress(signer)) {
    throw new RpcError('srcActMalformed', { message: "Invalid field 'account'." });
  }
  const given = transactionJson(request);
  checkNetwork(context, given);
  const json: JsonObject = { SigningPubKey: '', ...given };
  checkMultiSigned(json);
  const keys = keypairOf(request, context.apiVersion);
  checkSender(json);
  if (!('Fee' in json)) throw missingField('tx_json.Fee');
  const payment = checkPayment(json, request, false);
  if ('TxnSignature' in json) throw new RpcError('alreadySingleSig');
  const fields: JsonDraft = { ...readTransactionJson(payment) };
  transactionOf(fields);
  checkKey(context, signer, keys.publicKey);
  const before = 'Signers' in fields ? (fields.Signers as readonly Json[]) : [];
  const { Signers: _before, ...unsigned } = fields;
  const signature = signHex(encodeForMultisigning(unsigned, signer), keys.privateKey);
  const own = { Signer: { Account: signer, SigningPubKey: keys.publicKey, TxnSignature: signature } };
  fields.Signers = sortedSigners({ ...fields, Signers: [...before, own] });
  return shownSigned(transactionOf(fields), context.apiVersion);
}

/** `sign_for`: adds one signature to a transaction that several sign. */
export const signFor: Handler = (context, request) =>
  withNotice(SIGN_DEPRECATED, () => ({ deprecated: SIGN_DEPRECATED, ...signedFor(context, request) }));
