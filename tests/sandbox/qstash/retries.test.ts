import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBench } from './bench.ts';

let bench: Awaited<ReturnType<typeof startBench>>;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const answer = (status: number, headers: Record<string, string> = {}, body = '') =>
  bench.respondWith((_callback, response) => response.writeHead(status, headers).end(body));

async function dueInSeconds(): Promise<number | undefined> {
  const [waiting] = await bench.waiting();
  return waiting?.dueInSeconds;
}

describe('a failed delivery', () => {
  test("is tried three more times with QStash's back-off and then lies in the dead letter queue", async () => {
    answer(500, {}, 'broken');
    const { messageId } = await bench.client.publishJSON({ url: bench.destinationUrl, body: { a: 1 } });
    await bench.advance(0);
    for (const backoffSeconds of [12.18, 148.41, 1808.04]) {
      const due = await dueInSeconds();
      expect(due).toBeGreaterThan(backoffSeconds - 3);
      expect(due).toBeLessThanOrEqual(backoffSeconds + 0.01);
      await bench.advance(backoffSeconds + 0.01);
    }
    expect(bench.callbacks.map(({ headers }) => headers['upstash-retried'])).toEqual(['0', '1', '2', '3']);
    expect(await bench.waiting()).toEqual([]);
    const { messages } = await bench.client.dlq.listMessages();
    expect(messages).toMatchObject([{ messageId, responseStatus: 500, responseBody: 'broken', body: '{"a":1}' }]);
  });

  test('that then succeeds is tried no more', async () => {
    answer(503);
    await bench.client.publish({ url: bench.destinationUrl });
    await bench.advance(0);
    answer(204);
    await bench.advance(13);
    await bench.advance(86_400);
    expect(bench.callbacks).toHaveLength(2);
    expect((await bench.client.dlq.listMessages()).messages).toEqual([]);
  });

  test('is tried as often as the publisher asked', async () => {
    answer(500);
    await bench.client.publish({ url: `${bench.destinationUrl}/none`, retries: 0 });
    await bench.client.publish({ url: `${bench.destinationUrl}/one`, retries: 1 });
    await bench.advance(0);
    await bench.advance(13);
    expect(bench.callbacks.map(({ url }) => url).sort()).toEqual(['/none', '/one', '/one']);
    expect((await bench.client.dlq.listMessages()).messages).toHaveLength(2);
  });

  test('waits as long as Retry-After says', async () => {
    answer(429, { 'retry-after': '600' });
    await bench.client.publish({ url: bench.destinationUrl });
    await bench.advance(0);
    expect(await dueInSeconds()).toBeGreaterThan(595);
    answer(429, { 'retry-after': new Date(Date.now() + 3_600_000).toUTCString() });
    await bench.advance(600);
    expect(await dueInSeconds()).toBeGreaterThan(3590);
    expect(await dueInSeconds()).toBeLessThanOrEqual(3600);
  });

  test('with 489 and Upstash-NonRetryable-Error is given up at once', async () => {
    answer(489, { 'Upstash-NonRetryable-Error': 'true' });
    await bench.client.publish({ url: bench.destinationUrl });
    await bench.advance(86_400);
    expect(bench.callbacks).toHaveLength(1);
    expect((await bench.client.dlq.listMessages()).messages).toMatchObject([{ responseStatus: 489 }]);
  });

  test('with 489 alone is tried again', async () => {
    answer(489);
    await bench.client.publish({ url: bench.destinationUrl });
    await bench.advance(0);
    expect(await bench.waiting()).toMatchObject([{ retried: 1 }]);
  });

  test('is what a redirect counts as, and it is not followed', async () => {
    answer(302, { location: '/elsewhere' });
    await bench.client.publish({ url: bench.destinationUrl, retries: 0 });
    await bench.advance(0);
    expect(bench.callbacks).toHaveLength(1);
    expect((await bench.client.dlq.listMessages()).messages).toMatchObject([{ responseStatus: 302 }]);
  });

  test('is what a receiver slower than the time-out counts as', async () => {
    bench.respondWith((_callback, response) => response.write('never ends'));
    await bench.client.publish({ url: bench.destinationUrl, timeout: 1, retries: 0 });
    expect(await bench.advance(0)).toMatchObject({ deliveries: 1, settled: true });
    const { messages } = await bench.client.dlq.listMessages();
    expect(messages).toMatchObject([{ responseBody: expect.stringContaining('timeout') }]);
  });

  test('is what an unreachable receiver counts as', async () => {
    await bench.client.publish({ url: 'http://127.0.0.1:1/', retries: 1 });
    await bench.advance(0);
    expect(await bench.waiting()).toMatchObject([{ retried: 1 }]);
  });
});

