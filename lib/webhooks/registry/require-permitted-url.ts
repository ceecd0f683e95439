import { PlatformError } from '#lib/base/errors.ts';
import { targetUrlFault } from '#lib/webhooks/delivery/target-policy.ts';

/** Throws `invalid_request` naming `url` when the target policy refuses the URL. */
export function requirePermittedUrl(url: string): void {
  const message = targetUrlFault(url);
  if (message === null) return;
  throw new PlatformError('invalid_request', `url: ${message}`, { errors: [{ field: 'url', message }] });
}
