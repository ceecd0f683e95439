import { Agent, request } from 'undici';
import type { CallbackOutcome, Message } from './message.ts';
import { signCallback } from './signature.ts';
import type { SigningKeys } from './signing-keys.ts';

const KEPT_BODY_BYTES = 16 * 1024;
// Shorter than any server's own keep-alive: a reused connection that the server just closed would cost a retry.
const KEEP_ALIVE_MS = 1000;

function callbackHeaders(message: Message, signingKey: string): Record<string, string> {
  return {
    ...message.headers,
    'user-agent': 'Upstash-QStash',
    'upstash-message-id': message.messageId,
    'upstash-retried': String(message.retried),
    'upstash-signature': signCallback(message.url, message.body, signingKey),
    ...(message.scheduleId !== undefined && { 'upstash-schedule-id': message.scheduleId }),
    ...(message.label !== undefined && { 'upstash-label': message.label }),
  };
}

async function readStart(body: AsyncIterable<Buffer>): Promise<string> {
  const kept: Buffer[] = [];
  let keptBytes = 0;
  for await (const chunk of body) {
    if (keptBytes >= KEPT_BODY_BYTES) continue;
    kept.push(chunk.subarray(0, KEPT_BODY_BYTES - keptBytes));
    keptBytes += chunk.length;
  }
  return Buffer.concat(kept).toString('utf8');
}

function flatHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]));
}

/** Makes the real HTTP requests. */
export class CallbackClient {
  // The only time-out is the message's own.
  readonly #agent = new Agent({
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  readonly #keys: SigningKeys;

  constructor(keys: SigningKeys) {
    this.#keys = keys;
  }

  /** One attempt, redirects not followed, the message's time-out over the whole exchange. Never throws. */
  async deliver(message: Message): Promise<CallbackOutcome> {
    const hasBody = message.method !== 'GET';
    try {
      const response = await request(message.url, {
        dispatcher: this.#agent,
        method: message.method,
        headers: callbackHeaders(message, this.#keys.current),
        body: hasBody ? message.body : null,
        signal: AbortSignal.timeout(message.timeoutSeconds * 1000),
      });
      return {
        status: response.statusCode,
        headers: flatHeaders(response.headers),
        body: await readStart(response.body),
      };
    } catch (error) {
      return { headers: {}, body: '', error: error instanceof Error ? error.message : String(error) };
    }
  }

  /** Ends what is under way. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
