import fc from 'fast-check';
import { expect, test } from 'vitest';
import { directoryIndexes } from '../engine/directory.ts';
import type { Entry, Offer } from '../entries.ts';
import { permissionedDomainIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import type { TransactionFields } from '../transaction.ts';
import { ADDRESSES, checkOwnership, History } from './histories.ts';

const ISSUER = 0;
const TRADERS = [1, 2, 3] as const;
const CredentialType = 'AB';
const DomainID = permissionedDomainIndex(ADDRESSES[ISSUER] ?? '', 2);
/** tfPassive, tfImmediateOrCancel, tfFillOrKill and tfSell; the last, tfHybrid, is only for offers in a domain. */
const FLAGS = [0, 0, 0, 0x10000, 0x20000, 0x40000, 0x80000] as const;
const HYBRID = 0x100000;

const issued = (currency: string, value: string) => ({ currency, issuer: ADDRESSES[ISSUER] ?? '', value });
const amountOf = (asset: string, units: number) =>
  asset === 'XRP' ? String(units * 100) : issued(asset, String(units));

/** An issuer of two currencies and of a domain, whose members the others are; each holds 200 of both. */
function openMarket(): History {
  const history = new History();
  history.apply(ISSUER, { TransactionType: 'AccountSet', SetFlag: 8 });
  history.apply(ISSUER, {
    TransactionType: 'PermissionedDomainSet',
    AcceptedCredentials: [{ Credential: { Issuer: ADDRESSES[ISSUER] ?? '', CredentialType } }],
  });
  for (const trader of TRADERS) {
    for (const currency of ['USD', 'EUR']) {
      history.apply(trader, { TransactionType: 'TrustSet', LimitAmount: issued(currency, '1000') });
      const payment = { Destination: ADDRESSES[trader] ?? '', Amount: issued(currency, '200') };
      history.apply(ISSUER, { TransactionType: 'Payment', ...payment });
    }
  }
  return history;
}

const trader = fc.constantFrom(...TRADERS);
const asset = fc.constantFrom('XRP', 'USD', 'EUR');
const units = fc.integer({ min: 1, max: 40 });
const step = fc.oneof(
  { weight: 1, arbitrary: fc.record({ type: fc.constant('close' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ type: fc.constant('admit' as const), who: trader, lives: fc.option(fc.nat(50)) }),
  },
  { weight: 1, arbitrary: fc.record({ type: fc.constant('dismiss' as const), who: trader }) },
  {
    weight: 12,
    arbitrary: fc.record({
      type: fc.constant('offer' as const),
      who: trader,
      gets: asset,
      pays: asset,
      getsUnits: units,
      paysUnits: units,
      flags: fc.constantFrom(...FLAGS),
      where: fc.constantFrom('open', 'domain', 'hybrid'),
      lives: fc.option(fc.nat(50)),
    }),
  },
  { weight: 2, arbitrary: fc.record({ type: fc.constant('cancel' as const), who: trader, back: fc.nat(12) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      type: fc.constant('pay' as const),
      who: trader,
      to: trader,
      gives: asset,
      takes: asset,
      units,
      inDomain: fc.boolean(),
    }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
type Fields = Partial<TransactionFields> & { TransactionType: string };

function transactionsOf(each: Exclude<Step, { type: 'close' }>, history: History): [sender: number, fields: Fields][] {
  const address = ADDRESSES[each.who] ?? '';
  switch (each.type) {
    case 'admit': {
      const expiry = each.lives === null ? {} : { Expiration: history.ledger.parentCloseTime + each.lives };
      const credential = { Subject: address, CredentialType, ...expiry };
      return [
        [ISSUER, { TransactionType: 'CredentialCreate', ...credential }],
        [each.who, { TransactionType: 'CredentialAccept', Issuer: ADDRESSES[ISSUER] ?? '', CredentialType }],
      ];
    }
    case 'dismiss':
      return [[ISSUER, { TransactionType: 'CredentialDelete', Subject: address, CredentialType }]];
    case 'offer': {
      const inside = each.where === 'open' ? {} : { DomainID };
      const expiry = each.lives === null ? {} : { Expiration: history.ledger.parentCloseTime + each.lives };
      const sides = {
        TakerGets: amountOf(each.gets, each.getsUnits),
        TakerPays: amountOf(each.pays, each.paysUnits),
      };
      const Flags = each.flags | (each.where === 'hybrid' ? HYBRID : 0);
      return [[each.who, { TransactionType: 'OfferCreate', ...sides, ...inside, ...expiry, Flags }]];
    }
    case 'cancel': {
      const own = [...history.entries().values()].filter(
        (entry): entry is Offer => entry.LedgerEntryType === 'Offer' && entry.Account === address,
      );
      const OfferSequence = own[each.back]?.Sequence ?? 1;
      return [[each.who, { TransactionType: 'OfferCancel', OfferSequence }]];
    }
    default: {
      const sides = { Amount: amountOf(each.takes, each.units), SendMax: amountOf(each.gives, 200) };
      const payment = { Destination: ADDRESSES[each.to] ?? '', ...sides, Flags: 0x00020000 };
      return [[each.who, { TransactionType: 'Payment', ...payment, ...(each.inDomain ? { DomainID } : {}) }]];
    }
  }
}

const placesOf = (offer: Offer) => [
  { directory: offer.BookDirectory, domain: offer.DomainID },
  ...(offer.AdditionalBooks ?? []).map(({ Book: place }) => ({ directory: place.BookDirectory, domain: undefined })),
];

/** Each offer stands in its books and in no other, a book holds no offer that is gone, and none is left empty. */
function checkBooks(history: History, entries: ReadonlyMap<string, Entry>): void {
  const listed = new Map<string, Set<string>>();
  for (const [index, entry] of entries) {
    if (entry.LedgerEntryType !== 'DirectoryNode' || entry.Owner !== undefined || index !== entry.RootIndex) continue;
    const indexes = [...directoryIndexes(history.ledger, index)].map((found) => found.index);
    expect(indexes.length).toBeGreaterThan(0);
    listed.set(index, new Set(indexes));
  }
  for (const [index, entry] of entries) {
    if (entry.LedgerEntryType !== 'Offer') continue;
    for (const { directory, domain } of placesOf(entry)) {
      expect(listed.get(directory)?.delete(index)).toBe(true);
      expect(entries.get(directory)).toMatchObject({
        LedgerEntryType: 'DirectoryNode',
        ...(domain && { DomainID: domain }),
      });
      if (domain === undefined) expect(entries.get(directory)).not.toHaveProperty('DomainID');
    }
    for (const amount of [entry.TakerGets, entry.TakerPays]) {
      expect(Number(typeof amount === 'string' ? amount : amount.value)).toBeGreaterThan(0);
    }
  }
  for (const left of listed.values()) expect([...left]).toEqual([]);
}

/** What an issuer owes of a currency is what it issued: trading moves it, and loses or makes none. */
function checkSupply(entries: ReadonlyMap<string, Entry>): void {
  for (const currency of ['USD', 'EUR']) {
    let held = 0;
    for (const entry of entries.values()) {
      if (entry.LedgerEntryType !== 'RippleState' || entry.Balance.currency !== currency) continue;
      held += Math.abs(Number(entry.Balance.value));
    }
    expect(held).toBeCloseTo(600, 6);
  }
}

test('over any trade, inside and outside a domain, books hold the offers there are, and no money appears or is lost', () => {
  const seen = new Map<ResultName, number>();
  let hybrids = 0;
  fc.assert(
    fc.property(fc.array(step, { minLength: 60, maxLength: 200, size: 'max' }), (steps) => {
      const history = openMarket();
      for (const each of steps) {
        if (each.type === 'close') history.closeLedger();
        else for (const [sender, fields] of transactionsOf(each, history)) history.apply(sender, fields);
      }
      const entries = history.entries();
      checkOwnership(history);
      checkBooks(history, entries);
      checkSupply(entries);
      for (const entry of entries.values()) {
        if (entry.LedgerEntryType === 'Offer' && entry.AdditionalBooks) hybrids += 1;
      }
      for (const [result, count] of history.results) seen.set(result, (seen.get(result) ?? 0) + count);
    }),
    { numRuns: 40 },
  );
  expect(hybrids).toBeGreaterThan(0);
  for (const result of ['tesSUCCESS', 'tecNO_PERMISSION', 'tecKILLED', 'tecEXPIRED', 'tecPATH_DRY'] as const) {
    expect(seen.get(result), result).toBeGreaterThan(0);
  }
});
