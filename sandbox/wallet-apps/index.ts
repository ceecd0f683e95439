import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { WebSocketServer } from 'ws';
import { openPhone } from './phone.ts';
import { Relay } from './relay.ts';
import { settingSchema, type XamanAnswer, XamanPlatform } from './xaman.ts';

export interface WalletAppsOptions {
  port: number;
  host: string;
  xaman: { apiKey: string; apiSecret: string; network: string };
  walletConnect: { projectId: string };
  /** Of the sandbox's ledger, from which the phone has its account. */
  ledger: { rpcUrl: string; faucetUrl: string };
}

export interface WalletApps {
  url: string;
  /** Xaman's platform API. */
  xamanUrl: string;
  /** WalletConnect's relay. */
  relayUrl: string;
  xaman: XamanPlatform;
  relay: Relay;
  close(): Promise<void>;
}

const MOST_BYTES = 256 * 1024;

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > MOST_BYTES) throw new Error('too large');
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Stands in for what wallets on a phone are reached by: Xaman's platform, and the relay of WalletConnect. */
export async function startWalletApps({
  port,
  host,
  xaman,
  walletConnect,
  ledger,
}: WalletAppsOptions): Promise<WalletApps> {
  const platform = new XamanPlatform({ ...xaman, phone: openPhone(ledger) });
  const relay = new Relay(walletConnect.projectId);
  let origin = '';

  /** For tests and for people who watch. A page of another site cannot send this type without asking first. */
  function control(what: string, type: string | undefined, body: string): XamanAnswer {
    if (what === 'GET /sandbox/xaman') {
      return { status: 200, json: { calls: platform.calls, payloads: platform.bodies } };
    }
    if (type !== 'application/json') return { status: 415, json: { error: 'Send application/json.' } };
    switch (what) {
      case 'POST /sandbox/xaman':
        platform.set(settingSchema.parse(JSON.parse(body)));
        return { status: 200, json: {} };
      case 'POST /sandbox/relay/drop':
        relay.drop();
        return { status: 200, json: {} };
      default:
        return { status: 404, json: { error: 'Unknown path or method.' } };
    }
  }
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://sandbox');
    read(request)
      .then((body) =>
        pathname.startsWith('/sandbox/')
          ? control(`${request.method} ${pathname}`, request.headers['content-type'], body)
          : platform.answer(request.method ?? 'GET', pathname, request.headers, body, origin),
      )
      .then((answer) => {
        const isPage = 'html' in answer;
        response.writeHead(answer.status, { 'content-type': isPage ? 'text/html' : 'application/json' });
        response.end(isPage ? answer.html : JSON.stringify(answer.json));
      })
      .catch(() => response.destroy());
  });
  const sockets = new WebSocketServer({ server, maxPayload: MOST_BYTES });
  sockets.on('connection', (socket, request) => relay.accept(socket, request));
  await once(server.listen(port, host), 'listening');
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : port;
  origin = `http://${host}:${taken}`;
  return {
    url: origin,
    xamanUrl: `${origin}/api/v1/platform`,
    relayUrl: `ws://${host}:${taken}`,
    xaman: platform,
    relay,
    async close() {
      relay.drop();
      const closed = once(server, 'close');
      sockets.close();
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
