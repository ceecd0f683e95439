import { encode, encodeForSigning } from 'ripple-binary-codec';
import { deriveAddress, deriveKeypair, generateSeed, sign } from 'ripple-keypairs';
import type { Chain } from './chain.ts';
import { account } from './engine/view.ts';
import { GENESIS_ADDRESS, GENESIS_SEED } from './genesis.ts';
import { isObject, type JsonObject } from './json.ts';
import { isAddress } from './keylets.ts';
import { FIRST_NETWORK_WITH_FIELD } from './rules.ts';
import { parseTransaction } from './transaction.ts';

const DEFAULT_XRP = 100;
const MAX_XRP = 1_000_000_000;
const DROPS_PER_XRP = 1_000_000n;

export type FaucetAnswer = { readonly status: number; readonly body: JsonObject };

const genesisKeys = deriveKeypair(GENESIS_SEED, { algorithm: 'ecdsa-secp256k1' });

/** Pays from the genesis account into the open ledger; the account is there once that ledger closes. */
export function payFromGenesis(chain: Chain, destination: string, amountXrp: number): string {
  const fields = {
    TransactionType: 'Payment',
    Account: GENESIS_ADDRESS,
    Destination: destination,
    Amount: String(BigInt(amountXrp) * DROPS_PER_XRP),
    Fee: String(chain.rules.baseFeeDrops),
    Sequence: account(chain.open, GENESIS_ADDRESS)?.Sequence ?? 0,
    SigningPubKey: genesisKeys.publicKey,
    ...(chain.rules.networkId >= FIRST_NETWORK_WITH_FIELD ? { NetworkID: chain.rules.networkId } : {}),
  };
  const signed = { ...fields, TxnSignature: sign(encodeForSigning(fields), genesisKeys.privateKey) };
  return chain.submit(parseTransaction(encode(signed))).result;
}

/** Answers `POST /accounts {destination, xrpAmount}`; without a destination it makes a new account. */
export function fund(chain: Chain, body: string): FaucetAnswer {
  let request: unknown;
  try {
    request = body === '' ? {} : JSON.parse(body);
  } catch {
    request = undefined;
  }
  if (!isObject(request)) return { status: 400, body: { error: 'the body must be a JSON object' } };
  const { destination: asked } = request;
  if (asked !== undefined && (typeof asked !== 'string' || !isAddress(asked))) {
    return { status: 400, body: { error: 'destination must be a classic address' } };
  }
  const amountXrp = Number(request.xrpAmount ?? DEFAULT_XRP);
  if (!Number.isInteger(amountXrp) || amountXrp < 1 || amountXrp > MAX_XRP) {
    return { status: 400, body: { error: `xrpAmount must be a whole number from 1 to ${MAX_XRP}` } };
  }
  const seed = asked === undefined ? generateSeed({ algorithm: 'ed25519' }) : undefined;
  const destination = asked ?? deriveAddress(deriveKeypair(seed ?? '').publicKey);
  const result = payFromGenesis(chain, destination, amountXrp);
  if (result !== 'tesSUCCESS') return { status: 500, body: { error: `the payment failed: ${result}` } };
  const known = { classicAddress: destination, address: destination, ...(seed === undefined ? {} : { secret: seed }) };
  return { status: 200, body: { account: known, amount: amountXrp, ...(seed === undefined ? {} : { seed }) } };
}
