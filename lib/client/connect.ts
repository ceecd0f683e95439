import type { RequestOpts } from '@oazapfts/runtime';
import ky, { HTTPError } from 'ky';
import { ProblemError, problemOf } from './problem.ts';

export interface Connection {
  /** Of the deployment: `https://…`, without `/api`. */
  baseUrl: string;
  /** Sent as `Authorization: Bearer`. What everybody may read needs none. */
  apiKey?: string;
  /** How often a call is sent again that failed and may be repeated. */
  retries?: number;
  /** Of one attempt, in milliseconds. */
  timeoutMs?: number;
  /** In place of the global one. */
  fetch?: typeof fetch;
}

/** A call that must wait longer than this, as `Retry-After` says, fails at once. */
const MAX_WAIT_SECONDS = 60;
const STATUSES = [408, 409, 429, 500, 502, 503, 504];
const PAUSES = [409, 429, 503];

/** Seconds; undefined without a number in it. */
const retryAfter = (headers: Headers): number | undefined => {
  const text = headers.get('retry-after') ?? '';
  return /^\d+$/.test(text) ? Number(text) : undefined;
};

/** A conflict passes by itself only where the answer says when; and nobody waits for an hour. */
function shouldRetry({ error }: { error: Error }): false | undefined {
  if (!(error instanceof HTTPError)) return undefined;
  const { status, headers } = error.response;
  const seconds = retryAfter(headers);
  return (status === 409 && seconds === undefined) || (seconds ?? 0) > MAX_WAIT_SECONDS ? false : undefined;
}

/** No answer came, or only a part of one. It holds nothing of the request, and so no key. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
}

/** An answer with its whole body: one that is cut off is none, and may be asked for again. */
const whole =
  (send: typeof fetch): typeof fetch =>
  async (input, init) => {
    const { status, statusText, headers, body } = await send(input, init);
    const bytes = body === null ? null : await new Response(body).arrayBuffer();
    return new Response(status === 204 || status === 304 ? null : bytes, { status, statusText, headers });
  };

/**
 * What a deletion of a webhook gives that was sent again and found none: the one before, whose answer was lost, deleted it.
 * Undefined for anything else.
 */
function deletedBefore(url: string, { code }: ProblemError): Response | undefined {
  const [, id] = /\/webhooks\/([^/]+)$/.exec(new URL(url).pathname) ?? [];
  if (id === undefined || code !== 'webhook_not_found') return undefined;
  return Response.json({ id: decodeURIComponent(id), deleted_at: new Date().toISOString() });
}

/**
 * What every call takes as its last argument. Failed calls are sent again after a pause, or after `Retry-After`: all but a
 * PATCH, and a POST without a key, which might be done twice. With an API key a POST gets an `Idempotency-Key` of its own
 * where the platform takes one, unless you give one. A refusal throws a `ProblemError`, as does what has not changed since an ETag (304);
 * a failed connection throws a `ConnectionError`.
 */
export function connect(connection: Connection): RequestOpts {
  const { baseUrl, apiKey, retries = 2, timeoutMs = 30_000, fetch: ownFetch } = connection;
  const send: NonNullable<RequestOpts['fetch']> = async (url, given: RequestInit & { idempotent?: boolean } = {}) => {
    const { idempotent = false, ...init } = given;
    const headers = new Headers(init.headers);
    const isPost = init.method === 'POST';
    if (idempotent && apiKey !== undefined && !headers.has('idempotency-key')) {
      headers.set('idempotency-key', crypto.randomUUID());
    }
    const mayRepeat = init.method !== 'PATCH' && (!isPost || headers.has('idempotency-key'));
    let attempts = 0;
    const attempt: typeof fetch = (...given) => {
      attempts += 1;
      return (ownFetch ?? globalThis.fetch)(...given);
    };
    try {
      const response = await ky(url as string, {
        ...init,
        headers,
        timeout: timeoutMs,
        fetch: whole(attempt),
        throwHttpErrors: (status) => status >= 400,
        retry: {
          limit: mayRepeat ? retries : 0,
          methods: ['get', 'put', 'delete', 'post'],
          statusCodes: STATUSES,
          afterStatusCodes: PAUSES,
          retryOnTimeout: true,
          jitter: true,
          shouldRetry,
        },
      });
      if (response.status !== 304) return response;
    } catch (error) {
      if (!(error instanceof HTTPError)) {
        // What ky throws holds the request with its headers.
        if (!(error instanceof Error && 'request' in error)) throw error;
        throw new ConnectionError(error.message, { cause: error.cause });
      }
      const problem = problemOf(error.response.status, error.data, retryAfter(error.response.headers));
      const deleted = init.method === 'DELETE' && attempts > 1 ? deletedBefore(url as string, problem) : undefined;
      if (deleted === undefined) throw problem;
      return deleted;
    }
    throw new ProblemError(304, { detail: 'Nothing has changed since the ETag of `ifNoneMatch`' }, null);
  };
  return {
    baseUrl: baseUrl.replace(/\/+$/, ''),
    headers: apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` },
    fetch: send,
  };
}
