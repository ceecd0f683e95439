import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { type LookupFunction, Socket } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector, Pool } from 'undici';
import { env } from '#lib/base/env.ts';
import { isPermittedAddress, LOCALHOST, NameNotFound, TargetRefused } from './target-policy.ts';

/** A name server gets this long, in milliseconds, for each of its tries. */
const TRY_MS = 2_000;
const TRIES = 2;

/** Gives all addresses of a name. Throws NameNotFound. */
export type Resolve = (hostname: string) => Promise<LookupAddress[]>;

/**
 * Asks name servers directly: `lookup` of node:dns occupies one of the few threads of the process until it is answered, so
 * a handful of names whose servers are silent would hold everybody's deliveries up; and it reads the hosts file, where
 * private names stand. `servers` replaces those of the machine.
 */
export function nameResolver(servers?: readonly string[]): Resolve {
  const resolver = new Resolver({ timeout: TRY_MS, tries: TRIES });
  if (servers !== undefined) resolver.setServers([...servers]);
  return async (hostname) => {
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    const addresses = [
      ...(v4.status === 'fulfilled' ? v4.value.map((address) => ({ address, family: 4 })) : []),
      ...(v6.status === 'fulfilled' ? v6.value.map((address) => ({ address, family: 6 })) : []),
    ];
    if (addresses.length === 0) throw new NameNotFound(v4.status === 'rejected' ? v4.reason : undefined);
    return addresses;
  };
}

const refusal = () => new TargetRefused('The host leads to an address that is not public');

/** A program that listens on `localhost` may have got either of these. */
const OWN_ADDRESSES = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/** Addresses of a name, only when every one of them may be dialled: one private answer among public ones is how a name is rebound. */
async function permittedAddresses(resolve: Resolve, hostname: string) {
  if (hostname === LOCALHOST && env().WEBHOOK_ALLOW_LOOPBACK) return OWN_ADDRESSES;
  const addresses = await resolve(hostname);
  if (addresses.length === 0 || !addresses.every(({ address }) => isPermittedAddress(address))) throw refusal();
  return addresses;
}

/** The look-up of a socket: it dials what was checked, not a second answer. */
function permittedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    permittedAddresses(resolve, hostname).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true || first === undefined) callback(null, addresses);
        else callback(null, first.address, first.family);
      },
      (error: Error) => callback(error, []),
    );
  };
}

/**
 * Of the time-out, what one of a host's addresses has to connect before the next is tried: by default a quarter of a second,
 * which would keep every receiver out that has two and is slow to accept.
 */
const SHARE_OF_ADDRESS = 0.25;

/**
 * Opens connections to permitted addresses only. The check stands at the dialling itself, so neither a literal address
 * (for which no look-up is made) nor a changed DNS answer gets past it. The host name stays for TLS.
 */
export function permittedConnector(timeoutMs: number, resolve: Resolve = nameResolver()): buildConnector.connector {
  const proxy = env().WEBHOOK_PROXY;
  const connect =
    proxy === undefined ? directConnector(timeoutMs, resolve) : proxiedConnector(proxy, timeoutMs, resolve);
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (ipaddr.isValid(host) && !isPermittedAddress(host)) {
      callback(refusal(), null);
      return;
    }
    connect(options, callback);
  };
}

const directConnector = (timeoutMs: number, resolve: Resolve): buildConnector.connector =>
  buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    lookup: permittedLookup(resolve),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(timeoutMs * SHARE_OF_ADDRESS),
    rejectUnauthorized: true,
  });

/** The proxy did not open a tunnel. */
class NoTunnel extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'NoTunnel';
  }
}

const basicAuthorization = ({ username, password }: URL): Record<string, string> => {
  if (username === '') return {};
  const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  return { 'proxy-authorization': `Basic ${Buffer.from(credentials).toString('base64')}` };
};

/**
 * Opens connections through a proxy. We look a name up and check its addresses ourselves, and tell the proxy the address: it
 * never sees a name that it could resolve to another one. TLS is the receiver's, by its name, through the tunnel.
 */
function proxiedConnector(proxy: URL, timeoutMs: number, resolve: Resolve): buildConnector.connector {
  const pool = new Pool(proxy.origin, { allowH2: false, connect: { timeout: timeoutMs } });
  const overTunnel = buildConnector({ timeout: timeoutMs, allowH2: false, rejectUnauthorized: true });

  async function tunnelTo(address: string, port: string, signal: AbortSignal): Promise<Socket> {
    const path = `${ipaddr.IPv6.isValid(address) ? `[${address}]` : address}:${port}`;
    const headers = { host: path, ...basicAuthorization(proxy) };
    const { statusCode, socket } = await pool.connect({ path, headers, signal });
    socket.on('error', () => undefined);
    if (statusCode === 200 && socket instanceof Socket) return socket;
    socket.destroy();
    throw new NoTunnel(`The proxy answered ${statusCode}`);
  }

  /** To the first of the addresses that the proxy reaches. */
  async function tunnel({ hostname, protocol, port }: buildConnector.Options): Promise<Socket> {
    const host = hostname.replace(/^\[|\]$/g, '');
    const addresses = ipaddr.isValid(host) ? [{ address: host }] : await permittedAddresses(resolve, host);
    const defaultPort = protocol === 'https:' ? '443' : '80';
    let failure: unknown;
    for (const [index, { address }] of addresses.entries()) {
      const share = index === addresses.length - 1 ? timeoutMs : Math.ceil(timeoutMs * SHARE_OF_ADDRESS);
      try {
        return await tunnelTo(address, port || defaultPort, AbortSignal.timeout(share));
      } catch (error) {
        failure = error;
      }
    }
    // As it is, the error could pass for one after which the HTTP client would connect again, without end.
    throw failure instanceof NoTunnel ? failure : new NoTunnel('The proxy could not be used', failure);
  }

  return (options, callback) => {
    tunnel(options).then(
      (httpSocket) => {
        if (options.protocol === 'https:') overTunnel({ ...options, httpSocket }, callback);
        else callback(null, httpSocket);
      },
      (error: Error) => callback(error, null),
    );
  };
}
