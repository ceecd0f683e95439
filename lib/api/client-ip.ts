import ipaddr from 'ipaddr.js';
import { env } from '#lib/base/env.ts';

/**
 * The entry that the outermost trusted proxy wrote: each one appends the address that called it, so it stands as many
 * places from the right as there are proxies. What stands left of it is the client's own claim. A shorter list did not
 * come through all of them. Without a proxy Next.js fills the header from the socket, but keeps one that the client
 * sent: limits a caller need a proxy.
 */
function forwardedFor(headers: Headers): string | undefined {
  const entries = headers.get('x-forwarded-for')?.split(',') ?? [];
  return entries.at(-Math.max(1, env().TRUSTED_PROXIES))?.trim();
}

/** Some proxies append the port, and brackets around IPv6: a port of its own would make each connection a caller. */
const withoutPort = (text: string): string =>
  text.replace(/^(\d+(?:\.\d+){3}):\d{1,5}$/, '$1').replace(/^\[([0-9A-Fa-f:.]+)\](?::\d{1,5})?$/, '$1');

/** An IPv4 address in its usual form, which is the only one of it: `0x1.1` and `16843009` name addresses too, and no proxy writes them. */
const isIpv4 = (text: string): boolean => ipaddr.IPv4.isValidFourPartDecimal(text);
const isIpv6 = (text: string): boolean => !text.includes('%') && ipaddr.IPv6.isValid(text);

/** Bytes of an IPv6 address that name one subscriber: networks hand out a /56 or a /48 to a customer (RFC 6177). */
const SUBSCRIBER_BYTES = 7;

/**
 * The caller's address for limits: on Vercel the platform's own header; elsewhere from X-Forwarded-For, by
 * TRUSTED_PROXIES. IPv6 counts by its /56, and by its /48 besides (rate-limiter.ts). Callers without a valid address share the name `unknown`.
 */
export function clientIp(headers: Headers): string {
  const text = withoutPort((env().VERCEL === undefined ? forwardedFor(headers) : headers.get('x-real-ip')) ?? '');
  if (isIpv4(text)) return text;
  if (!isIpv6(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, SUBSCRIBER_BYTES).join('.')}/56`;
}
