import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';

/** A request with its body read. `target` is the raw request target: QStash puts whole URLs there, `//` and all. */
export interface HttpRequest {
  method: string;
  target: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** An answer: `json` is serialised unless it is undefined (then the body is empty). */
export interface HttpAnswer {
  status: number;
  json?: unknown;
  /** Breaks the connection off (RST) where the answer would be: the client never learns what became of its request. */
  hangsUp?: boolean;
}

/** A refusal with the status the hosted service gives; answered as `{"error": message}`. */
export class HttpError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export interface RunningHttpServer {
  url: string;
  port: number;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk);
    sizeBytes += bytes.length;
    if (sizeBytes > maxBytes) throw new HttpError(413, `request body is larger than ${maxBytes} bytes`);
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function send(response: ServerResponse, answer: HttpAnswer): void {
  if (answer.hangsUp) {
    response.socket?.resetAndDestroy();
    return;
  }
  const text = answer.json === undefined ? '' : JSON.stringify(answer.json);
  // A refused upload may still be coming in: the connection cannot be used again.
  if (answer.status === 413) response.setHeader('connection', 'close');
  response.writeHead(answer.status, { 'content-type': 'application/json' });
  response.end(text);
}

function toAnswer(error: unknown): HttpAnswer {
  if (error instanceof HttpError) return { status: error.status, json: { error: error.message } };
  return { status: 500, json: { error: error instanceof Error ? error.message : String(error) } };
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : port);
    });
  });
}

/**
 * Serves JSON over HTTP. `port` 0 takes a free one; the returned `close` ends open connections too.
 *
 * @throws when the port is taken
 */
export async function serveJson(
  options: { port: number; host: string; maxBodyBytes: number },
  handle: (request: HttpRequest) => Promise<HttpAnswer>,
): Promise<RunningHttpServer> {
  const server = createServer((request, response) => {
    readBody(request, options.maxBodyBytes)
      .then((body) =>
        handle({ method: request.method ?? 'GET', target: request.url ?? '/', headers: request.headers, body }),
      )
      .catch(toAnswer)
      .then((answer) => send(response, answer));
  });
  const port = await listen(server, options.port, options.host);
  const hostInUrl = options.host.includes(':') ? `[${options.host}]` : options.host;
  return {
    url: `http://${hostInUrl}:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
