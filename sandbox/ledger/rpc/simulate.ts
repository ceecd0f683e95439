import { decode } from 'ripple-binary-codec';
import { applyTransaction } from '../engine/apply.ts';
import { isObject, type Json, type JsonDraft, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { engineResult } from '../results.ts';
import { FIRST_NETWORK_WITH_FIELD } from '../rules.ts';
import { encoded, parsed } from './blobs.ts';
import { expectedField, invalidField, missingField, requireBoolean } from './fields.ts';
import { metaBlob, shownMeta } from './render.ts';
import { readTransactionJson } from './transactionJson.ts';
import { currentFee, nextSequence } from './transactionRequest.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const SECRETS = ['secret', 'seed', 'seed_hex', 'passphrase'];

function fieldsOfBlob(blob: Json | undefined): JsonObject {
  if (typeof blob !== 'string' || !/^[0-9A-Fa-f]+$/.test(blob)) throw invalidField('tx_blob');
  try {
    return decode(blob.length % 2 === 0 ? blob : `0${blob}`) as JsonObject;
  } catch {
    throw invalidField('tx_blob');
  }
}

/** The transaction of a request, which has it in one form only. */
function givenTransaction(request: JsonObject): JsonObject {
  const { tx_blob: blob, tx_json: json } = request;
  const hasBlob = 'tx_blob' in request;
  const hasJson = 'tx_json' in request;
  if (hasBlob && hasJson) {
    throw new RpcError('invalidParams', { message: 'Can only include one of `tx_blob` and `tx_json`.' });
  }
  if (!hasBlob && !hasJson) {
    throw new RpcError('invalidParams', { message: 'Neither `tx_blob` nor `tx_json` included.' });
  }
  if (hasJson && !isObject(json)) throw expectedField('tx_json', 'object');
  const fields = isObject(json) ? json : fieldsOfBlob(blob);
  for (const name of ['TransactionType', 'Account']) if (!(name in fields)) throw missingField(`tx.${name}`);
  return fields;
}

/** Signers of a simulated transaction have not signed yet. */
function unsignedSigners(signers: Json): Json {
  if (!Array.isArray(signers)) throw invalidField('tx.Signers');
  return signers.map((item: Json, i: number) => {
    const signer = isObject(item) ? item.Signer : undefined;
    if (!isObject(signer)) throw invalidField(`tx.Signers[${i}]`);
    if ((signer.TxnSignature ?? '') !== '') throw new RpcError('transactionSigned');
    return { Signer: { SigningPubKey: '', TxnSignature: '', ...signer } };
  });
}

/** Fills in what a simulated transaction may leave out. */
function completed(context: RpcContext, given: JsonObject): JsonObject {
  const { networkId } = context.node.rules;
  const fields: JsonDraft = { ...given };
  if (!('Fee' in given)) fields.Fee = currentFee(context, given);
  fields.SigningPubKey ??= '';
  if ('Signers' in given) fields.Signers = unsignedSigners(given.Signers ?? null);
  if ((given.TxnSignature ?? '') !== '') throw new RpcError('transactionSigned');
  fields.TxnSignature = '';
  if (!('Sequence' in given)) {
    const { Account: sender } = given;
    if (typeof sender !== 'string' || !isAddress(sender)) {
      throw new RpcError('srcActMalformed', { message: "Invalid field 'tx.Account'." });
    }
    fields.Sequence = nextSequence(context, sender, given);
  }
  if (networkId >= FIRST_NETWORK_WITH_FIELD) fields.NetworkID ??= networkId;
  return fields;
}

/** `simulate`: what an unsigned transaction would do to the open ledger. */
export const simulate: Handler = (context, request) => {
  const { chain } = context;
  requireBoolean(request, 'binary');
  for (const name of SECRETS) if (name in request) throw invalidField(name);
  const fields = completed(context, givenTransaction(request));
  const tx = parsed(encoded(readTransactionJson(fields)));
  if (tx.fields.TransactionType === 'Batch') throw new RpcError('notImpl');
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
