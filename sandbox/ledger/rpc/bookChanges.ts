import {
  add,
  compare,
  type Decimal,
  formatDecimal,
  isNegative,
  isZero,
  negate,
  parseDecimal,
  subtract,
} from '../amount.ts';
import { divideQuantities } from '../engine/paths/quality.ts';
import type { ValidatedTransaction } from '../history.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { selectLedger } from './select.ts';
import type { Handler } from './types.ts';

/** One side of a trade: how much of what moved. */
type Side = { readonly name: string; readonly isXrp: boolean; readonly amount: Decimal };

type Tally = {
  readonly first: string;
  readonly second: string;
  readonly open: Decimal;
  volumes: readonly [Decimal, Decimal];
  high: Decimal;
  low: Decimal;
  close: Decimal;
  /** That of the last trade: the server counts a pair once, in whatever domain it was traded. */
  domain: string | undefined;
};

const absolute = (value: Decimal): Decimal => (isNegative(value) ? negate(value) : value);

function sideOf(before: Json | undefined, after: Json | undefined): Side | undefined {
  if (typeof before === 'string' && typeof after === 'string') {
    return { name: 'XRP', isXrp: true, amount: subtract(parseDecimal(after), parseDecimal(before)) };
  }
  if (!isObject(before) || !isObject(after) || after.currency === undefined) return undefined;
  const amount = subtract(parseDecimal(String(after.value)), parseDecimal(String(before.value)));
  return { name: `${after.issuer}/${after.currency}`, isXrp: false, amount };
}

/** What of each offer a transaction took; one that was cancelled by it was not taken. */
function* trades({
  tx,
  meta,
}: ValidatedTransaction): Generator<{ gets: Side; pays: Side; domain: string | undefined }> {
  const { TransactionType: type, OfferSequence: cancelled } = tx.fields;
  const cancels = type === 'OfferCancel' || type === 'OfferCreate';
  for (const { ModifiedNode: modified, DeletedNode: deleted } of meta.AffectedNodes) {
    const node = isObject(modified) ? modified : deleted;
    if (!isObject(node) || node.LedgerEntryType !== 'Offer') continue;
    const { FinalFields: after, PreviousFields: before } = node;
    if (!isObject(after) || !isObject(before)) continue;
    if (isObject(deleted) && cancels && cancelled !== undefined && after.Sequence === cancelled) continue;
    const gets = sideOf(before.TakerGets, after.TakerGets);
    const pays = sideOf(before.TakerPays, after.TakerPays);
    if (gets && pays) yield { gets, pays, domain: after.DomainID === undefined ? undefined : String(after.DomainID) };
  }
}

function count(tallies: Map<string, Tally>, gets: Side, pays: Side, domain: string | undefined): void {
  const getsFirst = gets.isXrp || (!pays.isXrp && gets.name < pays.name);
  const [first, second] = getsFirst ? [gets, pays] : [pays, gets];
  if (isZero(second.amount)) return;
  const [a, b] = [absolute(first.amount), absolute(second.amount)];
  const rate = isZero(a) ? a : divideQuantities(a, b);
  const key = `${first.name}|${second.name}`;
  const known = tallies.get(key);
  if (!known) {
    const names = { first: first.name, second: second.name, domain };
    tallies.set(key, { ...names, volumes: [a, b], open: rate, high: rate, low: rate, close: rate });
    return;
  }
  known.volumes = [add(known.volumes[0], a), add(known.volumes[1], b)];
  if (compare(rate, known.high) > 0) known.high = rate;
  if (compare(rate, known.low) < 0) known.low = rate;
  known.close = rate;
  known.domain = domain;
}

const currencyOf = (name: string): string => (name === 'XRP' ? 'XRP_drops' : name);

/**
 * How the prices and volumes of the order books changed by the transactions of a ledger, pair by pair. They count in the
 * order in which a ledger holds them: that of their hashes.
 */
export function bookChangesOf(transactions: readonly ValidatedTransaction[]): JsonObject[] {
  const tallies = new Map<string, Tally>();
  for (const entry of [...transactions].sort((a, b) => (a.tx.hash < b.tx.hash ? -1 : 1))) {
    for (const { gets, pays, domain } of trades(entry)) count(tallies, gets, pays, domain);
  }
  return [...tallies]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { first, second, volumes, high, low, open, close, domain }]) => ({
      close: formatDecimal(close),
      currency_a: currencyOf(first),
      currency_b: currencyOf(second),
      ...(domain === undefined ? {} : { domain }),
      high: formatDecimal(high),
      low: formatDecimal(low),
      open: formatDecimal(open),
      volume_a: formatDecimal(volumes[0]),
      volume_b: formatDecimal(volumes[1]),
    }));
}

/** `book_changes`: how the order books changed in one ledger. */
export const bookChanges: Handler = (context, request) => {
  const { closed, view, fields } = selectLedger(context, request);
  const { hash, closeTime } = (closed ?? context.node.last).header;
  return {
    changes: bookChangesOf(closed?.transactions ?? []),
    ledger_hash: hash,
    ledger_index: view.ledgerIndex,
    ledger_time: closeTime,
    type: 'bookChanges',
    validated: fields.validated,
  };
};
