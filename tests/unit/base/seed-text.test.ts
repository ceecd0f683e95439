import { generateSeed } from 'ripple-keypairs';
import { describe, expect, test } from 'vitest';
import { containsSeed, holdsSeed } from '#lib/base/plain-text.ts';

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
