import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { permittedConnector } from '#lib/webhooks/delivery/connector.ts';
import { testEnv } from '#tests/support/env.ts';

const SLOW = '127.0.0.2';
const CLOSED = '127.0.0.3';

/** Listens with the shortest queue, and accepts nobody until it is told to. */
const BUSY_SERVER = `
  const { parentPort, workerData } = require('node:worker_threads');
  const server = require('node:net').createServer();
  server.listen({ host: '${SLOW}', port: 0, backlog: 1 }, () => {
    parentPort.postMessage(server.address().port);
    setImmediate(() => Atomics.wait(workerData, 0, 0));
  });`;

const sockets: Socket[] = [];
let worker: Worker | undefined;

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await worker?.terminate();
});

test('a receiver with two addresses that takes long to accept is reached', async () => {
  applyEnv(testEnv());
  const gate = new Int32Array(new SharedArrayBuffer(4));
  worker = new Worker(BUSY_SERVER, { eval: true, workerData: gate });
  const [port] = await once(worker, 'message');
  const fill = Array.from({ length: 4 }, () => connect({ host: SLOW, port }));
  for (const socket of fill) socket.on('error', () => undefined);
  sockets.push(...fill);
  await Promise.race(fill.map((socket) => once(socket, 'connect')));
  const dial = permittedConnector(10_000, async () => [
    { address: SLOW, family: 4 },
    { address: CLOSED, family: 4 },
  ]);
  const reached = Promise.withResolvers<string | undefined>();
  dial(
    { hostname: 'receiver.example.com', host: 'receiver.example.com', protocol: 'http:', port: String(port) },
    (error, socket) => {
      if (error !== null) reached.reject(error);
      else {
        sockets.push(socket);
        reached.resolve(socket.remoteAddress);
      }
    },
  );
  // Longer than the quarter of a second that one address has by default.
  const timer = setTimeout(() => {
    Atomics.store(gate, 0, 1);
    Atomics.notify(gate, 0);
  }, 400);
  expect(await reached.promise).toBe(SLOW);
  clearTimeout(timer);
});
