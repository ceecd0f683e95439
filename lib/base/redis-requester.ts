import { Agent, type ClientRequestArgs, request } from 'node:http';
import type { Requester, UpstashRequest, UpstashResponse } from '@upstash/redis';
import { httpAnswer } from './http-answer.ts';
import { afterRunning } from './patience.ts';

const LONGEST_CALL_MS = 1_000;
/** How long an idle connection is kept: shorter than its host keeps it. */
const KEPT_MS = 4_000;
/** Names the last write that this process knows of, so that a replica answers no older state. */
const SYNC_TOKEN = 'upstash-sync-token';

/**
 * Sends the commands of the Redis SDK over kept-alive connections of node:http. The SDK's own requester calls fetch, which each new
 * process has to load first, and retries: an INCR that is sent twice counts twice. Throws when Redis refuses a request, or does not
 * answer within a second in which this process ran (`TimeoutError`).
 */
export class RedisRequester implements Requester {
  readYourWrites = true;
  upstashSyncToken = '';
  readonly #url: URL;
  readonly #token: string;
  #transport: Promise<{ request: typeof request; agent: Agent }> | null = null;
  #usedAtMs = 0;

  constructor({ url, token }: { url: string; token: string }) {
    this.#url = new URL(url);
    this.#token = token;
  }

  async request<T>({ path = [], body }: UpstashRequest): Promise<UpstashResponse<T>> {
    const { status, text } = await this.#post(path, JSON.stringify(body));
    let answer: UpstashResponse<T>;
    try {
      answer = JSON.parse(text);
    } catch {
      throw new Error(`Redis answered ${status} with something that is not JSON`);
    }
    if (status !== 200) throw new Error(`Redis answered ${status}: ${answer.error ?? 'no reason'}`);
    return answer;
  }

  async #post(path: readonly string[], body: string): Promise<{ status: number; text: string }> {
    this.#transport ??= this.#open();
    const transport = await this.#transport;
    this.#dropOldConnections(transport.agent);
    const late = new AbortController();
    const end = () => late.abort(new DOMException('No answer within the timeout', 'TimeoutError'));
    const cancel = afterRunning(LONGEST_CALL_MS, end);
    const options: ClientRequestArgs = {
      method: 'POST',
      agent: transport.agent,
      path: [this.#url.pathname.replace(/\/$/, ''), ...path].join('/') || '/',
      signal: late.signal,
      headers: {
        authorization: `Bearer ${this.#token}`,
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
        [SYNC_TOKEN]: this.upstashSyncToken,
      },
    };
    try {
      const answer = await httpAnswer(transport.request, this.#url, options, body);
      this.upstashSyncToken = String(answer.headers[SYNC_TOKEN] ?? '');
      return answer;
    } catch (error) {
      throw late.signal.aborted ? late.signal.reason : error;
    } finally {
      cancel();
    }
  }

  /** The timers of a process that slept between two requests slept too: what it kept has ended at the other side. */
  #dropOldConnections({ freeSockets }: Agent): void {
    const nowMs = Date.now();
    if (nowMs - this.#usedAtMs > KEPT_MS) {
      for (const socket of Object.values(freeSockets).flatMap((kept) => kept ?? [])) socket.destroy();
    }
    this.#usedAtMs = nowMs;
  }

  async #open() {
    const kept = { keepAlive: true, timeout: KEPT_MS };
    if (this.#url.protocol === 'http:') return { request, agent: new Agent(kept) };
    const https = await import('node:https');
    return { request: https.request, agent: new https.Agent(kept) };
  }
}
