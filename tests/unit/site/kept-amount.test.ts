import { expect, test } from 'vitest';
import { shareOf, sumOf } from '../../../app/(site)/_data/exact-amounts.ts';
import { keptOf } from '../../../app/(site)/_ui/kept-amount.tsx';

test.each([
  ['all that came, until it is decided', 'pending_confirmation', null, '10.000000'],
  ['what was invested, where the rest was refunded', 'confirmed', '4.000000', '4.000000'],
  ['nothing, where it was refused', 'failed', null, '0.000000'],
  ['nothing, where the sale was cancelled', 'failed', '0.000000', '0.000000'],
] as const)('an investment is shown with %s', (_, status, confirmed_amount_xrp, kept) => {
  expect(keptOf({ status, amount_xrp: '10.000000', confirmed_amount_xrp })).toBe(kept);
});

test('parts of a supply are exact sums, and no share is said of nothing or of more than the whole', () => {
  expect(sumOf(['0.000000000000001', '2'])).toBe('2.000000000000001');
  expect(sumOf(['106468.690000', '499893531.310000'])).toBe('500000000.000000');
  expect([shareOf('1', '4'), shareOf('0', '4'), shareOf('5', '4'), shareOf('0', '0')]).toEqual([0.25, 0, null, null]);
  // Of a sum, too, however many digits it has.
  expect(shareOf('1', sumOf(['2.000000000000001', '1.999999999999999']))).toBe(0.25);
});
