import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Ctx } from '#lib/ctx.ts';
import { takeWindow } from './take-window.ts';

/** Keys without a wallet proof that one address may make a day, UTC (docs/access.md#limits). */
export const UNPROVEN_KEYS_PER_DAY = 5;

/**
 * Counts one key that nobody proved for; throws `rate_limited` beyond the day's number, and `service_unavailable` while it
 * cannot be counted. The platform itself is not limited.
 */
export async function takeUnprovenAllowance(ctx: Ctx, caller: string): Promise<void> {
  if (ctx.actor.kind === 'system') return;
  const allowance = { name: 'unproven_keys', caller, limit: UNPROVEN_KEYS_PER_DAY, window: '1 d' } as const;
  const resetSeconds = await takeWindow(ctx, allowance).catch((cause: unknown) => {
    throw new PlatformError('service_unavailable', 'Keys cannot be made right now. Try again in a minute.', {
      cause,
      headers: { 'retry-after': '60' },
    });
  });
  if (resetSeconds === null) return;
  throw new PlatformError(
    'rate_limited',
    `At most ${UNPROVEN_KEYS_PER_DAY * env().RATE_LIMIT_SCALE} keys a day and address without a wallet proof. Send a proof, or try again tomorrow.`,
    { headers: { 'retry-after': String(resetSeconds) } },
  );
}
