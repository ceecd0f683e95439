import { randomBytes } from 'node:crypto';
import { derivedId, ID_PREFIXES } from '@tranche/rules/ids.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { idPattern, newId, newIds, randomBase62 } from '#lib/base/ids.ts';
import { identifier } from '../verifier/second-implementation/identifiers.ts';

test('every new id has its prefix and 22 base62 digits', () => {
  for (const prefix of ID_PREFIXES) expect(newId(prefix, randomBytes)).toMatch(idPattern(prefix));
});

test('many new ids are all different, and take one draw of randomness', () => {
  const draws: number[] = [];
  const random = (size: number) => {
    draws.push(size);
    return randomBytes(size);
  };
  const ids = newIds('att', random, 300, Date.now());
  expect(new Set(ids).size).toBe(300);
  for (const id of ids) expect(id).toMatch(idPattern('att'));
  expect(draws).toHaveLength(1);
});

test('many new ids are whole where so many bytes are thrown away that one draw does not do', () => {
  const random = (size: number) => Uint8Array.from({ length: size }, (_, n) => (n % 3 === 0 ? 7 : 255));
  expect(newIds('att', random, 3, 0)).toEqual(Array.from({ length: 3 }, () => `att_${'0'.repeat(7)}${'7'.repeat(15)}`));
});

test('many new ids stand behind those of every minute before, whatever was drawn', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 28 - 1 }), (minute) => {
      const [earlier] = newIds('att', (size) => new Uint8Array(size).fill(61), 1, minute * 60_000 - 1);
      const [later] = newIds('att', (size) => new Uint8Array(size), 1, minute * 60_000);
      expect(`${earlier}` < `${later}`).toBe(true);
    }),
  );
});

test('a derived id has the form of a random one', () => {
  fc.assert(
    fc.property(fc.array(fc.string()), (subject) => {
      expect(derivedId('inv', ...subject)).toMatch(idPattern('inv'));
    }),
  );
});

test('a derived id is the last 22 base62 digits of the digest, leading zeros included', () => {
  fc.assert(
    fc.property(fc.constantFrom(...ID_PREFIXES), fc.array(fc.string()), (prefix, subject) => {
      expect(derivedId(prefix, ...subject)).toBe(identifier(prefix, ...subject));
    }),
    { numRuns: 1_000 },
  );
});

test('the same subject gives the same id, and only under the same prefix', () => {
  expect(derivedId('inv', 'A')).toBe(derivedId('inv', 'A'));
  expect(derivedId('inv', 'A').slice(4)).not.toBe(derivedId('evt', 'A').slice(4));
});

test('parts of a subject cannot be shifted into one another', () => {
  expect(derivedId('evt', 'ab', 'c')).not.toBe(derivedId('evt', 'a', 'bc'));
  expect(derivedId('evt', 'a', '')).not.toBe(derivedId('evt', 'a'));
});

test('bytes that would favour a digit are thrown away', () => {
  const bytes = [255, 248, 247, 0, 61, 62];
  // 247 = 3 * 62 + 61 is the last byte that is used.
  expect(randomBase62(() => Uint8Array.from(bytes), 4)).toBe('z0z0');
});
