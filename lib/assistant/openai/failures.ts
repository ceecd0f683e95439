import { PlatformError } from '#lib/base/errors.ts';

const RETRY_AFTER_SECONDS = 30;

/**
 * A failure of the language model as the visitor hears it. The cause is named in our words: what such a server writes may
 * repeat the question, or the key, and belongs into no log.
 */
export const modelFailure = (detail: string, cause: string, retryAfterSeconds = RETRY_AFTER_SECONDS): PlatformError =>
  new PlatformError('service_unavailable', detail, {
    cause: new Error(`language model: ${cause}`),
    headers: { 'retry-after': String(retryAfterSeconds) },
  });

export const brokenOff = (cause: string): PlatformError =>
  modelFailure('The answer broke off before its end. Ask again.', cause);

export const unfinished = (cause: string): PlatformError =>
  modelFailure('The answer did not come to an end. Ask for less at a time.', cause);
