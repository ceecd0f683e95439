import ipaddr from 'ipaddr.js';
import { env } from '#lib/platform/env.ts';

/**
 * The caller's address for limits: on Vercel the platform's own header; elsewhere the last entry of X-Forwarded-For,
 * the one that the nearest proxy wrote (Next.js fills it from the socket when there is no proxy). IPv6 counts by its /64.
 */
export function clientIp(headers: Headers): string {
  const text =
    env().VERCEL === undefined ? headers.get('x-forwarded-for')?.split(',').at(-1)?.trim() : headers.get('x-real-ip');
  if (!text || !ipaddr.isValid(text)) return 'unknown';
  const address = ipaddr.process(text);
  if (address.kind() === 'ipv4') return address.toString();
  return `${address.toByteArray().slice(0, 8).join('.')}/64`;
}
