import { randomBytes } from 'node:crypto';
import { NextResponse } from 'next/server';
import { NO_PAGE_POLICY, pagePolicy } from '#lib/http/headers.ts';
import { answerProblem } from '#lib/http/problem.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import { newId } from '#lib/platform/ids.ts';

/** Pages come here, and addresses with a percent sign: the interface's answers pay for no detour. */
export const config = { matcher: ['/(.*%.*)', '/((?!(?:api|webhooks|_next)(?:/|$)).*)'] };

const NO_PAGE = /^\/(?:api|webhooks|_next)(?:\/|$)/;
const NONCE_BYTES = 16;

function isMalformed(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}

/** The page under a policy of its own; Next.js takes the nonce for its scripts from the request's header. */
function withPolicy(request: Request): Response {
  const nonce = randomBytes(NONCE_BYTES).toString('base64');
  const policy = pagePolicy(nonce, { isDevelopment: process.env.NODE_ENV === 'development' });
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  return response;
}

/**
 * Gives each page its Content-Security-Policy. Next.js answers a path that does not decode with a bare 500; here it is the
 * client's fault, and a problem like any other.
 */
export function proxy(request: Request): Response | undefined {
  const { pathname } = new URL(request.url);
  if (isMalformed(pathname)) {
    const headers = { ...NO_PAGE_POLICY };
    return answerProblem(
      new PlatformError('invalid_request', 'The address is not validly percent-encoded.', { headers }),
      newId('req', randomBytes),
    );
  }
  return NO_PAGE.test(pathname) ? undefined : withPolicy(request);
}
