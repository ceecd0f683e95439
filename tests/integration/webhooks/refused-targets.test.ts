import { once } from 'node:events';
import { connect, createServer, type Server } from 'node:net';
import { networkInterfaces } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { nameResolver, permittedConnector } from '#lib/webhooks/delivery/connector.ts';
import { openSender } from '#lib/webhooks/delivery/send.ts';
import { TargetRefused } from '#lib/webhooks/delivery/target-policy.ts';
import { testEnv } from '#tests/support/env.ts';
import { PRIVATE_ADDRESSES, PRIVATE_HOSTS } from '../../unit/webhooks/private-targets.ts';
import { startNameServer, type Told } from './name-server.ts';
import { startReceiver } from './receiver.ts';

/** Of the permitted ports, the one that needs no privilege. */
const PORT = 8443;
/** Unicast, and given to nobody: dialling it leads nowhere. */
const PUBLIC_NOBODY = '2d00::1';

let trap: Server;
let trapped = 0;

// It listens on every address of this machine, the loopback of both families among them.
beforeAll(async () => {
  trap = createServer((socket) => {
    trapped += 1;
    socket.destroy();
  });
  trap.listen(PORT);
  await once(trap, 'listening');
});
afterAll(() => trap.close());
beforeEach(() => {
  trapped = 0;
  applyEnv(testEnv({ WEBHOOK_ALLOW_LOOPBACK: '0', WEBHOOK_TIMEOUT_MS: '5000' }));
});

const post = async (url: string) => {
  const sender = openSender();
  const exchange = await sender.post(url, {}, '{}');
  await sender.close();
  return exchange;
};

async function postToName(tell: (n: number) => Told, posts = 1) {
  const names = await startNameServer((_name, n) => tell(n));
  const sender = openSender(nameResolver([names.address]));
  const exchanges = [];
  for (let n = 0; n < posts; n += 1) {
    exchanges.push(await sender.post(`https://receiver.example.com:${PORT}/`, {}, '{}'));
  }
  await sender.close();
  await names.close();
  return { kinds: exchanges.map(({ errorKind }) => errorKind), asked: names.asked };
}

test('the trap catches who comes: otherwise it would prove nothing', async () => {
  for (const address of ['127.0.0.1', '::1']) {
    const socket = connect(PORT, address);
    socket.on('error', () => undefined);
    await once(socket, 'close');
  }
  expect(trapped).toBe(2);
});

describe('no connection is made', () => {
  test('to a host that is not public, however it is spelt', async () => {
    const exchanges = await Promise.all(PRIVATE_HOSTS.map((host) => post(`https://${host}:${PORT}/`)));
    expect(exchanges.filter(({ errorKind }) => errorKind !== 'policy')).toEqual([]);
    expect(trapped).toBe(0);
  });

  test('to an address of this machine or its network', async () => {
    const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
    const hosts = own.map(({ address }) => (address.includes(':') ? `[${address}]` : address));
    expect(hosts).toContain('127.0.0.1');
    for (const host of hosts) expect((await post(`https://${host}:${PORT}/`)).errorKind).toBe('policy');
    expect(trapped).toBe(0);
  });

  test('to a literal address, should a URL ever get past its own check', async () => {
    const connector = permittedConnector(5_000);
    for (const address of PRIVATE_ADDRESSES) {
      const { promise, resolve } = Promise.withResolvers<Error | null>();
      const host = address.includes(':') ? `[${address}]` : address;
      connector({ hostname: host, host, protocol: 'https:', port: String(PORT) }, (...[error]) => resolve(error));
      expect(await promise).toBeInstanceOf(TargetRefused);
    }
    expect(trapped).toBe(0);
  });

  test('to a name that leads to an address that is not public', async () => {
    const names = await startNameServer((name) => [PRIVATE_ADDRESSES[Number(name.split('.')[0])] ?? '']);
    const sender = openSender(nameResolver([names.address]));
    const exchanges = await Promise.all(
      PRIVATE_ADDRESSES.map((_, n) => sender.post(`https://${n}.example.com:${PORT}/`, {}, '{}')),
    );
    await sender.close();
    await names.close();
    expect(exchanges.filter(({ errorKind }) => errorKind !== 'policy')).toEqual([]);
    expect(trapped).toBe(0);
  });

  test.each([
    [['93.184.215.14', '127.0.0.1']],
    [['127.0.0.1', '93.184.215.14']],
    [['93.184.215.14', '::1']],
    [['2606:4700::1111', '127.0.0.1']],
    [['2606:4700::1111', 'fd00::1']],
    [['93.184.215.14', '1.1.1.1', '8.8.8.8', '169.254.169.254']],
    [['93.184.215.14', '::ffff:127.0.0.1']],
  ])('to a name of which one answer among others is not public: %j', async (addresses) => {
    expect((await postToName(() => addresses)).kinds).toEqual(['policy']);
    expect(trapped).toBe(0);
  });

  test('to what a name leads to after it was checked: it is asked once, and the socket dials what was checked', async () => {
    const { kinds, asked } = await postToName((n) => (n === 1 ? [PUBLIC_NOBODY] : ['127.0.0.1', '::1']));
    // One question for each family.
    expect(asked).toEqual(['receiver.example.com', 'receiver.example.com']);
    expect(['network', 'timeout']).toContain(kinds[0]);
    expect(trapped).toBe(0);
  });

  test('to a name that has come to lead elsewhere by the next attempt', async () => {
    const { kinds } = await postToName((n) => (n === 1 ? [PUBLIC_NOBODY] : ['127.0.0.1']), 2);
    expect(kinds[1]).toBe('policy');
    expect(trapped).toBe(0);
  });

  test('to where a receiver redirects', async () => {
    applyEnv(testEnv({ WEBHOOK_ALLOW_LOOPBACK: '1', WEBHOOK_TIMEOUT_MS: '5000' }));
    for (const code of [301, 302, 303, 307, 308]) {
      for (const location of [`http://127.0.0.1:${PORT}/`, `https://localhost:${PORT}/`, '//127.0.0.1:8443/']) {
        const receiver = await startReceiver((_n, response) =>
          response.writeHead(code, { location, refresh: `0; url=${location}` }).end(),
        );
        expect(await post(receiver.url)).toMatchObject({ errorKind: 'status', responseCode: code });
        await receiver.close();
      }
    }
    expect(trapped).toBe(0);
  });
});

test('a name whose answers are all public is dialled', async () => {
  const { kinds } = await postToName(() => [PUBLIC_NOBODY]);
  expect(kinds).not.toContain('policy');
  expect(kinds).not.toContain('dns');
});

test('a receiver on localhost is reached in the sandbox alone, on this machine’s own addresses, whatever a name server says', async () => {
  const names = await startNameServer(() => [PUBLIC_NOBODY]);
  const receiver = await startReceiver();
  const url = receiver.url.replace('127.0.0.1', 'localhost');
  const outcomes = [];
  for (const allowed of ['1', '0']) {
    applyEnv(testEnv({ WEBHOOK_ALLOW_LOOPBACK: allowed, WEBHOOK_TIMEOUT_MS: '5000' }));
    const sender = openSender(nameResolver([names.address]));
    outcomes.push((await sender.post(url, {}, '{}')).errorKind);
    await sender.close();
  }
  await receiver.close();
  await names.close();
  expect(outcomes).toEqual([null, 'policy']);
  expect(receiver.received).toHaveLength(1);
  expect(names.asked).toEqual([]);
});
