import { compareExact, exactText } from '@tranche/rules/exact-decimal.ts';
import { env } from '#lib/base/env.ts';
import { levelOf } from './levels.ts';
import type { Standing } from './types.ts';

/** Why a wallet is not eligible for a Platform ID. */
export const INELIGIBLE_REASONS = [
  'no_platform_token',
  'no_snapshot',
  'excluded_account',
  'no_balance',
  'balance_too_low',
] as const;
export type IneligibleReason = (typeof INELIGIBLE_REASONS)[number];

export type Eligibility =
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
export function eligibilityOf(standing: Standing): Eligibility {
  switch (standing.state) {
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
      const { balance, ledgerIndex } = standing;
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
