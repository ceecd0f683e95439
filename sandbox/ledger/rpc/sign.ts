import { createHash } from 'node:crypto';
import { encodeSeed } from 'ripple-address-codec';
import { encode, encodeForSigning } from 'ripple-binary-codec';
import { deriveKeypair, sign as signHex } from 'ripple-keypairs';
import { account } from '../engine/view.ts';
import { isObject, type JsonDraft, type JsonObject } from '../json.ts';
import { parseTransaction, type Transaction } from '../transaction.ts';
import { shownFields } from './render.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const SIGN_DEPRECATED =
  'This command has been deprecated and will be removed in a future version of the server. Please migrate to a standalone signing tool.';

/** Keys of a base58 seed or, as the server reads any other text, of a passphrase. */
function keysOf(secret: string) {
  try {
    return deriveKeypair(secret);
  } catch {
    const entropy = createHash('sha512').update(secret).digest().subarray(0, 16);
    return deriveKeypair(encodeSeed(entropy, 'secp256k1'), { algorithm: 'ecdsa-secp256k1' });
  }
}

/** Completes and signs `tx_json` with `secret`; `deprecated` is the notice every such answer carries. */
export function signRequest(
  { chain, apiVersion }: RpcContext,
  request: JsonObject,
  deprecated: string,
): { tx: Transaction; shown: JsonObject } {
  const { secret, tx_json: json } = request;
  const missing = (name: string): RpcError =>
    new RpcError('invalidParams', { message: `Missing field '${name}'.`, fields: { deprecated } });
  if (typeof secret !== 'string') throw missing('secret');
  if (!isObject(json)) throw missing('tx_json');
  const { DeliverMax: deliverMax, ...rest } = json;
  const sender = typeof json.Account === 'string' ? account(chain.open, json.Account) : undefined;
  if (!sender) throw new RpcError('srcActNotFound', { fields: { deprecated } });
  const keys = keysOf(secret);
  const fields: JsonDraft = {
    Fee: String(chain.rules.baseFeeDrops),
    Sequence: sender.Sequence,
    ...(deliverMax === undefined ? {} : { Amount: deliverMax }),
    ...rest,
    SigningPubKey: keys.publicKey,
  };
  let tx: Transaction;
  try {
    fields.TxnSignature = signHex(encodeForSigning(fields), keys.privateKey);
    tx = parseTransaction(encode(fields));
  } catch {
    throw new RpcError('invalidParams', { fields: { deprecated } });
  }
  const shown = shownFields(tx.fields, apiVersion);
  const named = apiVersion === 1 ? { tx_json: { ...shown, hash: tx.hash } } : { hash: tx.hash, tx_json: shown };
  return { tx, shown: { deprecated, tx_blob: tx.blob, ...named } };
}

/** `sign`: for a developer's own machine only, as on a real server. */
export const sign: Handler = (context, request) => signRequest(context, request, SIGN_DEPRECATED).shown;
