import type { Ctx } from '#lib/ctx.ts';
import { partHealth } from '../causes.ts';
import { readStatus } from '../read-status.ts';
import { announce } from './announce.ts';
import { claimLook, type Look } from './claim-look.ts';
import { forgetOutage, noteOutage, readOutage } from './outage.ts';

/**
 * Looks at every part, at most once in half a minute over all instances, and announces what has changed as
 * `system.network_status`; gives how many events that were. Throws when the database does not answer, and then its outage is
 * announced after it.
 */
export async function watchHealth(ctx: Ctx): Promise<number> {
  const look = await claim(ctx);
  if (look === null) return 0;
  const { causes } = await readStatus(ctx);
  if (causes.includes('database_down')) {
    await noteOutage(ctx);
    return 0;
  }
  const outage = await readOutage(ctx);
  const announced = await announce(ctx, look, partHealth(causes), outage);
  if (outage !== null) await forgetOutage(ctx);
  return announced;
}

async function claim(ctx: Ctx): Promise<Look | null> {
  try {
    return await claimLook(ctx.db);
  } catch (failure) {
    await noteOutage(ctx);
    throw failure;
  }
}
