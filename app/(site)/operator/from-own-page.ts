/**
 * True when a page of this very site sent the request. Next.js compares Origin with Host before a Server Action, and lets
 * by who sends no Origin; here nothing that a browser does not vouch for gets through. A browser sends Sec-Fetch-Site
 * over https, and Origin with every POST.
 */
export function isFromOwnPage(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin') return false;
  const origin = URL.parse(headers.get('origin') ?? '');
  return origin !== null && [headers.get('host'), headers.get('x-forwarded-host')].includes(origin.host);
}
