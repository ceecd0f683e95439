import { describe, expect, test } from 'vitest';
import type { Encoded } from '#lib/api/encoded.ts';
import { KEPT_MS, KeptAnswers } from '#lib/api/kept-answers.ts';

const encodedOf = (text: string, cacheControl = 'public, max-age=300', status = 200): Encoded => ({
  status,
  headers: { 'cache-control': cacheControl },
  body: new TextEncoder().encode(text),
  etag: null,
});
const textOf = ({ body }: Encoded) => new TextDecoder().decode(body ?? undefined);

/** Each making gives the next number. */
function counting(cacheControl?: string, status?: number) {
  let made = 0;
  return async () => {
    made += 1;
    return encodedOf(String(made), cacheControl, status);
  };
}

describe('an answer that everybody may keep', () => {
  test('is made once for all who ask meanwhile, and for a second more', async () => {
    const kept = new KeptAnswers();
    const make = counting();
    const crowd = await Promise.all(Array.from({ length: 50 }, () => kept.get('a', 0, make)));
    expect(new Set(crowd.map(textOf))).toEqual(new Set(['1']));
    expect(textOf(await kept.get('a', KEPT_MS - 1, make))).toBe('1');
    expect(textOf(await kept.get('a', KEPT_MS, make))).toBe('2');
  });

  test('is never older than a second, however long its making took', async () => {
    const kept = new KeptAnswers();
    const { promise, resolve: finish } = Promise.withResolvers<Encoded>();
    const slow = kept.get('a', 0, () => promise);
    const later = kept.get('a', KEPT_MS, async () => encodedOf('later'));
    finish(encodedOf('slow'));
    expect([textOf(await slow), textOf(await later)]).toEqual(['slow', 'later']);
    expect(textOf(await kept.get('a', KEPT_MS + 1, counting()))).toBe('later');
  });

  test('is another one at another address', async () => {
    const kept = new KeptAnswers();
    expect(textOf(await kept.get('a', 0, async () => encodedOf('a')))).toBe('a');
    expect(textOf(await kept.get('b', 0, async () => encodedOf('b')))).toBe('b');
  });

  test('does not fill the memory', async () => {
    const kept = new KeptAnswers();
    const make = counting();
    for (let n = 0; n < 1_001; n++) await kept.get(`a${n}`, 0, make);
    expect(textOf(await kept.get('a0', 0, make))).toBe('1002');
  });

  test('makes room for others when many long addresses are asked', async () => {
    const kept = new KeptAnswers();
    const make = counting();
    const longKey = (n: number) => `${n}`.padEnd(1024 * 1024, 'a');
    for (let n = 0; n < 33; n++) await kept.get(longKey(n), 0, make);
    expect(textOf(await kept.get(longKey(0), 0, make))).toBe('34');
  });
});

describe('nothing that is kept gives way to', () => {
  test('what nobody may keep', async () => {
    const kept = new KeptAnswers();
    const make = counting();
    await kept.get('a', 0, make);
    const large = 'b'.repeat(1024 * 1024);
    for (let n = 0; n < 40; n++) await kept.get(`b${n}`, 0, async () => encodedOf(large, 'no-store'));
    expect(textOf(await kept.get('a', 0, make))).toBe('1');
  });

  test('older forms of an answer that is made anew each second', async () => {
    const kept = new KeptAnswers();
    const make = counting();
    const large = 'b'.repeat(1024 * 1024);
    for (let n = 0; n < 31; n++) await kept.get('b', n * KEPT_MS, async () => encodedOf(large));
    const nowMs = 31 * KEPT_MS;
    for (const key of ['a', 'b', 'c']) await kept.get(key, nowMs, key === 'a' ? make : async () => encodedOf(large));
    expect(textOf(await kept.get('a', nowMs, make))).toBe('1');
  });

  test('a request that is refused at once', async () => {
    const kept = new KeptAnswers();
    const make = counting();
    for (let n = 0; n < 1_000; n++) await kept.get(`a${n}`, 0, make);
    const refuse = () => {
      throw new Error('not valid');
    };
    expect(() => kept.get('b', 0, refuse)).toThrow('not valid');
    expect(textOf(await kept.get('a0', 0, make))).toBe('1');
  });
});

describe('nothing is kept of', () => {
  test('a failure', async () => {
    const kept = new KeptAnswers();
    const fails = kept.get('a', 0, () => Promise.reject(new Error('away')));
    await expect(fails).rejects.toThrow('away');
    expect(textOf(await kept.get('a', 0, counting()))).toBe('1');
  });

  test.each([
    ['what nobody may keep', 'no-store', 200],
    ['what is over at once', 'public, max-age=0', 200],
    ['what one person may keep', 'private, max-age=60', 200],
    ['another status', 'public, max-age=60', 202],
  ])('%s', async (_, cacheControl, status) => {
    const kept = new KeptAnswers();
    const make = counting(cacheControl, status);
    await kept.get('a', 0, make);
    expect(textOf(await kept.get('a', 0, make))).toBe('2');
  });
});
