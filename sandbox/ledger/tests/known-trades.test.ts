import { beforeEach, describe, expect, test } from 'vitest';
import { type Amount, isIssued } from '../entries.ts';
import type { TransactionFields } from '../transaction.ts';
import { addressOfPerson, type BareChain, bareChain, FEE_DROPS, issued } from './bareChain.ts';

/** Situations of which it is published how a server settles them, to the last digit: those that were got wrong before. */
const XRP = 1_000_000n;
const FEE = BigInt(FEE_DROPS);
/** Reserves at which these situations were published: an object needs more than what is traded. */
const RESERVES = { baseDrops: 200n * XRP, incDrops: 50n * XRP };
const reserve = (owned: number): bigint => RESERVES.baseDrops + RESERVES.incDrops * BigInt(owned);
const SELL = 0x00080000;
const PASSIVE = 0x00010000;

let world: BareChain;
const gateway = addressOfPerson('gateway');

beforeEach(() => {
  world = bareChain(RESERVES);
  world.person('gateway', 100_000n * XRP);
  world.act({ TransactionType: 'AccountSet', Account: gateway, SetFlag: 8 });
});

const of = (currency: string, value: string): Amount => issued(currency, gateway, value);
const usd = (value: string): Amount => of('USD', value);
const xrp = (count: number): string => String(BigInt(count) * XRP);
const result = (fields: Partial<TransactionFields>) => world.act(fields)?.meta.TransactionResult;
const trust = (by: string, limit: Amount) =>
  expect(result({ TransactionType: 'TrustSet', Account: by, LimitAmount: limit })).toBe('tesSUCCESS');
const issue = (to: string, amount: Amount) =>
  expect(result({ TransactionType: 'Payment', Account: gateway, Destination: to, Amount: amount })).toBe('tesSUCCESS');
/** `pays` is what the owner wants, `gets` what it gives. */
const offer = (by: string, pays: Amount, gets: Amount, flags = 0) =>
  result({ TransactionType: 'OfferCreate', Account: by, TakerPays: pays, TakerGets: gets, Flags: flags });
const rate = (value: number) => result({ TransactionType: 'AccountSet', Account: gateway, TransferRate: value });

type SellCase = {
  /** Drops beyond the reserve for so many objects, and the currency held before. */
  readonly funds: readonly [xrp: number, reserveFor: number, usd: number];
  readonly resting: readonly [pays: Amount | number, gets: Amount | number];
  readonly sells: readonly [pays: Amount | number, gets: Amount | number];
  readonly result?: string;
  readonly spent: number;
  readonly usd: string;
  readonly left?: readonly [gets: Amount | number, pays: Amount | number];
  readonly owned: number;
};

