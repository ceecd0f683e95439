import { Receiver } from '@upstash/qstash';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { currentSigningKey, nextSigningKey, startBench, token } from './bench.ts';

let bench: Awaited<ReturnType<typeof startBench>>;
beforeEach(async () => {
  bench = await startBench();
});
afterEach(() => bench.close());

const arrived = (count: number) => expect.poll(() => bench.callbacks.length, { interval: 5 }).toBe(count);

describe('a published message', () => {
  test('arrives at once, its body verbatim, with its forwarded headers', async () => {
    const { messageId } = await bench.client.publishJSON({
      url: `${bench.destinationUrl}/hook?a=1&b=//x`,
      body: { amount: '1', text: 'é🪙' },
      headers: { 'X-Trace': 'abc' },
      label: 'lbl',
    });
    await arrived(1);
    expect(bench.callbacks[0]).toMatchObject({
      method: 'POST',
      url: '/hook?a=1&b=//x',
      body: '{"amount":"1","text":"é🪙"}',
      headers: {
        'content-type': 'application/json',
        'x-trace': 'abc',
        'upstash-message-id': messageId,
        'upstash-retried': '0',
      },
    });
    expect(JSON.stringify(bench.callbacks[0]?.headers)).not.toContain(token);
  });

  test('keeps a double slash in its destination', async () => {
    await bench.client.publish({ url: `${bench.destinationUrl}//a//b`, body: 'x' });
    await arrived(1);
    expect(bench.callbacks[0]?.url).toBe('//a//b');
  });

  test('is sent with the method asked for', async () => {
    await bench.client.publish({ url: bench.destinationUrl, method: 'GET' });
    await bench.client.publish({ url: bench.destinationUrl, method: 'PUT', body: 'x' });
    await arrived(2);
    expect(bench.callbacks.map(({ method }) => method).sort()).toEqual(['GET', 'PUT']);
  });

  test("carries a signature that the SDK's receiver accepts, for this body and this URL only", async () => {
    const url = `${bench.destinationUrl}/signed`;
    await bench.client.publish({ url, body: '{"a":1}' });
    await arrived(1);
    const callback = bench.callbacks[0];
    const signature = String(callback?.headers['upstash-signature']);
    const body = callback?.body ?? '';
    expect(await bench.receiver.verify({ signature, body, url })).toBe(true);
    await expect(bench.receiver.verify({ signature, body: `${body} `, url })).rejects.toThrow('body hash');
    await expect(bench.receiver.verify({ signature, body, url: `${url}2` })).rejects.toThrow('invalid subject');
  });

  test('carries a signature of the real time after the clock was advanced', async () => {
    await bench.advance(30 * 86_400);
    await bench.client.publish({ url: bench.destinationUrl, body: 'later', delay: '7d' });
    await bench.advance(7 * 86_400);
    const signature = String(bench.callbacks[0]?.headers['upstash-signature']);
    expect(await bench.receiver.verify({ signature, body: 'later', url: bench.destinationUrl })).toBe(true);
  });

  test('with an empty body is signed too', async () => {
    await bench.client.publish({ url: bench.destinationUrl });
    await arrived(1);
    const signature = String(bench.callbacks[0]?.headers['upstash-signature']);
    expect(await bench.receiver.verify({ signature, body: '', url: bench.destinationUrl })).toBe(true);
  });
});

describe('a publisher', () => {
  const publish = (path: string, headers: Record<string, string>, body = '') =>
    fetch(`${bench.qstash.url}${path}`, { method: 'POST', headers, body });
  const authorization = `Bearer ${token}`;

  test('without the token is refused with 401', async () => {
    for (const headers of [{}, { authorization: 'Bearer wrong' }]) {
      const response = await publish(`/v2/publish/${bench.destinationUrl}`, headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: expect.any(String) });
    }
  });

  test('is told what is wrong with its request', async () => {
    const refusals: [string, Record<string, string>, number][] = [
      ['not-a-url', {}, 400],
      [bench.destinationUrl, { 'upstash-delay': 'soon' }, 400],
      [bench.destinationUrl, { 'upstash-delay': '8d' }, 412],
      [bench.destinationUrl, { 'upstash-retries': 'many' }, 400],
      [bench.destinationUrl, { 'upstash-not-before': 'noon' }, 400],
      [bench.destinationUrl, { 'upstash-method': 'BREW' }, 400],
      [bench.destinationUrl, { 'upstash-callback': 'https://example.com' }, 400],
    ];
    for (const [destination, headers, status] of refusals) {
      const response = await publish(`/v2/publish/${destination}`, { authorization, ...headers });
      expect([headers, response.status]).toEqual([headers, status]);
      expect(await response.json()).toEqual({ error: expect.any(String) });
    }
    expect(bench.callbacks).toEqual([]);
  });

  test('cannot send more than a megabyte', async () => {
    const path = `/v2/publish/${bench.destinationUrl}`;
    expect((await publish(path, { authorization }, 'x'.repeat(1024 * 1024 + 1))).status).toBe(413);
    expect((await publish(path, { authorization }, 'x'.repeat(1024 * 1024))).status).toBe(201);
  });

  test('gets a batch taken as a whole, each message with its own headers', async () => {
    const receipts = await bench.client.batchJSON([
      { url: `${bench.destinationUrl}/one`, body: { n: 1 } },
      { url: `${bench.destinationUrl}/two`, body: { n: 2 }, delay: 60, label: 'second' },
    ]);
    expect(receipts).toHaveLength(2);
    await arrived(1);
    expect(bench.callbacks[0]).toMatchObject({ url: '/one', body: '{"n":1}' });
    expect(await bench.waiting()).toMatchObject([{ body: '{"n":2}', delaySeconds: 60, label: 'second' }]);
  });

  test('gets a batch with an invalid message refused as a whole', async () => {
    const batch = bench.client.batch([{ url: `${bench.destinationUrl}/one` }, { url: 'nowhere' }]);
    await expect(batch).rejects.toThrow('invalid destination');
    await bench.advance(0);
    expect(bench.callbacks).toEqual([]);
  });

  test('reads the signing keys', async () => {
    const response = await fetch(`${bench.qstash.url}/v2/keys`, { headers: { authorization } });
    expect(await response.json()).toEqual({ current: currentSigningKey, next: nextSigningKey });
  });
});

test('rotated signing keys are followed by a receiver that knew both before', async () => {
  const rotate = await fetch(`${bench.qstash.url}/v2/keys/rotate`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
  });
  const rotated = (await rotate.json()) as { current: string; next: string };
  expect(rotated).toEqual({ current: nextSigningKey, next: expect.stringMatching(/^sig_/) });
  const url = bench.destinationUrl;
  await bench.client.publish({ url, body: 'x' });
  await arrived(1);
  const signature = String(bench.callbacks[0]?.headers['upstash-signature']);
  expect(await bench.receiver.verify({ signature, body: 'x', url })).toBe(true);
  const outdated = new Receiver({ currentSigningKey, nextSigningKey: 'sig_other', devMode: false });
  await expect(outdated.verify({ signature, body: 'x', url })).rejects.toThrow('signature');
});

test('health is answered without a token', async () => {
  expect((await fetch(`${bench.qstash.url}/sandbox/health`)).status).toBe(200);
});
