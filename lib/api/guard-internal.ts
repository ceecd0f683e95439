import type { Access } from '#lib/base/contract.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { Actor, Ctx } from '#lib/ctx.ts';
import { type GuardedRequest, guard } from './guards.ts';
import { rateLimited } from './rate-limit.ts';
import { Windows } from './windows.ts';

/** Refused credentials a minute and caller on internal operations, which are not limited otherwise. */
export const REFUSALS_PER_MINUTE = 60;

const refusals = new Windows();

/**
 * `guard` for an internal operation: over the limit a refusal is `rate_limited` and no API key is looked up any more.
 * A right credential passes all the same: whoever can write the scheduler's address into a header must not stop it.
 */
export async function guardInternal(
  ctx: Ctx,
  accepted: readonly Access[],
  request: GuardedRequest,
  caller: string,
): Promise<Actor> {
  const limit = REFUSALS_PER_MINUTE * env().RATE_LIMIT_SCALE;
  const looksUpKeys = !refusals.isCallerFull(caller, limit, ctx.clock.nowMs());
  try {
    return await guard(ctx, accepted, request, { looksUpKeys });
  } catch (failure) {
    const isRefusal =
      failure instanceof PlatformError && (failure.code === 'unauthorized' || failure.code === 'forbidden');
    if (!isRefusal) throw failure;
    const verdict = refusals.takeCaller(caller, limit, ctx.clock.nowMs());
    if (verdict.allowed) throw failure;
    throw rateLimited(verdict, 'refused credentials');
  }
}
