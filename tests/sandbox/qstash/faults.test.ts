import { Client } from '@upstash/qstash';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBench, token } from './bench.ts';

let bench: Awaited<ReturnType<typeof startBench>>;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const publish = (path: string, more: object = {}) =>
  bench.client.publish({ url: `${bench.destinationUrl}/${path}`, body: path, ...more });
const arrivedPaths = () => bench.callbacks.map(({ body }) => body);

describe('a message delivered twice', () => {
  test('arrives again after its first success: same id, same body, signed anew', async () => {
    bench.qstash.faults.inject({ kind: 'duplicate', count: 1 });
    const { messageId } = await publish('twice', { delay: 5 });
    await publish('once', { delay: 5 });
    expect(await bench.advance(5)).toMatchObject({ deliveries: 3, settled: true });
    const copies = bench.callbacks.filter(({ body }) => body === 'twice');
    expect(copies).toHaveLength(2);
    for (const { headers, body } of copies) {
      expect(headers['upstash-message-id']).toBe(messageId);
      const signature = String(headers['upstash-signature']);
      expect(await bench.receiver.verify({ signature, body, url: `${bench.destinationUrl}/twice` })).toBe(true);
    }
    expect(await bench.advance(86_400)).toMatchObject({ deliveries: 0 });
  });

  test('may arrive several times at the same moment', async () => {
    let underWay = 0;
    const allHere = Promise.withResolvers<void>();
    bench.respondWith(async (_callback, response) => {
      underWay += 1;
      if (underWay === 5) allHere.resolve();
      await allHere.promise;
      response.end();
    });
    bench.qstash.faults.inject({ kind: 'duplicate', times: 5, together: true, count: 1 });
    await publish('five', { delay: 5 });
    expect(await bench.advance(5)).toMatchObject({ deliveries: 5, settled: true });
    expect(new Set(bench.callbacks.map(({ headers }) => headers['upstash-message-id'])).size).toBe(1);
  });

  test('has its retries between', async () => {
    bench.qstash.faults.inject({ kind: 'duplicate', times: 2, count: 1 });
    bench.respondWith((_callback, response) => {
      const status = bench.callbacks.length === 2 ? 500 : 200;
      response.writeHead(status, { 'retry-after': '30' }).end();
    });
    await publish('again');
    await bench.advance(0);
    expect(bench.callbacks).toHaveLength(2);
    await bench.advance(30);
    expect(bench.callbacks.map(({ headers }) => headers['upstash-retried'])).toEqual(['0', '0', '1']);
    expect(await bench.waiting()).toEqual([]);
  });

  test("may be a schedule's", async () => {
    await bench.client.schedules.create({ destination: bench.destinationUrl, cron: '0 * * * *' });
    bench.qstash.faults.inject({ kind: 'duplicate', count: 1 });
    expect(await bench.advance(7200)).toMatchObject({ deliveries: 3 });
  });
});

describe('a reordered message', () => {
  test('arrives after one that was published later', async () => {
    bench.qstash.faults.inject({ kind: 'reorder', count: 1 });
    await bench.client.batch(['first', 'second'].map((body) => ({ url: bench.destinationUrl, body })));
    expect(await bench.advance(0)).toMatchObject({ settled: true });
    expect(arrivedPaths()).toEqual(['second', 'first']);
  });

  test('may be overtaken by many', async () => {
    bench.qstash.faults.inject({ kind: 'reorder', behind: 3, count: 1 });
    for (const path of ['a', 'b', 'c', 'd', 'e']) {
      await publish(path);
      await bench.advance(0);
    }
    expect(arrivedPaths()).toEqual(['b', 'c', 'd', 'a', 'e']);
  });

  test('arrives all the same when nothing overtakes it', async () => {
    bench.qstash.faults.inject({ kind: 'reorder', forSeconds: 3600 });
    await publish('alone');
    expect(await bench.advance(3500)).toMatchObject({ deliveries: 0, settled: true });
    expect(await bench.waiting()).toMatchObject([{ body: 'alone' }]);
    expect(await bench.advance(100)).toMatchObject({ deliveries: 1, settled: true });
  });

  test('can be cancelled while it is held', async () => {
    bench.qstash.faults.inject({ kind: 'reorder', count: 1 });
    const { messageId } = await publish('held');
    expect(await bench.client.messages.cancel(messageId)).toEqual({ cancelled: 1 });
    await publish('later');
    await bench.advance(3600);
    expect(arrivedPaths()).toEqual(['later']);
  });
});

