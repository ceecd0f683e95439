import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBench } from './bench.ts';

let bench: Awaited<ReturnType<typeof startBench>>;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

describe('a deduplication id', () => {
  test('lets the first message through and answers the others with its id', async () => {
    const publish = () => bench.client.publish({ url: bench.destinationUrl, body: 'x', deduplicationId: 'one' });
    const [first, ...others] = await Promise.all([publish(), publish(), publish()]);
    for (const other of others) {
      expect(other).toMatchObject({ messageId: first.messageId, deduplicated: true });
    }
    await bench.advance(0);
    expect(bench.callbacks).toHaveLength(1);
  });

  test('is free again after ten minutes, though not before', async () => {
    const publish = () => bench.client.publish({ url: bench.destinationUrl, deduplicationId: 'one' });
    await publish();
    await bench.advance(590);
    expect(await publish()).toHaveProperty('deduplicated', true);
    await bench.advance(11);
    expect(await publish()).not.toHaveProperty('deduplicated');
    await bench.advance(0);
    expect(bench.callbacks).toHaveLength(2);
  });

  test('of a duplicate is answered 202', async () => {
    const headers = { authorization: 'Bearer qstash-token', 'upstash-deduplication-id': 'raw' };
    const publish = () =>
      fetch(`${bench.qstash.url}/v2/publish/${bench.destinationUrl}`, { method: 'POST', headers, body: 'x' });
    expect((await publish()).status).toBe(201);
    expect((await publish()).status).toBe(202);
  });

  test('can be the content', async () => {
    const publish = (body: string) =>
      bench.client.publish({ url: bench.destinationUrl, body, contentBasedDeduplication: true });
    const first = await publish('a');
    expect(await publish('a')).toMatchObject({ messageId: first.messageId, deduplicated: true });
    expect(await publish('b')).not.toHaveProperty('deduplicated');
  });

  test('holds within a batch', async () => {
    const item = { url: bench.destinationUrl, deduplicationId: 'same' };
    await bench.client.batch([item, item]);
    await bench.advance(0);
    expect(bench.callbacks).toHaveLength(1);
  });
});

describe('a waiting message', () => {
  test('can be read by its id', async () => {
    const { messageId } = await bench.client.publishJSON({
      url: bench.destinationUrl,
      body: { a: 1 },
      delay: 60,
      retries: 2,
      flowControl: { key: 'fc', parallelism: 4 },
    });
    expect(await bench.client.messages.get(messageId)).toMatchObject({
      messageId,
      url: bench.destinationUrl,
      method: 'POST',
      body: '{"a":1}',
      maxRetries: 2,
      flowControlKey: 'fc',
      parallelism: 4,
      header: { 'content-type': ['application/json'] },
    });
    await expect(bench.client.messages.get('msg_none')).rejects.toThrow('not found');
  });

  test('that is cancelled never arrives', async () => {
    const { messageId } = await bench.client.publish({ url: bench.destinationUrl, delay: 60 });
    expect(await bench.client.messages.cancel(messageId)).toEqual({ cancelled: 1 });
    expect(await bench.waiting()).toEqual([]);
    expect(await bench.advance(3600)).toMatchObject({ deliveries: 0 });
    await expect(bench.client.messages.cancel(messageId)).rejects.toThrow('not found');
  });

  test('can be cancelled together with others by label', async () => {
    for (const label of ['a', 'a', 'b']) await bench.client.publish({ url: bench.destinationUrl, delay: 60, label });
    expect(await bench.client.messages.cancel({ filter: { label: 'a' } })).toEqual({ cancelled: 2 });
    expect(await bench.waiting()).toMatchObject([{ label: 'b' }]);
    expect(await bench.client.messages.cancel({ all: true })).toEqual({ cancelled: 1 });
  });

  test('has several labels, and is found by any of them', async () => {
    const labels = [['red', 'round'], ['red'], ['blue']];
    for (const label of labels) {
      await bench.client.publish({ url: `${bench.destinationUrl}/${label.join('-')}`, delay: 60, label });
    }
    const [first] = await bench.waiting();
    expect(await bench.client.messages.get(first?.messageId ?? '')).toMatchObject({
      label: 'red',
      labels: ['red', 'round'],
    });
    expect(await bench.client.messages.cancel({ filter: { label: ['round', 'blue'] } })).toEqual({ cancelled: 2 });
    expect(await bench.waiting()).toMatchObject([{ url: expect.stringMatching(/\/red$/) }]);
  });

  test('can be cancelled by its destination, its flow-control key or its ids', async () => {
    const flowControl = { key: 'fc', parallelism: 1 };
    const publish = (path: string, more: object = {}) =>
      bench.client.publish({ url: `${bench.destinationUrl}/${path}`, delay: 60, ...more });
    const { messageId } = await publish('a');
    await publish('b');
    await publish('b?c=1');
    await publish('d', { flowControl });
    await publish('e');
    const cancelWith = (request: Parameters<typeof bench.client.messages.cancel>[0]) =>
      bench.client.messages.cancel(request);
    expect(await cancelWith([messageId, 'msg_none'])).toEqual({ cancelled: 1 });
    expect(await cancelWith({ filter: { path: '/b' } })).toEqual({ cancelled: 2 });
    expect(await cancelWith({ filter: { flowControlKey: 'fc' } })).toEqual({ cancelled: 1 });
    expect(await cancelWith({ filter: { url: `${bench.destinationUrl}/e` } })).toEqual({ cancelled: 1 });
  });

  test('that is cancelled while under way is not tried again', async () => {
    bench.respondWith(async ({ headers }, response) => {
      await bench.client.messages.cancel(String(headers['upstash-message-id']));
      response.writeHead(500).end();
    });
    await bench.client.publish({ url: bench.destinationUrl });
    await bench.advance(0);
    await bench.advance(86_400);
    expect(bench.callbacks).toHaveLength(1);
    expect((await bench.client.dlq.listMessages()).messages).toEqual([]);
  });
});

