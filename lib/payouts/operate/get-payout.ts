import { eq } from 'drizzle-orm';
import { payouts } from '#drizzle/schema/payouts.ts';
import type { Db } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import type { PayoutResource } from './contracts.ts';
import { loadPayoutResources, selectPayouts } from './payout-resource.ts';

/** One payout with all its attempts. Throws `not_found`. */
export async function getPayout(db: Db, id: string): Promise<PayoutResource> {
  const rows = await selectPayouts(db).where(eq(payouts.id, id));
  const [resource] = await loadPayoutResources(db, rows, Number.POSITIVE_INFINITY);
  if (resource === undefined) throw payoutNotFound();
  return resource;
}

export const payoutNotFound = (): PlatformError => new PlatformError('not_found', 'There is no such payout.');
