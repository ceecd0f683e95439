import { and, count, eq, isNull, ne, sql } from 'drizzle-orm';
import { tenants } from '#drizzle/schema/access.ts';
import { webhooks } from '#drizzle/schema/events.ts';
import type { Tx } from '#lib/base/db.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { isLoopbackHost } from '#lib/webhooks/delivery/target-policy.ts';
import { ADMINISTRATORS_TENANT } from './acting-tenant.ts';

/** Webhooks at one host, over all tenants whose wallet proved nothing (docs/webhooks.md#limits). */
const UNPROVEN_LIMIT_PER_HOST = 10;

/**
 * Throws `limit_reached` naming `url` when tenants that proved nothing have as many webhooks at `host` as they may, not
 * counting `webhookId`. Holds the host until the transaction ends, so that two at once cannot both be the tenth.
 */
export async function requireRoomAtHost(tx: Tx, host: string, webhookId: string): Promise<void> {
  // Only the sandbox reaches itself: there is no stranger to be spared.
  if (isLoopbackHost(host)) return;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`webhooks at ${host}`}, 0))`);
  const [there] = await tx
    .select({ webhooks: count() })
    .from(webhooks)
    .innerJoin(tenants, eq(tenants.id, webhooks.tenantId))
    .where(
      and(
        eq(webhooks.host, host),
        isNull(webhooks.deletedAt),
        isNull(tenants.provenWallet),
        ne(tenants.id, ADMINISTRATORS_TENANT),
        ne(webhooks.id, webhookId),
      ),
    );
  if ((there?.webhooks ?? 0) < UNPROVEN_LIMIT_PER_HOST) return;
  const message = `keys without a wallet proof have ${UNPROVEN_LIMIT_PER_HOST} webhooks at this host, all together: name another host, or use a key whose wallet is proven`;
  throw new PlatformError('limit_reached', `url: ${message}.`, { errors: [{ field: 'url', message }] });
}
