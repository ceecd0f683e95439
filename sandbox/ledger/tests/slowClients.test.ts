import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { Client, Wallet } from 'xrpl';
import { GENESIS_SEED, type SandboxLedger, type ServerLimits, startLedger } from '../index.ts';

let ledger: SandboxLedger;
let lines: string[];

async function start(limits: Partial<ServerLimits> = {}): Promise<void> {
  lines = [];
  ledger = await startLedger({ intervalMs: 0, limits, log: (line) => lines.push(line) });
}
beforeEach(() => start());
afterEach(() => ledger.close());

async function opened(): Promise<WebSocket> {
  const socket = new WebSocket(ledger.wsUrl);
  await once(socket, 'open');
  return socket;
}

async function answerTo(socket: WebSocket, request: object): Promise<Record<string, unknown>> {
  socket.send(JSON.stringify(request));
  const [data] = (await once(socket, 'message')) as [Buffer];
  return JSON.parse(data.toString()) as Record<string, unknown>;
}

/** Resolves once everything that was sent before has been read: answers keep their place among what is pushed. */
async function caughtUp(socket: WebSocket): Promise<void> {
  const id = Math.random();
  const read = new Promise<void>((resolve) => {
    const listener = (data: Buffer): void => {
      if ((JSON.parse(data.toString()) as { id?: number }).id !== id) return;
      socket.off('message', listener);
      resolve();
    };
    socket.on('message', listener);
  });
  socket.send(JSON.stringify({ command: 'ping', id }));
  await read;
}

/** A connection of bytes, and when it has ended: however the server ends it, with or without a reset. */
function rawConnection(): { socket: Socket; ended: Promise<void> } {
  const socket = connect(ledger.port, '127.0.0.1');
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => {
    socket.once('close', () => resolve());
  });
  return { socket, ended };
}

const isAlive = async (): Promise<boolean> => {
  const response = await fetch(ledger.rpcUrl, { method: 'POST', body: '{"method":"ping"}' });
  return response.ok;
};

const pays = (count: number): unknown =>
  ledger.writePayments({ count, destination: Wallet.generate().address, amountDrops: 1_000_000n });

describe('a client that does not read', () => {
  test('is dropped with a reason and a log line, while one that reads gets everything', async () => {
    await ledger.close();
    await start({ waitingCharacters: 1_000_000 });
    const [deaf, attentive] = [await opened(), await opened()];
    for (const socket of [deaf, attentive]) await answerTo(socket, { command: 'subscribe', streams: ['transactions'] });
    deaf.pause();
    let heard = 0;
    attentive.on('message', () => {
      heard += 1;
    });
    let paid = 0;
    while (lines.length === 0) {
      pays(100);
      paid += 100;
      // The one that reads is given the time to.
      await caughtUp(attentive);
      expect(heard).toBeGreaterThan(paid);
    }
    expect(lines).toEqual([
      expect.stringMatching(/^dropped 127\.0\.0\.1:\d+: it does not read, and \d+ characters wait/),
    ]);
    const closed = once(deaf, 'close') as Promise<[number, Buffer]>;
    deaf.resume();
    const [code, reason] = await closed;
    expect([code, reason.toString()]).toEqual([1008, 'Policy error: client is too slow.']);
    expect(attentive.readyState).toBe(WebSocket.OPEN);
    attentive.terminate();
  }, 60_000);

  test('is dropped by the answers it asks for, too', async () => {
    await ledger.close();
    await start({ waitingCharacters: 1_000_000 });
    const socket = await opened();
    socket.pause();
    const ask = JSON.stringify({ command: 'server_definitions' });
    for (let i = 0; i < 200 && lines.length === 0; i++) {
      socket.send(ask);
      if (i % 20 === 19) expect(await isAlive()).toBe(true);
    }
    await vi.waitFor(() => expect(lines).toHaveLength(1), { timeout: 20_000 });
    socket.terminate();
  }, 60_000);
});

