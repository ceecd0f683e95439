import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Agent, Dispatcher } from 'undici';
import type { deliveryAttempts } from '#drizzle/schema/events.ts';
import { env } from '#lib/base/env.ts';
import { unseal } from '#lib/base/secretbox.ts';
import type { Ctx } from '#lib/ctx.ts';
import { type CustomHeaders, openHeaders, withoutValues } from '#lib/webhooks/custom-headers.ts';
import { standardKey } from '#lib/webhooks/secret.ts';
import { delaySecondsAsked } from '../schemas.ts';
import type { Claimed } from './claim.ts';
import type { Resolve } from './connector.ts';
import { NameNotFound, TargetRefused, targetUrlFault } from './target-policy.ts';

/** Of an answer, this much is read and that much kept (docs/webhooks.md#limits). */
const READ_BYTES = 16 * 1024;
const KEPT_BYTES = 2 * 1024;
const MAX_CONNECTIONS_PER_ORIGIN = 64;

/** Why an attempt failed, as the log keeps it. */
type ErrorKind = NonNullable<typeof deliveryAttempts.$inferSelect.errorKind>;

/** What one HTTP exchange came to. It succeeded when `errorKind` is null. */
interface Exchange {
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

const MAX_HEADERS = 32;
const MAX_NAME_LENGTH = 128;
const MAX_VALUE_LENGTH = 256;

const printable = (text: string, maxLength: number) => text.slice(0, maxLength).replaceAll(/[^\x20-\x7e]/g, '?');

/**
 * What the log keeps of an answer's headers: the first 32, names up to 128 characters and values up to 256, several of one
 * name joined by a comma, and what cannot be printed as `?`. A receiver decides what it sends, not how much of it we store.
 */
const keptHeaders = (headers: Record<string, string | string[] | undefined>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .slice(0, MAX_HEADERS)
      .map(([name, value]) => [
        printable(name.toLowerCase(), MAX_NAME_LENGTH),
        printable([value].flat().join(', '), MAX_VALUE_LENGTH),
      ]),
  );

/** The first bytes of an answer. */
class AnswerStart {
  readonly #kept: Buffer[] = [];
  #readBytes = 0;
  #keptBytes = 0;

