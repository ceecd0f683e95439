import { Ratelimit } from '@upstash/ratelimit';
import { Redis, type RedisConfigNodejs } from '@upstash/redis';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { RunningRedisRest } from '#sandbox/redis/index.ts';
import { startTestRedis } from './start.ts';

let server: RunningRedisRest;
let redis: Redis;

const connect = (options: Partial<RedisConfigNodejs>) =>
  new Redis({ url: server.url, token: 't', enableTelemetry: false, ...options });

beforeAll(async () => {
  server = await startTestRedis();
  redis = connect({ retry: { retries: 0 } });
});
afterAll(() => server.close());
afterEach(async () => {
  server.faults.clear();
  await redis.flushall();
});

describe('a Redis that is down', () => {
  test('is an error for as many requests as were asked for', async () => {
    server.faults.inject({ kind: 'down', count: 2 });
    await expect(redis.incr('n')).rejects.toThrow('service unavailable');
    await expect(redis.incr('n')).rejects.toThrow('service unavailable');
    expect(await redis.incr('n')).toBe(1);
  });

  test('by a broken connection has counted nothing', async () => {
    server.faults.inject({ kind: 'down', how: 'reset', count: 1 });
    await expect(redis.incr('n')).rejects.toThrow('fetch failed');
    expect(await redis.get('n')).toBeNull();
  });

  test('by a lost answer has counted', async () => {
    server.faults.inject({ kind: 'down', how: 'answer_lost', count: 1 });
    await expect(redis.incr('n')).rejects.toThrow('fetch failed');
    expect(await redis.get('n')).toBe(1);
  });

  test('by a lost answer is counted twice by a client that tries again, which `retry: false` does once', async () => {
    for (const retry of [{ retries: 1, backoff: () => 0 }, false] as const) {
      server.faults.inject({ kind: 'down', how: 'answer_lost', count: 1 });
      expect(await connect({ retry }).incr(`n-${String(retry)}`)).toBe(2);
    }
  });

  test('makes the rate limiter throw', async () => {
    server.faults.inject({ kind: 'down' });
    const limiter = new Ratelimit({ redis, limiter: Ratelimit.fixedWindow(3, '1 d'), ephemeralCache: false });
    await expect(limiter.limit('caller')).rejects.toThrow('service unavailable');
  });
});

describe('a slow Redis', () => {
  test('is given up by a client that set a time-out, though the command was done', async () => {
    server.faults.inject({ kind: 'slow', milliseconds: 60_000, count: 1 });
    const impatient = connect({ retry: { retries: 0 }, signal: () => AbortSignal.timeout(50) });
    await expect(impatient.incr('n')).rejects.toThrow('aborted due to timeout');
    expect(await redis.get('n')).toBe(1);
  });

  test('makes the rate limiter let its caller pass', async () => {
    // The limiter does not give its requests up: they would come in the middle of a later test.
    const own = await startTestRedis();
    const limiter = new Ratelimit({
      redis: new Redis({ url: own.url, token: 't', enableTelemetry: false, retry: false }),
      limiter: Ratelimit.fixedWindow(1, '1 d'),
      ephemeralCache: false,
      timeout: 20,
    });
    own.faults.inject({ kind: 'slow', milliseconds: 60_000 });
    for (let call = 0; call < 3; call++) {
      expect(await limiter.limit('caller')).toMatchObject({ success: true, reason: 'timeout' });
    }
    await own.close();
  });

  test('is slow for the command named only', async () => {
    server.faults.inject({ kind: 'slow', milliseconds: 60_000, command: 'get' });
    expect(await redis.set('a', 1)).toBe('OK');
    expect(server.faults.list()).toMatchObject([{ command: 'GET', struck: 0 }]);
  });
});

describe('a refused command', () => {
  test('is an error of its own, and is not run', async () => {
    server.faults.inject({ kind: 'refuse', command: 'incr', error: 'OOM command not allowed', count: 1 });
    expect(await redis.set('n', 5)).toBe('OK');
    await expect(redis.incr('n')).rejects.toThrow('OOM command not allowed');
    expect(await redis.incr('n')).toBe(6);
  });

  test('in a pipeline fails alone', async () => {
    server.faults.inject({ kind: 'refuse', command: 'INCR', count: 1 });
    const [set, refused, get] = await redis
      .pipeline()
      .set('n', 5)
      .incr('n')
      .get('n')
      .exec<[string, number, number]>({ keepErrors: true });
    expect(set).toMatchObject({ result: 'OK' });
    expect(refused).toMatchObject({ error: 'ERR max requests limit exceeded' });
    expect(get).toMatchObject({ result: 5 });
  });

  test('in a transaction fails the whole', async () => {
    server.faults.inject({ kind: 'refuse', command: 'INCR', count: 1 });
    await expect(redis.multi().set('n', 5).incr('n').exec()).rejects.toThrow('max requests limit');
    expect(await redis.get('n')).toBeNull();
  });
});

describe('POST /sandbox/faults', () => {
  const send = (method: string, path: string, body?: object) =>
    fetch(`${server.url}${path}`, { method, body: body === undefined ? null : JSON.stringify(body) });

  test('puts a fault in force that DELETE ends', async () => {
    const injected = await send('POST', '/sandbox/faults', { kind: 'down' });
    expect(injected.status).toBe(201);
    expect(await injected.json()).toMatchObject({
      id: expect.any(String),
      kind: 'down',
      how: 'unavailable',
      struck: 0,
    });
    await expect(redis.get('n')).rejects.toThrow('service unavailable');
    expect(await (await send('GET', '/sandbox/faults')).json()).toMatchObject([{ kind: 'down', struck: 1 }]);
    expect(await (await send('DELETE', '/sandbox/faults')).json()).toEqual({ cleared: 1 });
    expect(await redis.get('n')).toBeNull();
  });

  test('refuses what is no fault of this stand-in', async () => {
    for (const body of [{}, { kind: 'drop' }, { kind: 'slow' }, { kind: 'down', often: true }]) {
      expect((await send('POST', '/sandbox/faults', body)).status).toBe(400);
    }
    expect(server.faults.list()).toEqual([]);
  });
});
