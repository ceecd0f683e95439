import { generateSeed } from 'ripple-keypairs';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createApiKeyBody } from '#lib/accounts/api-keys/contracts.ts';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { containsSeed, holdsSeed } from '#lib/base/plain-text.ts';
import { projectPatch } from '#lib/sales/projects/project-input.ts';

const WALLET = 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh';

/** The `reason` that an operation asks for, in its body or query. */
const reasons = CONTRACTS.filter(({ method }) => method !== 'GET').flatMap((contract) =>
  [contract.body, contract.query].flatMap((part) =>
    part instanceof z.ZodObject && 'reason' in part.shape
      ? [[contract.id, part.shape.reason as z.ZodType] as const]
      : [],
  ),
);

describe('a reason that stands in the audit log', () => {
  test('is asked for by every operation of an operator', () => {
    expect(reasons.map(([id]) => id)).toEqual(
      expect.arrayContaining([
        'actOnProject',
        'issueTokens',
        'processTransactions',
        'discardAllowlist',
        'haltDepositAccount',
      ]),
    );
  });

  test.each(reasons)('of %s holds no seed and no control character, and says something', (_, reason) => {
    for (const text of [
      'the key is snoPBrXtMeMyMHUVTgbuqAfg1SUTb',
      'a\u0007b',
      'a\nb',
      'no',
      '   a   ',
      'x'.repeat(501),
    ]) {
      expect(reason.safeParse(text).success, text).toBe(false);
    }
    expect(reason.parse('  asked for by the owner ')).toBe('asked for by the owner');
  });
});

describe.each([
  ['a project', (name: string) => projectPatch.safeParse({ name })],
  ['an API key', (name: string) => createApiKeyBody.safeParse({ wallet_address: WALLET, name })],
])('the name of %s', (_, named) => {
  test.each([
    ['a right-to-left override', 'Demo\u202Enekot'],
    ['an isolate', 'Demo\u2067'],
    ['a zero-width space', 'De\u200Bmo'],
    ['a zero-width joiner', 'De\u200Dmo'],
    ['a byte order mark', 'De\uFEFFmo'],
    ['a soft hyphen', 'De\u00ADmo'],
    ['a line separator', 'De\u2028mo'],
    ['a Hangul filler', 'De\u3164mo'],
    ['a control character', 'De\u0007mo'],
  ])('holds no %s', (_what, name) => {
    expect(named(name).success).toBe(false);
  });

  test.each(['', '   ', '\u2800', '\u0301', '\u3164', '\u00A0\u3000'])('shows something: not %j', (name) => {
    expect(named(name).success).toBe(false);
  });

  test.each(['Demo', 'Zürich Åland', '東京トークン', 'سهم', '❤️ Token 2', 'e\u0301'])('may be %s', (name) => {
    expect(named(name).success).toBe(true);
  });
});

const SEEDS = Array.from({ length: 50 }, () => [generateSeed(), generateSeed({ algorithm: 'ed25519' })]).flat();

describe('a seed', () => {
  test('is found wherever it stands in a text', () => {
    for (const seed of SEEDS) {
      for (const text of [seed, ` ${seed}\n`, `my seed: ${seed}!`, `seed_${seed}`, `https://a.example/${seed}?x=1`]) {
        expect(containsSeed(text), text).toBe(true);
      }
    }
  });

  test('of the Ed25519 form is found inside a word too', () => {
    expect(containsSeed('xsEdTM1uX8pu2do5XvTnutH6HsouMaM2y')).toBe(true);
  });

  test('is found in any value and name of a JSON value, however deep', () => {
    let deep: unknown = SEEDS[0];
    for (let depth = 0; depth < 50_000; depth += 1) deep = [deep];
    expect(holdsSeed(deep)).toBe(true);
    expect(holdsSeed({ a: [1, null, { [SEEDS[1] ?? '']: true }] })).toBe(true);
  });
});

test('addresses, hashes, ids and everyday texts are no seeds', () => {
  const texts = [
    'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
    'X7gJ5YK8abHf2eTPWPFHAAot8Knck11QGqmQ7a6a3Z8PJvk',
    'AB'.repeat(32),
    'inv_s00000000000000000sample',
    'inv_s4qUZk1r2bJ8sVd1mX7nTq',
    'https://receiver.example.com/hooks/5f0c2b1e-8a4f-4d55-9b1e-2f8f0c1d2e3f',
    'Production receiver of the sale in spring, with a supercalifragilistic name',
  ];
  expect(texts.filter(containsSeed)).toEqual([]);
  expect(holdsSeed({ texts, n: 1, none: null, yes: true })).toBe(false);
});
