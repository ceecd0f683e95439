import { randomBytes } from 'node:crypto';
import { problemResponse } from '#lib/http/problem.ts';
import { PlatformError } from '#lib/platform/errors.ts';
import { newId } from '#lib/platform/ids.ts';
import { logger } from '#lib/platform/log.ts';

/** Only addresses with a percent sign come here. */
export const config = { matcher: '/(.*%.*)' };

function isMalformed(path: string): boolean {
  try {
    decodeURIComponent(path);
    return false;
  } catch {
    return true;
  }
}

/** Next.js answers a path that does not decode with a bare 500; here it is the client's fault, and a problem like any other. */
export function proxy(request: Request): Response | undefined {
  if (!isMalformed(new URL(request.url).pathname)) return undefined;
  return problemResponse(
    new PlatformError('invalid_request', 'The address is not validly percent-encoded.'),
    newId('req', randomBytes),
    logger,
  );
}
