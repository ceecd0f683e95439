import ipaddr from 'ipaddr.js';
import { env } from '#lib/base/env.ts';

/** Ports a webhook may be sent to; 443 is the one a URL leaves out. */
const HTTPS_PORTS = ['', '8443'];
/**
 * Azure's internal address: outside every reserved range, so it would pass for public
 * (docs/wire-facts.md#node-and-outgoing-http).
 */
const ALSO_REFUSED = ['168.63.129.16'];
/** Names that never lead to a public receiver; the addresses behind any other name are checked on dialling. */
const PRIVATE_NAMES = /(^|\.)(localhost|localdomain|local|internal|home\.arpa|onion|test|invalid|alt)$/;
/** Labels of letters, digits, hyphens and underscores, none empty, and a top level that is no number (RFC 1123, 3696). */
const HOST_NAME =
  /^(?=.{1,253}$)(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** White space, control characters and backslashes, which a URL parser drops or rewrites: what is stored must be what is dialled. */
const REWRITTEN = /[\s\p{Cc}\\]/u;

/** The platform will not dial this target. The message is public and names the rule. */
export class TargetRefused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'TargetRefused';
  }
}

/** The name has no address, or its look-up failed. */
export class NameNotFound extends Error {
  constructor(cause: unknown) {
    super('The host name could not be resolved', { cause });
    this.name = 'NameNotFound';
  }
}

const isLoopbackIPv4 = (address: ipaddr.IPv4 | ipaddr.IPv6): boolean =>
  address.kind() === 'ipv4' && address.range() === 'loopback';

/**
 * True when the platform may dial the address: public unicast only, with 127.0.0.0/8 added in the sandbox
 * (docs/security.md#webhook-targets).
 */
export function isPermittedAddress(text: string): boolean {
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  if (isLoopbackIPv4(address)) return env().WEBHOOK_ALLOW_LOOPBACK;
  // IANA has given out 2000::/3 alone; `unicast` is only what no other range of the list claims (::7f00:1, 200::/7).
  if (address instanceof ipaddr.IPv6 && !address.match(ipaddr.IPv6.parse('2000::'), 3)) return false;
  return address.range() === 'unicast' && !ALSO_REFUSED.includes(address.toString());
}

function hostFault(hostname: string): string | null {
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (ipaddr.isValid(host)) return isPermittedAddress(host) ? null : 'must name a public address';
  return HOST_NAME.test(host) && !PRIVATE_NAMES.test(host) ? null : 'must name a public host';
}

/** The host of a permitted URL as dialled: lower case, without a trailing dot. */
export const hostOf = (url: string): string => new URL(url).hostname.replace(/\.$/, '');

/** This machine by its name; no name server is ever asked for it (RFC 6761). */
export const LOCALHOST = 'localhost';

/** True for localhost and for 127.0.0.0/8 written out, which the policy permits in the sandbox only. */
export const isLoopbackHost = (host: string): boolean =>
  host === LOCALHOST || (ipaddr.IPv4.isValid(host) && isLoopbackIPv4(ipaddr.IPv4.parse(host)));

/**
 * What is wrong with a webhook's URL, or null: https on port 443 or 8443, no user name or password, no fragment, a
 * public host (docs/security.md#webhook-targets); in the sandbox also http and any port of this machine. A name's
 * addresses are checked when it is dialled, at every attempt.
 */
export function targetUrlFault(text: string): string | null {
  if (REWRITTEN.test(text) || !/^[a-z]+:\/\/[^/]/i.test(text) || !URL.canParse(text)) return 'is not a URL';
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') return 'must not contain a user name or password';
  if (text.includes('#')) return 'must not contain a fragment';
  const allowsLoopback = env().WEBHOOK_ALLOW_LOOPBACK;
  if (isLoopbackHost(url.hostname) && allowsLoopback && /^https?:$/.test(url.protocol)) return null;
  if (url.protocol !== 'https:') {
    return `must start with https://${allowsLoopback ? ', or with http:// and the host 127.0.0.1 or localhost' : ''}`;
  }
  if (!HTTPS_PORTS.includes(url.port)) return 'must use port 443 or 8443';
  return hostFault(url.hostname);
}
