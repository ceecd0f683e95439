import type { LookupAddress } from 'node:dns';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { putInForce } from '#lib/platform/env.ts';
import type { Resolve } from '#lib/webhooks/connector.ts';
import { openSender, type Sender } from '#lib/webhooks/send.ts';
import { testEnv } from '#tests/support/env.ts';
import { type Receiver, startReceiver } from './receiver.ts';

let receiver: Receiver;
let sender: Sender;

beforeEach(async () => {
  putInForce(testEnv({ WEBHOOK_TIMEOUT_MS: '300' }));
  receiver = await startReceiver();
  sender = openSender();
});
afterEach(async () => {
  await sender.close();
  await receiver.close();
});

/** Stands for a name server that lies: no real one would answer so on demand. */
const resolvingTo = (...addresses: string[]): Resolve => {
  const answer = addresses.map((address): LookupAddress => ({ address, family: address.includes(':') ? 6 : 4 }));
  const resolve = (_hostname: string, _options: unknown, callback: (error: null, found: LookupAddress[]) => void) =>
    callback(null, answer);
  return resolve as Resolve;
};

describe('an exchange', () => {
  test('reads no more of an answer than it keeps room for, and survives any bytes', async () => {
    receiver.answerWith((_n, response) => response.writeHead(200).end(Buffer.alloc(5_000_000, 0xff)));
    const exchange = await sender.post(receiver.url, {}, '{}');
    expect(exchange).toMatchObject({ responseCode: 200, errorKind: null });
    expect(exchange.responseBody?.length).toBe(2048);
    receiver.answerWith((_n, response) => response.writeHead(200).end('a\0b'));
    expect((await sender.post(receiver.url, {}, '{}')).responseBody).toBe('ab');
  });

  test('times out as a whole: no answer, a stalled body, and a body that drips', async () => {
    receiver.answerWith(() => undefined);
    expect(await sender.post(receiver.url, {}, '{}')).toMatchObject({ responseCode: null, errorKind: 'timeout' });
    receiver.answerWith((_n, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await sender.post(receiver.url, {}, '{}')).toMatchObject({ responseCode: 200, errorKind: 'timeout' });
  });

  test('tells why there was no answer', async () => {
    receiver.answerWith((_n, response) => response.destroy());
    expect(await sender.post(receiver.url, {}, '{}')).toMatchObject({ errorKind: 'network' });
    expect(await sender.post('http://127.0.0.1:9/', {}, '{}')).toMatchObject({ errorKind: 'refused' });
    expect(await sender.post(receiver.url.replace('http:', 'https:'), {}, '{}')).toMatchObject({ errorKind: 'tls' });
    const failing: Resolve = ((_host: string, _options: unknown, callback: (error: Error) => void) =>
      callback(Object.assign(new Error('no such name'), { code: 'ENOTFOUND' }))) as Resolve;
    const lost = openSender(failing);
    expect(await lost.post('https://nowhere.example/', {}, '{}')).toMatchObject({ errorKind: 'dns' });
    await lost.close();
  });
});

describe('an address that is not public', () => {
  test.each([
    [['10.0.0.1']],
    [['169.254.169.254']],
    [['168.63.129.16']],
    [['::1']],
    [['::ffff:10.0.0.1']],
    [['93.184.215.14', '10.0.0.1']],
    [['2606:4700::1111', 'fd00::1']],
  ])('behind a public name is not dialled: %j', async (addresses) => {
    const lying = openSender(resolvingTo(...addresses));
    expect(await lying.post('https://receiver.example.com/', {}, '{}')).toMatchObject({
      responseCode: null,
      errorKind: 'policy',
    });
    await lying.close();
  });

  test('is not dialled even though a webhook with it was stored while that was allowed', async () => {
    putInForce(testEnv({ WEBHOOK_ALLOW_LOOPBACK: '0' }));
    expect(await sender.post(receiver.url, {}, '{}')).toMatchObject({ errorKind: 'policy' });
    expect(receiver.received).toHaveLength(0);
  });
});
