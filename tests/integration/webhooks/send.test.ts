import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import {
  createServer as createTlsServer,
  getCACertificates,
  type SecureVersion,
  setDefaultCACertificates,
} from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { nameResolver, type Resolve } from '#lib/webhooks/delivery/connector.ts';
import { openSender, type Sender } from '#lib/webhooks/delivery/send.ts';
import { testEnv } from '#tests/support/env.ts';
import { newCertificate } from './certificate.ts';
import { startNameServer, type Told } from './name-server.ts';
import { type Receiver, startReceiver, status } from './receiver.ts';

let receiver: Receiver;
let sender: Sender;

beforeEach(async () => {
  applyEnv(testEnv({ WEBHOOK_TIMEOUT_MS: '5000' }));
  receiver = await startReceiver();
  sender = openSender();
});
afterEach(async () => {
  await sender.close();
  await receiver.close();
});

/** One post that gives up early. */
async function hastyPost(url: string, resolve?: Resolve) {
  applyEnv(testEnv({ WEBHOOK_TIMEOUT_MS: '300' }));
  const hasty = openSender(resolve);
  const exchange = await hasty.post(url, {}, '{}');
  await hasty.close();
  return exchange;
}

async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

describe('an exchange', () => {
  test('reads no more of an answer than it keeps room for, and survives any bytes', async () => {
    receiver.answerWith((_n, response) => response.writeHead(200).end(Buffer.alloc(5_000_000, 0xff)));
    const exchange = await sender.post(receiver.url, {}, '{}');
    expect(exchange).toMatchObject({ responseCode: 200, errorKind: null });
    expect(exchange.responseBody?.length).toBe(2048);
    receiver.answerWith((_n, response) => response.writeHead(200).end('a\0b'));
    expect((await sender.post(receiver.url, {}, '{}')).responseBody).toBe('ab');
  });

  test('keeps what was sent beside the body, and of the answer at most 32 headers, cut short and printable', async () => {
    receiver.answerWith((_n, response) => {
      response.setHeader('X-Long', 'v'.repeat(1_000));
      response.setHeader('x-latin', 'caf\u00e9');
      response.setHeader('set-cookie', ['a=1', 'b=2']);
      response.setHeader(`x-${'n'.repeat(300)}`, '1');
      for (let i = 0; i < 100; i += 1) response.setHeader(`x-many-${i}`, String(i));
      response.writeHead(200).end();
    });
    const { requestHeaders, responseHeaders } = await sender.post(receiver.url, { 'webhook-id': 'evt_1' }, '{}');
    expect(receiver.received[0]?.headers).toMatchObject(requestHeaders);
    expect(requestHeaders).toEqual({
      'webhook-id': 'evt_1',
      'content-type': 'application/json',
      'user-agent': 'Tranche-Webhooks/1',
    });
    expect(Object.keys(responseHeaders ?? {})).toHaveLength(32);
    expect(responseHeaders).toMatchObject({
      'x-long': 'v'.repeat(256),
      'x-latin': 'caf?',
      'set-cookie': 'a=1, b=2',
      [`x-${'n'.repeat(126)}`]: '1',
    });
  });

  test('times out as a whole: no answer, a stalled body, and a body that drips', async () => {
    receiver.answerWith(() => undefined);
    expect(await hastyPost(receiver.url)).toMatchObject({
      responseCode: null,
      responseHeaders: null,
      errorKind: 'timeout',
    });
    receiver.answerWith((_n, response) => {
      response.writeHead(200);
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    expect(await hastyPost(receiver.url)).toMatchObject({ responseCode: 200, errorKind: 'timeout' });
  });
});

describe('the kind of a failure', () => {
  /** Posts to a name of which a real name server tells this. */
  async function postToName(told: Told) {
    const names = await startNameServer(() => told);
    const asking = openSender(nameResolver([names.address]));
    try {
      return await asking.post('https://receiver.example.com/', {}, '{}');
    } finally {
      await asking.close();
      await names.close();
    }
  }

  test('is dns when there is no such name, and when a name has no address', async () => {
    expect(await postToName('unknown')).toMatchObject({ errorKind: 'dns', responseCode: null });
    expect(await postToName([])).toMatchObject({ errorKind: 'dns' });
  });

  test('is dns when no name server takes the question, not refused', async () => {
    const names = await startNameServer(() => 'silence');
    await names.close();
    const asking = openSender(nameResolver([names.address]));
    expect(await asking.post('https://receiver.example.com/', {}, '{}')).toMatchObject({ errorKind: 'dns' });
    await asking.close();
  });

  test('is timeout when the name server is silent', async () => {
    const names = await startNameServer(() => 'silence');
    const exchange = await hastyPost('https://receiver.example.com/', nameResolver([names.address]));
    expect(exchange).toMatchObject({ errorKind: 'timeout' });
    await names.close();
  });

  test('is timeout when the receiver never takes part in the TLS handshake', async () => {
    const mute = createServer((socket) => socket.on('error', () => undefined));
    const port = await listen(mute);
    expect(await hastyPost(`https://127.0.0.1:${port}/`)).toMatchObject({ errorKind: 'timeout' });
    mute.close();
  });

  test('is refused when nobody listens', async () => {
    expect(await sender.post('http://127.0.0.1:9/', {}, '{}')).toMatchObject({ errorKind: 'refused' });
  });

  test('is policy when the URL or its address is not permitted', async () => {
    expect(await sender.post('https://10.0.0.1/', {}, '{}')).toMatchObject({ errorKind: 'policy' });
    expect(await postToName(['10.0.0.1'])).toMatchObject({ errorKind: 'policy' });
  });

  test('is status for every answer that is not 2xx', async () => {
    for (const code of [199 + 101, 301, 304, 400, 410, 500, 599]) {
      receiver.answerWith((_n, response) => response.writeHead(code).end());
      expect(await sender.post(receiver.url, {}, '{}')).toMatchObject({ errorKind: 'status', responseCode: code });
    }
    for (const code of [200, 201, 202, 204, 299]) {
      receiver.answerWith(status(code));
      expect(await sender.post(receiver.url, {}, '{}')).toMatchObject({ errorKind: null, responseCode: code });
    }
  });

  test('is network when the HTTP client will not send the request at all', async () => {
    expect(await sender.post(receiver.url, { 'x-bad': 'a\nb' }, '{}')).toMatchObject({ errorKind: 'network' });
    expect(receiver.received).toEqual([]);
  });

  test('is network when the connection breaks', async () => {
    receiver.answerWith((_n, response) => response.destroy());
    expect(await sender.post(receiver.url, {}, '{}')).toMatchObject({ errorKind: 'network' });
  });

  describe('is tls', () => {
    async function postToTls(options: { altName: string; trusted: boolean; maxVersion?: SecureVersion }) {
      const { key, cert } = await newCertificate(options.altName);
      const before = getCACertificates('default');
      if (options.trusted) setDefaultCACertificates([...before, cert]);
      const server = createTlsServer(
        {
          key,
          cert,
          ...(options.maxVersion === undefined ? {} : { minVersion: 'TLSv1', maxVersion: options.maxVersion }),
        },
        (socket) => {
          socket.on('error', () => undefined);
          socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
        },
      );
      const port = await listen(server);
      const fresh = openSender();
      try {
        return await fresh.post(`https://127.0.0.1:${port}/`, {}, '{}');
      } finally {
        await fresh.close();
        setDefaultCACertificates(before);
        server.close();
      }
    }

    test('for a certificate that nobody vouches for, one of another host, and an old protocol; a good one passes', async () => {
      const good = { altName: 'IP:127.0.0.1', trusted: true };
      expect(await postToTls(good)).toMatchObject({ errorKind: null, responseCode: 200, responseBody: 'ok' });
      for (const bad of [
        { ...good, trusted: false },
        { ...good, altName: 'DNS:receiver.example.com' },
        { ...good, maxVersion: 'TLSv1.1' as const },
      ]) {
        expect(await postToTls(bad)).toMatchObject({ errorKind: 'tls', responseCode: null });
      }
    });

    test('for a receiver that does not speak it', async () => {
      expect(await sender.post(receiver.url.replace('http:', 'https:'), {}, '{}')).toMatchObject({ errorKind: 'tls' });
      const greeting = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.end('220 mail.example.com ESMTP\r\n');
      });
      const port = await listen(greeting);
      expect(await sender.post(`https://127.0.0.1:${port}/`, {}, '{}')).toMatchObject({ errorKind: 'tls' });
      greeting.close();
    });
  });
});
