import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net';
import { nowMs } from './now.ts';
import type { Manner, ReceiverOrder, ReceiverReport } from './receiver-process.ts';

/** A process of receivers, each on a port of its own: `receiver.ts <manner> <ports>`. */

const [manner = 'healthy', ports = '1'] = process.argv.slice(2) as [Manner?, string?];

const arrivals: [eventId: string, atMs: number][] = [];
const report = (told: ReceiverReport): void => void process.send?.(told);

function answerHealthy(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
}

const DRIP_MS = 200;
const FLOOD = Buffer.alloc(64 * 1024, 'x');

/** What is done to whoever has sent a request, on the bare connection. */
const HOSTILE: Record<Exclude<Manner, 'healthy'>, (socket: Socket) => void> = {
  silent: () => undefined,
  slow_loris: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const timer = setInterval(() => socket.write('x: y\r\n'), DRIP_MS);
    socket.on('close', () => clearInterval(timer));
  },
  endless_body: (socket) => {
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    const pour = () => {
      while (!socket.destroyed && socket.write(FLOOD));
    };
    socket.on('drain', pour);
    pour();
  },
};

function serverOf() {
  if (manner === 'healthy') {
    return createServer((request, response) => {
      arrivals.push([String(request.headers['webhook-id']), nowMs()]);
      request.resume();
      request.on('end', () => answerHealthy(response));
    });
  }
  return createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => HOSTILE[manner](socket));
  });
}

const urls: string[] = [];
for (let opened = 0; opened < Number(ports); opened++) {
  const server = serverOf();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
}
process.on('message', (order: ReceiverOrder) => {
  if (order.kind === 'take') report({ kind: 'arrivals', arrivals: arrivals.splice(0) });
});
process.on('disconnect', () => process.exit());
report({ kind: 'ready', urls });
