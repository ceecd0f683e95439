import { expect, test } from 'vitest';
import { admit } from '#lib/payouts/ceiling.ts';
import type { Payout } from '#lib/payouts/types.ts';

const xrp = (id: string, amount: bigint): { payout: Payout } => ({
  payout: {
    id,
    kind: 'refund',
    projectId: null,
    investmentId: null,
    paymentPlace: null,
    part: 1,
    account: 'rPayer',
    destination: 'rSender',
    destinationTag: null,
    amount,
    asset: { kind: 'xrp' },
  },
});
const tokens = (id: string): { payout: Payout } => ({
  payout: { ...xrp(id, 10n ** 15n).payout, kind: 'distribution', asset: { kind: 'mpt', issuanceId: 'M', decimals: 0 } },
});
const ids = (items: readonly { payout: Payout }[]) => items.map(({ payout }) => payout.id);

test('without a limit all XRP goes out', () => {
  const { admitted, xrpIsUsedUp } = admit([xrp('a', 10n ** 17n)], { drops: null, limitDrops: null });
  expect([ids(admitted), xrpIsUsedUp]).toEqual([['a'], false]);
});

test('what exactly fits is paid, and nothing after the first that does not, tokens apart', () => {
  const items = [xrp('a', 4n), xrp('b', 6n), xrp('c', 1n), xrp('d', 0n), tokens('t')];
  const { admitted, xrpIsUsedUp } = admit(items, { drops: 10n, limitDrops: 10n });
  expect([ids(admitted), xrpIsUsedUp]).toEqual([['a', 'b', 't'], true]);
});

test('a large payout is not overtaken by a small one that would fit', () => {
  const { admitted } = admit([xrp('large', 8n), xrp('small', 1n)], { drops: 5n, limitDrops: 10n });
  expect(ids(admitted)).toEqual([]);
});

test('what exceeds the ceiling all by itself is told apart and blocks nobody', () => {
  const { admitted, tooLarge, xrpIsUsedUp } = admit([xrp('huge', 11n), xrp('a', 10n)], { drops: 10n, limitDrops: 10n });
  expect([ids(tooLarge), ids(admitted), xrpIsUsedUp]).toEqual([['huge'], ['a'], false]);
});
