import { describe, expect, test } from 'vitest';
import type { PayoutFacts } from '#lib/payouts/check.ts';
import { planPayouts } from '#lib/payouts/check.ts';
import type { Payout } from '#lib/payouts/types.ts';
import { ACCOUNT_FLAGS } from '#lib/xrpl/account.ts';
import type { AccountState, MptHolding, MptIssuance, TrustLine } from '#lib/xrpl/types.ts';

const account = (over: Partial<AccountState> = {}): AccountState => ({
  address: 'rSomebody',
  balanceDrops: 100_000_000n,
  sequence: 1,
  ownerCount: 0,
  flags: 0,
  transferRate: 1_000_000_000,
  regularKey: null,
  signerList: null,
  ledgerIndex: 8,
  ...over,
});
const line = (over: Partial<TrustLine> = {}): TrustLine => ({
  balance: '0',
  limit: '1000',
  authorized: false,
  frozen: false,
  ...over,
});
const iou = (over: Partial<Payout> = {}): Payout => ({
  id: 'pay_1',
  kind: 'distribution',
  projectId: 'proj_1',
  investmentId: 'inv_1',
  paymentPlace: null,
  part: 1,
  account: 'rDistributor',
  destination: 'rHolder',
  destinationTag: null,
  amount: 100n,
  asset: { kind: 'iou', currency: 'DMO', issuer: 'rIssuer', decimals: 0 },
  ...over,
});
const iouFacts = (over: Partial<PayoutFacts['asset'] & { kind: 'iou' }> = {}, facts: Partial<PayoutFacts> = {}) => ({
  destination: account(),
  depositAuthorized: true,
  asset: { kind: 'iou' as const, issuer: account(), line: line(), payerLine: line({ balance: '500' }), ...over },
  ...facts,
});
const refund = (over: Partial<Payout> = {}): Payout => iou({ kind: 'refund', asset: { kind: 'xrp' }, ...over });
const refundFacts = (facts: Partial<PayoutFacts> = {}, spendableDrops = 1_000n): PayoutFacts => ({
  destination: account(),
  depositAuthorized: true,
  asset: { kind: 'xrp', reserveBaseDrops: 1_000_000n, spendableDrops },
  ...facts,
});
const issuance: MptIssuance = {
  issuer: 'rIssuer',
  assetScale: 2,
  outstanding: 0n,
  maximum: 1_000n,
  transferFee: 0,
  locked: false,
  requiresAuthorization: false,
  canTransfer: true,
  canClawback: false,
  canLock: false,
  canEscrow: false,
  canTrade: false,
  immutableFlags: 0,
  ledgerIndex: 1,
};
const holding: MptHolding = { amount: 0n, locked: false, authorized: false };
const mpt = (over: Partial<Payout> = {}): Payout =>
  iou({ asset: { kind: 'mpt', issuanceId: '00AA', decimals: 2 }, ...over });
const mptFacts = (over: Partial<PayoutFacts['asset'] & { kind: 'mpt' }> = {}): PayoutFacts => ({
  destination: account(),
  depositAuthorized: true,
  asset: { kind: 'mpt', issuance, holding, payerHolding: { ...holding, amount: 500n }, ...over },
});

const verdictOf = (payout: Payout, facts: PayoutFacts, inFlight: Payout[] = []): string => {
  const plan = planPayouts([{ payout, facts }], inFlight);
  const [postponed] = plan.postponed;
  return postponed === undefined ? 'pay' : `${postponed.decision.kind} ${postponed.decision.reason}`;
};

