import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';

const DRIP_MS = 200;
const OK = 'HTTP/1.1 200 OK\r\n';
const FLOOD = Buffer.alloc(64 * 1024, 'x');
const NOT_UTF8 = Buffer.from([0xc3, 0x28, 0xff, 0xfe, 0xed, 0xa0, 0x80]);
const BOMB_BYTES = 64 * 1024 * 1024;
let bomb: Buffer | undefined;

function drip(socket: Socket, start: string, drop: string): void {
  socket.write(start);
  const timer = setInterval(() => socket.write(drop), DRIP_MS);
  socket.on('close', () => clearInterval(timer));
}

/** What is done to whoever has sent a request, on the bare connection. */
export const HOSTILE = {
  silent: () => undefined,
  slow_head: (socket) => drip(socket, OK, 'x: y\r\n'),
  slow_body: (socket) => drip(socket, `${OK}content-length: 100000\r\n\r\n`, 'x'),
  endless_body: (socket) => {
    socket.write(`${OK}\r\n`);
    const pour = () => {
      while (!socket.destroyed && socket.write(FLOOD));
    };
    socket.on('drain', pour);
    pour();
  },
  reset: (socket) => void socket.resetAndDestroy(),
  half_close: (socket) => void socket.end(`${OK}content-length: 10\r\n\r\nhalf`),
  no_tls: (socket) => void socket.end('this is no TLS'),
  gzip_bomb: (socket) => {
    bomb ??= gzipSync(Buffer.alloc(BOMB_BYTES));
    socket.write(`${OK}content-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`);
    socket.write(bomb);
  },
  invalid_utf8: (socket) => {
    socket.write(`${OK}content-length: ${NOT_UTF8.length}\r\n\r\n`);
    socket.write(NOT_UTF8);
  },
} as const satisfies Record<string, (socket: Socket) => void>;

export type HostileBehaviour = keyof typeof HOSTILE;
export const HOSTILE_BEHAVIOURS = Object.keys(HOSTILE) as HostileBehaviour[];
