import { env } from '#lib/base/env.ts';

/**
 * True when a page of this very site sent the request. Next.js compares Origin with X-Forwarded-Host, which a client may
 * write, and lets by a request without an Origin; here Origin must be that of BASE_URL, and nothing that a browser does not
 * vouch for gets through. A browser sends Sec-Fetch-Site over https, and Origin with every POST.
 */
export function isFromOwnPage(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  return headers.get('origin') === new URL(env().BASE_URL).origin;
}
