import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import { fund } from './faucet.ts';
import type { ServerNode } from './node.ts';
import { answerHttp, answerMessage, type CallContext } from './rpc/dispatch.ts';
import type { Subscriber } from './rpc/types.ts';
import { Streams } from './streams.ts';

const MAX_BODY_BYTES = 2 * 1024 * 1024;

export type LedgerServer = { readonly port: number; readonly close: () => Promise<void> };

class BodyTooLarge extends Error {}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    const buffer = Buffer.from(chunk);
    bytes += buffer.length;
    if (bytes > MAX_BODY_BYTES) throw new BodyTooLarge();
    chunks.push(buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, {
    connection: 'Keep-Alive',
    'content-type': 'application/json; charset=UTF-8',
    'content-length': Buffer.byteLength(body),
    server: 'xrpld-json-rpc/xrpld-3.2.0',
  });
  response.end(body);
}

function textOf(data: RawData): string {
  return Array.isArray(data) ? Buffer.concat(data).toString('utf8') : Buffer.from(data as Buffer).toString('utf8');
}

/** Serves WebSocket, JSON-RPC (`POST /`) and the faucet (`POST /accounts`) of one server on one port. */
export async function serve(node: ServerNode, options: { host: string; port: number }): Promise<LedgerServer> {
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

  const http = createServer((request, response) => {
    readBody(request)
      .then((body) => {
        if (!node.isStrict && request.method === 'POST' && request.url?.replace(/\/$/, '').endsWith('/accounts')) {
          const answer = fund(node.chain, body);
          node.chain.settle();
          return reply(response, answer.status, JSON.stringify(answer.body));
        }
        const answer = answerHttp(contextFor(undefined), body);
        node.chain.settle();
        if (answer.lost) request.socket.destroy();
        else inTime(answer.delayMs, () => reply(response, answer.status, answer.body));
      })
      .catch((error: unknown) => {
        if (!response.headersSent) reply(response, error instanceof BodyTooLarge ? 413 : 500, 'Internal error.\r\n');
      });
  });

  const sockets = new WebSocketServer({ server: http, maxPayload: MAX_BODY_BYTES });
  sockets.on('connection', (socket: WebSocket) => {
    const subscriber: Subscriber = { send: (message) => socket.send(JSON.stringify(message)) };
    socket.on('message', (data) => {
      const answer = answerMessage(contextFor(subscriber), textOf(data));
      if (answer.lost) socket.terminate();
      else inTime(answer.delayMs, () => socket.send(answer.text));
      node.chain.settle();
    });
    socket.on('close', () => streams.drop(subscriber));
    // A broken socket ends in 'close', which is where it is cleaned up.
    socket.on('error', () => socket.terminate());
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
