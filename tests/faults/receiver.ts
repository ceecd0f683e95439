import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import { Draw } from './draw.ts';

/** How a receiver fails: at once, or by keeping the platform until its time-out. */
const FAILURES = ['500', '503', '404', '410', '302', 'reset'] as const;
const HANGS = ['hang', 'half answer'] as const;
export type Failure = (typeof FAILURES)[number] | (typeof HANGS)[number] | 'refused time';
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
  /** Tells it the secret that webhook `n` was given, and the headers that it must come with. */
  expect(n: number, expected: { secret: string; headers: Readonly<Record<string, string>> }): void;
  /** Whether webhook `n` never takes this event. */
  refuses(n: number, eventId: string): boolean;
  /** By `n` and event id. */
  seen: ReadonlyMap<string, Seen>;
  failures: ReadonlyMap<Failure, number>;
  violations: string[];
  close(): Promise<void>;
}

/** The headers that webhooks of a campaign have set begin so. */
export const OWN_HEADERS = 'x-campaign-';

/** How a receiver answers the arrivals of one event, one after the other; then it takes everything. */
function plan(seed: string, options: ReceiverOptions): Failure[] {
  const { shareFailing, shareHanging, mostFailures = MOST_FAILURES } = options;
  const draw = new Draw(seed);
  if (!draw.chance(shareFailing)) return [];
  // Each further failure is half as likely.
  let failures = 1;
  while (failures < mostFailures && draw.chance(0.5)) failures += 1;
  return Array.from({ length: failures }, () => draw.pick(draw.chance(shareHanging) ? HANGS : FAILURES));
}

/** When a receiver that is too busy wants to be asked again: in the past, soon, too late, at a time, without sense, unsaid. */
const RETRY_AFTERS = ['0', '1', '45', '1000', '90000', 'date', 'soon', ''] as const;
const LATER_MS = 1_800_000;

/** An answer of a receiver that is too busy. Both codes may say when (docs/webhooks.md#retries). */
function tooBusy(response: ServerResponse, draw: Draw): void {
  const drawn = draw.pick(RETRY_AFTERS);
  const retryAfter = drawn === 'date' ? new Date(Date.now() + LATER_MS).toUTCString() : drawn;
  response.writeHead(draw.pick([429, 503]), retryAfter === '' ? {} : { 'retry-after': retryAfter }).end();
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
    case 'refused time':
      response.writeHead(401).end();
      return;
    default:
      response.writeHead(Number(failure), failure === '302' ? { location: '/elsewhere' } : {}).end();
  }
}

/** Why the receiver's library does not take it; `isTime` when that is the age which the headers give it, whoever signed. */
function signatureFault(
  secret: Webhook | undefined,
  body: Buffer,
  request: IncomingMessage,
): { text: string; isTime: boolean } | null {
  try {
    secret?.verify(body, request.headers as Record<string, string>);
    return null;
  } catch (error) {
    const isTime = error instanceof WebhookVerificationError && /timestamp too/.test(error.message);
    return { text: String(error), isTime };
  }
}

export interface ReceiverOptions {
  seed: string;
  webhooks: number;
  /** Of the pairs of event and webhook, so many have a receiver that fails at first. */
  shareFailing: number;
  /** Of the failures, so many keep the platform until its time-out. */
  shareHanging: number;
  /** How often a receiver fails over one event at the most. */
  mostFailures?: number;
  /**
   * Processes sign by clocks that the campaign sets wrong: a time that is off is refused, as receivers do, and is no
   * violation.
   */
  clocksMayBeOff?: boolean;
  /** Numbers of the webhooks whose receiver never takes anything. */
  dead?: ReadonlySet<number>;
  /** Numbers of the webhooks whose receiver never takes some of the events, and how many of them. */
  refusing?: ReadonlySet<number>;
  shareRefused?: number;
  /** A receiver that is too busy may say when it is to be asked again. */
  saysWhen?: boolean;
}

/**
 * Receivers of so many webhooks, each at a port of its own. What each does to an event follows from the seed; all of them
 * check bytes and signatures, the time that was signed too.
 */
export async function startReceivers(options: ReceiverOptions): Promise<Receivers> {
  const { seed, webhooks, clocksMayBeOff = false, dead = new Set(), refusing = new Set(), shareRefused = 0 } = options;
  const { saysWhen = false } = options;
  const secrets = new Map<string, Webhook>();
  const headers = new Map<string, Readonly<Record<string, string>>>();
  const refuses = (n: number, eventId: string): boolean =>
    refusing.has(n) && new Draw(`${seed}/refused/${n} ${eventId}`).chance(shareRefused);
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
    const fault = signatureFault(secrets.get(n), body, request);
    const isRefused = fault?.isTime === true && clocksMayBeOff;
    if (fault !== null && !isRefused) violations.push(`${key} came with a bad signature: ${fault.text}`);
    const own = Object.fromEntries(Object.entries(request.headers).filter(([name]) => name.startsWith(OWN_HEADERS)));
    if (JSON.stringify(own) !== JSON.stringify(headers.get(n) ?? {})) {
      violations.push(`${key} came with the headers ${JSON.stringify(own)}`);
    }
    const arrivals = (before?.arrivals ?? 0) + 1;
    seen.set(key, { arrivals, digest: before?.digest ?? digest });
    const isNeverTaken = dead.has(Number(n)) || refuses(Number(n), eventId);
    const planned = isNeverTaken ? '503' : plan(`${seed}/${key}`, options)[arrivals - 1];
    const failure = isRefused ? 'refused time' : planned;
    if (failure === undefined) {
      response.writeHead(200).end('taken');
      return;
    }
    failures.set(failure, (failures.get(failure) ?? 0) + 1);
    if (failure === '503' && saysWhen) tooBusy(response, new Draw(`${seed}/${key}/${arrivals}`));
    else fail(response, failure);
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
    expect(n, expected) {
      secrets.set(String(n), new Webhook(expected.secret));
      headers.set(String(n), expected.headers);
    },
    refuses,
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
