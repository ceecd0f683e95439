import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { behaviourSchema, createBehaviours } from './behaviour.ts';
import { parseJson, readBody, sendJson } from './http.ts';
import { verifySignature } from './signature.ts';

export type ReceivedEvent = {
  received_at: string;
  /** Whether the signature fitted one of the known secrets. */
  verified: boolean;
  /** What the receiver answered. */
  status: number;
  /** The header `webhook-id`: the same at each attempt for the same event. */
  webhook_id: string | null;
  /** The body; null when it is not JSON. */
  event: unknown;
};

export type Receiver = {
  url: string;
  port: number;
  /** Adds a secret to those it accepts: several webhooks may point here. */
  addSecret(secret: string): void;
  /** The last events, newest first. */
  events(): ReceivedEvent[];
  close(): Promise<void>;
};

const KEPT_EVENTS = 1_000;
const KEPT_SECRETS = 100;
const secretSchema = z.strictObject({ secret: z.string().min(1).max(500) });

/**
 * Starts a webhook receiver: `POST` to `/` or `/webhook` takes an event and answers 401 when its signature fits no known
 * secret. `GET /events`, `GET /health`, `POST /secret {"secret"}` and `POST /behaviour {"status", "times", "delay_ms"}`
 * are for the person who watches.
 */
export async function startReceiver(
  options: { port?: number; host?: string; secret?: string } = {},
): Promise<Receiver> {
  const host = options.host ?? '127.0.0.1';
  const secrets: string[] = options.secret === undefined ? [] : [options.secret];
  const received: ReceivedEvent[] = [];
  const behaviours = createBehaviours();
  const closing = new AbortController();

  const addSecret = (secret: string) => {
    if (!secrets.includes(secret)) secrets.unshift(secret);
    secrets.splice(KEPT_SECRETS);
  };

  const take = async (request: IncomingMessage, response: ServerResponse, body: Buffer) => {
    const signature = header(request, 'x-platform-signature');
    const verified = secrets.some((secret) => verifySignature(body, signature, secret));
    const { status, delay_ms, headers } = verified ? behaviours.next() : { status: 401, delay_ms: 0, headers: {} };
    const webhookId = header(request, 'webhook-id') ?? null;
    const event = parseJson(body) ?? null;
    received.unshift({ received_at: new Date().toISOString(), verified, status, webhook_id: webhookId, event });
    received.splice(KEPT_EVENTS);
    if (delay_ms > 0) await sleep(delay_ms, undefined, { signal: closing.signal });
    sendJson(response, status, { received: verified }, headers);
  };

  const control = (request: IncomingMessage, response: ServerResponse, path: string, body: Buffer) => {
    // A page in a browser can not send this type to another origin without asking first.
    if (!header(request, 'content-type')?.startsWith('application/json')) {
      return sendJson(response, 415, { error: 'Send application/json.' });
    }
    const schema = path === '/secret' ? secretSchema : behaviourSchema;
    const parsed = schema.safeParse(parseJson(body));
    if (!parsed.success) return sendJson(response, 400, { error: z.prettifyError(parsed.error) });
    if ('secret' in parsed.data) addSecret(parsed.data.secret);
    else behaviours.set(parsed.data);
    return sendJson(response, 200, { ok: true });
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const { pathname } = new URL(request.url ?? '/', `http://${host}`);
    const body = await readBody(request);
    if (body === null) return sendJson(response, 413, { error: 'The body is longer than 1 MiB.' });
    switch (`${request.method} ${pathname}`) {
      case 'GET /events':
        return sendJson(response, 200, received);
      case 'GET /health':
        return sendJson(response, 200, { status: 'ok', events: received.length });
      case 'POST /':
      case 'POST /webhook':
        return take(request, response, body);
      case 'POST /secret':
      case 'POST /behaviour':
        return control(request, response, pathname, body);
      default:
        return sendJson(response, 404, { error: 'Unknown path or method.' });
    }
  };

  const server = createServer((request, response) => {
    // Fails only when the other side, or the receiver itself, has gone away.
    answer(request, response).catch(() => response.destroy());
  });
  await once(server.listen(options.port ?? 0, host), 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = async () => {
    closing.abort();
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
  return { url: `http://${host}:${port}`, port, addSecret, events: () => received, close };
}

function header(request: IncomingMessage, name: string): string | undefined {
  const value = request.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
