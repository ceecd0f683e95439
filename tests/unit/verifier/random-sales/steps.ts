import { ACTIONS } from '@tranche/rules/types.ts';
import fc from 'fast-check';
import { CAPPED, FREE, ISSUER, OTHER, REFUND_TAG, STRANGER, TREASURY, XRP } from './accounts.ts';
import { custodyStep, signing, ticketChoice } from './custody.ts';
import { MEMO_FORMS } from './memos.ts';

/** What else may stand in the feed of an account: none of it is a payment, though most resemble one. */
const ARRIVALS = ['check', 'failed', 'token', 'unavailable', 'leading_zero', 'to_itself', 'sent_away'] as const;

const between = (min: bigint, max: bigint) => fc.bigInt({ min, max });

/** Most ledgers hold several entries; now and then one closes at a time that the terms name, or a second beside it. */
const wait = fc.oneof(
  { weight: 50, arbitrary: fc.record({ seconds: fc.constantFrom<number>(0, 0, 0, 1, 2, 5) }) },
  {
    weight: 2,
    arbitrary: fc.record({ named: fc.constantFrom(0, 0, 0, 1, 2), beside: fc.integer({ min: -1, max: 1 }) }),
  },
);

const amount = fc.oneof(
  { weight: 4, arbitrary: fc.record({ drops: between(1n, 4n * XRP) }) },
  { weight: 3, arbitrary: fc.record({ drops: between(1n, 25_000n) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      permilleOfAll: fc.oneof(fc.integer({ min: 1, max: 200 }), fc.integer({ min: 1, max: 700 })),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      about: fc.constantFrom('minimum', 'wallet_cap', 'refund_min', 'first_unit', 'first_tier'),
      more: fc.constantFrom(-1n, 0n, 0n, 1n, 999n, 1_000n),
    }),
  },
  { weight: 3, arbitrary: fc.record({ drops: fc.constantFrom(XRP / 2n, XRP, 2n * XRP) }) },
  { weight: 1, arbitrary: fc.record({ drops: between(10n ** 10n, 10n ** 17n) }) },
);

const payment = fc.record({
  kind: fc.constant('payment' as const),
  amount,
  to: fc.constantFrom<number>(0, 0, 0, 1),
  tag: fc.oneof(
    { weight: 7, arbitrary: fc.constant('project' as const) },
    { weight: 3, arbitrary: fc.constantFrom(null, 0, 5, REFUND_TAG, REFUND_TAG, REFUND_TAG, REFUND_TAG) },
  ),
  sender: fc.constantFrom(CAPPED, CAPPED, FREE, FREE, OTHER, STRANGER, ISSUER, TREASURY),
  sourceTag: fc.option(fc.nat(2 ** 32 - 1)),
  by: fc.oneof(
    { weight: 12, arbitrary: fc.constant('payment' as const) },
    { weight: 1, arbitrary: fc.constantFrom(...ARRIVALS) },
  ),
  /** It turned up after its ledger had been decided. */
  late: fc.constantFrom(...Array.from({ length: 19 }, () => false), true),
  /** What an operator has done to it if it was held. */
  ifHeld: fc.constantFrom(null, null, 'returned' as const, 'assigned_and_refunded' as const),
});

const USUAL_ACTION = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('launch' as const, 'pause' as const, 'list' as const, 'list' as const) },
  { weight: 3, arbitrary: fc.constant('resume' as const) },
  { weight: 14, arbitrary: fc.constant('assign' as const) },
  { weight: 1, arbitrary: fc.constantFrom('end' as const, 'cancel' as const) },
);

const action = fc.record({
  kind: fc.constant('action' as const),
  of: fc.constantFrom<number>(0, 0, 0, 1),
  action: fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...ACTIONS) }, { weight: 14, arbitrary: USUAL_ACTION }),
  /** Of the payments and lists there are, the last ones first. */
  back: fc.nat(5),
  wrong: fc.constantFrom(false, false, false, false, true),
  form: fc.oneof(
    { weight: 8, arbitrary: fc.constant('plain' as const) },
    { weight: 2, arbitrary: fc.constantFrom(...MEMO_FORMS) },
  ),
  /** Under custody alone. */
  signing,
  ticket: ticketChoice,
  late: fc.constantFrom(...Array.from({ length: 9 }, () => false), true),
});

export const step = fc
  .tuple(
    wait,
    fc.oneof(
      { weight: 14, arbitrary: payment },
      { weight: 8, arbitrary: action },
      { weight: 6, arbitrary: custodyStep },
    ),
  )
  .map(([waited, what]) => ({ wait: waited, ...what }));

export type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
export type PaymentStep = Extract<Step, { kind: 'payment' }>;
export type ActionStep = Extract<Step, { kind: 'action' }>;
