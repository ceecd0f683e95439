import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { sql } from 'drizzle-orm';
import { afterEach, describe, expect, test } from 'vitest';
import { applyEnv } from '#lib/base/env.ts';
import { rowsOf } from '#tests/support/rows.ts';
import { dispatching } from './dispatching.ts';
import { startReceiver } from './receiver.ts';
import { newWebhook, reportInvestments } from './stage.ts';

const TIMEOUT_MS = 800;
/** What an attempt may take beyond its time-out. */
const GRACE_MS = 1_000;

const desk = dispatching({ WEBHOOK_TIMEOUT_MS: String(TIMEOUT_MS) });
const servers: Server[] = [];
const sockets = new Set<Socket>();

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  for (const server of servers.splice(0)) server.close();
});

/** A receiver that does with its end of the connection what it likes, once the request has begun. */
async function hostile(act: (socket: Socket) => void): Promise<string> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.once('data', () => act(socket));
  });
  servers.push(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/hook`;
}

/** Writes `text` again and again for as long as somebody reads. */
function keepWriting(socket: Socket, text: string | Buffer, everyMs: number) {
  const timer = setInterval(() => socket.write(text), everyMs);
  socket.on('close', () => clearInterval(timer));
}
function flood(socket: Socket, chunk: Buffer) {
  const pour = () => {
    while (!socket.destroyed && socket.write(chunk));
  };
  socket.on('drain', pour);
  pour();
}

const BOMB = gzipSync(Buffer.alloc(30_000_000));
const OK = 'HTTP/1.1 200 OK\r\n';
const HOSTILE: Record<string, { act: (socket: Socket) => void; outcome: object }> = {
  'never answers': { act: () => undefined, outcome: { errorKind: 'timeout', responseCode: null } },
  'drips its headers': {
    act: (socket) => {
      socket.write(OK);
      keepWriting(socket, 'x-drip: 1\r\n', 20);
    },
    outcome: { errorKind: 'timeout', responseCode: null },
  },
  'drips one header’s value': {
    act: (socket) => {
      socket.write(`${OK}x-drip: `);
      keepWriting(socket, 'a', 20);
    },
    outcome: { errorKind: 'timeout', responseCode: null },
  },
  'says 100 Continue for ever': {
    act: (socket) => keepWriting(socket, 'HTTP/1.1 100 Continue\r\n\r\n', 5),
    outcome: { responseCode: null },
  },
  'sends headers without end': {
    act: (socket) => {
      socket.write(OK);
      flood(socket, Buffer.from(`x-flood: ${'a'.repeat(1_000)}\r\n`.repeat(20)));
    },
    outcome: { errorKind: 'network', responseCode: null },
  },
  'drips its body': {
    act: (socket) => {
      socket.write(`${OK}content-length: 100000\r\n\r\n`);
      keepWriting(socket, '.', 20);
    },
    outcome: { errorKind: 'timeout', responseCode: 200 },
  },
  'drips chunks of its body': {
    act: (socket) => {
      socket.write(`${OK}transfer-encoding: chunked\r\n\r\n`);
      keepWriting(socket, '1\r\n.\r\n', 20);
    },
    outcome: { errorKind: 'timeout', responseCode: 200 },
  },
  'stalls in its body': {
    act: (socket) => socket.write(`${OK}content-length: 10\r\n\r\nhalf`),
    outcome: { errorKind: 'timeout', responseCode: 200 },
  },
  // It has accepted the event with its status: of the body no more is read than is of use.
  'sends a body without end': {
    act: (socket) => {
      socket.write(`${OK}\r\n`);
      flood(socket, Buffer.alloc(65_536, 'x'));
    },
    outcome: { errorKind: null, responseCode: 200, responseBody: 'x'.repeat(2_048) },
  },
  'sends a gzip bomb': {
    act: (socket) => {
      socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${BOMB.length}\r\n\r\n`);
      socket.end(BOMB);
    },
    outcome: { errorKind: null, responseCode: 200 },
  },
  'sends invalid UTF-8': {
    act: (socket) => {
      socket.write(`${OK}content-length: 6\r\n\r\n`);
      socket.end(Buffer.from([0x61, 0xff, 0xc0, 0x80, 0x00, 0x62]));
    },
    outcome: { errorKind: null, responseCode: 200, responseBody: 'a\ufffd\ufffd\ufffdb' },
  },
  'resets before it answers': {
    act: (socket) => void socket.resetAndDestroy(),
    outcome: { errorKind: 'network', responseCode: null },
  },
  'resets in its body': {
    act: (socket) => {
      socket.write(`${OK}content-length: 10\r\n\r\nhalf`, () => setTimeout(() => socket.resetAndDestroy(), 50));
    },
    outcome: { errorKind: 'network', responseCode: 200 },
  },
  'closes its half without an answer': {
    act: (socket) => void socket.end(),
    outcome: { errorKind: 'network', responseCode: null },
  },
  'closes its half in its body': {
    act: (socket) => void socket.end(`${OK}content-length: 10\r\n\r\nhalf`),
    outcome: { errorKind: 'network', responseCode: 200 },
  },
  'answers what is no HTTP': {
    act: (socket) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
    outcome: { errorKind: 'network', responseCode: null },
  },
  'switches protocols': {
    act: (socket) => void socket.write('HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n'),
    outcome: { errorKind: 'network', responseCode: null },
  },
  'sends two lengths': {
    act: (socket) => void socket.end(`${OK}content-length: 2\r\ncontent-length: 3\r\n\r\nok!`),
    outcome: { errorKind: 'network', responseCode: null },
  },
};

