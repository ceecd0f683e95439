import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';

/** A request as it reached the receiver. */
export interface Received {
  path: string;
  headers: Record<string, string>;
  /** The very bytes, as text. */
  body: string;
}

/** Answers the n-th request (from 1). */
export type Answer = (n: number, response: ServerResponse, request: Received) => void;

export interface Receiver {
  url: string;
  received: Received[];
  /** Connections that were opened to it. */
  connections(): number;
  /** Changes how requests are answered from now on. */
  answerWith(answer: Answer): void;
  close(): Promise<void>;
}

export const status =
  (code: number): Answer =>
  (_n, response) => {
    response.writeHead(code).end(`answer ${code}`);
  };

const flatten = (headers: IncomingHttpHeaders) =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));

/** A webhook receiver on a free port of 127.0.0.1. */
export async function startReceiver(first: Answer = status(200)): Promise<Receiver> {
  let answer = first;
  const received: Received[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(Buffer.from(chunk));
    const one = {
      path: request.url ?? '/',
      headers: flatten(request.headers),
      body: Buffer.concat(chunks).toString('utf8'),
    };
    received.push(one);
    answer(received.length, response, one);
  });
  let connections = 0;
  server.on('connection', () => {
    connections += 1;
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    received,
    connections: () => connections,
    answerWith: (next) => {
      answer = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
