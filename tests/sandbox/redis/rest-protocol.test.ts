import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startRedisRest } from '#sandbox/redis/index.ts';
import { redisUrl, startTestRedis } from './start.ts';

const token = 'protocol-token';
let server: Awaited<ReturnType<typeof startTestRedis>>;

beforeAll(async () => {
  server = await startTestRedis(token);
});
afterAll(() => server.close());
beforeEach(async () => {
  await send('/', ['FLUSHALL']);
});

async function send(path: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(`${server.url}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { status: response.status, json: await response.json() };
}

const base64 = { 'upstash-encoding': 'base64' };
const encoded = (text: string) => Buffer.from(text).toString('base64');

describe('a request', () => {
  test('without the token is refused with 401', async () => {
    const response = await fetch(server.url, { method: 'POST', body: '["PING"]' });
    expect(response.status).toBe(401);
    expect(await response.json()).toEqual({ error: expect.stringContaining('auth token') });
  });

  test('with an unknown command is answered 400 and an error', async () => {
    const answer = await send('/', ['NOSUCH', 'a']);
    expect(answer).toEqual({ status: 400, json: { error: expect.stringContaining("ERR unknown command 'NOSUCH'") } });
  });

  test('that is not a command array is answered 400', async () => {
    for (const body of ['{', '{}', '[]', '[["GET"]]', '["GET",null]']) {
      expect((await send('/', body)).status).toBe(400);
    }
  });

  test('with a command that needs its own connection is refused', async () => {
    for (const name of ['SUBSCRIBE', 'blpop', 'MULTI', 'SHUTDOWN']) {
      expect(await send('/', [name, 'x'])).toEqual({
        status: 400,
        json: { error: expect.stringContaining('not available') },
      });
    }
  });

  test('reaches no method of the library behind it', async () => {
    for (const name of ['disconnect', 'duplicate', 'constructor', 'emit']) {
      expect((await send('/', [name])).json).toEqual({ error: expect.stringContaining('ERR unknown command') });
    }
  });

  test('with missing arguments changes nothing', async () => {
    expect((await send('/', ['SET', 'a'])).json).toEqual({
      error: "ERR wrong number of arguments for 'set' command",
    });
    expect((await send('/', ['EXISTS', 'a'])).json).toEqual({ result: 0 });
  });
});

describe('an answer', () => {
  test('is raw unless base64 is asked for', async () => {
    await send('/', ['SET', 'a', 'hello']);
    expect((await send('/', ['GET', 'a'])).json).toEqual({ result: 'hello' });
    expect((await send('/', ['GET', 'a'], base64)).json).toEqual({ result: encoded('hello') });
  });

  test('leaves OK, integers and null unencoded', async () => {
    const answer = await send(
      '/pipeline',
      [
        ['SET', 'n', 1],
        ['INCR', 'n'],
        ['GET', 'missing'],
        ['GET', 'n'],
      ],
      base64,
    );
    expect(answer.json).toEqual([{ result: 'OK' }, { result: 2 }, { result: null }, { result: encoded('2') }]);
  });

  test('encodes strings inside nested arrays', async () => {
    await send('/', ['SET', 'only', 'x']);
    const answer = await send('/', ['SCAN', '0'], base64);
    expect(answer.json).toEqual({ result: [encoded('0'), [encoded('only')]] });
  });

  test('gives hashes as flat arrays', async () => {
    await send('/', ['HSET', 'h', 'a', 1, 'b', 2]);
    expect((await send('/', ['HGETALL', 'h'])).json).toEqual({ result: ['a', '1', 'b', '2'] });
    expect((await send('/', ['HGETALL', 'missing'])).json).toEqual({ result: [] });
  });

  test('keeps numbers that were sent as numbers as strings', async () => {
    await send('/', ['SET', 'n', 12.5]);
    expect((await send('/', ['GET', 'n'])).json).toEqual({ result: '12.5' });
  });
});

describe('a pipeline', () => {
  test('is answered 200 with an error only where a command failed', async () => {
    const answer = await send('/pipeline', [
      ['SET', 's', 'x'],
      ['INCR', 's'],
      ['LPUSH', 's', 'y'],
      ['GET', 's'],
    ]);
    expect(answer).toEqual({
      status: 200,
      json: [
        { result: 'OK' },
        { error: 'ERR value is not an integer or out of range' },
        { error: 'WRONGTYPE Operation against a key holding the wrong kind of value' },
        { result: 'x' },
      ],
    });
  });
});

describe('a transaction', () => {
  test('runs all its commands, and a failing one stops none', async () => {
    const answer = await send('/multi-exec', [
      ['SET', 's', 'x'],
      ['INCR', 's'],
      ['APPEND', 's', 'y'],
      ['GET', 's'],
    ]);
    expect(answer).toEqual({
      status: 200,
      json: [
        { result: 'OK' },
        { error: 'ERR value is not an integer or out of range' },
        { result: 2 },
        { result: 'xy' },
      ],
    });
  });

  test('with a command Redis does not know is discarded as a whole', async () => {
    const answer = await send('/multi-exec', [['SET', 'a', '1'], ['NOSUCH']]);
    expect(answer).toEqual({ status: 400, json: { error: expect.stringContaining('EXECABORT') } });
    expect((await send('/', ['GET', 'a'])).json).toEqual({ result: null });
  });
});

describe('a path', () => {
  const get = async (path: string) => {
    const response = await fetch(`${server.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
    return response.json();
  };

  test('names the command, its arguments and, in the query, its options', async () => {
    expect(await get('/set/a%2Fb/hello%20world?EX=100')).toEqual({ result: 'OK' });
    expect(await get('/get/a%2Fb')).toEqual({ result: 'hello world' });
    expect(await get('/ttl/a%2Fb')).toEqual({ result: 100 });
  });

  test('may have its last argument in the body', async () => {
    expect((await send('/set/body', '{"a":1}')).json).toEqual({ result: 'OK' });
    expect(await get('/get/body')).toEqual({ result: '{"a":1}' });
  });

  test('may carry the token in the query', async () => {
    const response = await fetch(`${server.url}/set/k/v?_token=${token}`);
    expect(await response.json()).toEqual({ result: 'OK' });
  });
});

test.skipIf(redisUrl)('two servers without a real Redis share no data', async () => {
  const other = await startRedisRest({ token });
  await send('/', ['SET', 'mine', '1']);
  const response = await fetch(`${other.url}/get/mine`, { headers: { authorization: `Bearer ${token}` } });
  expect(await response.json()).toEqual({ result: null });
  await other.close();
});
