import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { fund } from './faucet.ts';
import type { ServerNode } from './node.ts';
import { Outbox } from './outbox.ts';
import { answerHttp, answerMessage, type CallContext } from './rpc/dispatch.ts';
import type { Subscriber } from './rpc/types.ts';
import { Streams } from './streams.ts';

/** What may be asked at once, in bytes; the sandbox's own commands may be longer. */
const MAX_REQUEST_BYTES = 1_000_000;
/** A message or body beyond this is not even read to its end: the connection closes. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;

/** RFC 6455: the server met something that it did not expect. */
const INTERNAL_ERROR = 1011;

/** How much one client may cost the server before it is given up. */
export type ServerLimits = {
  /** Characters that may wait for a client that does not read; 64 Mi by default. */
  readonly waitingCharacters: number;
  /** Milliseconds a client may take to send an HTTP request whole; 30,000 by default. */
  readonly requestMs: number;
};

const DEFAULT_LIMITS: ServerLimits = { waitingCharacters: 64 * 1024 * 1024, requestMs: 30_000 };

export type ServeOptions = {
  readonly host: string;
  readonly port: number;
  readonly limits?: Partial<ServerLimits>;
  /** Takes one line about each client that is given up and each failure of the server's own. */
  readonly log?: (line: string) => void;
};

export type LedgerServer = { readonly port: number; readonly close: () => Promise<void> };

class BodyTooLarge extends Error {}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > MAX_MESSAGE_BYTES) throw new BodyTooLarge();
    chunks.push(buffer);
  }
  return Buffer.concat(chunks);
}

function reply(response: ServerResponse, status: number, body: string, connection = 'Keep-Alive'): void {
  response.writeHead(status, {
    connection,
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(body),
    server: 'xrpld-json-rpc/xrpld-3.2.0',
  });
  response.end(body);
}

function bytesOf(data: RawData): Buffer {
  if (Array.isArray(data)) return Buffer.concat(data);
  return Buffer.isBuffer(data) ? data : Buffer.from(data);
}

const describe = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Serves WebSocket, JSON-RPC (`POST /`) and the faucet (`POST /accounts`) of one server on one port. */
export async function serve(node: ServerNode, options: ServeOptions): Promise<LedgerServer> {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const log = options.log ?? (() => undefined);
  const streams = new Streams(node);
  const delayed = new Set<NodeJS.Timeout>();
  let port = options.port;
  const contextFor = (subscriber: Subscriber | undefined): CallContext => ({
    chain: node.chain,
    node,
    port,
    streams,
    subscriber,
  });
  /** Gives an answer now or, on a slow server, later. */
  const inTime = (delayMs: number, give: () => void): void => {
    if (delayMs === 0) {
      give();
      return;
    }
    const timer = setTimeout(() => {
      delayed.delete(timer);
      give();
    }, delayMs);
    delayed.add(timer);
  };

  const answerRequest = (request: IncomingMessage, response: ServerResponse, bytes: Buffer): void => {
    const isFaucet = request.method === 'POST' && request.url?.replace(/\/$/, '').endsWith('/accounts');
    if (!node.isStrict && isFaucet) {
      const answer = fund(node.chain, bytes.toString('utf8'));
      node.chain.settle();
      reply(response, answer.status, JSON.stringify(answer.body));
      return;
    }
    const answer = answerHttp(contextFor(undefined), bytes.toString('utf8'), bytes.length > MAX_REQUEST_BYTES);
    node.chain.settle();
    if (answer.lost) request.socket.destroy();
    else inTime(answer.delayMs, () => reply(response, answer.status, answer.body));
  };

  const timeouts = {
    requestTimeout: limits.requestMs,
    headersTimeout: limits.requestMs,
    connectionsCheckingInterval: Math.min(limits.requestMs, 5000),
  };
  const http = createServer(timeouts, (request, response) => {
    const { socket } = request;
    readBody(request)
      .then((bytes) => answerRequest(request, response, bytes))
      .catch((error: unknown) => {
        const isTooLarge = error instanceof BodyTooLarge;
        if (!isTooLarge && !request.destroyed) log(`a request over HTTP failed: ${describe(error)}`);
        if (response.headersSent) return;
        // Whatever the client goes on to send is not read.
        response.once('finish', () => socket.destroy());
        reply(response, isTooLarge ? 413 : 500, 'Internal error.\r\n', 'close');
      });
  });

  const sockets = new WebSocketServer({ server: http, maxPayload: MAX_MESSAGE_BYTES });
  sockets.on('connection', (socket: WebSocket, request) => {
    const client = `${request.socket.remoteAddress}:${request.socket.remotePort}`;
    const outbox = new Outbox(socket, {
      mostWaiting: limits.waitingCharacters,
      onDropped: (waiting) => {
        streams.drop(outbox);
        log(`dropped ${client}: it does not read, and ${waiting} characters wait for it`);
      },
    });
    const answerText = (bytes: Buffer): void => {
      const answer = answerMessage(contextFor(outbox), bytes.toString('utf8'), bytes.length > MAX_REQUEST_BYTES);
      if (answer.lost) socket.terminate();
      else inTime(answer.delayMs, () => outbox.sendText(answer.text));
      node.chain.settle();
    };
    socket.on('message', (data) => {
      if (outbox.isClosed) return;
      try {
        answerText(bytesOf(data));
      } catch (error) {
        // One message must not end the server for everybody else.
        log(`a message of ${client} failed: ${describe(error)}`);
        socket.close(INTERNAL_ERROR, 'Internal error.');
      }
    });
    socket.on('close', () => streams.drop(outbox));
    // A broken socket ends in 'close', which is where it is cleaned up; what it sent that is no WebSocket is its own fault.
    socket.on('error', (error) => {
      log(`${client} broke off: ${error.message}`);
    });
  });

  await new Promise<void>((resolve, reject) => {
    http.once('error', reject);
    http.listen(options.port, options.host, () => {
      http.off('error', reject);
      resolve();
    });
  });
  const address = http.address();
  if (address !== null && typeof address === 'object') port = address.port;

  return {
    port,
    close: async () => {
      for (const timer of delayed) clearTimeout(timer);
      streams.stop();
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
      http.closeAllConnections();
      await new Promise<void>((resolve) => {
        http.close(() => resolve());
      });
    },
  };
}
