import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { buildConnector } from 'undici';
import { isPermittedAddress, TargetRefused } from './target-policy.ts';

/** Resolves a name as node:dns `lookup` does. */
export type Resolve = typeof lookup;

const refusal = () => new TargetRefused('The host leads to an address that is not public');

/** A look-up that gives addresses only when every one of them may be dialled. The socket dials those, not a second answer. */
function permittedLookup(resolve: Resolve): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      const [first] = addresses;
      // One private answer among public ones is how a name is rebound: refuse them all.
      if (first === undefined || !addresses.every(({ address }) => isPermittedAddress(address))) {
        return callback(refusal(), []);
      }
      if (options.all === true) return callback(null, addresses);
      return callback(null, first.address, first.family);
    });
  };
}

/**
 * Opens connections to permitted addresses only. The check stands at the dialling itself, so neither a literal address
 * (for which no look-up is made) nor a changed DNS answer gets past it. The host name stays for TLS.
 */
export function permittedConnector(timeoutMs: number, resolve: Resolve = lookup): buildConnector.connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    allowH2: false,
    lookup: permittedLookup(resolve),
    autoSelectFamily: true,
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