const { dispatch } = desk;

describe('an attempt ends within its time-out and a second, and is recorded, when the receiver', () => {
  test.each(Object.entries(HOSTILE))('%s', async (_name, { act, outcome }) => {
    await newWebhook(desk.stage.ctx, await hostile(act));
    await reportInvestments(desk.stage.ctx.db);
    const startedAtMs = performance.now();
    expect(await dispatch()).toMatchObject({ attempted: 1 });
    expect(performance.now() - startedAtMs).toBeLessThan(TIMEOUT_MS + GRACE_MS);
    expect(await rowsOf(desk.stage.ctx.db, 'deliveryAttempts')).toMatchObject([outcome]);
  });
});

test('healthy receivers have all their events while hostile attempts are still open', async () => {
  const healthy = await startReceiver();
  for (const name of ['never answers', 'drips its headers', 'drips its body', 'stalls in its body']) {
    await newWebhook(desk.stage.ctx, await hostile(HOSTILE[name]?.act ?? (() => undefined)));
  }
  await newWebhook(desk.stage.ctx, healthy.url);
  const EVENTS = 30;
  await reportInvestments(desk.stage.ctx.db, EVENTS);
  const openWhenDone = Promise.withResolvers<number>();
  healthy.answerWith((n, response) => {
    response.writeHead(200).end();
    if (n === EVENTS) openWhenDone.resolve(sockets.size);
  });
  // Hostile attempts shall end by the test's own word, not by time.
  applyEnv({ ...desk.stage.settings, WEBHOOK_TIMEOUT_MS: '30000' });
  const running = dispatch();
  expect(await openWhenDone.promise).toBe(4);
  for (const socket of sockets) socket.destroy();
  // They are tried again while the slice has time.
  desk.stage.ctx.clock.advance(20_000);
  await running;
  applyEnv(desk.stage.settings);
  await healthy.close();
});

test('what a hostile receiver answered can be stored and read, whatever it was', async () => {
  for (const { act } of Object.values(HOSTILE)) await newWebhook(desk.stage.ctx, await hostile(act));
  await reportInvestments(desk.stage.ctx.db);
  const result = await dispatch();
  expect(result).toMatchObject({ attempted: Object.keys(HOSTILE).length, more: false });
  const open = await desk.stage.ctx.db.execute(sql`select from delivery_attempts where duration_ms is null`);
  expect(open.rows).toEqual([]);
});
