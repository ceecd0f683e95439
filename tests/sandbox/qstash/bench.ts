import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { Client, Receiver } from '@upstash/qstash';
import { vi } from 'vitest';
import { z } from 'zod';
import { startQStash } from '#sandbox/qstash/index.ts';

export const token = 'qstash-token';
export const currentSigningKey = 'sig_current_for_tests';
export const nextSigningKey = 'sig_next_for_tests';

const waitingMessages = z.array(
  z.object({
    messageId: z.string(),
    url: z.string(),
    body: z.string(),
    dueAt: z.iso.datetime(),
    dueInSeconds: z.number(),
    delaySeconds: z.number(),
    retried: z.number(),
    label: z.string().nullable(),
    deduplicationId: z.string().nullable(),
    createdAt: z.iso.datetime(),
  }),
);
const advanceAnswer = z.object({ now: z.iso.datetime(), deliveries: z.number(), settled: z.boolean() });

/** A callback as the destination saw it. */
export interface Callback {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
}

type Respond = (callback: Callback, response: ServerResponse) => unknown;

/** The SDK writes each refusal to the console; here they are what is tested. */
function silenceSdk(): void {
  for (const method of ['error', 'warn'] as const) vi.spyOn(console, method).mockImplementation(() => undefined);
}

/** A stand-in, the real SDK's client for it, and a destination that records what it is called with. */
export async function startBench() {
  silenceSdk();
  const qstash = await startQStash({ token, currentSigningKey, nextSigningKey });
  const callbacks: Callback[] = [];
  let respond: Respond = (_callback, response) => response.end();
  const destination = createServer(async (request, response) => {
    let body = '';
    request.setEncoding('utf8');
    for await (const chunk of request) body += chunk;
    const callback = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body };
    callbacks.push(callback);
    await respond(callback, response);
  });
  await new Promise<void>((resolve) => destination.listen(0, '127.0.0.1', resolve));
  const address = destination.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;

  return {
    qstash,
    callbacks,
    destinationUrl: `http://127.0.0.1:${port}`,
    client: new Client({ baseUrl: qstash.url, token, devMode: false, retry: false, enableTelemetry: false }),
    receiver: new Receiver({ currentSigningKey, nextSigningKey, devMode: false }),
    respondWith(next: Respond) {
      respond = next;
    },
    async advance(seconds: number) {
      const body = JSON.stringify({ seconds });
      const response = await fetch(`${qstash.url}/sandbox/advance`, { method: 'POST', body });
      return advanceAnswer.parse(await response.json());
    },
    async waiting() {
      const response = await fetch(`${qstash.url}/sandbox/messages`);
      return waitingMessages.parse(await response.json());
    },
    async close() {
      vi.restoreAllMocks();
      await qstash.close();
      await new Promise<void>((resolve) => {
        destination.close(() => resolve());
        destination.closeAllConnections();
      });
    },
  };
}
