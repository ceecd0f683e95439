import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { add, compare, type Decimal, formatDecimal, multiply, parseDecimal, subtract, ZERO } from '../amount.ts';
import type { Chain } from '../chain.ts';
import { offersOf } from '../engine/books.ts';
import { balanceFrom, sideOf } from '../engine/lines.ts';
import { priceOf, qualityOf, qualityOfDirectory } from '../engine/paths/quality.ts';
import { assetOf, quantityOf, signOf } from '../engine/paths/quantity.ts';
import { assetKey } from '../engine/paths/step.ts';
import { account } from '../engine/view.ts';
import type { Amount, DirectoryNode, Entry, EntryOf, EntryType } from '../entries.ts';
import { isIssued, LINE } from '../entries.ts';
import type { ValidatedTransaction } from '../history.ts';
import { directoryPageIndex, ownerDirectoryIndex } from '../keylets.ts';
import type { TransactionFields } from '../transaction.ts';
import { addressOfPerson, type BareChain, bareChain, issued } from './bareChain.ts';

const NAMES = ['feeless', 'feeful', 'ann', 'bob', 'che', 'deb'];
const PEOPLE = NAMES.map(addressOfPerson);
const [FEELESS = '', FEEFUL = '', ...HOLDERS] = PEOPLE;
const ISSUERS = [FEELESS, FEEFUL];
const FEE_RATE = '1.0025';
const CURRENCIES = ['USD', 'EUR'];
const FULLY = 16;

/** A ledger with two issuers, one of which takes a fee, and four holders; each transaction has a ledger to itself. */
function newWorld(): BareChain {
  const world = bareChain();
  for (const name of NAMES) world.person(name, 1_000_000_000n);
  for (const issuer of ISSUERS) {
    const rate = issuer === FEEFUL ? { TransferRate: 1_002_500_000 } : {};
    world.act({ TransactionType: 'AccountSet', Account: issuer, SetFlag: 8, ...rate });
    for (const currency of CURRENCIES) {
      for (const holder of HOLDERS.slice(0, 3)) {
        world.act({ TransactionType: 'TrustSet', Account: holder, LimitAmount: issued(currency, issuer, '1000000') });
        world.act({
          TransactionType: 'Payment',
          Account: issuer,
          Destination: holder,
          Amount: issued(currency, issuer, '1000'),
        });
      }
    }
  }
  return world;
}

function entriesOf<T extends EntryType>(chain: Chain, type: T): [string, EntryOf<T>][] {
  return [...chain.state.entriesAt(chain.history.lastIndex)].filter(
    (pair): pair is [string, Entry & EntryOf<T>] => pair[1].LedgerEntryType === type,
  );
}

/** What an issuer owes in a currency, over all its lines. */
function owed(chain: Chain, issuer: string, currency: string): Decimal {
  return entriesOf(chain, 'RippleState')
    .filter(
      ([, { Balance, LowLimit, HighLimit }]) =>
        Balance.currency === currency && [LowLimit.issuer, HighLimit.issuer].includes(issuer),
    )
    .reduce((sum, [, line]) => subtract(sum, balanceFrom(line, sideOf(line, issuer))), ZERO);
}

function nearly(a: Decimal, b: Decimal, digits = 11): boolean {
  const difference = subtract(a, b);
  const size = {
    mantissa: difference.mantissa < 0n ? -difference.mantissa : difference.mantissa,
    exponent: difference.exponent,
  };
  return compare(size, multiply(add(b, parseDecimal('1')), parseDecimal(`1e-${digits}`))) <= 0;
}

function pageOfDirectory(chain: Chain, root: string, page: string): DirectoryNode | undefined {
  const node = chain.state.latest(directoryPageIndex(root, BigInt(`0x${page}`)));
  return node?.LedgerEntryType === 'DirectoryNode' ? node : undefined;
}

