import { createHash, createPrivateKey, createPublicKey, sign as signBytes } from 'node:crypto';
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

const toHex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
const keyOf = (secret: Buffer) =>
  createPrivateKey({ key: Buffer.concat([PKCS8, secret]), format: 'der', type: 'pkcs8' });

/**
 * The functions of ripple-keypairs that make Ed25519 keys and signatures, by Node's own crypto: the same bytes for a small
 * part of the time. All else, what cannot be read included, is left to the library.
 */
export const nativeKeypairs = (library: Keypairs): Keypairs => ({
  deriveKeypair(seed, options) {
    const { bytes, type } = decodeSeed(seed);
    if ((options?.algorithm ?? type) !== 'ed25519') return library.deriveKeypair(seed, options);
    const secret = createHash('sha512').update(Buffer.from(bytes)).digest().subarray(0, KEY_BYTES);
    const publicKey = createPublicKey(keyOf(secret)).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
    return { privateKey: PREFIX + toHex(secret), publicKey: PREFIX + toHex(publicKey) };
  },
  sign(messageHex, privateKey) {
    if (!PRIVATE_KEY.test(privateKey) || !WHOLE_BYTES.test(messageHex)) return library.sign(messageHex, privateKey);
    return toHex(signBytes(null, Buffer.from(messageHex, 'hex'), keyOf(Buffer.from(privateKey.slice(2), 'hex'))));
  },
});
