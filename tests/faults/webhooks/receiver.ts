import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { Draw } from '#tests/faults/payouts/draw.ts';

/** How a receiver fails. */
const FAILURES = ['500', '503', '404', '410', '302', 'reset', 'hang', 'half answer'] as const;
export type Failure = (typeof FAILURES)[number];
/** Of the seven attempts two are left for what a starved machine lets time out. */
const MOST_FAILURES = 4;

/** What one receiver saw of one event. */
export interface Seen {
  arrivals: number;
  /** SHA-256 of the first body. */
  digest: string;
}

export interface Receivers {
  /** Where webhook number `n` of the campaign points. */
  urlOf(n: number): string;
  /** Tells it the secret that webhook `n` was given. */
  setSecret(n: number, secret: string): void;
  /** By `n` and event id. */
  seen: ReadonlyMap<string, Seen>;
  failures: ReadonlyMap<Failure, number>;
  violations: string[];
  close(): Promise<void>;
}

/** How a receiver answers the arrivals of one event, one after the other; then it takes everything. */
function plan(seed: string, shareFailing: number): Failure[] {
  const draw = new Draw(seed);
  if (!draw.chance(shareFailing)) return [];
  // Each further failure is half as likely.
  let failures = 1;
  while (failures < MOST_FAILURES && draw.chance(0.5)) failures += 1;
  return Array.from({ length: failures }, () => (draw.chance(0.9) ? draw.pick(FAILURES) : '500'));
}

function fail(response: ServerResponse, failure: Failure): void {
  switch (failure) {
    case 'reset':
      response.socket?.resetAndDestroy();
      return;
    case 'hang':
      return;
    case 'half answer':
      response.writeHead(200, { 'content-length': '10' });
      response.write('half');
      return;
    default:
      response.writeHead(Number(failure), failure === '302' ? { location: '/elsewhere' } : {}).end();
  }
}

/**
 * Receivers of so many webhooks, each at a port of its own. What each does to an event follows from the seed; all of them
 * check bytes and signatures.
 */
export async function startReceivers(seed: string, webhooks: number, shareFailing: number): Promise<Receivers> {
  const secrets = new Map<string, Webhook>();
  const seen = new Map<string, Seen>();
  const failures = new Map<Failure, number>();
  const violations: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    } catch {
      // The sender was killed before it had sent everything: nothing has arrived.
      return;
    }
    const body = Buffer.concat(chunks);
    const n = /^\/hook\/(\d+)$/.exec(request.url ?? '')?.[1] ?? '';
    const eventId = String(request.headers['webhook-id']);
    const key = `${n} ${eventId}`;
    const digest = createHash('sha256').update(body).digest('hex');
    const before = seen.get(key);
    if (before !== undefined && before.digest !== digest) violations.push(`${key} came with other bytes than before`);
    try {
      secrets.get(n)?.verify(body, request.headers as Record<string, string>);
    } catch (error) {
      violations.push(`${key} came with a bad signature: ${String(error)}`);
    }
    const arrivals = (before?.arrivals ?? 0) + 1;
    seen.set(key, { arrivals, digest: before?.digest ?? digest });
    const failure = plan(`${seed}/${key}`, shareFailing)[arrivals - 1];
    if (failure === undefined) {
      response.writeHead(200).end('taken');
      return;
    }
    failures.set(failure, (failures.get(failure) ?? 0) + 1);
    fail(response, failure);
  };
  const servers = Array.from({ length: webhooks }, () => createServer(take));
  const ports: number[] = [];
  for (const server of servers) {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    ports.push((server.address() as AddressInfo).port);
  }
  return {
    urlOf: (n) => `http://127.0.0.1:${ports[n]}/hook/${n}`,
    setSecret: (n, secret) => void secrets.set(String(n), new Webhook(secret)),
    seen,
    failures,
    violations,
    async close() {
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      }
    },
  };
}