describe('a distribution of issued currency', () => {
  test('is paid when the line stands, has room, and the distributor has the tokens', () => {
    expect(verdictOf(iou(), iouFacts())).toBe('pay');
    expect(verdictOf(iou({ amount: 500n }), iouFacts())).toBe('pay');
  });

  const requireAuth = account({ flags: ACCOUNT_FLAGS.requireAuthorization });
  test.each([
    ['there is no line', iouFacts({ line: null }), 'wait trust_line_missing'],
    ['the issuer has not authorised it', iouFacts({ issuer: requireAuth }), 'wait trust_line_unauthorized'],
    ['it is frozen', iouFacts({ line: line({ frozen: true }) }), 'wait trust_line_frozen'],
    ['its limit is too low', iouFacts({ line: line({ limit: '99' }) }), 'wait trust_line_limit'],
    ['the account is gone', iouFacts({}, { destination: null }), 'wait destination_missing'],
    ['deposits need authorisation', iouFacts({}, { depositAuthorized: false }), 'wait deposit_authorization_required'],
    ['the issuer froze everything', iouFacts({ issuer: account({ flags: 0x40_0000 }) }), 'later issuer_frozen'],
    ['the distributor has too few', iouFacts({ payerLine: line({ balance: '99.9' }) }), 'later payer_underfunded'],
    ['the distributor has no line', iouFacts({ payerLine: null }), 'later payer_underfunded'],
    ['a transfer costs a fee', iouFacts({ issuer: account({ transferRate: 1_005_000_000 }) }), 'hold transfer_fee'],
    ['the issuer is gone', iouFacts({ issuer: null }), 'hold issuer_missing'],
  ])('is not sent when %s', (_why, facts, decision) => {
    expect(verdictOf(iou(), facts)).toBe(decision);
  });

  test('an authorised line is paid', () => {
    expect(verdictOf(iou(), iouFacts({ issuer: requireAuth, line: line({ authorized: true }) }))).toBe('pay');
  });

  test('an issuer that distributes itself needs no tokens, and neither its fee nor its freeze is in the way', () => {
    const issuer = account({ flags: ACCOUNT_FLAGS.globalFreeze, transferRate: 1_005_000_000 });
    expect(verdictOf(iou({ account: 'rIssuer' }), iouFacts({ issuer, payerLine: null }))).toBe('pay');
  });

  test('to the issuer it would burn the tokens, to the payer it would be refused: both are held', () => {
    expect(verdictOf(iou({ destination: 'rIssuer' }), iouFacts())).toBe('hold destination_is_issuer');
    expect(verdictOf(iou({ destination: 'rDistributor' }), iouFacts())).toBe('hold destination_is_payer');
  });

  test('an unlock before it, or under way, takes nothing from it: it gives tokens back', () => {
    const facts = iouFacts();
    const unlock = iou({
      id: 'a',
      kind: 'unlock',
      amount: 450n,
      destination: 'rDistributor',
      lockedUntil: new Date(0),
    });
    const bought = iou({ id: 'b' });
    expect(verdictOf(bought, facts, [unlock])).toBe('pay');
    const plan = planPayouts(
      [unlock, bought].map((payout) => ({ payout, facts })),
      [],
    );
    expect(plan).toEqual({ payable: [unlock, bought], postponed: [] });
  });

  test('a lock before it takes nothing from it: a lock may go only when the balance covers all that is owed', () => {
    const facts = iouFacts({ issuer: account({ flags: ACCOUNT_FLAGS.allowTrustLineLocking }) });
    const lock = iou({ id: 'a', kind: 'lock', amount: 450n, destination: 'rDistributor', lockedUntil: new Date(0) });
    const bought = iou({ id: 'b', amount: 100n });
    const plan = planPayouts(
      [lock, bought].map((payout) => ({ payout, facts })),
      [],
    );
    expect(plan.payable.map(({ id }) => id)).toEqual(['a', 'b']);
    expect(verdictOf(bought, facts, [lock])).toBe('later payer_underfunded');
  });

  test('payments before it and in flight count against balance and room', () => {
    const facts = iouFacts();
    const payouts = ['a', 'b', 'c'].map((id) => iou({ id, amount: 200n, destination: `r${id}` }));
    const plan = planPayouts(
      payouts.map((payout) => ({ payout, facts })),
      [],
    );
    expect(plan.payable.map((payout) => payout.id)).toEqual(['a', 'b']);
    expect(plan.postponed.map(({ decision }) => decision)).toEqual([{ kind: 'later', reason: 'payer_underfunded' }]);
    expect(verdictOf(iou({ amount: 400n }), facts, [iou({ amount: 101n, destination: 'rOther' })])).toBe(
      'later payer_underfunded',
    );
    const roomy = iouFacts({ payerLine: line({ balance: '5000' }) });
    expect(verdictOf(iou({ amount: 600n }), roomy, [iou({ amount: 401n })])).toBe('wait trust_line_limit');
    expect(verdictOf(iou({ amount: 600n }), roomy, [iou({ amount: 401n, destination: 'rOther' })])).toBe('pay');
  });
});

