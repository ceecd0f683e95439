import { compareExact, exactText } from '@tranche/rules/exact-decimal.ts';
import { and, desc, eq, type SQL, sql } from 'drizzle-orm';
import { holderBalances, holderSyncs, platformIds } from '#drizzle/schema/holders.ts';
import { textArray } from '#lib/base/bulk.ts';
import type { Db } from '#lib/base/db.ts';
import { env } from '#lib/base/env.ts';
import { fieldError } from '#lib/base/errors.ts';
import { BASE_LEVEL } from '#lib/base/level-list.ts';
import type { IneligibleReason } from './contracts.ts';

/** The snapshot of the platform token's holders that something is said from. */
export interface Snapshot {
  ledgerIndex: number;
  /** When that ledger closed. */
  syncedAt: Date;
}

/** What the last snapshot says of a wallet. `excluded`: the account does not count as a holder, whatever it holds. */
export type HolderStatus =
  | { state: 'no_platform_token' | 'no_snapshot' }
  | (Snapshot & { state: 'excluded' })
  | (Snapshot & {
      state: 'counted';
      /** Exact, in tokens; "0" for a wallet without any. */
      balance: string;
      /** From 1; wallets with the same balance share one. Null for a wallet without tokens. */
      rank: number | null;
      /** Part of the supply that holders have, 0 to 1. */
      share: number;
    });

interface Level {
  name: string;
  /** Exact, in tokens: who holds as much has the level. */
  fromBalance: string;
}

/** Every level, the lowest first: `holder`, then those of PLATFORM_ID_LEVELS. */
const allLevels = (): Level[] => [
  { name: BASE_LEVEL, fromBalance: env().PLATFORM_ID_MIN_BALANCE },
  ...env().PLATFORM_ID_LEVELS,
];

/** True when a balance is above zero and not below PLATFORM_ID_MIN_BALANCE. */
const isEnough = (balance: string): boolean =>
  compareExact(balance, '0') > 0 && compareExact(balance, env().PLATFORM_ID_MIN_BALANCE) >= 0;

/** The level that a balance gives, the highest that it reaches; null when it is not enough for a Platform ID. */
export function levelOf(balance: string): string | null {
  if (!isEnough(balance)) return null;
  return (
    env().PLATFORM_ID_LEVELS.findLast(({ fromBalance }) => compareExact(balance, fromBalance) >= 0)?.name ?? BASE_LEVEL
  );
}

/** What a wallet must hold for a level or any above it, where PLATFORM_ID_MIN_BALANCE asks for no more; null for an unknown level. */
export function balanceForLevel(name: string): string | null {
  const level = allLevels().find((each) => each.name === name);
  if (level === undefined) return null;
  const least = env().PLATFORM_ID_MIN_BALANCE;
  return compareExact(level.fromBalance, least) >= 0 ? level.fromBalance : least;
}

type Eligibility =
  | { eligible: true; level: string }
  | { eligible: false; reason: IneligibleReason; explanation: string; whatToDo: string };

const refused = (reason: IneligibleReason, explanation: string, whatToDo: string): Eligibility => ({
  eligible: false,
  reason,
  explanation,
  whatToDo,
});

const asksForMore = (): string => {
  const least = env().PLATFORM_ID_MIN_BALANCE;
  const needed =
    compareExact(least, '0') === 0
      ? 'any amount of the platform token'
      : `at least ${exactText(least)} platform tokens`;
  return `Hold ${needed} in this wallet, and ask again after the next synchronisation of the holders.`;
};

/** Whether a wallet may have a Platform ID, by the last snapshot; if not, why, and what its owner can do. Pure but for the settings. */
export function eligibilityOf(holderStatus: HolderStatus): Eligibility {
  switch (holderStatus.state) {
    case 'no_platform_token':
      return refused(
        'no_platform_token',
        'This platform has no token of its own yet.',
        'Ask again once the platform has announced its token.',
      );
    case 'no_snapshot':
      return refused(
        'no_snapshot',
        'The holders of the platform token have not been read from the ledger yet.',
        'Ask again after their first synchronisation; it runs every hour.',
      );
    case 'excluded':
      return refused(
        'excluded_account',
        'This account does not count as a holder: it issues the token or belongs to the platform.',
        'Use a wallet of your own.',
      );
    case 'counted': {
      const { balance, ledgerIndex } = holderStatus;
      const level = levelOf(balance);
      if (level !== null) return { eligible: true, level };
      if (compareExact(balance, '0') === 0) {
        return refused('no_balance', `This wallet held no platform tokens in ledger ${ledgerIndex}.`, asksForMore());
      }
      return refused(
        'balance_too_low',
        `This wallet held ${exactText(balance)} platform tokens in ledger ${ledgerIndex}, too few for a Platform ID.`,
        asksForMore(),
      );
    }
  }
}

/** The last whole snapshot of a token's holders, by the token's name; null before the first one. */
export async function latestSnapshot(db: Db, token: string): Promise<(Snapshot & { syncId: string }) | null> {
  const [row] = await db
    .select({ syncId: holderSyncs.id, ledgerIndex: holderSyncs.ledgerIndex, syncedAt: holderSyncs.completedAt })
    .from(holderSyncs)
    .where(and(eq(holderSyncs.token, token), eq(holderSyncs.status, 'complete')))
    .orderBy(desc(holderSyncs.completedAt))
    .limit(1);
  if (row === undefined) return null;
  if (row.syncedAt === null) throw new Error(`Synchronisation ${row.syncId} is complete without its time`);
  return { ...row, syncedAt: row.syncedAt };
}

/** What a wallet must hold for a level, exact, in tokens. Throws `invalid_request` naming the levels that there are. */
export function requireLevel(name: string): string {
  const balance = balanceForLevel(name);
  if (balance !== null) return balance;
  const names = [BASE_LEVEL, ...env().PLATFORM_ID_LEVELS.map((level) => level.name)];
  throw fieldError('min_level', `must be one of ${names.join(', ')}`);
}

/** A query of the wallets (`wallet_address`) that have a Platform ID and at least this balance in a snapshot. */
export const walletsOfLevel = (syncId: string, minBalance: string): SQL => sql`
  select ${platformIds.walletAddress} as wallet_address
  from ${platformIds} join ${holderBalances} on ${and(
    eq(holderBalances.account, platformIds.walletAddress),
    eq(holderBalances.syncId, syncId),
    eq(holderBalances.excluded, false),
    sql`${holderBalances.balance} >= ${minBalance}::numeric`,
    // Also those that were named after the snapshot was made.
    sql`${holderBalances.account} <> all(${textArray(env().HOLDERS_EXCLUDED)})`,
  )}`;
