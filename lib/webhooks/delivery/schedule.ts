/** Delay after the end of attempt 1, 2, … before the next one, in seconds (docs/webhooks.md#retries). */
export const RETRY_DELAYS_SECONDS = [5, 25, 120, 600, 3600, 21600] as const;

/** The first attempt and its six retries. */
export const MAX_ATTEMPTS = RETRY_DELAYS_SECONDS.length + 1;

/** Seconds from the end of failed attempt number `attempt` (from 1) to the next; null when it was the last. */
export const delaySecondsAfter = (attempt: number): number | null => RETRY_DELAYS_SECONDS[attempt - 1] ?? null;
