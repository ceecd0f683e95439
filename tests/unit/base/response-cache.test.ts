import { describe, expect, test } from 'vitest';
import type { Encoded } from '#lib/api/answer.ts';
import { MAX_AGE_MS, newResponseCache } from '#lib/api/response-cache.ts';
import { ResponseCache } from '#lib/base/response-cache.ts';

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
    const kept = newResponseCache();
    const make = counting();
    const crowd = await Promise.all(Array.from({ length: 50 }, () => kept.get('a', 0, make)));
    expect(new Set(crowd.map(textOf))).toEqual(new Set(['1']));
    expect(textOf(await kept.get('a', MAX_AGE_MS - 1, make))).toBe('1');
    expect(textOf(await kept.get('a', MAX_AGE_MS, make))).toBe('2');
  });

  test('is never older than a second, however long its making took', async () => {
    const kept = newResponseCache();
    const { promise, resolve: finish } = Promise.withResolvers<Encoded>();
    const slow = kept.get('a', 0, () => promise);
    const later = kept.get('a', MAX_AGE_MS, async () => encodedOf('later'));
    finish(encodedOf('slow'));
    expect([textOf(await slow), textOf(await later)]).toEqual(['slow', 'later']);
    expect(textOf(await kept.get('a', MAX_AGE_MS + 1, counting()))).toBe('later');
  });

  test('is another one at another address', async () => {
    const kept = newResponseCache();
    expect(textOf(await kept.get('a', 0, async () => encodedOf('a')))).toBe('a');
    expect(textOf(await kept.get('b', 0, async () => encodedOf('b')))).toBe('b');
  });

  test('does not fill the memory', async () => {
    const kept = newResponseCache();
    const make = counting();
    for (let n = 0; n < 1_001; n++) await kept.get(`a${n}`, 0, make);
    expect(textOf(await kept.get('a0', 0, make))).toBe('1002');
  });

  test('makes room for others when many long addresses are asked', async () => {
    const kept = newResponseCache();
    const make = counting();
    const longKey = (n: number) => `${n}`.padEnd(1024 * 1024, 'a');
    for (let n = 0; n < 33; n++) await kept.get(longKey(n), 0, make);
    expect(textOf(await kept.get(longKey(0), 0, make))).toBe('34');
  });
});

describe('nothing that is kept gives way to', () => {
  test('what nobody may keep', async () => {
    const kept = newResponseCache();
    const make = counting();
    await kept.get('a', 0, make);
    const large = 'b'.repeat(1024 * 1024);
    for (let n = 0; n < 40; n++) await kept.get(`b${n}`, 0, async () => encodedOf(large, 'no-store'));
    expect(textOf(await kept.get('a', 0, make))).toBe('1');
  });

  test('older forms of an answer that is made anew each second', async () => {
    const kept = newResponseCache();
    const make = counting();
    const large = 'b'.repeat(1024 * 1024);
    for (let n = 0; n < 31; n++) await kept.get('b', n * MAX_AGE_MS, async () => encodedOf(large));
    const nowMs = 31 * MAX_AGE_MS;
    for (const key of ['a', 'b', 'c']) await kept.get(key, nowMs, key === 'a' ? make : async () => encodedOf(large));
    expect(textOf(await kept.get('a', nowMs, make))).toBe('1');
  });

  test('a request that is refused at once', async () => {
    const kept = newResponseCache();
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
    const kept = newResponseCache();
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
    const kept = newResponseCache();
    const make = counting(cacheControl, status);
    await kept.get('a', 0, make);
    expect(textOf(await kept.get('a', 0, make))).toBe('2');
  });
});

describe('an answer that is shared however slow it is', () => {
  const counter = (keep: (value: number) => boolean) => {
    let runs = 0;
    const cache = new ResponseCache<number>({ maxAgeMs: 2_000, keeps: keep, sharesSlowAnswers: true });
    const read = async () => {
      runs += 1;
      return runs;
    };
    return (nowMs: number) => cache.get('status', nowMs, read);
  };

  test('is made once for a crowd that asks at the same time', async () => {
    const read = counter(() => true);
    expect(await Promise.all([read(0), read(0), read(0)])).toEqual([1, 1, 1]);
  });

  test('serves until it is too old', async () => {
    const read = counter(() => true);
    expect([await read(0), await read(1_999), await read(2_000)]).toEqual([1, 1, 2]);
  });

  test('is made again when the clock was set back', async () => {
    const read = counter(() => true);
    expect([await read(5_000), await read(4_999)]).toEqual([1, 2]);
  });

  test('is made again at once when it is not worth keeping', async () => {
    const read = counter(() => false);
    expect([await read(0), await read(1)]).toEqual([1, 2]);
  });

  test('is made again after it failed', async () => {
    let runs = 0;
    const cache = new ResponseCache<number>({ maxAgeMs: 2_000, keeps: () => true, sharesSlowAnswers: true });
    const read = async () => {
      runs += 1;
      if (runs === 1) throw new Error('once');
      return runs;
    };
    await expect(cache.get('status', 0, read)).rejects.toThrow('once');
    expect(await cache.get('status', 0, read)).toBe(2);
  });

  test('is shared while it is made, beyond its age', async () => {
    const cache = new ResponseCache<string>({ maxAgeMs: 2_000, keeps: () => true, sharesSlowAnswers: true });
    const { promise, resolve: finish } = Promise.withResolvers<string>();
    const slow = cache.get('status', 0, () => promise);
    const later = cache.get('status', 2_000, async () => 'later');
    finish('slow');
    expect([await slow, await later]).toEqual(['slow', 'slow']);
    expect(await cache.get('status', 2_000, async () => 'later')).toBe('later');
  });
});

test('an answer that was made before the clock was set back is made anew', async () => {
  const kept = newResponseCache();
  let made = 0;
  const ask = async (nowMs: number) => {
    const { headers } = await kept.get('a', nowMs, async () => {
      made += 1;
      return {
        status: 200,
        headers: { 'cache-control': 'public, max-age=5', made: String(made) },
        body: null,
        etag: null,
      };
    });
    return headers.made;
  };
  expect([await ask(600_000), await ask(0), await ask(1)]).toEqual(['1', '2', '2']);
});