/** Offers stand where they say, books hold nothing else, and owners are counted what they own. */
function checkPlaces(chain: Chain): void {
  const offers = entriesOf(chain, 'Offer');
  const owned = new Map<string, number>();
  const count = (address: string): unknown => owned.set(address, (owned.get(address) ?? 0) + 1);
  for (const [index, offer] of offers) {
    expect(signOf(quantityOf(offer.TakerGets))).toBe(1);
    expect(signOf(quantityOf(offer.TakerPays))).toBe(1);
    expect(pageOfDirectory(chain, ownerDirectoryIndex(offer.Account), offer.OwnerNode)?.Indexes).toContain(index);
    expect(pageOfDirectory(chain, offer.BookDirectory, offer.BookNode)?.Indexes).toContain(index);
    count(offer.Account);
  }
  const known = new Set(offers.map(([index]) => index));
  for (const [, node] of entriesOf(chain, 'DirectoryNode')) {
    if (node.ExchangeRate === undefined) continue;
    expect(node.Indexes.length).toBeGreaterThan(0);
    for (const index of node.Indexes) expect(known).toContain(index);
  }
  for (const [, line] of entriesOf(chain, 'RippleState')) {
    if (line.Flags & LINE.low.reserve) count(line.LowLimit.issuer);
    if (line.Flags & LINE.high.reserve) count(line.HighLimit.issuer);
  }
  for (const [, { Account: address, OwnerCount: counted }] of entriesOf(chain, 'AccountRoot')) {
    expect(counted).toBe(owned.get(address) ?? 0);
  }
  const found = new Set<string>();
  const view = chain.state.view(chain.history.last.header);
  const assets = new Map(
    offers.flatMap(([, o]) => [o.TakerGets, o.TakerPays]).map((a) => [assetKey(assetOf(a)), assetOf(a)]),
  );
  for (const pays of assets.values()) {
    for (const gets of assets.values()) {
      let last = 0n;
      for (const { directory, index } of offersOf(view, { in: pays, out: gets })) {
        const quality = qualityOfDirectory(directory);
        expect(quality).toBeGreaterThanOrEqual(last);
        last = quality;
        found.add(index);
      }
    }
  }
  expect(found).toEqual(known);
}

function checkXrp(chain: Chain): void {
  const held = entriesOf(chain, 'AccountRoot').reduce((sum, [, { Balance: drops }]) => sum + BigInt(drops), 0n);
  expect(held).toBe(chain.history.last.header.totalDrops);
}

/** What a transaction changed of what an account has of an asset, the fee left out. */
function changeFor(address: string, asset: string, { meta, tx }: ValidatedTransaction): Decimal {
  let change = ZERO;
  for (const node of meta.AffectedNodes) {
    const [affected] = Object.values(node) as {
      LedgerEntryType: string;
      FinalFields?: Entry;
      NewFields?: Entry;
      PreviousFields?: Partial<Entry>;
    }[];
    const after = (affected?.FinalFields ?? affected?.NewFields) as Record<string, never> | undefined;
    const before = affected?.PreviousFields as Record<string, never> | undefined;
    if (!affected || !after) continue;
    if (affected.LedgerEntryType === 'AccountRoot' && asset === 'XRP/' && after.Account === address) {
      // A taker that got just what it paid as the fee has the balance it had before.
      const fee = tx.fields.Account === address ? BigInt(String(tx.fields.Fee)) : 0n;
      change = add(
        change,
        parseDecimal(String(BigInt(after.Balance ?? 0) - BigInt(before?.Balance ?? after.Balance ?? 0) + fee)),
      );
    }
    if (affected.LedgerEntryType !== 'RippleState') continue;
    const [low, high] = [after.LowLimit, after.HighLimit] as unknown as { currency: string; issuer: string }[];
    const peer = low?.issuer === address ? high : high?.issuer === address ? low : undefined;
    if (!peer || `${peer.currency}/${peer.issuer}` !== asset) continue;
    const value = (balance: Amount | undefined): Decimal =>
      parseDecimal(balance && isIssued(balance) ? balance.value : '0');
    const wasThere = affected.NewFields === undefined;
    const moved = subtract(value(after.Balance), wasThere ? value(before?.Balance ?? after.Balance) : ZERO);
    change = low?.issuer === address ? add(change, moved) : subtract(change, moved);
  }
  return change;
}

function meetsItself({ meta, tx }: ValidatedTransaction): boolean {
  return meta.AffectedNodes.some((node) => {
    const affected = (node.ModifiedNode ?? node.DeletedNode) as
      | { LedgerEntryType: string; FinalFields?: Entry }
      | undefined;
    const offer = affected?.FinalFields as { Account?: string } | undefined;
    return affected?.LedgerEntryType === 'Offer' && offer?.Account === tx.fields.Account;
  });
}

/** The taker of an offer never pays more for what it got than the offer says, but for the issuer's fee and the last drop. */
function checkPrice(done: ValidatedTransaction): void {
  const { fields } = done.tx;
  const { TakerGets: gets, TakerPays: pays, Account: taker } = fields;
  if (done.meta.TransactionResult !== 'tesSUCCESS' || gets === undefined || pays === undefined) return;
  // On the way over XRP a taker may meet an offer of its own, and then has both sides of it.
  if (meetsItself(done)) return;
  const given = subtract(ZERO, changeFor(taker, assetKey(assetOf(gets)), done));
  const got = changeFor(taker, assetKey(assetOf(pays)), done);
  const price = priceOf(qualityOf(quantityOf(gets), quantityOf(pays)));
  const fee = isIssued(gets) && gets.issuer === FEEFUL ? parseDecimal(FEE_RATE) : parseDecimal('1');
  const rounding = isIssued(gets) ? '0.000001' : '2';
  const most = add(multiply(multiply(got, price), fee), parseDecimal(rounding));
  const allowed = isIssued(pays) ? most : add(most, multiply(price, parseDecimal('2')));
  expect(
    compare(given, multiply(allowed, parseDecimal('1.000000001'))),
    `${formatDecimal(given)} for ${formatDecimal(got)}: ${JSON.stringify([done.tx.fields, done.meta])}`,
  ).toBeLessThanOrEqual(0);
}

