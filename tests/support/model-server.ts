import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** A request as a server of the chat completions API gets it. */
export interface ModelRequest {
  body: {
    model: string;
    messages: { role: string; content: string | null; tool_call_id?: string }[];
    tools: { function: { name: string; parameters: unknown } }[];
    tool_choice: string;
    stream: boolean;
  };
  /** Resolves when the client has gone or was answered whole; true when it went before. */
  leftEarly: Promise<boolean>;
  atMs: number;
}

/** One answer of the server, as a script writes it. */
export type Turn = (response: ServerResponse, request: ModelRequest) => Promise<void> | void;

const chunkOf = (delta: unknown, finish: string | null = null) =>
  `data: ${JSON.stringify({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1_763_726_400,
    model: 'scripted',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;
const DONE = 'data: [DONE]\n\n';

const open = (response: ServerResponse) =>
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(chunkOf({ role: 'assistant', content: '' }));

/** Says a text in pieces and ends as a model does. */
export const says =
  (text: string, { pieceLength = 7, pauseMs = 0, finish = 'stop' } = {}): Turn =>
  async (response) => {
    open(response);
    for (let at = 0; at < text.length; at += pieceLength) {
      if (pauseMs > 0) await wait(pauseMs);
      if (response.destroyed) return;
      response.write(chunkOf({ content: text.slice(at, at + pieceLength) }));
    }
    response.end(chunkOf({}, finish) + DONE);
  };

/** Wants to look things up; arguments that are a string are sent as they are. */
export const calls =
  (...wanted: readonly (readonly [name: string, input: unknown])[]): Turn =>
  (response) => {
    open(response);
    wanted.forEach(([name, input], index) => {
      const text = typeof input === 'string' ? input : JSON.stringify(input);
      const half = Math.ceil(text.length / 2);
      const head = { index, id: `call_${index}`, type: 'function', function: { name, arguments: text.slice(0, half) } };
      response.write(chunkOf({ tool_calls: [head] }));
      response.write(chunkOf({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] }));
    });
    response.end(chunkOf({}, 'tool_calls') + DONE);
  };

/** Refuses with a status; the body repeats what it must not, as such servers do. */
export const fails =
  (status: number, headers: Record<string, string> = {}): Turn =>
  (response, { body }) => {
    const message = `bad key sk-scripted-0123456789abcdef in ${JSON.stringify(body.messages.at(-1))}`;
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify({ error: { message, type: 'scripted', code: null } }));
  };

/** Says a text and loses the connection. */
export const breaksOff =
  (text: string): Turn =>
  async (response) => {
    open(response);
    await new Promise((resolve) => response.write(chunkOf({ content: text }), resolve));
    response.destroy();
  };

/** Says a text and ends the answer, without a word that it was the end. */
export const endsEarly =
  (text: string): Turn =>
  (response) => {
    open(response);
    response.end(chunkOf({ content: text }));
  };

/** Bytes of its own choosing. */
export const sends =
  (bytes: string): Turn =>
  (response) => {
    open(response);
    response.end(bytes);
  };

/** Begins and says nothing more. */
export const hangs: Turn = (response) => {
  open(response);
};

export interface ModelServer {
  url: string;
  requests: ModelRequest[];
  /** What the next requests get, in this order; the last one also all after it. Forgets earlier requests. */
  play(...turns: readonly Turn[]): void;
  close(): Promise<void>;
}

async function bodyOf(incoming: IncomingMessage): Promise<ModelRequest['body']> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming as AsyncIterable<Buffer>) chunks.push(chunk);
  return JSON.parse(Buffer.concat(chunks).toString());
}

/** A server that speaks OpenAI's chat completions API by a script, on a free port of 127.0.0.1. */
export async function startModelServer(key: string): Promise<ModelServer> {
  const requests: ModelRequest[] = [];
  let script: Turn[] = [];
  const server = createServer(async (incoming, response) => {
    const isKnown = incoming.method === 'POST' && incoming.url === '/v1/chat/completions';
    if (!isKnown || incoming.headers.authorization !== `Bearer ${key}`) {
      response.writeHead(isKnown ? 401 : 404).end('{}');
      return;
    }
    const leftEarly = once(response, 'close').then(() => !response.writableFinished);
    const request = { body: await bodyOf(incoming), leftEarly, atMs: performance.now() };
    requests.push(request);
    const turn = script.length > 1 ? script.shift() : script[0];
    if (turn === undefined) throw new Error('The script has no turn');
    await turn(response, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    requests,
    play(...turns) {
      requests.length = 0;
      script = [...turns];
    },
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
