import { Windows } from '#lib/http/windows.ts';
import { env } from '#lib/platform/env.ts';

/** Wrong tokens a minute and caller. */
export const REFUSALS_PER_MINUTE = 10;
const refusals = new Windows();

const limit = (): number => REFUSALS_PER_MINUTE * env().RATE_LIMIT_SCALE;

/** False for a caller who gave too many wrong tokens within the minute; right ones count nothing. */
export const mayTry = (caller: string, nowMs: number): boolean => !refusals.isFull(caller, limit(), nowMs);

export function noteRefusal(caller: string, nowMs: number): void {
  refusals.take(caller, limit(), nowMs);
}
