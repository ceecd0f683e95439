import { acquireLease, releaseLease, renewLease } from '#lib/base/lease.ts';
import { logFailure } from '#lib/base/outage-log.ts';
import type { Ctx } from '#lib/ctx.ts';

/** Who holds a lease and is not heard of for this long, in seconds, counts as dead. */
const LEASE_SECONDS = 5;
const RENEW_MS = 1_000;

/** A lease that is renewed for as long as its holder lives, so that a dead one keeps nobody out for long. */
export interface KeptLease {
  /** True once somebody else may have it: its holder was stopped for too long. */
  isLost(): boolean;
  release(): Promise<void>;
}

/** Takes the lease `name` and keeps it; null when another holds it. */
export async function keepLease(ctx: Ctx, name: string, holder: string): Promise<KeptLease | null> {
  if (!(await acquireLease(ctx.db, name, holder, LEASE_SECONDS))) return null;
  let isLost = false;
  let renewing: Promise<void> = Promise.resolve();
  const renew = async () => {
    try {
      isLost = !(await renewLease(ctx.db, name, holder, LEASE_SECONDS));
    } catch (err) {
      // The next one may succeed; a lease that ran out meanwhile is not renewed.
      logFailure(ctx, { err, lease: name }, 'A lease could not be renewed', 'warn');
    }
  };
  const timer = setInterval(() => {
    renewing = renewing.then(() => (isLost ? undefined : renew()));
  }, RENEW_MS).unref();
  return {
    isLost: () => isLost,
    async release() {
      clearInterval(timer);
      await renewing;
      await releaseLease(ctx.db, name, holder);
    },
  };
}
