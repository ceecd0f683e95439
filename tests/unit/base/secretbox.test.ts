import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { constantTimeEqual, seal, sha256Hex, unseal } from '#lib/base/secretbox.ts';
import { testEnv } from '#tests/support/env.ts';

const key = (id: string, fill: number) => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

beforeEach(() => applyEnv(testEnv()));

test('any text comes back, and only for its own context', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => unseal(seal(text, 'wh_1', randomBytes), 'wh_1') === text),
  );
  expect(() => unseal(seal('secret', 'wh_1', randomBytes), 'wh_2')).toThrow();
});

test('the same text sealed twice looks different, and shows nothing of itself', () => {
  const [a, b] = [seal('whsec_secret', 'wh_1', randomBytes), seal('whsec_secret', 'wh_1', randomBytes)];
  expect(a).not.toBe(b);
  expect(Buffer.from(a.split('.')[2] ?? '', 'base64url').toString('latin1')).not.toContain('whsec');
});

test('a changed bit anywhere is noticed', () => {
  const [keyId = '', nonce = '', body = ''] = seal('secret', 'wh_1', randomBytes).split('.');
  const bytes = Buffer.from(body, 'base64url');
  for (let i = 0; i < bytes.length; i++) {
    const changed = Buffer.from(bytes);
    changed[i]! ^= 1;
    expect(() => unseal([keyId, nonce, changed.toString('base64url')].join('.'), 'wh_1')).toThrow();
  }
});

test('a cut tag is no valid tag', () => {
  const [keyId = '', nonce = '', body = ''] = seal('', 'wh_1', randomBytes).split('.');
  const short = Buffer.from(body, 'base64url').subarray(0, 4).toString('base64url');
  expect(() => unseal([keyId, nonce, short].join('.'), 'wh_1')).toThrow();
});

test('a secret stays readable after a new key is put first, and not after its own key is gone', () => {
  applyEnv(testEnv({ WEBHOOK_ENCRYPTION_KEYS: key('old', 1) }));
  const sealed = seal('secret', 'wh_1', randomBytes);
  applyEnv(testEnv({ WEBHOOK_ENCRYPTION_KEYS: `${key('new', 2)},${key('old', 1)}` }));
  expect(unseal(sealed, 'wh_1')).toBe('secret');
  expect(seal('secret', 'wh_1', randomBytes)).toMatch(/^new\./);
  applyEnv(testEnv({ WEBHOOK_ENCRYPTION_KEYS: key('new', 2) }));
  expect(() => unseal(sealed, 'wh_1')).toThrow('No encryption key with id old');
});

test('comparison accepts equal texts only, of any length', () => {
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => constantTimeEqual(a, b) === (a === b)));
  expect(constantTimeEqual('same', 'same')).toBe(true);
});

test('a hash is SHA-256 in lowercase hex', () => {
  expect(sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
