import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classicAddressToXAddress, encodeAccountID, encodeForSigning, type Transaction } from 'xrpl';
import { signingBytes } from '#lib/xrpl/signing-bytes.ts';

/** As code writes them: with a prototype. */
const record = <T>(model: { [Key in keyof T]: fc.Arbitrary<T[Key]> }) => fc.record(model, { noNullPrototype: true });
const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });
const hex = (length: number) => bytes(length).map((given) => Buffer.from(given).toString('hex').toUpperCase());
const address = bytes(20).map((given) => encodeAccountID(Buffer.from(given)));
const uint32 = fc.integer({ min: 0, max: 0xffff_ffff });
const drops = fc.bigInt({ min: 0n, max: 100_000_000_000_000_000n }).map(String);
const currency = fc.oneof(
  fc.constantFrom('USD', 'DMO', 'a1$'),
  hex(19).map((rest) => `01${rest}`),
);
const value = fc
  .tuple(fc.bigInt({ min: 1n, max: 9_999_999_999_999_999n }), fc.integer({ min: -90, max: 70 }))
  .map(([mantissa, exponent]) => `${mantissa}e${exponent}`);
/** As the platform writes what it pays: digits, and at most a fraction. */
const plainValue = fc
  .tuple(fc.bigInt({ min: 0n, max: 99_999_999_999_999_999n }), fc.integer({ min: 0, max: 99 }))
  .chain(([digits, places]) => {
    const text = digits.toString().padStart(places + 1, '0');
    const plain = places === 0 ? text : `${text.slice(0, -places)}.${text.slice(-places)}`;
    return fc.constantFrom(plain, `00${plain}`, places === 0 ? `${text}${'0'.repeat(66)}` : `${plain}00`);
  });
const amount = fc.oneof(
  drops,
  record({ currency, issuer: address, value: fc.oneof(value, plainValue) }),
  record({
    mpt_issuance_id: hex(24),
    value: fc.bigInt({ min: 0n, max: 0x7fff_ffff_ffff_ffffn }).map(String),
  }),
);
const optional = <T>(given: fc.Arbitrary<T>) => fc.option(given, { nil: undefined });
const common = {
  Account: address,
  Fee: drops,
  Sequence: uint32,
  TicketSequence: optional(uint32),
  LastLedgerSequence: uint32,
  NetworkID: optional(uint32),
  SourceTag: optional(uint32),
  Flags: optional(uint32),
  SigningPubKey: fc.oneof(hex(33), fc.constant('')),
};
const memos = fc.array(
  record({ Memo: record({ MemoType: hex(5), MemoData: fc.integer({ min: 1, max: 400 }).chain(hex) }) }),
  { minLength: 1, maxLength: 3 },
);
const transaction = fc.oneof(
  record({
    TransactionType: fc.constant('Payment'),
    ...common,
    Destination: address,
    DestinationTag: optional(uint32),
    Amount: amount,
    SendMax: optional(amount),
  }),
  record({ TransactionType: fc.constant('TicketCreate'), ...common, TicketCount: uint32, Memos: optional(memos) }),
  record({
    TransactionType: fc.constant('AccountSet'),
    ...common,
    Domain: optional(hex(200)),
    SetFlag: optional(uint32),
  }),
) as unknown as fc.Arbitrary<Transaction>;

const outcome = <T>(make: () => T): T | string => {
  try {
    return make();
  } catch (error) {
    return `throws ${String(error)}`;
  }
};

describe('the bytes that are signed', () => {
  test('are those of the library, whatever is paid, to whom and in what', () => {
    fc.assert(
      fc.property(transaction, (given) => {
        expect(outcome(() => signingBytes(given))).toBe(outcome(() => encodeForSigning(given)));
      }),
      { numRuns: 300 },
    );
  });

  test('are those of the library for every plain value of a token', () => {
    const payment = {
      TransactionType: 'Payment',
      Account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
      Fee: '12',
      Sequence: 1,
    };
    fc.assert(
      fc.property(plainValue, (value) => {
        const amount = { currency: 'DMO', issuer: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', value };
        const given = { ...payment, Destination: 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka94', Amount: amount } as Transaction;
        expect(outcome(() => signingBytes(given))).toBe(outcome(() => encodeForSigning(given)));
      }),
      { numRuns: 2_000 },
    );
  });

  test('of an X-address are those of its account and tag', () => {
    fc.assert(
      fc.property(address, address, uint32, (account, destination, tag) => {
        const payment = { TransactionType: 'Payment', Account: account, Amount: '1', Fee: '12', Sequence: 1 } as const;
        const given = { ...payment, Destination: classicAddressToXAddress(destination, tag, false) };
        expect(signingBytes(given)).toBe(
          encodeForSigning({ ...payment, Destination: destination, DestinationTag: tag }),
        );
      }),
      { numRuns: 50 },
    );
  });

  test.each([
    ['a fraction of a drop', { Amount: '1.5' }],
    ['more drops than there are', { Amount: '100000000000000001' }],
    ['a fee of more drops than there are', { Fee: '999999999999999999' }],
    ['an address with a typing error', { Destination: 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka95' }],
    [
      'an issuer with a typing error',
      { Amount: { currency: 'USD', issuer: 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka95', value: '1' } },
    ],
    [
      'more digits than the ledger keeps',
      { Amount: { currency: 'USD', issuer: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', value: '1.00000000000000001' } },
    ],
    [
      'a value that the ledger cannot hold',
      { Amount: { currency: 'USD', issuer: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', value: `1${'0'.repeat(96)}` } },
    ],
    [
      'a currency that there is not',
      { Amount: { currency: 'XR', issuer: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh', value: '1' } },
    ],
    ['a sequence beyond 32 bits', { Sequence: 2 ** 32 }],
    ['a sequence that is no whole number', { Sequence: 1.5 }],
    ['a sequence below zero', { Sequence: -1 }],
    ['a field that there is not', { Beneficiary: 'x' }],
  ])('are refused as the library refuses them: %s', (_what, over) => {
    const given = {
      TransactionType: 'Payment',
      Account: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
      Destination: 'rPtC9Yp9ZVnExX5E38HQX9xPVX3gWbka94',
      Amount: '1',
      Fee: '12',
      Sequence: 1,
      ...over,
    } as unknown as Transaction;
    const asked = outcome(() => encodeForSigning(given));
    expect(asked).toMatch(/^throws/);
    expect(outcome(() => signingBytes(given))).toBe(asked);
  });
});
