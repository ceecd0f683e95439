import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign as signBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { decodeSeed } from 'ripple-address-codec';
import type * as Library from 'ripple-keypairs';

export type Keypairs = Pick<typeof Library, 'deriveKeypair' | 'sign'>;

/** The fixed DER header of an Ed25519 private key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;
/** What tells an Ed25519 key from one of secp256k1. */
const PREFIX = 'ED';
const PRIVATE_KEY = /^ED[0-9A-F]{64}$/;
const WHOLE_BYTES = /^(?:[0-9A-Fa-f]{2})*$/;
/** The accounts of a test file make and use the same few keys all the time. */
const MOST_KEYS = 10_000;

const toHex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
const keyOf = (secret: Buffer) =>
  createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' });

/**
 * The functions of ripple-keypairs that make Ed25519 keys and signatures, by Node's own crypto: the same bytes for a small
 * part of the time, each key once. All else, what cannot be read included, is left to the library.
 */
export function nativeKeypairs(library: Keypairs): Keypairs {
  const pairs = new LRUCache<string, ReturnType<Keypairs['deriveKeypair']>>({ max: MOST_KEYS });
  const keys = new LRUCache<string, KeyObject>({ max: MOST_KEYS });
  const keyFrom = (privateKey: string): KeyObject => {
    const key = keys.get(privateKey) ?? keyOf(Buffer.from(privateKey.slice(PREFIX.length), 'hex'));
    keys.set(privateKey, key);
    return key;
  };
  return {
    deriveKeypair(seed, options) {
      const known = pairs.get(`${seed} ${options?.algorithm}`);
      if (known !== undefined) return { ...known };
      const { bytes, type } = decodeSeed(seed);
      if ((options?.algorithm ?? type) !== 'ed25519') return library.deriveKeypair(seed, options);
      const secret = createHash('sha512').update(Buffer.from(bytes)).digest().subarray(0, KEY_BYTES);
      const privateKey = PREFIX + toHex(secret);
      const publicKey = createPublicKey(keyFrom(privateKey)).export({ format: 'der', type: 'spki' });
      const pair = { privateKey, publicKey: PREFIX + toHex(publicKey.subarray(-KEY_BYTES)) };
      pairs.set(`${seed} ${options?.algorithm}`, pair);
      return { ...pair };
    },
    sign(messageHex, privateKey) {
      if (!PRIVATE_KEY.test(privateKey) || !WHOLE_BYTES.test(messageHex)) return library.sign(messageHex, privateKey);
      return toHex(signBytes(null, Buffer.from(messageHex, 'hex'), keyFrom(privateKey)));
    },
  };
}
