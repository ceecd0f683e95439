import type { Dispatcher } from 'undici';
import { env } from '#lib/base/env.ts';
import { type ErrorKind, failureKind } from './failure-kind.ts';
import { keptHeaders } from './kept-headers.ts';
import type { Resolve } from './resolve.ts';
import { TargetRefused, targetUrlFault } from './target-policy.ts';

/** Of an answer, this much is read and that much kept (docs/webhooks.md#limits). */
const READ_BYTES = 16 * 1024;
const KEPT_BYTES = 2 * 1024;
const MAX_CONNECTIONS_PER_ORIGIN = 64;

/** What one HTTP exchange came to. It succeeded when `errorKind` is null. */
export interface Exchange {
  /** What was sent beside the body; names in lower case. */
  requestHeaders: Record<string, string>;
  /** A bounded part of what came back; null where no status line came. */
  responseHeaders: Record<string, string> | null;
  /** Null where no status line came. */
  responseCode: number | null;
  errorKind: ErrorKind | null;
  responseBody: string | null;
  retryAfter: string | null;
}

export interface Sender {
  /** Posts a body once. Never throws: every failure is an outcome. */
  post(url: string, headers: Record<string, string>, body: string): Promise<Exchange>;
  /** Drops all connections. */
  close(): Promise<void>;
}

/** The first bytes of the answer as text that Postgres can hold: a zero byte cannot stand in a text column. */
async function readStart(body: Dispatcher.ResponseData['body']): Promise<string> {
  const kept: Buffer[] = [];
  let readBytes = 0;
  let keptBytes = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk).subarray(0, READ_BYTES - readBytes);
    readBytes += bytes.length;
    const part = bytes.subarray(0, KEPT_BYTES - keptBytes);
    keptBytes += part.length;
    kept.push(part);
    if (readBytes >= READ_BYTES) break;
  }
  return new TextDecoder().decode(Buffer.concat(kept), { stream: true }).replaceAll('\0', '');
}

/** Loads the HTTP client: a request that is refused, or finds nothing to send, is answered without it. */
async function openAgent(timeoutMs: number, resolve: Resolve | undefined) {
  const [{ Agent, request }, { permittedConnector }] = await Promise.all([import('undici'), import('./connector.ts')]);
  const agent = new Agent({
    connect: permittedConnector(timeoutMs, resolve),
    connections: MAX_CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return { agent, request };
}

/**
 * Opens a sender whose connections live as long as one slice of work: a function that was frozen in between must not
 * find dead ones. Redirects are not followed, a 2xx is the only success, and the time-out covers name look-up,
 * connecting, sending, and reading the answer (docs/webhooks.md#limits). `resolve` replaces the name look-up.
 */
export function openSender(resolve?: Resolve): Sender {
  const timeoutMs = env().WEBHOOK_TIMEOUT_MS;
  let opened: ReturnType<typeof openAgent> | null = null;
  return {
    async post(url, headers, body) {
      opened ??= openAgent(timeoutMs, resolve);
      const { agent, request } = await opened;
      const signal = AbortSignal.timeout(timeoutMs);
      const exchange: Exchange = {
        requestHeaders: { ...headers, 'content-type': 'application/json', 'user-agent': 'Tranche-Webhooks/1' },
        responseHeaders: null,
        responseCode: null,
        errorKind: null,
        responseBody: null,
        retryAfter: null,
      };
      try {
        const fault = targetUrlFault(url);
        if (fault !== null) throw new TargetRefused(`The URL ${fault}`);
        const response = await request(url, {
          method: 'POST',
          dispatcher: agent,
          signal,
          headers: exchange.requestHeaders,
          body: Buffer.from(body),
        });
        exchange.responseCode = response.statusCode;
        exchange.responseHeaders = keptHeaders(response.headers);
        exchange.retryAfter = [response.headers['retry-after']].flat()[0]?.slice(0, 64) ?? null;
        exchange.responseBody = await readStart(response.body);
        if (response.statusCode < 200 || response.statusCode > 299) exchange.errorKind = 'status';
      } catch (error) {
        exchange.errorKind = signal.aborted ? 'timeout' : failureKind(error);
      }
      return exchange;
    },
    close: async () => (await opened)?.agent.destroy(),
  };
}
