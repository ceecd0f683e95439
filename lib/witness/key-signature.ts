import { createPrivateKey, createPublicKey, sign as signBytes, verify as verifyBytes } from 'node:crypto';
import { sign, verify } from 'ripple-keypairs';

// Ed25519 by Node's own crypto, in a tenth of the library's time: a request has hundreds of candidates. The bytes are the
// same. Other keys, and what has not the form of one, are the library's.

/** The fixed DER headers of an Ed25519 key. */
const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');
/** What tells an Ed25519 key from one of secp256k1. */
const ED_KEY = /^ED[0-9A-F]{64}$/;

const withHeader = (header: Buffer, key: string): Buffer => Buffer.concat([header, Buffer.from(key.slice(2), 'hex')]);

/** So many keys are kept as they were read: to read one takes as long as to sign with it, and few keys sign much. */
const MOST_KEPT = 16;

function kept<Key>(read: (text: string) => Key): (text: string) => Key {
  const known = new Map<string, Key>();
  return (text) => {
    const key = known.get(text) ?? read(text);
    if (known.size >= MOST_KEPT) known.clear();
    known.set(text, key);
    return key;
  };
}

const readPrivateKey = kept((key) => createPrivateKey({ key: withHeader(PKCS8, key), format: 'der', type: 'pkcs8' }));
const readPublicKey = kept((key) => createPublicKey({ key: withHeader(SPKI, key), format: 'der', type: 'spki' }));

/** The signature over a message, all in upper-case hexadecimal. */
export function signMessage(message: string, privateKey: string): string {
  if (!ED_KEY.test(privateKey)) return sign(message, privateKey);
  return signBytes(null, Buffer.from(message, 'hex'), readPrivateKey(privateKey)).toString('hex').toUpperCase();
}

/** True when the key has signed the message. Throws for a key or signature that cannot be read. */
export function isSignature(message: string, signature: string, publicKey: string): boolean {
  if (!ED_KEY.test(publicKey)) return verify(message, signature, publicKey);
  return verifyBytes(null, Buffer.from(message, 'hex'), readPublicKey(publicKey), Buffer.from(signature, 'hex'));
}