describe('a dropped message', () => {
  test('is accepted and never arrives', async () => {
    bench.qstash.faults.inject({ kind: 'drop', count: 1 });
    const { messageId } = await publish('lost');
    expect(messageId).toMatch(/^msg_/);
    await publish('kept');
    await bench.advance(7 * 86_400);
    expect(arrivedPaths()).toEqual(['kept']);
    expect((await bench.client.dlq.listMessages()).messages).toEqual([]);
    await expect(bench.client.messages.get(messageId)).rejects.toThrow('not found');
  });

  test('keeps its deduplication id: for ten minutes the same step cannot be published again', async () => {
    bench.qstash.faults.inject({ kind: 'drop', count: 1 });
    const step = () => publish('step', { deduplicationId: 'slice-7' });
    const { messageId } = await step();
    expect(await step()).toMatchObject({ messageId, deduplicated: true });
    await bench.advance(601);
    expect(bench.callbacks).toEqual([]);
    await step();
    await bench.advance(0);
    expect(arrivedPaths()).toEqual(['step']);
  });
});

describe('a refused message', () => {
  test('of a batch has an error in its place, and the others of the batch are taken', async () => {
    bench.qstash.faults.inject({ kind: 'refuse', urlIncludes: '/no', error: 'quota maxRequests exceeded' });
    const answers = await bench.client.batch(
      ['yes', 'no', 'also'].map((path) => ({ url: `${bench.destinationUrl}/${path}`, body: path })),
    );
    expect(answers).toEqual([
      { messageId: expect.stringMatching(/^msg_/), url: `${bench.destinationUrl}/yes` },
      { error: 'quota maxRequests exceeded' },
      { messageId: expect.stringMatching(/^msg_/), url: `${bench.destinationUrl}/also` },
    ]);
    await bench.advance(86_400);
    expect(arrivedPaths().sort()).toEqual(['also', 'yes']);
  });

  test('by itself is an error of the request, and leaves its deduplication id free', async () => {
    bench.qstash.faults.inject({ kind: 'refuse', count: 1 });
    const step = () => publish('step', { deduplicationId: 'slice-7' });
    await expect(step()).rejects.toMatchObject({ status: 412, message: expect.stringContaining('quota exceeded') });
    expect(await step()).not.toHaveProperty('deduplicated');
    await bench.advance(0);
    expect(arrivedPaths()).toEqual(['step']);
  });
});

describe('a delayed message', () => {
  test('arrives so many seconds after its own time', async () => {
    bench.qstash.faults.inject({ kind: 'delay', seconds: 300 });
    await publish('at once');
    await publish('later', { delay: 60 });
    expect(await bench.advance(200)).toMatchObject({ deliveries: 0 });
    expect(await bench.advance(100)).toMatchObject({ deliveries: 1 });
    expect(await bench.advance(60)).toMatchObject({ deliveries: 1 });
    expect(arrivedPaths()).toEqual(['at once', 'later']);
  });
});

