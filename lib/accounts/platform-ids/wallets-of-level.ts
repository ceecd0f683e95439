import { and, eq, type SQL, sql } from 'drizzle-orm';
import { holderBalances, platformIds } from '#drizzle/schema/holders.ts';
import { textArray } from '#lib/base/bulk.ts';
import { env } from '#lib/base/env.ts';
import { PlatformError } from '#lib/base/errors.ts';
import { BASE_LEVEL } from '#lib/base/level-list.ts';
import { balanceForLevel } from './levels.ts';

/** What a wallet must hold for a level, exact, in tokens. Throws `invalid_request` naming the levels that there are. */
export function requireLevel(name: string): string {
  const balance = balanceForLevel(name);
  if (balance !== null) return balance;
  const names = [BASE_LEVEL, ...env().PLATFORM_ID_LEVELS.map((level) => level.name)];
  const message = `must be one of ${names.join(', ')}`;
  throw new PlatformError('invalid_request', `min_level: ${message}`, {
    errors: [{ field: 'min_level', message }],
  });
}

/** A query of the wallets (`wallet_address`) that have a Platform ID and at least this balance in a snapshot. */
export const walletsOfLevel = (syncId: string, leastBalance: string): SQL => sql`
  select ${platformIds.walletAddress} as wallet_address
  from ${platformIds} join ${holderBalances} on ${and(
    eq(holderBalances.account, platformIds.walletAddress),
    eq(holderBalances.syncId, syncId),
    eq(holderBalances.excluded, false),
    sql`${holderBalances.balance} >= ${leastBalance}::numeric`,
    // Also those that were named after the snapshot was made.
    sql`${holderBalances.account} <> all(${textArray(env().HOLDERS_EXCLUDED)})`,
  )}`;
