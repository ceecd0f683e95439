import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDecimal, parseDecimal } from '../amount.ts';
import { mptWithoutFee, transferRateOf } from '../engine/escrowTokens.ts';
import { PARITY } from '../engine/paths/quantity.ts';
import { account } from '../engine/view.ts';
import { type Amount, type Entry, type Escrow, isIssued, isMpt } from '../entries.ts';
import { issuanceId } from '../keylets.ts';
import { isSuccess, type ResultName } from '../results.ts';
import type { TransactionFields } from '../transaction.ts';
import { ADDRESSES, checkOwnership, History } from './histories.ts';

const [ISSUER = '', ...HOLDERS] = ADDRESSES;
const CONDITION = 'A0258020E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855810100';
const FULFILLMENT = 'A0028000';
type Fields = Partial<TransactionFields> & { TransactionType: string };

/** Thousandths of a unit: the rates and amounts of these histories need no smaller part. */
function thousandths(value: string): bigint {
  const { mantissa, exponent } = parseDecimal(value);
  const power = exponent + 3;
  const scaled = power >= 0 ? mantissa * 10n ** BigInt(power) : mantissa / 10n ** BigInt(-power);
  expect(formatDecimal({ mantissa, exponent })).toBe(formatDecimal(parseDecimal(`${scaled}e-3`)));
  return scaled;
}

/** Everything there is of one token: what holders can spend, and what is in escrow. */
type Supply = { held: bigint; locked: bigint };

/** A ledger with an issuer, its currency and its MPT, of which the holders have some. */
class Market {
  readonly history = new History();
  readonly id: string;
  readonly made: { Owner: string; OfferSequence: number }[] = [];

  constructor(transferFee: number) {
    const { history } = this;
    for (const SetFlag of [8, 17]) history.apply(0, { TransactionType: 'AccountSet', SetFlag });
    const sequence = account(history.ledger, ISSUER)?.Sequence ?? 0;
    this.id = issuanceId(sequence, ISSUER);
    history.apply(0, { TransactionType: 'MPTokenIssuanceCreate', Flags: 0x6a, TransferFee: transferFee });
    HOLDERS.slice(0, 2).forEach((holder, at) => {
      history.apply(at + 1, { TransactionType: 'TrustSet', LimitAmount: this.usd('500') });
      history.apply(at + 1, { TransactionType: 'MPTokenAuthorize', MPTokenIssuanceID: this.id });
      for (const Amount of [this.usd('400'), this.mpt('400')]) {
        expect(history.apply(0, { TransactionType: 'Payment', Destination: holder, Amount })).toBe('tesSUCCESS');
      }
    });
  }

  usd = (value: string) => ({ currency: 'USD', issuer: ISSUER, value });
  mpt = (value: string) => ({ mpt_issuance_id: this.id, value });

  entries(): Entry[] {
    return [...this.history.entries().values()];
  }

  supply(entries: readonly Entry[]): { usd: Supply; mpt: Supply } {
    const usd = { held: 0n, locked: 0n };
    const mpt = { held: 0n, locked: 0n };
    for (const entry of entries) {
      if (entry.LedgerEntryType === 'RippleState') {
        const balance = thousandths(entry.Balance.value);
        usd.held += entry.LowLimit.issuer === ISSUER ? -balance : balance;
      } else if (entry.LedgerEntryType === 'MPToken') mpt.held += BigInt(entry.MPTAmount ?? 0);
      else if (entry.LedgerEntryType === 'Escrow') {
        if (isMpt(entry.Amount)) mpt.locked += BigInt(entry.Amount.value);
        else if (isIssued(entry.Amount)) usd.locked += thousandths(entry.Amount.value);
      }
    }
    return { usd, mpt };
  }

  /** That an MPT's issuance and tokens say of themselves what the holders and escrows add up to. */
  checkMpt(entries: readonly Entry[]): void {
    const { mpt } = this.supply(entries);
    const lockedOf = new Map<string, bigint>();
    for (const entry of entries) {
      if (entry.LedgerEntryType !== 'Escrow' || !isMpt(entry.Amount)) continue;
      lockedOf.set(entry.Account, (lockedOf.get(entry.Account) ?? 0n) + BigInt(entry.Amount.value));
    }
    for (const entry of entries) {
      if (entry.LedgerEntryType === 'MPTokenIssuance') {
        expect(BigInt(entry.OutstandingAmount)).toBe(mpt.held + mpt.locked);
        expect(BigInt(entry.LockedAmount ?? 0)).toBe(mpt.locked);
      } else if (entry.LedgerEntryType === 'MPToken') {
        expect(BigInt(entry.LockedAmount ?? 0)).toBe(lockedOf.get(entry.Account) ?? 0n);
      }
    }
  }

