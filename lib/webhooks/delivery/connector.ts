import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
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
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    lookup: permittedLookup(resolve),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.ceil(timeoutMs * SHARE_OF_ADDRESS),
    rejectUnauthorized: true,
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, '');
    if (ipaddr.isValid(host) && !isPermittedAddress(host)) {
      callback(refusal(), null);
      return;
    }
    connect(options, callback);
  };
}