test('flow control never has more of a key under way than its parallelism, and loses none', async () => {
  let underWay = 0;
  let most = 0;
  bench.respondWith(async (_callback, response) => {
    underWay += 1;
    most = Math.max(most, underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay -= 1;
    response.end();
  });
  const flowControl = { key: 'fc', parallelism: 2 };
  const batch = Array.from({ length: 20 }, () => ({ url: bench.destinationUrl, flowControl }));
  const receipts = await bench.client.batch(batch);
  expect(receipts).toHaveLength(20);
  await bench.advance(0);
  expect(bench.callbacks).toHaveLength(20);
  expect(most).toBeLessThanOrEqual(2);
});

describe('a flow-control rate', () => {
  const flowControl = { key: 'fc', rate: 3, period: '1h' } as const;
  const publish = (count: number, control: object = flowControl) =>
    bench.client.batch(
      Array.from({ length: count }, (_, index) => ({
        url: `${bench.destinationUrl}/${index}`,
        flowControl: control as typeof flowControl,
        delay: 10,
      })),
    );

  test('lets no more than so many start in a period, and the rest in order after it', async () => {
    await publish(8);
    expect(await bench.advance(10)).toMatchObject({ deliveries: 3, settled: true });
    expect(await bench.advance(3500)).toMatchObject({ deliveries: 0 });
    expect(await bench.advance(100)).toMatchObject({ deliveries: 3 });
    expect((await bench.waiting()).map(({ url }) => new URL(url).pathname)).toEqual(['/6', '/7']);
    expect(await bench.advance(3600)).toMatchObject({ deliveries: 2 });
  });

  test('counts retries', async () => {
    bench.respondWith((_callback, response) => response.writeHead(503, { 'retry-after': '1' }).end());
    await publish(2, { key: 'retried', rate: 1, period: '1h' });
    // The second message, the first's retry, the second's retry, the first's last one: an hour each.
    for (const seconds of [10, 3600, 3600, 3600]) expect(await bench.advance(seconds)).toMatchObject({ deliveries: 1 });
  });

  test('holds beside a parallelism, also when one that was promised a start is cancelled', async () => {
    await publish(4, { key: 'both', rate: 1, period: '1m', parallelism: 1 });
    await bench.advance(10);
    expect(bench.callbacks).toHaveLength(1);
    const [next] = await bench.waiting();
    await bench.client.messages.cancel(next?.messageId ?? '');
    for (let minute = 0; minute < 4; minute++) await bench.advance(60);
    expect(bench.callbacks).toHaveLength(3);
  });

  test('is shown with the message', async () => {
    const { messageId } = await bench.client.publish({ url: bench.destinationUrl, delay: 60, flowControl });
    expect(await bench.client.messages.get(messageId)).toMatchObject({
      flowControlKey: 'fc',
      ratePerSecond: 3,
      period: 3600,
    });
    const perSecond = await bench.client.publish({
      url: bench.destinationUrl,
      delay: 60,
      flowControl: { key: 'fc', rate: 5 },
    });
    expect(await bench.client.messages.get(perSecond.messageId)).toMatchObject({ ratePerSecond: 5, period: 1 });
  });
});

test('thousands of waiting messages arrive once each', async () => {
  const batch = Array.from({ length: 2000 }, (_, index) => ({
    url: bench.destinationUrl,
    body: String(index),
    delay: 10 + ((index * 7919) % 590),
  }));
  await bench.client.batch(batch);
  await bench.advance(300);
  expect(bench.callbacks.length).toBeGreaterThan(900);
  await bench.advance(300);
  expect(await bench.waiting()).toEqual([]);
  expect(bench.callbacks).toHaveLength(2000);
  expect(new Set(bench.callbacks.map(({ body }) => body)).size).toBe(2000);
});
