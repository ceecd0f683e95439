import { PlatformError } from '#lib/platform/errors.ts';

/**
 * Streams that one process writes at a time. Each asks the database for page after page: more of them would take the
 * connections that payments need.
 */
export const MAX_OPEN_STREAMS = 2;
const RETRY_AFTER_SECONDS = 5;

let open = 0;

/** Takes the place of one stream and gives what leaves it again, once however often it is called. Throws `service_unavailable` when all are taken. */
export function takeStreamPlace(): () => void {
  if (open >= MAX_OPEN_STREAMS) {
    throw new PlatformError(
      'service_unavailable',
      `${MAX_OPEN_STREAMS} exports are being written already. Try again in ${RETRY_AFTER_SECONDS} s.`,
      { headers: { 'retry-after': String(RETRY_AFTER_SECONDS) } },
    );
  }
  open += 1;
  let isMine = true;
  return () => {
    if (isMine) open -= 1;
    isMine = false;
  };
}
