import fc from 'fast-check';
import { encodeSeed } from 'ripple-address-codec';
import * as library from 'ripple-keypairs';
import { describe, expect, test } from 'vitest';
import { nativeKeypairs } from '#tests/support/native-keypairs.ts';

const native = nativeKeypairs(library);
const entropy = fc.uint8Array({ minLength: 16, maxLength: 16 });
const message = fc.uint8Array({ maxLength: 600 }).map((bytes) => Buffer.from(bytes).toString('hex').toUpperCase());
const algorithm = fc.constantFrom('ed25519' as const, 'ecdsa-secp256k1' as const);

/** What a call returns, or says when it throws. */
const outcome = (call: () => unknown): unknown => {
  try {
    return call();
  } catch (error) {
    return String(error);
  }
};

describe('the keys and signatures that the tests with ledgers make natively', () => {
  test('are those of the library, byte for byte, for every seed, algorithm and message', () => {
    fc.assert(
      fc.property(entropy, algorithm, fc.option(algorithm, { nil: undefined }), message, (bytes, type, asked, hex) => {
        const seed = encodeSeed(bytes, type === 'ed25519' ? 'ed25519' : 'secp256k1');
        const options = asked === undefined ? undefined : { algorithm: asked };
        const keys = native.deriveKeypair(seed, options);
        expect(keys).toEqual(library.deriveKeypair(seed, options));
        const signature = native.sign(hex, keys.privateKey);
        expect(signature).toBe(library.sign(hex, keys.privateKey));
        expect(library.verify(hex, signature, keys.publicKey)).toBe(true);
      }),
    );
  });

  test.each([
    ['a seed that is none', () => native.deriveKeypair('sEdNone'), () => library.deriveKeypair('sEdNone')],
    ['an empty seed', () => native.deriveKeypair(''), () => library.deriveKeypair('')],
    ['half a byte', () => native.sign('A', `ED${'1'.repeat(64)}`), () => library.sign('A', `ED${'1'.repeat(64)}`)],
    ['a short key', () => native.sign('AB', 'ED11'), () => library.sign('AB', 'ED11')],
  ])('come of what is malformed as they do in the library, errors included: %s', (_, natively, byLibrary) => {
    expect(outcome(natively)).toBe(outcome(byLibrary));
  });
});