describe('a sell offer', () => {
  const u = (value: number) => ({ u: value }) as unknown as Amount;
  const cases: Record<string, SellCase> = {
    'that meets too little and has no reserve to rest': {
      funds: [10, 0, 0],
      resting: [10, u(5)],
      sells: [u(10), 10],
      result: 'tecINSUF_RESERVE_OFFER',
      spent: 0,
      usd: '0',
      owned: 0,
    },
    'that meets only worse offers rests': {
      funds: [10, 1, 0],
      resting: [10, u(5)],
      sells: [u(10), 10],
      spent: 0,
      usd: '0',
      left: [10, u(10)],
      owned: 1,
    },
    'makes its line out of the reserve': {
      funds: [10, 0, 0],
      resting: [10, u(10)],
      sells: [u(10), 10],
      spent: 10,
      usd: '10',
      owned: 1,
    },
    'brings more than it asks at a better price': {
      funds: [10, 0, 0],
      resting: [10, u(20)],
      sells: [u(10), 10],
      spent: 10,
      usd: '20',
      owned: 1,
    },
    'takes part of a better offer': {
      funds: [10, 0, 0],
      resting: [10, u(20)],
      sells: [u(5), 5],
      spent: 5,
      usd: '10',
      owned: 1,
    },
    'that is larger than its funds does not rest': {
      funds: [10, 0, 0],
      resting: [10, u(20)],
      sells: [u(20), 20],
      spent: 10,
      usd: '20',
      owned: 1,
    },
    'without reserve for the rest of it': {
      funds: [20, 1, 0],
      resting: [10, u(20)],
      sells: [u(20), 20],
      spent: 10,
      usd: '20',
      owned: 1,
    },
    'with reserve for the rest of it': {
      funds: [20, 2, 0],
      resting: [10, u(20)],
      sells: [u(20), 20],
      spent: 10,
      usd: '20',
      left: [10, u(10)],
      owned: 2,
    },
    'of a currency that meets too little and has no reserve': {
      funds: [0, 1, 10],
      resting: [u(10), 5],
      sells: [10, u(10)],
      result: 'tecINSUF_RESERVE_OFFER',
      spent: 0,
      usd: '10',
      owned: 1,
    },
    'of a currency that meets only worse offers': {
      funds: [0, 2, 10],
      resting: [u(10), 5],
      sells: [10, u(10)],
      spent: 0,
      usd: '10',
      left: [u(10), 10],
      owned: 2,
    },
    'of a currency at the price': {
      funds: [0, 1, 10],
      resting: [u(10), 10],
      sells: [10, u(10)],
      spent: -10,
      usd: '0',
      owned: 1,
    },
    'of a currency at a better price': {
      funds: [0, 1, 10],
      resting: [u(10), 20],
      sells: [10, u(10)],
      spent: -20,
      usd: '0',
      owned: 1,
    },
    'of a currency that takes part of a better offer': {
      funds: [0, 1, 10],
      resting: [u(20), 40],
      sells: [10, u(10)],
      spent: -20,
      usd: '0',
      owned: 1,
    },
    'of a currency, half filled at the price': {
      funds: [0, 2, 10],
      resting: [u(5), 5],
      sells: [10, u(10)],
      spent: -5,
      usd: '5',
      left: [u(5), 5],
      owned: 2,
    },
    'of a currency, half filled at a better price': {
      funds: [0, 2, 10],
      resting: [u(5), 10],
      sells: [10, u(10)],
      spent: -10,
      usd: '5',
      left: [u(5), 5],
      owned: 2,
    },
  };
  test.each(Object.entries(cases))('%s', (_name, each) => {
    const amount = (side: Amount | number): Amount =>
      typeof side === 'number' ? xrp(side) : usd(String((side as unknown as { u: number }).u));
    const [extra, reserveFor, held] = each.funds;
    // The fee of the trust line is no part of the case.
    const start = BigInt(extra) * XRP + reserve(reserveFor) + FEE;
    const trader = world.person('trader', start + (held > 0 ? FEE : 0n));
    if (held > 0) {
      trust(trader, usd(String(held)));
      issue(trader, usd(String(held)));
    }
    expect(offer(gateway, amount(each.resting[0]), amount(each.resting[1]))).toBe('tesSUCCESS');
    expect(offer(trader, amount(each.sells[0]), amount(each.sells[1]), SELL)).toBe(each.result ?? 'tesSUCCESS');
    expect(world.held(trader, 'USD', gateway)).toBe(each.usd);
    expect(world.drops(trader)).toBe(start - FEE - BigInt(each.spent) * XRP);
    expect(world.owned(trader)).toBe(each.owned);
    const left = each.left;
    expect(world.offers(trader).map(({ TakerGets, TakerPays }) => [TakerGets, TakerPays])).toEqual(
      left ? [left.map(amount)] : [],
    );
  });
});

