import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { createQueue } from '#lib/base/queue.ts';
import { testEnv } from '#tests/support/env.ts';

const sockets: Socket[] = [];
let server: Server;
beforeAll(async () => {
  // Takes every connection and says nothing.
  server = createServer((socket) => void sockets.push(socket.on('error', () => undefined)));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  applyEnv(testEnv({ QSTASH_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }));
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const WITHIN_MS = 300;

test('a queue that takes the connection and never answers is given up, not waited for', async () => {
  const queue = createQueue(WITHIN_MS);
  await expect(queue.publish([{ path: '/api/queue/continue', body: {} }])).rejects.toThrow(
    'did not answer within 0.3 s',
  );
  await expect(queue.ping()).rejects.toThrow('did not answer');
  expect(sockets.length).toBeGreaterThan(0);
});
