import { createHash } from 'node:crypto';
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

describe('a Lua script', () => {
  test('gets its keys and arguments', async () => {
    expect(await redis.eval('return {KEYS[1], ARGV[1], ARGV[2]}', ['k'], ['é\u0000ÿ "q" \\', 'b'])).toEqual([
      'k',
      'é\u0000ÿ "q" \\',
      'b',
    ]);
  });

  test('has its result converted as Redis converts it', async () => {
    expect(await redis.eval('return {3.99, -3.99, true, false, {1, {"x"}}, 1700000000123}', [], [])).toEqual([
      3,
      -3,
      1,
      null,
      [1, ['x']],
      1700000000123,
    ]);
    expect(await redis.eval('return {1, nil, 3}', [], [])).toEqual([1]);
    expect(await redis.eval('return redis.status_reply("FINE")', [], [])).toBe('FINE');
  });

  test('sees a missing value as false, alone and in an array', async () => {
    await redis.hset('h', { a: '1' });
    const script = `
      local fields = redis.call('HMGET', KEYS[1], 'a', 'b')
      return {#fields, fields[1], tostring(fields[2] == false), tostring(redis.call('GET', 'none') == false)}`;
    expect(await redis.eval(script, ['h'], [])).toEqual([2, 1, true, true]);
  });

  test('that compares and deletes releases a lock only to its holder', async () => {
    const release = 'if redis.call("get", KEYS[1]) == ARGV[1] then return redis.call("del", KEYS[1]) else return 0 end';
    await redis.set('lock', 'holder', { nx: true, px: 60_000 });
    expect(await redis.eval(release, ['lock'], ['other'])).toBe(0);
    expect(await redis.eval(release, ['lock'], ['holder'])).toBe(1);
    expect(await redis.exists('lock')).toBe(0);
  });

  test('takes a lock in the spelling of its options it likes', async () => {
    const acquire = 'return redis.call("set", KEYS[1], ARGV[1], "nx", "px", ARGV[2])';
    expect(await redis.eval(acquire, ['lock'], ['a', 60_000])).toBe('OK');
    expect(await redis.eval(acquire, ['lock'], ['b', 60_000])).toBeNull();
    expect(await redis.get('lock')).toBe('a');
  });

  test('passes errors on, raised, returned or caught', async () => {
    await expect(redis.eval('return redis.call("NOSUCH")', [], [])).rejects.toThrow('Unknown Redis command');
    await expect(redis.eval('return redis.error_reply("MINE is this")', [], [])).rejects.toThrow('MINE is this');
    await expect(redis.eval('return nil + 1', [], [])).rejects.toThrow('ERR');
    await expect(redis.eval('this is no Lua', [], [])).rejects.toThrow('ERR');
    expect(await redis.eval('return type(redis.pcall("NOSUCH").err)', [], [])).toBe('string');
    const caught = 'local done, failure = pcall(redis.call, "INCR", KEYS[1]) return {tostring(done), failure}';
    await redis.set('word', 'x');
    expect(await redis.eval(caught, ['word'], [])).toEqual([false, expect.stringContaining('not an integer')]);
  });

  test('leaves no global behind, and runs alone', async () => {
    await expect(redis.eval('left = 1', [], [])).rejects.toThrow('Attempt to modify a readonly table');
    await expect(redis.eval('function left() end', [], [])).rejects.toThrow('Attempt to modify a readonly table');
    const count = 'local before = redis.call("GET", KEYS[1]) redis.call("INCR", KEYS[1]) return before';
    const counts = await Promise.all(Array.from({ length: 20 }, () => redis.eval(count, ['n'], [])));
    expect(counts).toEqual([null, ...Array.from({ length: 19 }, (_, n) => n + 1)]);
  });

  test('may be a part of a transaction', async () => {
    const [first, second] = await redis
      .multi()
      .eval('return redis.call("INCR", KEYS[1])', ['n'], [])
      .eval('return redis.call("INCR", KEYS[1]) * 10', ['n'], [])
      .exec();
    expect([first, second]).toEqual([1, 20]);
  });
});

describe('EVALSHA', () => {
  const script = '#!lua flags=allow-key-locking\n  return redis.call("INCR", KEYS[1])';
  const sha = createHash('sha1').update(script).digest('hex');

  test('of a script never seen is answered NOSCRIPT', async () => {
    await expect(redis.evalsha('0'.repeat(40), [], [])).rejects.toThrow('NOSCRIPT');
  });

  test("finds a script under the SHA1 of the client's text, flag line included", async () => {
    expect(await redis.eval(script, ['n'], [])).toBe(1);
    expect(await redis.evalsha(sha, ['n'], [])).toBe(2);
  });

  test('finds a script that was loaded, until the scripts are flushed', async () => {
    await redis.scriptFlush();
    expect(await redis.scriptLoad(script)).toBe(sha);
    expect(await redis.scriptExists(sha, 'f'.repeat(40))).toEqual([1, 0]);
    expect(await redis.evalsha(sha, ['m'], [])).toBe(1);
    await redis.scriptFlush();
    await expect(redis.evalsha(sha, ['m'], [])).rejects.toThrow('NOSCRIPT');
  });
});
