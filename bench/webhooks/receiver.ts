import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { HOSTILE } from './hostile-behaviours.ts';
import { nowMs } from './now.ts';
import type { Manner, ReceiverOrder, ReceiverReport } from './receiver-process.ts';

/** A process of receivers, each on a port of its own: `receiver.ts <milliseconds to the answer> <manner> <manner> …`. */

const [answerAfterMs = '0', ...manners] = process.argv.slice(2) as [string, ...Manner[]];
const delayMs = Number(answerAfterMs);

const arrivals: [eventId: string, atMs: number][] = [];
const report = (told: ReceiverReport): void => void process.send?.(told);

function answerHealthy(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'text/plain' }).end('ok');
}

function serverOf(manner: Manner) {
  if (manner === 'healthy') {
    return createServer((request, response) => {
      arrivals.push([String(request.headers['webhook-id']), nowMs()]);
      request.resume();
      request.on('end', () => {
        if (delayMs === 0) answerHealthy(response);
        else setTimeout(answerHealthy, delayMs, response);
      });
    });
  }
  return createTcpServer((socket) => {
    socket.on('error', () => undefined);
    socket.on('data', () => HOSTILE[manner](socket));
  });
}

const urls: string[] = [];
for (const manner of manners) {
  const server = serverOf(manner);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const scheme = manner === 'no_tls' ? 'https' : 'http';
  urls.push(`${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
}
process.on('message', (order: ReceiverOrder) => {
  if (order.kind === 'take') report({ kind: 'arrivals', arrivals: arrivals.splice(0) });
  else report({ kind: 'counted', count: arrivals.length });
});
process.on('disconnect', () => process.exit());
report({ kind: 'ready', urls });
