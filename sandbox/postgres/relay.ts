import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';

export interface PostgresRelayOptions {
  /** The PostgreSQL server that every connection is carried to, whatever host its client names. */
  target: { host: string; port: number };
  /** 0 or absent takes a free port. */
  port?: number | undefined;
  host?: string | undefined;
}

/** A relay that is up, and what it has seen. */
export interface PostgresRelay {
  host: string;
  port: number;
  /** `host:port/v2`: what `neonConfig.wsProxy` is to give, without a scheme. */
  address: string;
  /** Connections carried since the start. */
  readonly accepted: number;
  /** The most connections that stood at one time. */
  readonly mostOpen: number;
  /** Cuts every connection without a word, as a restart of the hosted pooler does. Returns how many. */
  dropConnections(): number;
  close(): Promise<void>;
}

/** Carries one connection both ways. Whatever ends on one side is cut on the other at once. */
function carry(webSocket: WebSocket, tcp: Socket): void {
  tcp.setNoDelay(true);
  webSocket.on('message', (data: Buffer) => tcp.write(data));
  webSocket.on('close', () => tcp.destroy());
  webSocket.on('error', () => tcp.destroy());
  tcp.on('data', (data) => webSocket.send(data));
  tcp.on('close', () => webSocket.terminate());
  tcp.on('error', () => webSocket.terminate());
}

/**
 * Carries PostgreSQL's protocol from WebSockets to TCP, as the hosted service's proxy does: @vercel/postgres, which
 * speaks WebSocket only, then works against a local server. It is no open proxy: the one target is fixed.
 *
 * @throws when the port is taken
 */
export async function startPostgresRelay(options: PostgresRelayOptions): Promise<PostgresRelay> {
  const host = options.host ?? '127.0.0.1';
  const server = new WebSocketServer({ host, port: options.port ?? 0, path: '/v2', perMessageDeflate: false });
  let accepted = 0;
  let mostOpen = 0;
  server.on('connection', (webSocket) => {
    accepted += 1;
    mostOpen = Math.max(mostOpen, server.clients.size);
    carry(webSocket, connect(options.target));
  });
  await once(server, 'listening');
  const bound = server.address();
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0;
  const dropConnections = () => {
    const dropped = server.clients.size;
    for (const webSocket of server.clients) webSocket.terminate();
    return dropped;
  };
  return {
    host,
    port,
    address: `${host}:${port}/v2`,
    get accepted() {
      return accepted;
    },
    get mostOpen() {
      return mostOpen;
    },
    dropConnections,
    close: () =>
      new Promise((resolve) => {
        dropConnections();
        server.close(() => resolve());
      }),
  };
}
