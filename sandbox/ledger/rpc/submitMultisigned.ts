import { encode } from 'ripple-binary-codec';
import { signatureProblem } from '../engine/signature.ts';
import { account } from '../engine/view.ts';
import { isObject, type Json, type JsonDraft, type JsonObject } from '../json.ts';
import { accountIdHex, isAddress } from '../keylets.ts';
import { localProblem } from '../localChecks.ts';
import { engineResult } from '../results.ts';
import { BlobError, parseTransaction, type Transaction } from '../transaction.ts';
import { encoded } from './blobs.ts';
import { shownFields } from './render.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const invalid = (message: string): RpcError => new RpcError('invalidParams', { message });
const missing = (name: string): RpcError => invalid(`Missing field '${name}'.`);

const SIGNER_FIELDS = ['Account', 'SigningPubKey', 'TxnSignature'];
const DROPS = /^\d+$/;

/** The fields that a request must have before its transaction is read, in the order in which they are asked for. */
function checkRequest({ chain }: RpcContext, fields: JsonObject): void {
  if (fields.TransactionType === undefined) throw missing('tx_json.TransactionType');
  if (fields.Account === undefined) {
    throw new RpcError('srcActMissing', { message: "Missing field 'tx_json.Account'." });
  }
  if (typeof fields.Account !== 'string' || !isAddress(fields.Account)) {
    throw new RpcError('srcActMalformed', { message: "Invalid field 'tx_json.Account'." });
  }
  if (!account(chain.open, fields.Account)) throw new RpcError('srcActNotFound');
  if (fields.Sequence === undefined) throw missing('tx_json.Sequence');
  if (fields.SigningPubKey === undefined) throw missing('tx_json.SigningPubKey');
  if (fields.SigningPubKey !== '') throw invalid("When multi-signing 'tx_json.SigningPubKey' must be empty.");
  if (fields.Fee === undefined) throw missing('tx_json.Fee');
}

/** A payment may name its amount DeliverMax, and is looked at before it is read. */
function withAmount(fields: JsonObject): JsonObject {
  if (fields.TransactionType !== 'Payment') return fields;
  const { DeliverMax: deliverMax, ...rest } = fields;
  if (
    deliverMax !== undefined &&
    rest.Amount !== undefined &&
    JSON.stringify(deliverMax) !== JSON.stringify(rest.Amount)
  ) {
    throw invalid("Cannot specify differing 'Amount' and 'DeliverMax'");
  }
  const payment = deliverMax === undefined ? rest : { ...rest, Amount: deliverMax };
  if (payment.Amount === undefined) throw missing('tx_json.Amount');
  if (payment.Destination === undefined) throw missing('tx_json.Destination');
  if (typeof payment.Destination !== 'string' || !isAddress(payment.Destination)) {
    throw invalid("Invalid field 'tx_json.Destination'.");
  }
  return payment;
}

function transactionOf(fields: JsonObject): Transaction {
  try {
    return parseTransaction(encoded(fields));
  } catch (error) {
    if (error instanceof BlobError) throw invalid(error.message);
    throw error;
  }
}

/** What signs: each entry by its account, or undefined where an entry is none. */
function signerAccount(entry: Json): string | undefined {
  const signer = isObject(entry) && Object.keys(entry).length === 1 ? entry.Signer : undefined;
  if (!isObject(signer) || Object.keys(signer).length !== SIGNER_FIELDS.length) return undefined;
  if (SIGNER_FIELDS.some((name) => typeof signer[name] !== 'string')) return undefined;
  return typeof signer.Account === 'string' && isAddress(signer.Account) ? signer.Account : undefined;
}

/** The signers in the order in which a ledger wants them. */
function sortedSigners(fields: JsonObject): readonly Json[] {
  const { Signers: signers } = fields;
  if (signers === undefined) throw missing('tx_json.Signers');
  if (!Array.isArray(signers) || signers.length === 0) throw invalid('tx_json.Signers array may not be empty.');
  const entries = signers.map((entry: Json) => {
    const address = signerAccount(entry);
    if (address === undefined) throw invalid('Signers array may only contain Signer entries.');
    return { entry, address, id: accountIdHex(address) };
  });
  entries.sort((a, b) => (a.id < b.id ? -1 : a.id > b.id ? 1 : 0));
  const twice = entries.find(({ id }, i) => id === entries[i + 1]?.id);
  if (twice) throw invalid(`Duplicate Signers:Signer:Account entries (${twice.address}) are not allowed.`);
  if (entries.some(({ address }) => address === fields.Account)) {
    throw invalid(`A Signer may not be the transaction's Account (${fields.Account}).`);
  }
  return entries.map(({ entry }) => entry);
}

/** `submit_multisigned`: a transaction in JSON that already carries its Signers, in any order. */
export const submitMultisigned: Handler = (context, request) => {
  const given = request.tx_json;
  if (given === undefined) throw missing('tx_json');
  if (!isObject(given)) throw invalid("Invalid field 'tx_json', not object.");
  checkRequest(context, given);
  const fields: JsonDraft = { ...withAmount(given) };
  const read = transactionOf(fields);
  const local = localProblem(read.fields);
  if (local !== undefined) throw invalid(local);
  if (fields.TxnSignature !== undefined) throw new RpcError('signingMalformed');
  if (typeof read.fields.Fee !== 'string' || !DROPS.test(read.fields.Fee)) {
    throw invalid('Invalid Fee field.  Fees must be specified in XRP.');
  }
  if (BigInt(read.fields.Fee) === 0n) throw invalid('Invalid Fee field.  Fees must be greater than zero.');
  fields.Signers = sortedSigners(fields);
  const tx = parseTransaction(encode(fields));
  if (signatureProblem(tx) !== undefined) throw new RpcError('internal', { message: 'Invalid signature.' });

  const { result } = context.node.submit(tx, request.fail_hard === true);
  const shown = shownFields(tx.fields, context.apiVersion);
  const answer = { ...engineResult(result), tx_blob: tx.blob };
  return context.apiVersion === 1
    ? { ...answer, tx_json: { ...shown, hash: tx.hash } }
    : { ...answer, hash: tx.hash, tx_json: shown };
};