describe('what is left of an offer', () => {
  test('is scaled by its own price when part of it was met', () => {
    const alice = world.person('alice', reserve(2) + 400_000_000_000n + FEE);
    const bob = world.person('bob', reserve(2) + 400_000_000_000n + 2n * FEE);
    trust(bob, of('CNY', '500'));
    issue(bob, of('CNY', '300'));
    expect(offer(bob, '5400000000', of('CNY', '216.054'))).toBe('tesSUCCESS');
    expect(offer(alice, of('CNY', '13562.0001'), '339000000000')).toBe('tesSUCCESS');
    expect(world.offers(alice)).toMatchObject([{ TakerGets: '333599446582', TakerPays: of('CNY', '13345.9461') }]);
  });

  test('is scaled by its own price where the issuer takes a fee, too', () => {
    const alice = world.person('alice', reserve(2) + 400_000_000_000n);
    const bob = world.person('bob', reserve(2) + 400_000_000_000n);
    rate(1_002_000_000);
    trust(alice, of('JPY', '4000'));
    trust(bob, of('BTC', '2'));
    issue(alice, of('JPY', '3699.034802'));
    issue(bob, of('BTC', '1.156723'));
    expect(offer(bob, of('JPY', '1241.913391'), of('BTC', '0.019698'))).toBe('tesSUCCESS');
    expect(offer(alice, of('BTC', '0.055076'), of('JPY', '3472.696773'))).toBe('tesSUCCESS');
    expect(world.offers(alice)).toMatchObject([
      { TakerGets: of('JPY', '2230.682446713524'), TakerPays: of('BTC', '0.035378') },
    ]);
  });

  test('fits the tick size: a buyer gives less, a seller wants more', () => {
    const alice = world.person('alice', 10_000n * XRP);
    result({ TransactionType: 'AccountSet', Account: gateway, TickSize: 5 });
    for (const currency of ['XTS', 'XXX']) {
      trust(alice, of(currency, '1000'));
      issue(alice, of(currency, '100'));
    }
    for (const flags of [0, SELL]) {
      expect(offer(alice, of('XTS', '10'), of('XXX', '30'), flags)).toBe('tesSUCCESS');
      expect(offer(alice, of('XTS', '30'), of('XXX', '10'), flags)).toBe('tesSUCCESS');
    }
    const resting = world
      .offers(alice)
      .map(({ TakerGets: gets, TakerPays: pays }) =>
        [gets, pays].map((each) => Number((each as { value: string }).value)),
      );
    expect(resting).toMatchObject([
      [expect.closeTo(29.9997, 3), 10],
      [10, 30],
      [30, expect.closeTo(10.0002, 3)],
      [10, 30],
    ]);
    expect(resting[0]?.[0]).toBeLessThan(30);
    expect(resting[2]?.[1]).toBeGreaterThan(10);
  });
});

describe('an offer without enough funds', () => {
  test.each([
    [1, '0', 1],
    [2, '1', 0],
  ] as const)('whose rest would round to a better price is removed and not met: %i drops', (drops, got, left) => {
    const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => world.person(name, 10_000n * XRP)) as [
      string,
      string,
      string,
    ];
    for (const each of [alice, bob, carol]) trust(each, usd('1000'));
    issue(carol, usd('0.499'));
    issue(bob, usd('100'));
    expect(offer(carol, '1', usd('1'))).toBe('tesSUCCESS');
    expect(offer(bob, '2', usd('1'), PASSIVE)).toBe('tesSUCCESS');
    expect(offer(alice, usd('1'), String(drops))).toBe('tesSUCCESS');
    expect(world.offers(carol)).toEqual([]);
    expect(world.held(carol, 'USD', gateway)).toBe('0.499');
    expect(world.held(alice, 'USD', gateway)).toBe(got);
    expect(world.offers(alice)).toHaveLength(left);
  });

  test('pays with what its fee leaves', () => {
    const alice = world.person('alice', 100n * XRP + reserve(1) + 2n * FEE);
    const bob = world.person('bob', 1000n * XRP);
    trust(alice, usd('1000'));
    trust(bob, usd('1000'));
    issue(bob, usd('500'));
    expect(offer(bob, xrp(200), usd('200'))).toBe('tesSUCCESS');
    expect(offer(alice, usd('200'), xrp(200))).toBe('tesSUCCESS');
    expect(world.held(alice, 'USD', gateway)).toBe('100');
    expect(world.drops(alice)).toBe(reserve(1));
    expect(world.held(bob, 'USD', gateway)).toBe('400');
  });

  test('of less than a drop is met for one', () => {
    const start = 400_000_000_000n;
    const [alice, bob] = [world.person('alice', start), world.person('bob', start + FEE)];
    trust(bob, of('CNY', '100000'));
    expect(offer(alice, of('CNY', '4926000000000000e-23'), '1', PASSIVE)).toBe('tesSUCCESS');
    issue(bob, of('CNY', '3.767479960090235'));
    expect(offer(bob, '203', of('CNY', '1000000000000000e-20'))).toBe('tesSUCCESS');
    expect(world.held(alice, 'CNY', gateway)).toBe('0.00000004926');
    expect(world.drops(alice)).toBe(start - FEE - 1n);
    expect(world.held(bob, 'CNY', gateway)).toBe('3.767479910830235');
    expect(world.drops(bob)).toBe(start - FEE + 1n);
  });
});

