import { createHash } from 'node:crypto';
import { decodeSeed, encodeSeed, isValidClassicAddress } from 'ripple-address-codec';
import { deriveKeypair } from 'ripple-keypairs';
import type { JsonObject } from '../json.ts';
import { RpcError } from './types.ts';

export type KeyType = 'ed25519' | 'secp256k1';
export type Seed = { readonly bytes: Uint8Array; readonly type: KeyType | undefined };

const SECRET_FIELDS = ['passphrase', 'secret', 'seed', 'seed_hex'] as const;

/** A seed in base58; undefined when the text is none. */
export function base58Seed(text: string): Seed | undefined {
  try {
    const { bytes, type } = decodeSeed(text);
    return { bytes, type: type === 'ed25519' ? 'ed25519' : undefined };
  } catch {
    return undefined;
  }
}

/** A seed of 16 bytes in hex; undefined when the text is none. */
export const hexSeed = (text: string): Seed | undefined =>
  /^[0-9A-F]{32}$/i.test(text) ? { bytes: Buffer.from(text, 'hex'), type: undefined } : undefined;

/** A seed in any form: base58, hex or, as any other text but an address is read, a passphrase. */
export function anySeed(text: string): Seed | undefined {
  if (text === '' || isValidClassicAddress(text)) return undefined;
  const passphrase = { bytes: createHash('sha512').update(text).digest().subarray(0, 16), type: undefined };
  return hexSeed(text) ?? base58Seed(text) ?? passphrase;
}

/** The seed that the one secret of a request stands for. */
function seedOf(request: JsonObject, field: (typeof SECRET_FIELDS)[number], keyType: KeyType | undefined): Seed {
  const secret = request[field];
  // xrpl.js spells seeds for ed25519 in a form of their own, which needs no key_type.
  const known = field !== 'seed_hex' && typeof secret === 'string' ? base58Seed(secret) : undefined;
  if (known?.type === 'ed25519') {
    if (keyType === 'secp256k1') {
      throw new RpcError('badSeed', { message: 'Specified seed is for an Ed25519 wallet.' });
    }
    return known;
  }
  const read = keyType === undefined ? 'secret' : field;
  const text = request[read];
  if (typeof text !== 'string') {
    throw new RpcError('invalidParams', { message: `Invalid field '${read}', not string.` });
  }
  const seed = field === 'seed' ? known : field === 'seed_hex' ? hexSeed(text) : anySeed(text);
  if (seed) return seed;
  throw keyType === undefined
    ? new RpcError('badSeed', { message: `Invalid field '${field}'.` })
    : new RpcError('badSeed');
}

function keyTypeOf(keyType: JsonObject[string], apiVersion: number): KeyType | undefined {
  if (keyType === undefined || keyType === 'ed25519' || keyType === 'secp256k1') return keyType;
  if (typeof keyType !== 'string') {
    throw new RpcError('invalidParams', { message: "Invalid field 'key_type', not string." });
  }
  if (apiVersion > 1) throw new RpcError('badKeyType');
  throw new RpcError('invalidParams', { message: "Invalid field 'key_type'." });
}

/**
 * The key pair that a request to sign names by its `secret`, or by `key_type` with a `seed`, `seed_hex` or
 * `passphrase`. Throws the server's error for any other combination.
 */
export function keypairOf(request: JsonObject, apiVersion: number): { publicKey: string; privateKey: string } {
  const given = SECRET_FIELDS.filter((name) => request[name] !== undefined);
  const [field] = given;
  if (field === undefined) throw new RpcError('invalidParams', { message: "Missing field 'secret'." });
  if (given.length > 1) {
    throw new RpcError('invalidParams', {
      message: 'Exactly one of the following must be specified: passphrase, secret, seed or seed_hex',
    });
  }
  const keyType = keyTypeOf(request.key_type, apiVersion);
  if (keyType !== undefined && field === 'secret') {
    throw new RpcError('invalidParams', { message: 'The secret field is not allowed if key_type is used.' });
  }
  const seed = seedOf(request, field, keyType);
  return deriveKeypair(encodeSeed(seed.bytes, seed.type ?? keyType ?? 'secp256k1'));
}
