import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { verifySignature } from '#sandbox/receiver/signature.ts';
import { nowMs } from '../webhooks/now.ts';

/** The receivers of all webhooks, each at a port of its own as it would be at a host of its own: they verify what they get, note it, and answer at once. */

export type ReceiverOrder = { kind: 'secrets'; secrets: string[] } | { kind: 'take' } | { kind: 'count' };

export interface Arrivals {
  /** Of each event that came to anyone, the payment that it is about. */
  hashes: Record<string, string>;
  /** Which webhook, which event, and when its first byte was read. */
  arrivals: [webhook: number, eventId: string, atMs: number][];
  /** Requests whose signature fitted no secret of their webhook. */
  refused: number;
}

/** Of `data.transaction`: an event says nothing else in 64 digits. */
const HASH = /"hash":"([0-9A-F]{64})"/;
let secrets: string[] = [];
let taken: Arrivals = { hashes: {}, arrivals: [], refused: 0 };

async function take(webhook: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const atMs = nowMs();
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  const signature = String(request.headers['x-platform-signature']);
  if (verifySignature(body, signature, secrets[webhook] ?? '')) {
    const event = String(request.headers['webhook-id']);
    taken.hashes[event] ??= HASH.exec(body.toString('latin1'))?.[1] ?? '';
    taken.arrivals.push([webhook, event, atMs]);
    response.writeHead(200).end('ok');
  } else {
    taken.refused += 1;
    response.writeHead(401).end();
  }
}

const { webhooks } = JSON.parse(process.argv[2] ?? '') as { webhooks: number };
const urls: string[] = [];
for (let webhook = 0; webhook < webhooks; webhook++) {
  const server = createServer((request, response) => {
    take(webhook, request, response).catch(() => response.destroy());
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
}

process.on('message', (order: ReceiverOrder) => {
  if (order.kind === 'secrets') secrets = order.secrets;
  if (order.kind !== 'take') {
    process.send?.(taken.arrivals.length);
    return;
  }
  process.send?.(taken);
  taken = { hashes: {}, arrivals: [], refused: 0 };
});
process.on('disconnect', () => process.exit());
process.send?.(urls);