describe('a fee of the issuer', () => {
  test.each(['taker', 'maker'])('is paid by the owner of the offer that gives the currency, as %s', (who) => {
    rate(1_250_000_000);
    const [ann, bob] = [world.person('ann', 1000n * XRP), world.person('bob', 1000n * XRP)];
    trust(ann, usd('200'));
    trust(bob, usd('200'));
    issue(bob, usd('125'));
    const steps = [() => offer(bob, xrp(1), usd('100')), () => offer(ann, usd('100'), xrp(1))];
    for (const step of who === 'maker' ? steps : steps.reverse()) expect(step()).toBe('tesSUCCESS');
    expect(world.held(ann, 'USD', gateway)).toBe('100');
    expect(world.held(bob, 'USD', gateway)).toBe('0');
    expect([...world.offers(ann), ...world.offers(bob)]).toEqual([]);
  });

  test('leaves the rest of an offer at its price', () => {
    rate(1_250_000_000);
    const [eve, fyn] = [world.person('eve', 20_000n * XRP), world.person('fyn', 20_000n * XRP)];
    for (const each of [eve, fyn]) {
      trust(each, usd('1000'));
      issue(each, usd('100'));
    }
    expect(offer(eve, usd('10'), xrp(4000))).toBe('tesSUCCESS');
    expect(offer(fyn, xrp(2000), usd('5'))).toBe('tesSUCCESS');
    expect(world.held(eve, 'USD', gateway)).toBe('105');
    expect(world.offers(eve)).toMatchObject([{ TakerGets: xrp(2000), TakerPays: usd('5') }]);
    expect(world.held(fyn, 'USD', gateway)).toBe('93.75');
  });

  test('comes on top of what a payment buys from the issuer', () => {
    rate(1_250_000_000);
    const [alice, bob] = [world.person('alice', 10_000n * XRP), world.person('bob', 10_000n * XRP)];
    trust(bob, usd('1000'));
    expect(offer(gateway, xrp(125), usd('125'))).toBe('tesSUCCESS');
    const paid = result({
      TransactionType: 'Payment',
      Account: alice,
      Destination: bob,
      Amount: usd('100'),
      SendMax: xrp(200),
      Paths: [[{ currency: 'USD', issuer: gateway }]],
    });
    expect(paid).toBe('tesSUCCESS');
    expect(world.held(bob, 'USD', gateway)).toBe('100');
    expect(world.drops(alice)).toBe(9875n * XRP - FEE);
  });
});