  /** False once enough was read. */
  add(chunk: Buffer): boolean {
    this.#readBytes += chunk.length;
    const part = chunk.subarray(0, KEPT_BYTES - this.#keptBytes);
    this.#keptBytes += part.length;
    // A copy: the chunk is a piece of the reader's own memory.
    if (part.length > 0) this.#kept.push(Buffer.from(part));
    return this.#readBytes < READ_BYTES;
  }

  /** As text that Postgres can hold: a zero byte cannot stand in a text column. */
  toText(): string {
    return new TextDecoder().decode(Buffer.concat(this.#kept), { stream: true }).replaceAll('\0', '');
  }
}

const TLS_CODE =
  /^(ERR_TLS|ERR_SSL|CERT_|CRL_|EPROTO$|DEPTH_ZERO_SELF_SIGNED_CERT$|SELF_SIGNED_CERT|UNABLE_TO_|HOSTNAME_MISMATCH$|INVALID_CA$)/;

function codeOf(error: unknown): string {
  // Several addresses were dialled and each failed: the first one speaks for all.
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Sorts the error of an HTTP exchange that gave no whole answer. */
function failureKind(error: unknown): ErrorKind {
  if (error instanceof TargetRefused) return 'policy';
  if (error instanceof NameNotFound) return 'dns';
  const code = codeOf(error);
  if (code === 'ECONNREFUSED') return 'refused';
  if (code === 'ETIMEDOUT' || code === 'UND_ERR_CONNECT_TIMEOUT') return 'timeout';
  if (TLS_CODE.test(code)) return 'tls';
  return 'network';
}

type Connect = NonNullable<Agent.Options['connect']>;

/** Loads the HTTP client: a request that is refused, or finds nothing to send, is answered without it. */
async function openAgent(loadConnect: () => Promise<Connect>): Promise<Agent> {
  const [undici, connect] = await Promise.all([import('undici'), loadConnect()]);
  return new undici.Agent({
    connect,
    connections: MAX_CONNECTIONS_PER_ORIGIN,
    pipelining: 1,
    allowH2: false,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}

/** The time-out of an exchange. */
class TimedOut extends Error {}
/** Nobody reads on. */
class Enough extends Error {}

/**
 * One exchange by the client's own callbacks: a stream and a signal for each would cost more than the exchange. Writes what comes
 * back to `exchange`, and throws what went wrong.
 */
function makeExchange(
  agent: Agent,
  request: Pick<Dispatcher.DispatchOptions, 'origin' | 'path' | 'headers' | 'body'>,
  timeoutMs: number,
  exchange: Exchange,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const start = new AnswerStart();
  let controller: Dispatcher.DispatchController | undefined;
  let isOver = false;
  const end = (error?: Error): void => {
    isOver = true;
    clearTimeout(timer);
    if (error !== undefined) reject(error);
    else {
      exchange.responseBody = start.toText();
      resolve();
    }
  };
  const timer = setTimeout(() => {
    const late = new TimedOut();
    end(late);
    controller?.abort(late);
  }, timeoutMs);
  agent.dispatch(
    { ...request, method: 'POST' },
    {
      onRequestStart(given) {
        controller = given;
        if (isOver) given.abort(new TimedOut());
      },
      onResponseStart(_controller, statusCode, headers) {
        // Others come before the answer itself.
        if (isOver || statusCode < 200) return;
        exchange.responseCode = statusCode;
        exchange.responseHeaders = keptHeaders(headers);
        exchange.retryAfter = [headers['retry-after']].flat()[0]?.slice(0, 64) ?? null;
      },
      onResponseData(given, chunk) {
        if (isOver || start.add(chunk)) return;
        end();
        given.abort(new Enough());
      },
      onResponseEnd() {
        if (!isOver) end();
      },
      onResponseError(_controller, error) {
        if (!isOver) end(error);
      },
    },
  );
  return promise;
}

/**
 * Opens a sender whose connections live as long as one slice of work: a function that was frozen in between must not
 * find dead ones. Redirects are not followed, a 2xx is the only success, and the time-out covers name look-up,
 * connecting, sending, and reading the answer (docs/webhooks.md#limits). `resolve` replaces the name look-up.
 */
export function openSender(resolve?: Resolve): Sender {
  const timeoutMs = env().WEBHOOK_TIMEOUT_MS;
  const loadConnect = async () => (await import('./connector.ts')).permittedConnector(timeoutMs, resolve);
  return senderTo(targetUrlFault, timeoutMs, loadConnect);
}

/** The same, to any URL: for a program that its own user points somewhere, never for the platform. */
export const openUncheckedSender = (timeoutMs: number): Sender =>
  senderTo(
    () => null,
    timeoutMs,
    async () => ({ timeout: timeoutMs }),
  );

function senderTo(
  faultOf: (url: string) => string | null,
  timeoutMs: number,
  loadConnect: () => Promise<Connect>,
): Sender {
  let opened: Promise<Agent> | null = null;
  /** URLs that were looked at: where they lead, or what is wrong with them. */
  const targets = new Map<string, { origin: string; path: string } | TargetRefused>();
  const targetOf = (text: string) => {
    const known = targets.get(text);
    if (known !== undefined) return known;
    const fault = faultOf(text);
    const url = fault === null ? new URL(text) : null;
    const target =
      url === null
        ? new TargetRefused(`The URL ${fault}`)
        : { origin: url.origin, path: `${url.pathname}${url.search}` };
    targets.set(text, target);
    return target;
  };
  return {
    async post(url, headers, body) {
      opened ??= openAgent(loadConnect);
      const agent = await opened;
      const exchange: Exchange = {
        requestHeaders: { ...headers, 'content-type': 'application/json', 'user-agent': 'Tranche-Webhooks/1' },
        responseHeaders: null,
        responseCode: null,
        errorKind: null,
        responseBody: null,
        retryAfter: null,
      };
      try {
        const target = targetOf(url);
        if (target instanceof TargetRefused) throw target;
        await makeExchange(
          agent,
          { ...target, headers: exchange.requestHeaders, body: Buffer.from(body) },
          timeoutMs,
          exchange,
        );
        if (exchange.responseCode === null || exchange.responseCode > 299) exchange.errorKind = 'status';
      } catch (error) {
        exchange.errorKind = error instanceof TimedOut ? 'timeout' : failureKind(error);
      }
      return exchange;
    },
    close: async () => (await opened)?.destroy(),
  };
}

/** The end of an attempt. */
export interface Outcome extends Exchange, Pick<Claimed, 'deliveryId' | 'attempt' | 'leasedUntil' | 'url'> {
  /** By ctx.clock. */
  startedAtMs: number;
  durationMs: number;
  /** Seconds until the next attempt; null after a success and when no attempt is left. */
  retryDelaySeconds: number | null;
}

/**
 * Makes a claimed attempt: signs the stored bytes and posts them. Throws only when a secret cannot be opened, which
 * is our fault and no failure of the receiver: the claim then runs out and the attempt is made again, up to twenty times.
 */
export async function performAttempt(
  ctx: Ctx,
  sender: Sender,
  claimed: Claimed,
  signers: Signers = new Signers(),
): Promise<Outcome> {
  const startedAtMs = ctx.clock.nowMs();
  const { eventId, body } = claimed;
  const { sign, headers: own } = signers.of(claimed);
  const headers = sign({ eventId, body, attemptedAtMs: startedAtMs });
  const exchange = await sender.post(claimed.url, { ...own, ...headers }, claimed.body);
  const endedAtMs = ctx.clock.nowMs();
  return {
    ...exchange,
    requestHeaders: { ...exchange.requestHeaders, ...withoutValues(own) },
    deliveryId: claimed.deliveryId,
    attempt: claimed.attempt,
    leasedUntil: claimed.leasedUntil,
    url: claimed.url,
    startedAtMs,
    durationMs: Math.max(0, Math.round(endedAtMs - startedAtMs)),
    // A test event is sent once (docs/webhooks.md#test-events).
    retryDelaySeconds:
      exchange.errorKind === null || claimed.isTest ? null : delaySecondsAsked(claimed.attempt, exchange, endedAtMs),
  };
}

/** The secrets of a webhook; `nextSecret` is the other one of a rotation that is under way. */
export interface Secrets {
  secret: string;
  nextSecret: string | null;
}

/** One sending of an event. */
interface Message {
  eventId: string;
  body: string;
  attemptedAtMs: number;
}

/** Gives the headers that let a receiver verify an event. */
type Signer = (message: Message) => Record<string, string>;

const mac = (key: KeyObject, text: string) => createHmac('sha256', key).update(text);

/**
 * Signs in both ways (docs/webhooks.md#verify). `x-platform-signature` is the lowercase hex HMAC-SHA-256 of the body, keyed with
 * the whole secret text; it has room for one key, and carries the older one while a rotation is under way. `webhook-signature`
 * follows Standard Webhooks: base64 of the HMAC of `id.timestamp.body`, keyed with the decoded secret, and both keys during a
 * rotation. The event's id is the message id: it stays the same over all attempts, so a receiver can drop what it has seen; the
 * time is the attempt's own, which limits replay. Keys are prepared once: that costs more than a signature.
 */
export function signerOf({ secret, nextSecret }: Secrets): Signer {
  const platformKey = createSecretKey(secret, 'utf8');
  const standardKeys = (nextSecret === null ? [secret] : [secret, nextSecret]).map((each) =>
    createSecretKey(standardKey(each)),
  );
  return ({ eventId, body, attemptedAtMs }) => {
    const timestamp = String(Math.floor(attemptedAtMs / 1000));
    const signed = `${eventId}.${timestamp}.${body}`;
    return {
      'x-platform-signature': mac(platformKey, body).digest('hex'),
      'webhook-id': eventId,
      'webhook-timestamp': timestamp,
      'webhook-signature': standardKeys.map((key) => `v1,${mac(key, signed).digest('base64')}`).join(' '),
    };
  };
}

/** What a webhook has sealed, opened. */
interface Opened {
  sign: Signer;
  headers: CustomHeaders;
}

type Sealed = Pick<Claimed, 'webhookId' | 'sealedSecret' | 'nextSealedSecret' | 'sealedHeaders'>;

/** Signers of webhooks, opened once a slice: what changed meanwhile is sealed anew, and so opened anew. */
export class Signers {
  readonly #opened = new Map<string, Opened & Omit<Sealed, 'webhookId'>>();

  /** Throws when a secret, or the headers, cannot be opened. */
  of({ webhookId, sealedSecret, nextSealedSecret, sealedHeaders }: Sealed): Opened {
    const known = this.#opened.get(webhookId);
    if (
      known !== undefined &&
      known.sealedSecret === sealedSecret &&
      known.nextSealedSecret === nextSealedSecret &&
      known.sealedHeaders === sealedHeaders
    )
      return known;
    const opened = {
      sealedSecret,
      nextSealedSecret,
      sealedHeaders,
      sign: signerOf({
        secret: unseal(sealedSecret, webhookId),
        nextSecret: nextSealedSecret === null ? null : unseal(nextSealedSecret, webhookId),
      }),
      headers: openHeaders(webhookId, sealedHeaders),
    };
    this.#opened.set(webhookId, opened);
    return opened;
  }
}
