import { Redis } from '@upstash/redis';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestRedis } from './start.ts';

let server: Awaited<ReturnType<typeof startTestRedis>>;
let redis: Redis;

beforeAll(async () => {
  server = await startTestRedis();
  redis = new Redis({ url: server.url, token: 't', retry: false, enableTelemetry: false });
});
afterAll(() => server.close());
beforeEach(() => redis.flushall());

describe('the unmodified client', () => {
  test('reads back strings, numbers and JSON values as it wrote them', async () => {
    const value = { name: 'Tranche', amounts: [1, '2'], nested: { deep: null } };
    await redis.set('json', value);
    await redis.set('text', 'plain');
    await redis.set('number', 42);
    expect(await redis.mget('json', 'text', 'number', 'missing')).toEqual([value, 'plain', 42, null]);
  });

  test('reads back strings that are not plain ASCII, and the string OK', async () => {
    const texts = ['é\u0000\u0001ÿ', '🪙', 'line\r\nbreak', '"quoted\\', 'OK', 'T0s='];
    for (const text of texts) {
      await redis.set('text', text);
      expect(await redis.get('text')).toBe(text);
      expect(await redis.mget('text')).toEqual([text]);
    }
  });

  test('takes a lock only once, and the lock expires', async () => {
    expect(await redis.set('lock', 'a', { nx: true, ex: 30 })).toBe('OK');
    expect(await redis.set('lock', 'b', { nx: true, ex: 30 })).toBeNull();
    expect(await redis.ttl('lock')).toBe(30);
    expect(await redis.pexpire('lock', 1)).toBe(1);
    await expect.poll(() => redis.exists('lock'), { interval: 2 }).toBe(0);
  });

  test('sets with every option it has', async () => {
    await redis.set('k', 'a', { px: 90_000 });
    expect(await redis.set('k', 'b', { xx: true, get: true, keepTtl: true })).toBe('a');
    expect(await redis.pttl('k')).toBeGreaterThan(80_000);
    expect(await redis.set('k', 'c')).toBe('OK');
    expect(await redis.ttl('k')).toBe(-1);
    expect(await redis.set('none', 'c', { xx: true })).toBeNull();
    await expect(redis.set('k', 'd', { ex: 0 })).rejects.toThrow('invalid expire');
    expect(await redis.get('k')).toBe('c');
  });

  test('counts, and is refused to count text', async () => {
    expect(await redis.incr('n')).toBe(1);
    expect(await redis.incrby('n', 10)).toBe(11);
    expect(await redis.decr('n')).toBe(10);
    await redis.set('text', 'abc');
    await expect(redis.incr('text')).rejects.toThrow('not an integer');
    await expect(redis.hget('text', 'f')).rejects.toThrow('WRONGTYPE');
    expect(await redis.get('text')).toBe('abc');
  });

  test('reads hashes as objects', async () => {
    await redis.hset('h', { a: '1x', b: { c: 2 } });
    expect(await redis.hgetall('h')).toEqual({ a: '1x', b: { c: 2 } });
    expect(await redis.hmget('h', 'a', 'z')).toEqual({ a: '1x', z: null });
    expect(await redis.hgetall('missing')).toBeNull();
  });

  test('orders sorted sets by score', async () => {
    await redis.zadd('z', { score: 2, member: 'b' }, { score: 1.5, member: 'a' }, { score: 3, member: 'c' });
    expect(await redis.zrange('z', 0, -1)).toEqual(['a', 'b', 'c']);
    expect(await redis.zrange('z', 0, 1, { withScores: true })).toEqual(['a', 1.5, 'b', 2]);
    expect(await redis.zrange('z', '(2', '+inf', { byScore: true })).toEqual(['c']);
    expect(await redis.zrange('z', 0, 0, { rev: true })).toEqual(['c']);
    expect(await redis.zscore('z', 'a')).toBe(1.5);
    expect(await redis.zremrangebyscore('z', 0, 2)).toBe(2);
    expect(await redis.zcard('z')).toBe(1);
  });

  test('keeps lists and sets', async () => {
    expect(await redis.rpush('l', 'a', 'b', 'c')).toBe(3);
    expect(await redis.lrange('l', 0, -1)).toEqual(['a', 'b', 'c']);
    expect(await redis.sadd('s', 'x', 'y', 'x')).toBe(2);
    expect(await redis.sismember('s', 'x')).toBe(1);
  });

  test('gets an explicit pipeline answered in order', async () => {
    expect(await redis.pipeline().set('a', 1).incr('a').get('a').del('a').exec()).toEqual(['OK', 2, 2, 1]);
  });

  test('gets automatically pipelined commands answered each with its own result', async () => {
    await redis.set('a', 'A');
    const [a, missing, count] = await Promise.all([redis.get('a'), redis.get('b'), redis.incr('c')]);
    expect([a, missing, count]).toEqual(['A', null, 1]);
  });

  test('gets a transaction with nothing in between', async () => {
    const increments = 5;
    const transactions = Array.from({ length: 10 }, () => {
      const multi = redis.multi();
      for (let index = 0; index < increments; index++) multi.incr('n');
      return multi.exec<number[]>();
    });
    for (const results of await Promise.all(transactions)) {
      const [first = 0] = results;
      expect(results).toEqual(Array.from({ length: increments }, (_, index) => first + index));
    }
    expect(await redis.get('n')).toBe(50);
  });

  test('gets a hash out of a transaction', async () => {
    expect(await redis.multi().hset('h', { a: 'x' }).hgetall('h').exec()).toEqual([1, { a: 'x' }]);
  });

  test('is refused with a wrong token', async () => {
    const stranger = new Redis({ url: server.url, token: 'wrong', retry: false, enableTelemetry: false });
    await expect(stranger.get('a')).rejects.toThrow('auth token');
  });
});