describe('a QStash that is down', () => {
  test('refuses to publish, and takes messages again afterwards', async () => {
    bench.qstash.faults.inject({ kind: 'down', count: 2 });
    await expect(publish('a')).rejects.toMatchObject({ status: 503, message: expect.stringContaining('unavailable') });
    await expect(bench.client.batch([{ url: bench.destinationUrl }])).rejects.toMatchObject({ status: 503 });
    await publish('b');
    await bench.advance(0);
    expect(arrivedPaths()).toEqual(['b']);
  });

  test('by a broken connection has taken nothing', async () => {
    bench.qstash.faults.inject({ kind: 'down', how: 'reset', count: 1 });
    await expect(publish('a')).rejects.toThrow('fetch failed');
    await bench.advance(0);
    expect(bench.callbacks).toEqual([]);
  });

  test('by a lost answer has taken the message, and a client that tries again publishes it twice', async () => {
    const persistent = new Client({
      baseUrl: bench.qstash.url,
      token,
      devMode: false,
      enableTelemetry: false,
      retry: { retries: 1, backoff: () => 0 },
    });
    bench.qstash.faults.inject({ kind: 'down', how: 'answer_lost', count: 1 });
    await persistent.publish({ url: bench.destinationUrl, body: 'plain' });
    bench.qstash.faults.inject({ kind: 'down', how: 'answer_lost', count: 1 });
    const named = await persistent.publish({ url: bench.destinationUrl, body: 'named', deduplicationId: 'one' });
    expect(named).toMatchObject({ deduplicated: true });
    await bench.advance(0);
    expect(arrivedPaths().sort()).toEqual(['named', 'plain', 'plain']);
  });

  test('still delivers what it took before', async () => {
    await publish('before', { delay: 10 });
    bench.qstash.faults.inject({ kind: 'down', how: 'reset' });
    expect(await bench.advance(10)).toMatchObject({ deliveries: 1 });
  });
});

describe('a fault', () => {
  test('with a probability and a seed strikes the same messages in every run', async () => {
    const lostWith = async (seed: number) => {
      bench.qstash.faults.inject({ kind: 'drop', probability: 0.3, seed });
      bench.callbacks.length = 0;
      await bench.client.batch(
        Array.from({ length: 100 }, (_, index) => ({ url: bench.destinationUrl, body: String(index) })),
      );
      await bench.advance(0);
      bench.qstash.faults.clear();
      const arrived = new Set(arrivedPaths());
      return Array.from({ length: 100 }, (_, index) => String(index)).filter((body) => !arrived.has(body));
    };
    const lost = await lostWith(7);
    expect(lost.length).toBeGreaterThan(15);
    expect(lost.length).toBeLessThan(45);
    expect(await lostWith(7)).toEqual(lost);
    expect(await lostWith(8)).not.toEqual(lost);
  });

  test('can be meant for one destination', async () => {
    bench.qstash.faults.inject({ kind: 'drop', urlIncludes: '/a' });
    await publish('a');
    await publish('b');
    await bench.advance(0);
    expect(arrivedPaths()).toEqual(['b']);
  });

  test('can be put in force, listed and ended over HTTP, without a token', async () => {
    const send = async (method: string, path = '/sandbox/faults', body?: object) => {
      const response = await fetch(`${bench.qstash.url}${path}`, {
        method,
        body: body === undefined ? null : JSON.stringify(body),
      });
      return { status: response.status, json: (await response.json()) as unknown };
    };
    const injected = await send('POST', '/sandbox/faults', { kind: 'down' });
    expect(injected).toMatchObject({ status: 201, json: { kind: 'down', how: 'unavailable', struck: 0 } });
    await expect(publish('a')).rejects.toMatchObject({ status: 503 });
    expect(await send('GET')).toMatchObject({ json: [{ kind: 'down', struck: 1 }] });
    const { id } = injected.json as { id: string };
    expect(await send('DELETE', `/sandbox/faults/${id}`)).toEqual({ status: 200, json: { cleared: 1 } });
    expect(await send('DELETE', `/sandbox/faults/${id}`)).toMatchObject({ status: 404 });
    await send('POST', '/sandbox/faults', { kind: 'drop' });
    await send('POST', '/sandbox/faults', { kind: 'delay', seconds: 5 });
    expect(await send('DELETE')).toEqual({ status: 200, json: { cleared: 2 } });
    await publish('b');
    await bench.advance(0);
    expect(arrivedPaths()).toEqual(['b']);
  });

  test('that this stand-in does not know is refused with what is wrong', async () => {
    for (const fault of [
      { kind: 'explode' },
      { kind: 'delay' },
      { kind: 'drop', probability: 2 },
      { kind: 'drop', x: 1 },
    ]) {
      const response = await fetch(`${bench.qstash.url}/sandbox/faults`, {
        method: 'POST',
        body: JSON.stringify(fault),
      });
      expect([fault, response.status]).toEqual([fault, 400]);
      expect(await response.json()).toEqual({ error: expect.any(String) });
    }
    expect(bench.qstash.faults.list()).toEqual([]);
  });
});
