import { HELD_REASONS, PARTIAL_REASONS, REFUSAL_REASONS } from '@tranche/rules/types.ts';
import { expect, it } from 'vitest';
import { reasonText } from '#lib/base/reason-text.ts';
import { PAYOUT_REASONS } from '#lib/payouts/types.ts';

it.each([...REFUSAL_REASONS, ...PARTIAL_REASONS, ...HELD_REASONS, ...PAYOUT_REASONS])(
  '%s is said to an investor in words',
  (reason) => {
    expect(reasonText(reason)).toMatch(/^[a-z][^_]+ [^_]+[^.]$/);
  },
);

it('a result of the ledger is said as it is', () => {
  expect(reasonText('tecPATH_DRY')).toBe('tecPATH_DRY');
  expect(reasonText('constructor')).toBe('constructor');
});
