import ipaddr from 'ipaddr.js';
import { env } from '#lib/platform/env.ts';

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

/**
 * The caller's address for limits: on Vercel the platform's own header; elsewhere from X-Forwarded-For, by
 * TRUSTED_PROXIES. IPv6 counts by its /64. Callers without a valid address share the name `unknown`.
 */
export function clientIp(headers: Headers): string {
  const text = env().VERCEL === undefined ? forwardedFor(headers) : headers.get('x-real-ip');
  if (!text || !ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
}
