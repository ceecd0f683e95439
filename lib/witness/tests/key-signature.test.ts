import { deriveKeypair, generateSeed, sign, verify } from 'ripple-keypairs';
import { expect, it } from 'vitest';
import { isSignature, signMessage } from '../key-signature.ts';

const MESSAGE = '534D5400120000';

it.each(['ed25519', 'ecdsa-secp256k1'] as const)(
  'a signature by a key of %s is the one that the ledger’s library makes',
  (algorithm) => {
    const { privateKey, publicKey } = deriveKeypair(generateSeed({ algorithm }));
    const signature = signMessage(MESSAGE, privateKey);
    expect(signature).toBe(sign(MESSAGE, privateKey));
    expect(verify(MESSAGE, signature, publicKey)).toBe(true);
    expect(isSignature(MESSAGE, signature, publicKey)).toBe(true);
    const other = deriveKeypair(generateSeed({ algorithm })).publicKey;
    expect(isSignature(MESSAGE, signature, other)).toBe(false);
    expect(isSignature(`${MESSAGE}00`, signature, publicKey)).toBe(false);
  },
);
