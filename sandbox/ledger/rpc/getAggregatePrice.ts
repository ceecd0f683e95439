import { add, compare, type Decimal, formatDecimal, normalize, subtract, ZERO } from '../amount.ts';
import { divideQuantities } from '../engine/paths/quality.ts';
import type { Oracle } from '../entries.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { oracleIndex } from '../keylets.ts';
import { read } from '../state.ts';
import { addWide, divideWide, formatWide, multiplyWide, squareRoot, wide } from '../wideNumber.ts';
import { addressIn, missingField, toUint } from './fields.ts';
import { selectLedger } from './select.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const MAX_ORACLES = 200;
const MAX_TRIM_PERCENT = 25;
/** So many updates of an oracle are looked through for one that priced the pair, the one that it shows among them. */
const MAX_UPDATES = 3;

type Pair = { readonly base: Json | undefined; readonly quote: Json | undefined };
type Priced = { readonly price: Decimal; readonly time: number };
/** What an update of an oracle left, as the entry or as metadata shows it. */
type Update = Pick<Oracle, 'LastUpdateTime' | 'PriceDataSeries'>;
type Thread = Pick<Oracle, 'PreviousTxnID'>;

/** A currency that an oracle prices. */
const isPriced = (value: Json | undefined): boolean =>
  typeof value === 'string' && /^(?:[0-9A-Za-z<>(){}[\]|?!@#$%^&*]{3}|[0-9A-Fa-f]{40})$/.test(value);

function numberIn(value: Json | undefined): number {
  const number = typeof value === 'number' || typeof value === 'string' ? toUint(value) : undefined;
  if (number === undefined) throw new RpcError('invalidParams');
  return number;
}

/** The key of an oracle that a request names. */
function oracleKey(oracle: Json, fields: JsonObject): string {
  if (!isObject(oracle) || !('account' in oracle) || !('oracle_document_id' in oracle)) {
    throw new RpcError('oracleMalformed', { fields });
  }
  const { oracle_document_id: id } = oracle;
  const number = typeof id === 'number' || typeof id === 'string' ? toUint(id) : undefined;
  const address = addressIn(oracle.account);
  if (number === undefined || address === undefined) throw new RpcError('invalidParams', { fields });
  return oracleIndex(address, number);
}

function priceIn(update: Update, { base, quote }: Pair): Priced | undefined {
  for (const { PriceData: data } of update.PriceDataSeries) {
    if (data.BaseAsset !== base || data.QuoteAsset !== quote || data.AssetPrice === undefined) continue;
    return { price: normalize(BigInt(`0x${data.AssetPrice}`), -(data.Scale ?? 0)), time: update.LastUpdateTime };
  }
  return undefined;
}

/** What the last updates of an oracle left, the latest first. */
function* lastUpdates({ node }: RpcContext, oracle: Oracle): Generator<Update> {
  let thread: Thread = oracle;
  for (let back = 1; back <= MAX_UPDATES; back++) {
    const nodes = node.transaction(thread.PreviousTxnID)?.meta.AffectedNodes ?? [];
    const changes = nodes.flatMap((affected) => Object.values(affected)).filter(isObject);
    const change = changes.find(({ LedgerEntryType: type }) => type === 'Oracle');
    if (!change) return;
    const created = change.NewFields as Update | undefined;
    // Created by the very transaction that left it as it is: nothing was before.
    if (created && back === 1) return;
    yield created ?? (change.FinalFields as Update);
    if (created) return;
    thread = change as Thread;
  }
}

/** The last price of a pair that an oracle gave. */
function lastPrice(context: RpcContext, oracle: Oracle, pair: Pair): Priced | undefined {
  const now = priceIn(oracle, pair);
  if (now) return now;
  for (const update of lastUpdates(context, oracle)) {
    const earlier = priceIn(update, pair);
    if (earlier) return earlier;
  }
  return undefined;
}

const counted = (count: number): Decimal => normalize(BigInt(count), 0);
const quotient = (sum: Decimal, count: number): Decimal =>
  sum.mantissa === 0n ? sum : divideQuantities(sum, counted(count));

/** Mean, size and standard deviation of a sample. */
function statistics(prices: readonly Decimal[]): JsonObject {
  const mean = quotient(prices.reduce(add, ZERO), prices.length);
  let squares = wide(0n);
  for (const price of prices) {
    const { mantissa, exponent } = subtract(price, mean);
    const distance = wide(mantissa, exponent);
    squares = addWide(squares, multiplyWide(distance, distance));
  }
  const deviation = prices.length > 1 ? squareRoot(divideWide(squares, wide(BigInt(prices.length - 1)))) : wide(0n);
  return { mean: formatDecimal(mean), size: prices.length, standard_deviation: formatWide(deviation) };
}

/** The middle price of a sorted list, or the mean of the two in the middle. */
function median(sorted: readonly Decimal[]): Decimal {
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? ZERO;
  return sorted.length % 2 === 1 ? upper : quotient(add(sorted[middle - 1] ?? ZERO, upper), 2);
}

/** `get_aggregate_price`: what oracles say of a pair of currencies, as statistics. */
export const aggregatePrice: Handler = (context, request) => {
  const { oracles, base_asset: base, quote_asset: quote } = request;
  if (!('oracles' in request)) throw missingField('oracles');
  if (!Array.isArray(oracles) || oracles.length === 0 || oracles.length > MAX_ORACLES) {
    throw new RpcError('oracleMalformed');
  }
  for (const name of ['base_asset', 'quote_asset']) if (!(name in request)) throw missingField(name);
  const trim = 'trim' in request ? numberIn(request.trim) : undefined;
  if (trim === 0 || (trim ?? 0) > MAX_TRIM_PERCENT) throw new RpcError('invalidParams');
  const threshold = 'time_threshold' in request ? numberIn(request.time_threshold) : 0;
  if (!isPriced(base) || !isPriced(quote)) throw new RpcError('invalidParams');
  const { view, fields } = selectLedger(context, request);
  const found = oracles.flatMap((named) => {
    const oracle = read(view, 'Oracle', oracleKey(named, fields));
    return (oracle && lastPrice(context, oracle, { base, quote })) ?? [];
  });
  if (found.length === 0) throw new RpcError('objectNotFound', { fields });
  const latest = Math.max(...found.map(({ time }) => time));
  const oldest = threshold > 0 && latest > threshold ? latest - threshold : 0;
  const prices = found
    .filter(({ time }) => time >= oldest)
    .map(({ price }) => price)
    .sort(compare);
  const trimmed = Math.floor((prices.length * (trim ?? 0)) / 100);
  return {
    ...fields,
    time: latest,
    entire_set: statistics(prices),
    median: formatDecimal(median(prices)),
    ...(trim === undefined ? {} : { trimmed_set: statistics(prices.slice(trimmed, prices.length - trimmed)) }),
  };
};
