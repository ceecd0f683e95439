import fc from 'fast-check';
import { expect, test } from 'vitest';
import { encodeAccountID, hashes } from 'xrpl';
import { escrowId } from '#lib/xrpl/escrow-id.ts';

test('the key of an escrow is the one that the library computes, for every account and sequence or ticket', () => {
  const account = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((bytes) => encodeAccountID(Buffer.from(bytes)));
  fc.assert(
    fc.property(account, fc.integer({ min: 0, max: 0xffff_ffff }), (owner, sequence) => {
      expect(escrowId(owner, sequence)).toBe(hashes.hashEscrow(owner, sequence));
    }),
  );
});

test('the key of an escrow is the one that the tests of xrpl.js state for it', () => {
  expect(escrowId('rDx69ebzbowuqztksVDmZXjizTd12BVr4x', 84)).toBe(
    '61E8E8ED53FA2CEBE192B23897071E9A75217BF5A410E9CB5B45AAB7AECA567A',
  );
});