  /** What the token of an escrow must lose when it is finished: all that its issuer gets, else the transfer fee. */
  burns({ Amount: amount, Destination: to, TransferRate: lockedRate = PARITY }: Escrow): bigint {
    if (typeof amount === 'string') return 0n;
    const whole = isMpt(amount) ? BigInt(amount.value) : thousandths(amount.value);
    if (to === ISSUER) return whole;
    const rate = Math.min(lockedRate, transferRateOf(this.history.ledger, amount));
    if (isMpt(amount)) return whole - mptWithoutFee(whole, rate);
    return whole - (whole * BigInt(PARITY)) / BigInt(rate);
  }
}

const who = fc.nat({ max: ADDRESSES.length - 1 });
const asset = fc.constantFrom('XRP' as const, 'USD' as const, 'MPT' as const);
const weighted = <T>(weight: number, arbitrary: fc.Arbitrary<T>) => ({ weight, arbitrary });
const step = fc.oneof(
  weighted(3, fc.record({ type: fc.constant('close' as const), ledgers: fc.integer({ min: 1, max: 4 }) })),
  weighted(
    8,
    fc.record({
      type: fc.constant('create' as const),
      who: fc.oneof({ weight: 6, arbitrary: fc.integer({ min: 1, max: 2 }) }, { weight: 1, arbitrary: who }),
      to: who,
      asset,
      amount: fc.integer({ min: 1, max: 150 }),
      finish: fc.option(fc.integer({ min: 0, max: 20 })),
      cancel: fc.option(fc.integer({ min: 10, max: 60 })),
      condition: fc.boolean(),
    }),
  ),
  weighted(
    8,
    fc.record({
      type: fc.constantFrom('finish' as const, 'cancel' as const),
      who,
      which: fc.nat({ max: 30 }),
      key: fc.boolean(),
    }),
  ),
  weighted(2, fc.record({ type: fc.constant('pay' as const), who, to: who, asset, amount: fc.nat({ max: 200 }) })),
  weighted(1, fc.record({ type: fc.constant('claw' as const), to: who, amount: fc.nat({ max: 300 }) })),
  weighted(
    1,
    fc.record({ type: fc.constant('rate' as const), rate: fc.constantFrom(0, 1_250_000_000, 2_000_000_000) }),
  ),
  weighted(
    1,
    fc.record({
      type: fc.constant('limit' as const),
      who,
      value: fc.constantFrom('0', '50', '500'),
    }),
  ),
  weighted(1, fc.record({ type: fc.constant('optIn' as const), who, leaves: fc.boolean() })),
  weighted(1, fc.record({ type: fc.constant('lock' as const), to: who, flag: fc.constantFrom(1, 2) })),
  weighted(1, fc.record({ type: fc.constant('freeze' as const), to: who, flag: fc.constantFrom(0x500000, 0xa00000) })),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const amountOf = (market: Market, asset: 'XRP' | 'USD' | 'MPT', amount: number): Amount => {
  if (asset === 'XRP') return String(amount * 10_000);
  return asset === 'USD' ? market.usd(`${amount}.5`) : market.mpt(String(amount));
};

function transactionOf(market: Market, each: Exclude<Step, { type: 'close' }>): Fields | undefined {
  const now = market.history.ledger.parentCloseTime;
  const { id: MPTokenIssuanceID } = market;
  switch (each.type) {
    case 'create':
      return {
        TransactionType: 'EscrowCreate',
        Destination: ADDRESSES[each.to] ?? '',
        Amount: amountOf(market, each.asset, each.amount),
        ...(each.finish === null ? {} : { FinishAfter: now + each.finish }),
        ...(each.cancel === null ? {} : { CancelAfter: now + each.cancel }),
        ...(each.condition ? { Condition: CONDITION } : {}),
      };
    case 'finish':
    case 'cancel': {
      const named = market.made[each.which % Math.max(1, market.made.length)];
      if (each.type === 'cancel') return named && { TransactionType: 'EscrowCancel', ...named };
      const key = each.key ? { Condition: CONDITION, Fulfillment: FULFILLMENT } : {};
      return named && { TransactionType: 'EscrowFinish', ...named, ...key };
    }
    case 'pay': {
      const Amount = amountOf(market, each.asset, each.amount);
      const more = isMpt(Amount)
        ? { SendMax: market.mpt('900') }
        : isIssued(Amount)
          ? { SendMax: market.usd('900') }
          : {};
      return { TransactionType: 'Payment', Destination: ADDRESSES[each.to] ?? '', Amount, ...more };
    }
    case 'claw':
      return {
        TransactionType: 'Clawback',
        Amount: market.mpt(String(each.amount)),
        Holder: ADDRESSES[each.to] ?? '',
      };
    case 'rate':
      return { TransactionType: 'AccountSet', TransferRate: each.rate };
    case 'limit':
      return { TransactionType: 'TrustSet', LimitAmount: market.usd(each.value) };
    case 'optIn':
      return { TransactionType: 'MPTokenAuthorize', MPTokenIssuanceID, Flags: each.leaves ? 1 : 0 };
    case 'lock':
      return {
        TransactionType: 'MPTokenIssuanceSet',
        MPTokenIssuanceID,
        Holder: ADDRESSES[each.to] ?? '',
        Flags: each.flag,
      };
    default: {
      const LimitAmount = { currency: 'USD', issuer: ADDRESSES[each.to] ?? '', value: '0' };
      return { TransactionType: 'TrustSet', LimitAmount, Flags: each.flag };
    }
  }
}

const total = ({ held, locked }: Supply): bigint => held + locked;

/** Plays a step and checks what it did to the supply of each token. */
function play(market: Market, each: Step): { type: string; result: ResultName } | undefined {
  const { history } = market;
  if (each.type === 'close') {
    for (let i = 0; i < each.ledgers; i++) history.closeLedger();
    return undefined;
  }
  const fields = transactionOf(market, each);
  if (!fields) return undefined;
  const sender = 'who' in each ? each.who : 0;
  const before = market.supply(market.entries());
  const ended = escrowOf(market, fields);
  const burned = ended && fields.TransactionType === 'EscrowFinish' ? market.burns(ended) : 0n;
  const sequence = account(history.ledger, ADDRESSES[sender] ?? '')?.Sequence ?? 0;
  const result = history.apply(sender, fields);
  const entries = market.entries();
  const after = market.supply(entries);
  market.checkMpt(entries);
  const asset = each.type === 'create' ? each.asset : assetOf(ended?.Amount);
  if (fields.TransactionType.startsWith('Escrow')) {
    const lost = { usd: 0n, mpt: 0n };
    if (isSuccess(result) && asset === 'USD') lost.usd = burned;
    if (isSuccess(result) && asset === 'MPT') lost.mpt = burned;
    expect(total(after.usd)).toBe(total(before.usd) - lost.usd);
    expect(total(after.mpt)).toBe(total(before.mpt) - lost.mpt);
    if (each.type === 'create' && isSuccess(result)) {
      market.made.push({ Owner: ADDRESSES[sender] ?? '', OfferSequence: sequence });
    }
  } else {
    expect({ usd: after.usd.locked, mpt: after.mpt.locked }).toEqual({
      usd: before.usd.locked,
      mpt: before.mpt.locked,
    });
  }
  return { type: `${fields.TransactionType} ${asset}`, result };
}

function escrowOf(market: Market, { Owner: owner, OfferSequence: sequence }: Fields): Escrow | undefined {
  return market
    .entries()
    .find(
      (entry): entry is Escrow =>
        entry.LedgerEntryType === 'Escrow' && entry.Account === owner && entry.Sequence === sequence,
    );
}

function assetOf(amount: Amount | undefined): string {
  if (amount === undefined) return 'of nothing';
  if (isMpt(amount)) return 'MPT';
  return isIssued(amount) ? 'USD' : 'XRP';
}

test('over any schedule of escrows no XRP and no token appears or is lost, but for fees and what is redeemed', () => {
  const seen = new Map<string, number>();
  const note = (what: string): void => void seen.set(what, (seen.get(what) ?? 0) + 1);
  fc.assert(
    fc.property(
      fc.constantFrom(0, 1000, 50_000),
      fc.array(step, { minLength: 40, maxLength: 120, size: 'max' }),
      (transferFee, steps) => {
        const market = new Market(transferFee);
        for (const each of steps) {
          const done = play(market, each);
          if (done && isSuccess(done.result)) note(done.type);
          else if (done) note(done.result);
        }
        checkOwnership(market.history);
      },
    ),
    { numRuns: 60 },
  );
  const types = ['EscrowCreate', 'EscrowFinish', 'EscrowCancel'];
  const each = types.flatMap((type) => ['XRP', 'USD', 'MPT'].map((name) => `${type} ${name}`));
  const refusals = [
    'tecNO_TARGET',
    'tecNO_PERMISSION',
    'tecCRYPTOCONDITION_ERROR',
    'tecFROZEN',
    'tecLOCKED',
    'tecNO_LINE',
  ];
  for (const what of [...each, ...refusals]) expect(seen.get(what), what).toBeGreaterThan(0);
});