describe('a dead letter', () => {
  test('can be sent again, and leaves the queue', async () => {
    answer(500);
    await bench.client.publish({ url: bench.destinationUrl, body: 'x', retries: 0 });
    await bench.advance(0);
    answer(200);
    const [letter] = (await bench.client.dlq.listMessages()).messages;
    const { responses } = await bench.client.dlq.retry(letter?.dlqId ?? '');
    expect(responses).toHaveLength(1);
    await bench.advance(0);
    expect(bench.callbacks.map(({ body }) => body)).toEqual(['x', 'x']);
    expect((await bench.client.dlq.listMessages()).messages).toEqual([]);
  });

  test('can be deleted', async () => {
    answer(500);
    for (const path of ['a', 'b', 'c']) {
      await bench.client.publish({ url: `${bench.destinationUrl}/${path}`, retries: 0 });
    }
    await bench.advance(0);
    const [first] = (await bench.client.dlq.listMessages()).messages;
    expect(await bench.client.dlq.delete(first?.dlqId ?? '')).toEqual({ deleted: 1 });
    expect(await bench.client.dlq.delete({ all: true })).toEqual({ deleted: 2 });
    await expect(bench.client.dlq.delete('dlq_none')).rejects.toThrow('not found');
  });
});

describe('events', () => {
  test('are given page by page, none twice and none left out while others come in', async () => {
    for (let index = 0; index < 5; index++) {
      await bench.client.publish({ url: `${bench.destinationUrl}/${index}`, delay: 60 });
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const { events, cursor: next } = await bench.client.logs({ count: 2, ...(cursor !== undefined && { cursor }) });
      seen.push(...events.map(({ url }) => new URL(url).pathname));
      cursor = next;
      await bench.client.publish({ url: `${bench.destinationUrl}/late`, delay: 60 });
    } while (cursor !== undefined);
    expect(seen).toEqual(['/4', '/3', '/2', '/1', '/0']);
  });

  test('are found by state, label, flow-control key, destination and time', async () => {
    await bench.client.publish({ url: `${bench.destinationUrl}/a`, label: ['x', 'y'] });
    await bench.client.publish({
      url: `${bench.destinationUrl}/b`,
      flowControl: { key: 'fc', parallelism: 1 },
      delay: 60,
    });
    await bench.advance(0);
    const found = async (filter: Parameters<typeof bench.client.logs>[0] & object) =>
      (await bench.client.logs(filter)).events.map(({ state, url }) => `${state} ${new URL(url).pathname}`);
    expect(await found({ filter: { state: 'DELIVERED' } })).toEqual(['DELIVERED /a']);
    expect(await found({ filter: { label: 'y', state: 'CREATED' } })).toEqual(['CREATED /a']);
    expect(await found({ filter: { flowControlKey: 'fc' } })).toEqual(['CREATED /b']);
    expect(await found({ filter: { path: '/b' } })).toEqual(['CREATED /b']);
    await bench.advance(3600);
    const inHalfAnHour = Date.now() + 1_800_000;
    expect(await found({ filter: { fromDate: inHalfAnHour } })).toEqual(['DELIVERED /b', 'ACTIVE /b']);
    expect(await found({ filter: { toDate: new Date(inHalfAnHour), path: '/b' } })).toEqual(['CREATED /b']);
  });
});

test('events tell what happened to a message, the latest first', async () => {
  answer(500);
  const { messageId } = await bench.client.publish({ url: bench.destinationUrl, retries: 1 });
  await bench.advance(0);
  await bench.client.publish({ url: `${bench.destinationUrl}/other`, delay: 600 });
  answer(200);
  await bench.advance(13);
  const { events } = await bench.client.logs({ filter: { messageId } });
  expect(events.map(({ state }) => state)).toEqual(['DELIVERED', 'ACTIVE', 'RETRY', 'ERROR', 'ACTIVE', 'CREATED']);
  const firstPage = await bench.client.logs({ count: 2 });
  expect(firstPage.events).toHaveLength(2);
  expect(firstPage.cursor).toBeDefined();
});