describe('one token with different decimals', () => {
  const asset = (decimals: number) => ({ kind: 'iou' as const, currency: 'DMO', issuer: 'rIssuer', decimals });
  const whole = (amount: bigint, destination: string) => iou({ amount, destination, asset: asset(0) });
  const fine = (amount: bigint, destination: string) => iou({ amount, destination, asset: asset(6) });
  const facts = iouFacts({ payerLine: line({ balance: '1000' }) });

  test('sums up in one scale, so that neither pays what the other has taken nor waits for nothing', () => {
    expect(verdictOf(whole(1n, 'rX'), facts, [fine(1_000_000n, 'rHolder')])).toBe('pay');
    expect(verdictOf(fine(900_000_000n, 'rX'), facts, [whole(900n, 'rHolder')])).toBe('later payer_underfunded');
    expect(verdictOf(whole(1000n, 'rX'), facts, [fine(1n, 'rHolder')])).toBe('later payer_underfunded');
  });

  test('counts in one scale against the room of a line', () => {
    const roomy = iouFacts({ payerLine: line({ balance: '5000' }) });
    expect(verdictOf(fine(900_000_000n, 'rHolder'), roomy, [whole(900n, 'rHolder')])).toBe('wait trust_line_limit');
    expect(verdictOf(whole(999n, 'rHolder'), roomy, [fine(1_000_000n, 'rHolder')])).toBe('pay');
  });
});

describe('an answer of the ledger that cannot be read', () => {
  test('postpones its own payout with a reason, and no other', () => {
    const fault = new Error('odd');
    const odd = iouFacts({ line: line({ limit: 'NaN' }) });
    const plan = planPayouts(
      [
        { payout: iou({ id: 'a' }), fault },
        { payout: iou({ id: 'b' }), facts: odd },
        { payout: iou({ id: 'c' }), facts: iouFacts() },
      ],
      [],
    );
    expect(plan.payable.map(({ id }) => id)).toEqual(['c']);
    expect(plan.postponed.map(({ payout, decision }) => [payout.id, decision.kind, decision.reason])).toEqual([
      ['a', 'later', 'facts_unreadable'],
      ['b', 'later', 'facts_unreadable'],
    ]);
    expect(plan.postponed[0]?.fault).toBe(fault);
  });
});

describe('a refund', () => {
  test('is paid from what stands above the reserve', () => {
    expect(verdictOf(refund({ amount: 1_000n }), refundFacts())).toBe('pay');
    expect(verdictOf(refund({ amount: 1_001n }), refundFacts())).toBe('later payer_underfunded');
    expect(verdictOf(refund({ amount: 600n }), refundFacts(), [refund({ amount: 401n })])).toBe(
      'later payer_underfunded',
    );
  });

  test('is held when its sender’s account refuses it', () => {
    const tagged = account({ flags: ACCOUNT_FLAGS.requireDestinationTag });
    expect(verdictOf(refund(), refundFacts({ destination: tagged }))).toBe('hold destination_tag_required');
    expect(verdictOf(refund({ destinationTag: 0 }), refundFacts({ destination: tagged }))).toBe('pay');
    expect(verdictOf(refund(), refundFacts({ depositAuthorized: false }))).toBe('hold deposit_authorization_required');
  });

  test('brings back a deleted account when it covers the reserve, and is held otherwise', () => {
    const gone = refundFacts({ destination: null }, 10_000_000n);
    expect(verdictOf(refund({ amount: 1_000_000n }), gone)).toBe('pay');
    expect(verdictOf(refund({ amount: 999_999n }), gone)).toBe('hold destination_missing');
  });
});

