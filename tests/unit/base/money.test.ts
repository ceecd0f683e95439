import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  costCeil,
  divideCeil,
  divideFloor,
  formatDecimal,
  formatDrops,
  formatLedgerValue,
  formatPrice,
  formatUnits,
  MAX_DROPS,
  parseDecimal,
  parsePrice,
  parseUnits,
  percentageFloor,
  unitsBoughtFloor,
  xrpAmount,
} from '#lib/base/money.ts';
import { priceCodec, xrpCodec } from '#lib/base/money-codecs.ts';

const drops = fc.bigInt({ min: 0n, max: MAX_DROPS });
const price = fc.bigInt({ min: 1n, max: 10n ** 24n });
const decimals = fc.integer({ min: 0, max: 6 });
const bigint = fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 30n });

const expectAlways = <Values>(property: fc.IProperty<Values>) => expect(() => fc.assert(property)).not.toThrow();

describe('text and integer are the same amount', () => {
  test('every drops amount survives being written and read', () => {
    expectAlways(fc.property(drops, (amount) => parseDecimal(formatDrops(amount), 6) === amount));
  });

  test('every drops amount has exactly six fractional digits on the wire', () => {
    expectAlways(fc.property(drops, (amount) => xrpAmount.safeParse(formatDrops(amount)).success));
  });

  test('every token amount survives the wire in every precision', () => {
    expectAlways(
      fc.property(
        drops,
        decimals,
        (units, positions) => parseUnits(formatUnits(units, positions), positions) === units,
      ),
    );
  });

  test('every price survives being written and read', () => {
    expectAlways(fc.property(price, (scaled) => parsePrice(formatPrice(scaled)) === scaled));
  });

  test('a ledger value carries no needless zeros and loses nothing', () => {
    expectAlways(
      fc.property(drops, decimals, (units, positions) => {
        const text = formatLedgerValue(units, positions);
        return parseDecimal(text, positions) === units && !/\.\d*0$|\.$/.test(text);
      }),
    );
  });

  test('a negative amount keeps its sign', () => {
    expect(formatDecimal(-1n, 6)).toBe('-0.000001');
    expect(formatDecimal(-12n, 0)).toBe('-12');
  });

  test.each(['', '-1', '+1', '1e3', '01', '.5', '1.', ' 1', '1 ', '1,5', '0x10', 'NaN', 'Infinity', '٣'])(
    'the text %j is no amount',
    (text) => expect(parseDecimal(text, 6)).toBeNull(),
  );

  test('more digits than the precision holds are refused, never rounded', () => {
    expect(parseDecimal('0.0000001', 6)).toBeNull();
    expect(parseDecimal('0.1000000', 6)).toBe(100_000n);
  });

  test('an amount far beyond what a double holds stays exact', () => {
    expect(formatDrops(99_999_999_999_999_999n)).toBe('99999999999.999999');
    expect(parseDecimal('99999999999.999999', 6)).toBe(99_999_999_999_999_999n);
  });
});

describe('rounding goes the way its name says', () => {
  test('floor and ceiling enclose the exact quotient, for every sign', () => {
    expectAlways(
      fc.property(bigint, positive, fc.boolean(), (a, b, negative) => {
        const divisor = negative ? -b : b;
        const floor = divideFloor(a, divisor);
        const ceil = divideCeil(a, divisor);
        const below =
          divisor > 0n
            ? floor * divisor <= a && (floor + 1n) * divisor > a
            : floor * divisor >= a && (floor + 1n) * divisor < a;
        return below && ceil === (a % divisor === 0n ? floor : floor + 1n);
      }),
    );
  });

  test('what an amount buys never costs more than the amount', () => {
    expectAlways(
      fc.property(drops, price, decimals, (amount, scaled, positions) => {
        const units = unitsBoughtFloor(amount, scaled, positions);
        return units >= 0n && costCeil(units, scaled, positions) <= amount;
      }),
    );
  });

  test('one unit more than an amount buys costs more than the amount', () => {
    expectAlways(
      fc.property(drops, price, decimals, (amount, scaled, positions) => {
        const units = unitsBoughtFloor(amount, scaled, positions);
        return costCeil(units + 1n, scaled, positions) > amount;
      }),
    );
  });

  test('paying the cost of units buys at least these units', () => {
    expectAlways(
      fc.property(drops, price, decimals, (units, scaled, positions) => {
        return unitsBoughtFloor(costCeil(units, scaled, positions), scaled, positions) >= units;
      }),
    );
  });

  test('more drops never buy fewer units', () => {
    expectAlways(
      fc.property(drops, drops, price, decimals, (a, b, scaled, positions) => {
        const [less, more] = a < b ? [a, b] : [b, a];
        return unitsBoughtFloor(less, scaled, positions) <= unitsBoughtFloor(more, scaled, positions);
      }),
    );
  });

  test('250 XRP at 0.10 buy 2500 tokens', () => {
    const scaled = parsePrice('0.10') ?? 0n;
    expect(formatUnits(unitsBoughtFloor(250_000_000n, scaled, 6), 6)).toBe('2500.000000');
    expect(formatDrops(costCeil(2_500_000_000n, scaled, 6))).toBe('250.000000');
  });

  test('a percentage is never rounded up to a hundred', () => {
    expect(percentageFloor(MAX_DROPS - 1n, MAX_DROPS)).toBe(99.99);
    expect(percentageFloor(1n, 0n)).toBe(0);
  });
});

describe('amounts from clients', () => {
  test('XRP is read to the drop and written with six digits', () => {
    expect(xrpCodec.decode('250.5')).toBe(250_500_000n);
    expect(xrpCodec.encode(250_500_000n)).toBe('250.500000');
  });

  test.each(['100000000000.000001', '1.0000001', '-1', '1e9'])('%s XRP is refused', (text) => {
    expect(xrpCodec.safeDecode(text).success).toBe(false);
  });

  test('a price of zero is refused', () => {
    expect(priceCodec.safeDecode('0').success).toBe(false);
    expect(priceCodec.safeDecode('0.000000000001').success).toBe(true);
  });
});
