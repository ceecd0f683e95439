import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type Socket } from 'node:net';
import { createServer as createTlsServer, getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { applyEnv, parseEnv } from '#lib/base/env.ts';
import { nameResolver, type Resolve } from '#lib/webhooks/delivery/connector.ts';
import { openSender } from '#lib/webhooks/delivery/send.ts';
import { testEnv } from '#tests/support/env.ts';
import { newCertificate } from './certificate.ts';
import { startNameServer, type Told } from './name-server.ts';
import { type Receiver, startReceiver } from './receiver.ts';

const PASSWORD = 'p@ss of the proxy';

/** How the proxy takes a CONNECT. */
type Behaviour = 'tunnels' | 'refuses' | 'hangs up' | 'is silent';

interface Proxy {
  url: string;
  /** What each CONNECT asked for, and the credentials that came with it. */
  asked: { target: string; authorization: string | undefined }[];
  behave(behaviour: Behaviour, portFor?: (port: number) => number): void;
  close(): Promise<void>;
}

/** A forward proxy that opens tunnels (RFC 9110, 9.3.6). */
async function startProxy(): Promise<Proxy> {
  const asked: Proxy['asked'] = [];
  const sockets = new Set<Socket>();
  let how: Behaviour = 'tunnels';
  let portOf = (port: number) => port;
  const server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connection', (socket) => sockets.add(socket));
  server.on('connect', (request: IncomingMessage, client: Socket) => {
    client.on('error', () => undefined);
    asked.push({ target: request.url ?? '', authorization: request.headers['proxy-authorization'] });
    if (how === 'is silent') return;
    if (how === 'hangs up') {
      client.destroy();
      return;
    }
    if (how === 'refuses') {
      client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    const { hostname, port } = new URL(`http://${request.url}`);
    const target = connect(portOf(Number(port)), hostname.replace(/^\[|\]$/g, ''));
    sockets.add(target);
    target.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'));
    target.on('connect', () => {
      client.write('HTTP/1.1 200 Connection Established\r\n\r\n');
      target.pipe(client).pipe(target);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://tranche:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    asked,
    behave: (behaviour, portFor = portOf) => {
      how = behaviour;
      portOf = portFor;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

let proxy: Proxy;
let receiver: Receiver;
const settings = (more: Record<string, string> = {}) =>
  testEnv({ WEBHOOK_TIMEOUT_MS: '5000', WEBHOOK_PROXY: proxy.url, ...more });

beforeEach(async () => {
  proxy = await startProxy();
  receiver = await startReceiver();
  applyEnv(settings());
});
afterEach(async () => {
  await proxy.close();
  await receiver.close();
});

async function post(url: string, resolve?: Resolve) {
  const sender = openSender(resolve);
  const exchange = await sender.post(url, { 'webhook-id': 'evt_1' }, '{}');
  await sender.close();
  return exchange;
}

/** Posts to a name of which a real name server tells this. */
async function postToName(tell: (n: number) => Told, posts = 1) {
  const names = await startNameServer((_name, n) => tell(n));
  const sender = openSender(nameResolver([names.address]));
  const exchanges = [];
  for (let n = 0; n < posts; n += 1) {
    exchanges.push(await sender.post('https://receiver.example.com:8443/hook', {}, '{}'));
  }
  await sender.close();
  await names.close();
  return exchanges;
}

test('an event goes through the proxy, whose password reaches neither the receiver nor the log', async () => {
  const exchange = await post(receiver.url);
  expect(exchange).toMatchObject({ responseCode: 200, errorKind: null });
  const basic = `Basic ${Buffer.from(`tranche:${PASSWORD}`).toString('base64')}`;
  expect(proxy.asked).toEqual([{ target: new URL(receiver.url).host, authorization: basic }]);
  expect(receiver.received).toMatchObject([{ body: '{}', headers: { 'webhook-id': 'evt_1' } }]);
  expect(JSON.stringify([exchange, receiver.received])).not.toMatch(/proxy-auth|Basic/i);
});

test('a name is looked up here, the proxy is told the address, and the certificate is that of the name', async () => {
  const before = getCACertificates('default');
  const reach = async (altName: string) => {
    const { key, cert } = await newCertificate(altName);
    setDefaultCACertificates([...before, cert]);
    const servernames: (string | false | null)[] = [];
    const server = createTlsServer({ key, cert }, (socket) => {
      servernames.push(socket.servername);
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'));
    });
    server.on('tlsClientError', () => undefined);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    proxy.behave('tunnels', () => (typeof address === 'object' && address !== null ? address.port : 0));
    const exchanges = await postToName(() => ['127.0.0.1']);
    server.close();
    return { exchanges, servernames };
  };
  try {
    const good = await reach('DNS:receiver.example.com');
    expect(good.exchanges).toMatchObject([{ responseCode: 200, errorKind: null }]);
    expect(good.servernames).toEqual(['receiver.example.com']);
    const other = await reach('DNS:other.example.com');
    expect(other.exchanges).toMatchObject([{ responseCode: null, errorKind: 'tls' }]);
    expect(proxy.asked.map(({ target }) => target)).toEqual(['127.0.0.1:8443', '127.0.0.1:8443']);
  } finally {
    setDefaultCACertificates(before);
  }
});

describe('what may not be dialled is not asked of the proxy', () => {
  test.each(['https://10.0.0.1/', 'https://[::1]/', 'https://169.254.169.254/', 'https://[fd00::1]:8443/'])(
    'an address: %s',
    async (url) => {
      applyEnv(settings({ WEBHOOK_ALLOW_LOOPBACK: '0' }));
      expect(await post(url)).toMatchObject({ errorKind: 'policy' });
      expect(proxy.asked).toEqual([]);
    },
  );

  test.each([[['10.0.0.1']], [['8.8.8.8', '127.0.0.1']], [['::1']], [['8.8.8.8', 'fe80::1']]])(
    'a name that leads to %j',
    async (addresses) => {
      applyEnv(settings({ WEBHOOK_ALLOW_LOOPBACK: '0' }));
      expect(await postToName(() => addresses)).toMatchObject([{ errorKind: 'policy' }]);
      expect(proxy.asked).toEqual([]);
    },
  );

  test('a name that was public a moment ago: the proxy never sees a name that it could look up itself', async () => {
    applyEnv(settings({ WEBHOOK_ALLOW_LOOPBACK: '0' }));
    proxy.behave('refuses');
    const exchanges = await postToName((n) => (n === 1 ? ['8.8.8.8'] : ['127.0.0.1']), 2);
    expect(exchanges.map(({ errorKind }) => errorKind)).toEqual(['network', 'policy']);
    expect(proxy.asked.map(({ target }) => target)).toEqual(['8.8.8.8:8443']);
  });

  test('a name without an address', async () => {
    expect(await postToName(() => 'unknown')).toMatchObject([{ errorKind: 'dns' }]);
    expect(proxy.asked).toEqual([]);
  });
});

test('of several addresses the next is asked for when the proxy does not reach the first', async () => {
  applyEnv(settings({ WEBHOOK_ALLOW_LOOPBACK: '0' }));
  proxy.behave('refuses');
  await postToName(() => ['8.8.8.8', '2a00:1450::1']);
  expect(proxy.asked.map(({ target }) => target)).toEqual(['8.8.8.8:8443', '[2a00:1450::1]:8443']);
});

describe('a proxy', () => {
  test.each(['refuses', 'hangs up'] as const)(
    'that %s fails the attempt, once and at once, and nothing goes past it',
    async (how) => {
      proxy.behave(how);
      expect(await post(receiver.url)).toMatchObject({ errorKind: 'network', responseCode: null });
      expect(proxy.asked).toHaveLength(1);
      expect(receiver.received).toEqual([]);
    },
  );

  test('that is down fails the attempt at once, and nothing goes past it', async () => {
    applyEnv(settings({ WEBHOOK_PROXY: 'http://127.0.0.1:9' }));
    expect(await post(receiver.url)).toMatchObject({ errorKind: 'network', responseCode: null });
    expect(receiver.received).toEqual([]);
  });

  test('that is silent is a time-out', async () => {
    proxy.behave('is silent');
    applyEnv(settings({ WEBHOOK_TIMEOUT_MS: '300' }));
    expect(await post(receiver.url)).toMatchObject({ errorKind: 'timeout', responseCode: null });
  });
});

test.each(['proxy.example.com:3128', 'socks5://proxy', 'http://user:secret-word@proxy/path', 'http://proxy/?a=1'])(
  'the setting %s is refused without being quoted',
  (value) => {
    const parse = () => parseEnv(testEnv({ WEBHOOK_PROXY: value }));
    expect(parse).toThrow('WEBHOOK_PROXY: must be http(s)://[user:password@]host[:port]');
    expect(parse).not.toThrow(/secret-word/);
  },
);