describe('a distribution of an MPT', () => {
  test.each([
    ['all is well', mptFacts(), 'pay'],
    ['the holder has not opted in', mptFacts({ holding: null }), 'wait token_not_opted_in'],
    ['the holder is locked', mptFacts({ holding: { ...holding, locked: true } }), 'wait token_locked'],
    [
      'the issuer must authorise',
      mptFacts({ issuance: { ...issuance, requiresAuthorization: true } }),
      'wait token_unauthorized',
    ],
    ['the token is locked', mptFacts({ issuance: { ...issuance, locked: true } }), 'later issuance_locked'],
    [
      'it may not be transferred',
      mptFacts({ issuance: { ...issuance, canTransfer: false } }),
      'hold transfer_not_allowed',
    ],
    ['a transfer costs a fee', mptFacts({ issuance: { ...issuance, transferFee: 1 } }), 'hold transfer_fee'],
    ['its scale is another', mptFacts({ issuance: { ...issuance, assetScale: 6 } }), 'hold asset_scale_differs'],
    ['there is none', mptFacts({ issuance: null }), 'hold issuance_missing'],
    ['the distributor has too few', mptFacts({ payerHolding: holding }), 'later payer_underfunded'],
  ])('when %s: %s', (_why, facts, decision) => {
    expect(verdictOf(mpt(), facts)).toBe(decision);
  });

  test('an issuer never exceeds the maximum', () => {
    const facts = mptFacts({ issuance: { ...issuance, outstanding: 900n, canTransfer: false } });
    expect(verdictOf(mpt({ account: 'rIssuer', amount: 100n }), facts)).toBe('pay');
    expect(verdictOf(mpt({ account: 'rIssuer', amount: 101n }), facts)).toBe('hold issuance_maximum');
  });
});

describe('an unlock', () => {
  const unlocks = { kind: 'unlock', destination: 'rDistributor', lockedUntil: new Date(0) } as const;
  const requireAuth = account({ flags: ACCOUNT_FLAGS.requireAuthorization });
  test.each<[string, PayoutFacts, string]>([
    ['an empty balance', iouFacts({ payerLine: line() }), 'pay'],
    ['no line any more', iouFacts({ payerLine: null }), 'pay'],
    [
      'a global freeze, which keeps nothing in escrow',
      iouFacts({ issuer: account({ flags: ACCOUNT_FLAGS.globalFreeze }) }),
      'pay',
    ],
    ['a frozen line', iouFacts({ payerLine: line({ frozen: true }) }), 'later payer_frozen'],
    [
      'an authorisation that is missing',
      iouFacts({ issuer: requireAuth, payerLine: line() }),
      'later trust_line_unauthorized',
    ],
    ['an issuer that is gone', iouFacts({ issuer: null }), 'hold issuer_missing'],
  ])('of an issued currency with %s', (_, facts, expected) => {
    expect(verdictOf(iou(unlocks), facts)).toBe(expected);
  });

  test.each<[string, PayoutFacts, string]>([
    ['an empty balance', mptFacts({ payerHolding: holding }), 'pay'],
    ['a locked balance', mptFacts({ payerHolding: { ...holding, locked: true } }), 'later payer_frozen'],
    ['a locked token', mptFacts({ issuance: { ...issuance, locked: true } }), 'later issuance_locked'],
    [
      'an authorisation that is missing',
      mptFacts({ issuance: { ...issuance, requiresAuthorization: true }, payerHolding: holding }),
      'later token_unauthorized',
    ],
    ['an issuance that is gone', mptFacts({ issuance: null }), 'hold issuance_missing'],
  ])('of an MPT with %s', (_, facts, expected) => {
    expect(verdictOf(mpt(unlocks), facts)).toBe(expected);
  });
});
