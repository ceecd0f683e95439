import { randomBytes } from 'node:crypto';
import { encodeAccountPublic, encodeSeed } from 'ripple-address-codec';
import { deriveAddress, deriveKeypair } from 'ripple-keypairs';
import type { JsonObject } from '../json.ts';
import { expectedField } from './fields.ts';
import { anySeed, base58Seed, hexSeed, type KeyType } from './keypair.ts';
import { seedInWords } from './rfc1751.ts';
import { type Handler, RpcError } from './types.ts';

const SEED_FIELDS = ['passphrase', 'seed', 'seed_hex'] as const;
/** Below so many bits the server warns of a guessable passphrase. */
const SAFE_BITS = 80;
const ADVICE = 'This wallet was generated using a user-supplied passphrase';

function keyTypeOf(request: JsonObject): KeyType | undefined {
  const { key_type: type } = request;
  if (!('key_type' in request)) return undefined;
  if (typeof type !== 'string') throw expectedField('key_type', 'string');
  if (type !== 'ed25519' && type !== 'secp256k1') throw new RpcError('invalidParams');
  return type;
}

/** The seed that a request gives in one form or another; undefined when it gives none. */
function givenSeed(request: JsonObject): Uint8Array | undefined {
  const given = SEED_FIELDS.filter((name) => name in request);
  const [name] = given;
  if (name === undefined) return undefined;
  if (given.length > 1) {
    const message = 'Exactly one of the following must be specified: passphrase, seed or seed_hex';
    throw new RpcError('invalidParams', { message });
  }
  const text = request[name];
  if (typeof text !== 'string') throw expectedField(name, 'string');
  const seed = name === 'passphrase' ? anySeed(text) : name === 'seed' ? base58Seed(text) : hexSeed(text);
  if (!seed) throw new RpcError('badSeed');
  return seed.bytes;
}

/** How hard a passphrase is to guess by its letters alone, in bits. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return Math.floor(bits);
}

/** `wallet_propose`: a key pair, by chance or from a seed. */
export const walletPropose: Handler = (_context, request) => {
  const asked = keyTypeOf(request);
  // xrpl.js spells seeds for ed25519 in a form of their own.
  const text = request.passphrase ?? request.seed;
  const own = typeof text === 'string' ? base58Seed(text) : undefined;
  const isEdSeed = own?.type === 'ed25519';
  if (isEdSeed && asked === 'secp256k1') throw new RpcError('badSeed');
  const seed = isEdSeed ? own.bytes : (givenSeed(request) ?? randomBytes(16));
  const type = isEdSeed ? 'ed25519' : (asked ?? 'secp256k1');
  const { publicKey } = deriveKeypair(encodeSeed(seed, type));
  const shown = {
    master_key: seedInWords(seed),
    master_seed: encodeSeed(seed, 'secp256k1'),
    master_seed_hex: Buffer.from(seed).toString('hex').toUpperCase(),
  };
  const { passphrase } = request;
  const isGuessable = !isEdSeed && typeof passphrase === 'string' && !Object.values(shown).includes(passphrase);
  return {
    account_id: deriveAddress(publicKey),
    key_type: type,
    ...shown,
    public_key: encodeAccountPublic(Buffer.from(publicKey, 'hex')),
    public_key_hex: publicKey,
    ...(isGuessable ? { warning: warningOf(passphrase) } : {}),
  };
};

const warningOf = (passphrase: string): string =>
  entropyBits(passphrase) < SAFE_BITS
    ? `${ADVICE} that has low entropy and is vulnerable to brute-force attacks.`
    : `${ADVICE}. It may be vulnerable to brute-force attacks.`;
