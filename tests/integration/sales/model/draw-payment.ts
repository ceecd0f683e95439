import { fullRaiseDrops } from '@tranche/rules/allocate.ts';
import { REFUND_SOURCE_TAG } from '@tranche/rules/types.ts';
import fc from 'fast-check';
import type { Drops } from '#lib/base/money.ts';
import { ISSUER, XRP } from '#tests/support/sale.ts';
import { FIRST_TAG, type World } from './world.ts';

const between = (min: bigint, max: bigint) => fc.bigInt({ min, max });

const amount = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('drops' as const), drops: between(1n, 12n * XRP) }) },
  // Around what is too little for a unit, or for a refund.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drops' as const), drops: between(1n, 2_000n) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('share' as const),
      permille: fc.oneof(fc.integer({ min: 1, max: 300 }), fc.integer({ min: 1, max: 1_200 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('limit' as const),
      limit: fc.constantFrom('minimum', 'maximum', 'soft_cap', 'first_unit'),
      more: fc.integer({ min: -1, max: 1 }),
    }),
  },
  // Far more than any sale takes.
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('drops' as const), drops: between(10n ** 10n, 10n ** 15n) }) },
);

/** XRP that reaches the account, by a Payment or otherwise, or what is no concern of the sale. */
export const drawnPayment = fc.record({
  amount,
  sender: fc.oneof(
    { weight: 9, arbitrary: fc.nat(5) },
    { weight: 1, arbitrary: fc.constantFrom('issuer', 'treasury') },
  ),
  tag: fc.oneof(
    { weight: 9, arbitrary: fc.nat(3).map((position) => FIRST_TAG + position) },
    { weight: 2, arbitrary: fc.constantFrom(null, 5, REFUND_SOURCE_TAG) },
  ),
  sourceTag: fc.option(fc.nat(2 ** 32 - 1)),
  by: fc.constantFrom(
    'Payment',
    'Payment',
    'Payment',
    'Payment',
    'Payment',
    'Payment',
    'Payment',
    'CheckCash',
    'OfferCreate',
  ),
});
export type DrawnPayment = typeof drawnPayment extends fc.Arbitrary<infer T> ? T : never;

export function addDrawnPayment(world: World, drawn: DrawnPayment): void {
  const drops = dropsOf(world, drawn);
  const sender = senderOf(drawn.sender);
  const received = { changeDrops: drops, feeDrops: 0n };
  if (drawn.by === 'OfferCreate') {
    world.add({ kind: 'other', changeDrops: -10n, feeDrops: 10n, transactionType: drawn.by, counterparty: null });
    return;
  }
  if (drawn.by !== 'Payment') {
    world.add({ kind: 'other', ...received, transactionType: drawn.by, counterparty: sender });
    return;
  }
  // A tag that no project has yet is never paid to: it is drawn at random when one is created.
  const isDrawn = drawn.tag === null || drawn.tag < FIRST_TAG || drawn.tag === REFUND_SOURCE_TAG;
  const position = isDrawn ? 0 : ((drawn.tag ?? 0) - FIRST_TAG) % world.projects.length;
  world.add({
    kind: 'payment',
    ...received,
    sender,
    destinationTag: isDrawn ? drawn.tag : FIRST_TAG + position,
    sourceTag: drawn.sourceTag,
    deliveredDrops: drops,
  });
}

const senderOf = (sender: DrawnPayment['sender']): string => {
  if (sender === 'issuer') return ISSUER;
  return sender === 'treasury' ? 'rTreasury0' : `rInvestor${sender}`;
};

function dropsOf(world: World, { amount: given, tag }: DrawnPayment): Drops {
  if (given.kind === 'drops') return given.drops;
  const terms = world.projects[((tag ?? FIRST_TAG) - FIRST_TAG) % world.projects.length]?.terms;
  if (terms === undefined) return XRP;
  const fullDrops = fullRaiseDrops(terms.tiers, terms.decimals);
  if (given.kind === 'share') return (fullDrops * BigInt(given.permille)) / 1_000n + 1n;
  const [first] = terms.tiers;
  const limits = {
    minimum: terms.minInvestmentDrops,
    maximum: terms.maxPerWalletDrops,
    soft_cap: terms.softCapDrops,
    first_unit: first === undefined ? null : fullRaiseDrops([{ ...first, totalUnits: 1n }], terms.decimals),
  };
  const drops = (limits[given.limit as keyof typeof limits] ?? XRP) + BigInt(given.more);
  return drops > 0n ? drops : 1n;
}