describe('a payment', () => {
  test('takes only the offers within its limit of quality', () => {
    const [alice, bob, carol] = ['alice', 'bob', 'carol'].map((name) => world.person(name, 10_000n * XRP)) as [
      string,
      string,
      string,
    ];
    for (const each of [bob, carol]) trust(each, usd('100'));
    issue(bob, usd('100'));
    expect(offer(bob, xrp(50), usd('50'))).toBe('tesSUCCESS');
    expect(offer(bob, xrp(100), usd('50'))).toBe('tesSUCCESS');
    const paid = result({
      TransactionType: 'Payment',
      Account: alice,
      Destination: carol,
      Amount: usd('100'),
      SendMax: xrp(100),
      Flags: 0x00070000,
      Paths: [[{ currency: 'USD', issuer: gateway }]],
    });
    expect(paid).toBe('tesSUCCESS');
    expect(world.held(carol, 'USD', gateway)).toBe('50');
  });

  test('to oneself over an offer of oneself changes nothing but the offer', () => {
    const other = world.person('other', 1000n * XRP);
    result({ TransactionType: 'AccountSet', Account: other, SetFlag: 8 });
    const alice = world.person('alice', 1000n * XRP);
    const eur = (value: string) => issued('EUR', other, value);
    trust(alice, usd('506'));
    trust(alice, eur('606'));
    issue(alice, usd('500'));
    result({ TransactionType: 'Payment', Account: other, Destination: alice, Amount: eur('600') });
    expect(offer(alice, usd('500'), eur('600'))).toBe('tesSUCCESS');
    const paid = result({
      TransactionType: 'Payment',
      Account: alice,
      Destination: alice,
      Amount: eur('60'),
      SendMax: usd('50'),
      Flags: 0x00020000,
    });
    expect(paid).toBe('tesSUCCESS');
    expect([world.held(alice, 'USD', gateway), world.held(alice, 'EUR', other)]).toEqual(['500', '600']);
    expect(world.offers(alice)).toMatchObject([{ TakerPays: usd('495'), TakerGets: eur('594') }]);
  });

  test.each(['forward', 'reverse'])('goes through although the last digit of an offer rounds away: %s', (direction) => {
    const [alice, bob] = [world.person('alice', 50_000n * XRP), world.person('bob', 50_000n * XRP)];
    const tiny = '9000000000000000e-17';
    const more = '9000000000000003e-17';
    const common = { TransactionType: 'Payment', Account: alice, Destination: bob, Flags: 0x00010000 };
    if (direction === 'reverse') {
      trust(bob, usd('20'));
      expect(offer(gateway, '9000000000', usd(more))).toBe('tesSUCCESS');
      expect(
        result({
          ...common,
          Amount: usd(tiny),
          SendMax: '9000000000',
          Paths: [[{ currency: 'USD', issuer: gateway }]],
        }),
      ).toBe('tesSUCCESS');
    } else {
      trust(alice, usd('20'));
      issue(alice, usd(tiny));
      expect(offer(gateway, usd(more), '9000000000')).toBe('tesSUCCESS');
      expect(result({ ...common, Amount: '9000000000', SendMax: usd('1'), Paths: [[{ currency: 'XRP' }]] })).toBe(
        'tesSUCCESS',
      );
    }
    expect(world.offers(gateway)).toEqual([]);
  });
});

