/** `mantissa × 10^exponent` tokens, of one of two kinds of accounts. */
export interface Held {
  mantissa: bigint;
  exponent: number;
  excluded: boolean;
}

/** The smallest power of ten that a balance of the ledger knows. */
const UNIT_EXPONENT = 96;
const DECIMALS_SHOWN = 6;
const PARTS = 1_000_000n;
const EDGES = [0n, 1n, 10n, 100n, 1_000n, 10_000n, 100_000n, 1_000_000n];

const tenTo = (exponent: number): bigint => 10n ** BigInt(exponent);
const units = ({ mantissa, exponent }: Held): bigint => mantissa * tenTo(exponent + UNIT_EXPONENT);
const total = (values: readonly bigint[]): bigint => values.reduce((sum, value) => sum + value, 0n);

/** Units as tokens in text; `halves` is twice the number of units. */
function textOfHalves(halves: bigint): string {
  const tenths = (halves * 5n).toString().padStart(UNIT_EXPONENT + 2, '0');
  const [whole, fraction] = [tenths.slice(0, -(UNIT_EXPONENT + 1)), tenths.slice(-(UNIT_EXPONENT + 1))];
  const least = fraction.slice(0, DECIMALS_SHOWN);
  return `${whole}.${least}${fraction.slice(DECIMALS_SHOWN).replace(/0+$/, '')}`;
}

/** The whole number of millionths that lies nearest to the fraction; of two as near the greater. */
function millionths(part: bigint, whole: bigint): number {
  const below = (part * PARTS) / whole;
  const rest = part * PARTS - below * whole;
  return Number(2n * rest >= whole ? below + 1n : below) / Number(PARTS);
}

/** The Gini coefficient by its definition: half the mean difference of all pairs, over the mean. */
function gini(values: readonly bigint[]): number {
  let differences = 0n;
  for (const a of values) for (const b of values) differences += a > b ? a - b : b - a;
  return millionths(differences, 2n * BigInt(values.length) * total(values));
}

/** What the statistics of these balances must be, computed on whole numbers only. */
export function expectedDistribution(held: readonly Held[]) {
  const values = held
    .filter(({ excluded }) => !excluded)
    .map(units)
    .toSorted((a, b) => (a > b ? -1 : a < b ? 1 : 0));
  const aside = held.filter(({ excluded }) => excluded).map(units);
  const supply = total(values);
  const isNobody = values.length === 0;
  const middle = (values.length - 1) / 2;
  const steps = EDGES.map((edge) => edge * tenTo(UNIT_EXPONENT));
  return {
    holders: values.length,
    supply: textOfHalves(2n * supply),
    excluded: { accounts: aside.length, balance: textOfHalves(2n * total(aside)) },
    top_10_share: isNobody ? null : millionths(total(values.slice(0, 10)), supply),
    top_100_share: isNobody ? null : millionths(total(values.slice(0, 100)), supply),
    gini: isNobody ? null : gini(values),
    median: isNobody ? null : textOfHalves((values[Math.floor(middle)] ?? 0n) + (values[Math.ceil(middle)] ?? 0n)),
    histogram: steps.map((from, step) => {
      const to = steps[step + 1];
      return {
        from: textOfHalves(2n * from),
        to: to === undefined ? null : textOfHalves(2n * to),
        holders: values.filter((value) => value >= from && (to === undefined || value < to)).length,
      };
    }),
  };
}