const assets = ['XRP', ...ISSUERS.flatMap((issuer) => CURRENCIES.map((currency) => `${currency}/${issuer}`))];
const asset = fc.constantFrom(...assets);
/** Plain amounts and ones with all their digits, so that every rounding comes up. */
const value = fc.oneof(
  fc.integer({ min: 1, max: 500 }),
  fc.integer({ min: 1, max: 10 ** 9 }).map((n) => n / 3_000_000),
);

function amountIn(name: string, size: number): Amount {
  if (name === 'XRP') return String(BigInt(Math.ceil(size * 1_000_000)));
  const [currency = '', issuer = ''] = name.split('/');
  return { currency, issuer, value: size.toPrecision(FULLY - 1) };
}

const holder = fc.constantFrom(...HOLDERS);
const offer = fc
  .record({
    Account: holder,
    gets: asset,
    pays: asset,
    getsSize: value,
    price: fc.double({ min: 0.4, max: 2.5, noNaN: true }),
    flags: fc.constantFrom(0, 0, 0, 0x10000, 0x20000, 0x40000, 0x80000, 0xa0000, 0xc0000),
  })
  .filter(({ gets, pays }) => gets !== pays)
  .map(({ Account, gets, pays, getsSize, price, flags }) => ({
    TransactionType: 'OfferCreate',
    Account,
    Flags: flags,
    TakerGets: amountIn(gets, getsSize),
    TakerPays: amountIn(pays, getsSize * price),
  }));
const payment = fc
  .record({
    Account: holder,
    Destination: holder,
    spend: asset,
    deliver: asset,
    size: value,
    by: fc.option(asset),
    flags: fc.constantFrom(0, 0x20000, 0x20000, 0x60000),
  })
  .filter(({ Account, Destination, spend, deliver }) => Account !== Destination && spend !== deliver)
  .map(({ Account, Destination, spend, deliver, size, by, flags }) => {
    const [currency = '', issuer] = (by ?? '').split('/');
    const usable = by !== null && by !== spend && by !== deliver;
    return {
      TransactionType: 'Payment',
      Account,
      Destination,
      Flags: flags,
      Amount: amountIn(deliver, size),
      SendMax: amountIn(spend, size * 1.3),
      ...(usable ? { Paths: [[issuer === undefined ? { currency } : { currency, issuer }]] } : {}),
    };
  });
const cancel = fc
  .record({ Account: holder, back: fc.integer({ min: 1, max: 12 }) })
  .map(({ Account, back }) => ({ TransactionType: 'OfferCancel', Account, back }));
const steps = fc.array(
  fc.oneof({ weight: 6, arbitrary: offer }, { weight: 3, arbitrary: payment }, { weight: 1, arbitrary: cancel }),
  { minLength: 30, maxLength: 60 },
);

describe('whatever offers and payments come', () => {
  test('no money is made or lost, no price is worse than asked, and offers stand where they say', () => {
    let filled = 0;
    fc.assert(
      fc.property(steps, (actions) => {
        const { chain, act } = newWorld();
        for (const action of actions) {
          const before = new Map(
            ISSUERS.flatMap((i) => CURRENCIES.map((c) => [`${c}/${i}`, owed(chain, i, c)] as const)),
          );
          const fields: Partial<TransactionFields> =
            'back' in action
              ? {
                  TransactionType: 'OfferCancel',
                  Account: action.Account,
                  OfferSequence: Math.max(1, (account(chain.open, action.Account)?.Sequence ?? 0) - action.back),
                }
              : (action as Partial<TransactionFields>);
          const done = act(fields);
          if (!done) continue;
          expect(done.meta.TransactionResult).not.toMatch(/tefEXCEPTION|tecINTERNAL/);
          checkXrp(chain);
          for (const [key, owedBefore] of before) {
            const [currency = '', issuer = ''] = key.split('/');
            const now = owed(chain, issuer, currency);
            if (issuer === FEELESS)
              expect(nearly(now, owedBefore), `${key}: ${formatDecimal(owedBefore)} to ${formatDecimal(now)}`).toBe(
                true,
              );
            else expect(compare(now, owedBefore) <= 0 || nearly(now, owedBefore)).toBe(true);
          }
          checkPrice(done);
          if (done.meta.AffectedNodes.length > 5) filled += 1;
        }
        checkPlaces(chain);
      }),
      { numRuns: 30, endOnFailure: true },
    );
    expect(filled).toBeGreaterThan(20);
  }, 60_000);
});
