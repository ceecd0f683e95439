import { compareExact } from '@tranche/rules/exact-decimal.ts';
import { env } from '#lib/base/env.ts';
import { BASE_LEVEL } from '#lib/base/level-list.ts';

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
