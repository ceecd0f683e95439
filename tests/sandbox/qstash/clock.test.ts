import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startBench } from './bench.ts';

let bench: Awaited<ReturnType<typeof startBench>>;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

describe('a delayed message', () => {
  test('waits for its time and is listed with it', async () => {
    const { messageId } = await bench.client.publishJSON({
      url: `${bench.destinationUrl}/later`,
      body: { a: 1 },
      delay: '90m',
      label: 'lbl',
      deduplicationId: 'dedup-1',
    });
    const [waiting, ...others] = await bench.waiting();
    expect(others).toEqual([]);
    expect(waiting).toMatchObject({
      messageId,
      url: `${bench.destinationUrl}/later`,
      body: '{"a":1}',
      delaySeconds: 5400,
      retried: 0,
      label: 'lbl',
      deduplicationId: 'dedup-1',
    });
    expect(waiting?.dueInSeconds).toBeGreaterThan(5390);
    expect(Date.parse(waiting?.dueAt ?? '') - Date.parse(waiting?.createdAt ?? '')).toBe(5_400_000);

    expect(await bench.advance(5000)).toMatchObject({ deliveries: 0, settled: true });
    expect(bench.callbacks).toEqual([]);
    expect(await bench.advance(400)).toMatchObject({ deliveries: 1, settled: true });
    expect(bench.callbacks).toHaveLength(1);
    expect(await bench.waiting()).toEqual([]);
  });

  test('arrives by itself when real time has passed', async () => {
    await bench.client.publish({ url: bench.destinationUrl, delay: 1 });
    await expect.poll(() => bench.callbacks.length, { interval: 20, timeout: 5000 }).toBe(1);
  });

  test('is delivered before the advance is answered, however slow its receiver', async () => {
    let answered = 0;
    let isAdvanced = false;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    bench.respondWith(async (_callback, response) => {
      await released;
      answered += 1;
      response.end();
    });
    await bench.client.batch(
      Array.from({ length: 70 }, (_, index) => ({ url: `${bench.destinationUrl}/${index}`, delay: 10 })),
    );
    const advance = bench.advance(10).finally(() => {
      isAdvanced = true;
    });
    await expect.poll(() => bench.callbacks.length).toBeGreaterThan(0);
    expect(isAdvanced).toBe(false);
    release();
    expect(await advance).toMatchObject({ deliveries: 70, settled: true });
    expect(answered).toBe(70);
  });

  test('leaves in the order of due times', async () => {
    const order = [30, 10, 20];
    await bench.client.batch(
      order.map((delay) => ({
        url: `${bench.destinationUrl}/${delay}`,
        delay,
        flowControl: { key: 'one', parallelism: 1 },
      })),
    );
    expect((await bench.waiting()).map(({ delaySeconds }) => delaySeconds)).toEqual([10, 20, 30]);
    await bench.advance(60);
    expect(bench.callbacks.map(({ url }) => url)).toEqual(['/10', '/20', '/30']);
  });
});

describe('not-before', () => {
  test('holds a message until that second of the virtual clock', async () => {
    const inAnHour = Math.floor(Date.now() / 1000) + 3600;
    await bench.client.publish({ url: bench.destinationUrl, notBefore: inAnHour, delay: 5 });
    await bench.advance(3500);
    expect(bench.callbacks).toEqual([]);
    await bench.advance(100);
    expect(bench.callbacks).toHaveLength(1);
  });

  test('in the past means at once', async () => {
    await bench.client.publish({ url: bench.destinationUrl, notBefore: 1_000_000_000 });
    await bench.advance(0);
    expect(bench.callbacks).toHaveLength(1);
  });
});

describe('what a callback publishes during an advance', () => {
  test('without a delay is delivered before the advance is answered', async () => {
    bench.respondWith(async ({ url }, response) => {
      const step = Number(url.slice(1));
      if (step < 5) await bench.client.publish({ url: `${bench.destinationUrl}/${step + 1}` });
      response.end();
    });
    await bench.client.publish({ url: `${bench.destinationUrl}/1`, delay: 60 });
    expect(await bench.advance(60)).toMatchObject({ deliveries: 5, settled: true });
  });

  test('with a delay counts from the new time', async () => {
    bench.respondWith(async (_callback, response) => {
      await bench.client.publish({ url: `${bench.destinationUrl}/next`, delay: 25 });
      response.end();
    });
    await bench.client.publish({ url: `${bench.destinationUrl}/first`, delay: 5 });
    expect(await bench.advance(3600)).toMatchObject({ deliveries: 1 });
    const [next] = await bench.waiting();
    expect(next?.dueInSeconds).toBeGreaterThan(20);
    expect(await bench.advance(25)).toMatchObject({ deliveries: 1 });
  });
});

test('an advance tells when a receiver did not answer in time, and loses nothing', async () => {
  let release = () => {};
  bench.respondWith((_callback, response) => {
    release = () => response.end();
  });
  await bench.client.publish({ url: bench.destinationUrl, delay: 5 });
  const body = JSON.stringify({ seconds: 5, timeoutSeconds: 0.2 });
  const response = await fetch(`${bench.qstash.url}/sandbox/advance`, { method: 'POST', body });
  expect(await response.json()).toMatchObject({ deliveries: 0, settled: false });
  release();
  expect(await bench.advance(0)).toMatchObject({ settled: true });
  expect(bench.callbacks).toHaveLength(1);
});

test('an advance by anything but a number of seconds is refused', async () => {
  for (const body of ['', '{}', '{"seconds":-1}', '{"seconds":"5"}']) {
    const response = await fetch(`${bench.qstash.url}/sandbox/advance`, { method: 'POST', body });
    expect(response.status).toBe(400);
  }
});