describe('a path', () => {
  const NO_DIRECT = 0x00010000;
  const PARTIAL = 0x00020000;
  const asset = (currency: string) => ({ currency, issuer: gateway });
  const bridge = { currency: 'XRP' };
  let alice: string;
  let bob: string;

  beforeEach(() => {
    [alice, bob] = [world.person('alice', 10_000n * XRP), world.person('bob', 10_000n * XRP)];
    for (const currency of ['USD', 'EUR', 'JPY']) {
      trust(alice, of(currency, '1000'));
      trust(bob, of(currency, '1000'));
      issue(alice, of(currency, '100'));
    }
    for (const currency of ['USD', 'EUR', 'JPY']) {
      offer(alice, xrp(100), of(currency, '100'), PASSIVE);
      offer(alice, of(currency, '100'), xrp(100), PASSIVE);
    }
  });

  test.each([
    ['from XRP', of('EUR', '1'), xrp(1), [asset('USD'), bridge, asset('EUR')]],
    ['to XRP', xrp(1), of('EUR', '1'), [bridge, asset('USD'), bridge]],
    ['over XRP', of('JPY', '1'), of('USD', '1'), [bridge, asset('EUR'), bridge, asset('JPY')]],
  ] as const)('comes to XRP once at most: %s', (_name, amount, most, path) => {
    const payment = { TransactionType: 'Payment', Account: alice, Destination: bob, Flags: NO_DIRECT };
    expect(world.attempt({ ...payment, Paths: [path], Amount: amount, SendMax: most })).toBe('temBAD_PATH_LOOP');
  });

  test.each([
    ['an account after XRP', [bridge, { account: 'other' }]],
    ['an account with a currency', [{ account: 'other', currency: 'USD' }]],
    ['XRP with an issuer', [{ currency: 'XRP', issuer: 'other' }]],
    ['account zero', [{ account: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp' }]],
  ] as const)('cannot be: %s', (_name, path) => {
    const other = world.person('other', 1000n * XRP);
    const paths = [
      path.map((element) =>
        Object.fromEntries(Object.entries(element).map(([key, value]) => [key, value === 'other' ? other : value])),
      ),
    ];
    const payment = { TransactionType: 'Payment', Account: alice, Destination: bob, Flags: NO_DIRECT, Paths: paths };
    expect(world.attempt({ ...payment, Amount: xrp(1), SendMax: usd('1') })).toBe('temBAD_PATH');
  });

  test('is dry where the account in the middle lets nothing pass', () => {
    const carol = world.person('carol', 10_000n * XRP);
    const middle = world.person('middle', 10_000n * XRP);
    trust(carol, usd('10000'));
    result({ TransactionType: 'TrustSet', Account: middle, LimitAmount: usd('10000'), Flags: 0x00020000 });
    const ofMiddle = (value: string) => issued('USD', middle, value);
    trust(carol, ofMiddle('10000'));
    expect(result({ TransactionType: 'Payment', Account: middle, Destination: carol, Amount: ofMiddle('1000') })).toBe(
      'tesSUCCESS',
    );
    issue(middle, usd('1000'));
    expect(offer(carol, xrp(1), ofMiddle('1000'))).toBe('tesSUCCESS');
    const path = [{ currency: 'USD', issuer: middle }, { account: middle }, { account: gateway }];
    expect(
      result({
        TransactionType: 'Payment',
        Account: bob,
        Destination: bob,
        Amount: usd('100'),
        SendMax: xrp(1),
        Flags: NO_DIRECT,
        Paths: [path],
      }),
    ).toBe('tecPATH_DRY');
  });

  test('is not dry because the owner of its offers runs into its reserve on the way', () => {
    const carol = world.person('carol', 10_000n * XRP);
    const tight = world.person('tight', reserve(5));
    trust(carol, of('GBP', '1000'));
    trust(tight, of('CHF', '1000'));
    trust(tight, of('GBP', '1000'));
    trust(alice, of('CHF', '1000'));
    issue(alice, of('CHF', '50'));
    issue(tight, of('GBP', '50'));
    expect(offer(tight, of('CHF', '50'), xrp(50))).toBe('tesSUCCESS');
    expect(offer(tight, xrp(50), of('GBP', '50'))).toBe('tesSUCCESS');
    const payment = { TransactionType: 'Payment', Account: alice, Destination: carol, Flags: NO_DIRECT | PARTIAL };
    expect(
      result({
        ...payment,
        Amount: of('GBP', '1000000'),
        SendMax: of('CHF', '500'),
        Paths: [[bridge, asset('GBP')]],
      }),
    ).toBe('tesSUCCESS');
    const got = Number(world.held(carol, 'GBP', gateway));
    expect(got).toBeGreaterThan(0);
    expect(got).toBeLessThan(50);
  });

  test('does not let a payer spend the XRP that its own offer brings it', () => {
    const self = world.person('self', 10_000n * XRP);
    trust(self, of('SEK', '20'));
    issue(self, of('SEK', '10'));
    expect(offer(self, xrp(50_000), of('SEK', '10'))).toBe('tesSUCCESS');
    const paid = result({
      TransactionType: 'Payment',
      Account: self,
      Destination: self,
      Amount: of('SEK', '10'),
      SendMax: xrp(20_000),
      Flags: NO_DIRECT | PARTIAL,
      Paths: [[{ currency: 'SEK', issuer: gateway }]],
    });
    expect(paid).toBe('tesSUCCESS');
    expect(world.held(self, 'SEK', gateway)).toBe('10');
    // It had 10,000 XRP less its reserve, and could pay no more than those, though each came back to it.
    const [left] = world.offers(self);
    expect(left && isIssued(left.TakerGets) ? Number(left.TakerGets.value) : 0).toBeGreaterThan(8);
  });
});