describe('what is too long', () => {
  test('a message beyond what a server reads is no JSON, and the connection stays', async () => {
    const socket = await opened();
    const text = JSON.stringify({ command: 'ping', x: 'x'.repeat(1_000_000) });
    socket.send(text);
    const [data] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(data.toString())).toEqual({ type: 'error', error: 'jsonInvalid', value: text });
    expect(await answerTo(socket, { command: 'ping' })).toMatchObject({ status: 'success' });
    socket.terminate();
  });

  test('a frame of 2 MB is answered the same way, one of 17 MB closes the connection as too big', async () => {
    const socket = await opened();
    socket.send('x'.repeat(2_000_000));
    const [data] = (await once(socket, 'message')) as [Buffer];
    expect(JSON.parse(data.toString())).toMatchObject({ error: 'jsonInvalid' });
    socket.send('x'.repeat(17 * 1024 * 1024));
    const [code] = (await once(socket, 'close')) as [number];
    expect(code).toBe(1009);
    expect(await isAlive()).toBe(true);
  });

  test('a body beyond what a server reads is refused, and one without end is cut off', async () => {
    const body = JSON.stringify({ method: 'ping', params: [{ x: 'x'.repeat(1_000_000) }] });
    const refused = await fetch(ledger.rpcUrl, { method: 'POST', body });
    expect([refused.status, await refused.text()]).toEqual([400, 'Unable to parse request: \r\n']);

    const { socket, ended } = rawConnection();
    socket.resume().write('POST / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n');
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`;
    const feed = (): void => {
      if (!socket.destroyed && !socket.writableEnded) socket.write(chunk, () => setImmediate(feed));
    };
    feed();
    await ended;
    expect(await isAlive()).toBe(true);
  });

  test('a request over HTTP that never ends is given up', async () => {
    await ledger.close();
    await start({ requestMs: 200 });
    const { socket, ended } = rawConnection();
    socket.resume().write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"method"');
    await ended;
    expect(await isAlive()).toBe(true);
  });
});

test('bytes that are no HTTP and no WebSocket end their own connection only', async () => {
  const garbage = Buffer.from(Array.from({ length: 4096 }, (_, i) => (i * 167 + 13) % 256));
  const raw = rawConnection();
  raw.socket.resume().write(garbage);
  await raw.ended;
  const upgraded = rawConnection();
  upgraded.socket.write(
    'GET / HTTP/1.1\r\nhost: x\r\nupgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: MDEyMzQ1Njc4OWFiY2RlZg==\r\n\r\n',
  );
  await once(upgraded.socket, 'data');
  upgraded.socket.write(garbage);
  await upgraded.ended;
  expect(await isAlive()).toBe(true);
});

test('300 connections at once are all answered', async () => {
  const sockets = await Promise.all(Array.from({ length: 300 }, opened));
  const answers = await Promise.all(sockets.map((socket) => answerTo(socket, { command: 'ledger_current' })));
  expect(answers.filter(({ status }) => status === 'success')).toHaveLength(300);
  for (const socket of sockets) socket.terminate();
  expect(await isAlive()).toBe(true);
}, 30_000);

test('20 clients that listen hear each of 5,000 payments, and the one that submits is answered meanwhile', async () => {
  const heard = Array.from({ length: 20 }, () => 0);
  const sockets = await Promise.all(
    heard.map(async (_, i) => {
      const socket = await opened();
      await answerTo(socket, { command: 'subscribe', streams: ['transactions'] });
      socket.on('message', () => {
        heard[i] = (heard[i] ?? 0) + 1;
      });
      return socket;
    }),
  );
  const client = new Client(ledger.wsUrl);
  await client.connect();
  const genesis = Wallet.fromSeed(GENESIS_SEED, { algorithm: 'ecdsa-secp256k1' as never });
  pays(5000);
  const { result } = await client.request({ command: 'account_info', account: genesis.address });
  expect(result.account_data.Account).toBe(genesis.address);
  await Promise.all(sockets.map(caughtUp));
  expect(Math.min(...heard)).toBeGreaterThanOrEqual(5000);
  expect(new Set(heard).size).toBe(1);
  expect(lines).toEqual([]);
  await client.disconnect();
  for (const socket of sockets) socket.terminate();
}, 60_000);
