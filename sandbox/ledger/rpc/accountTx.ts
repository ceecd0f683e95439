import type { ValidatedTransaction } from '../history.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { metaBlob, positionFields, shownMeta, shownTransaction } from './render.ts';
import { pageLimit, selectAccount, selectLedger } from './select.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const LIMITS = { least: 10, usual: 200, most: 400 };
const BAD_MARKER =
  'invalid marker. Provide ledger index via ledger field, and transaction sequence number via seq field';

type Range = { readonly min: number; readonly max: number };
type Place = { readonly ledger: number; readonly seq: number };

function bound(request: JsonObject, name: 'ledger_index_min' | 'ledger_index_max'): number | undefined {
  const value = request[name];
  if (value === undefined) return undefined;
  if (typeof value === 'number' && Number.isInteger(value)) return value;
  throw new RpcError('invalidParams', { message: `Invalid field '${name}', not integer.` });
}

/** A range as a faulty server searches it: with less at either end than it should have. */
function narrowed({ node }: RpcContext, { min, max }: Range): Range {
  const { dropOldest, dropNewest } = node.faults.current.narrowAccountTx;
  const from = Math.min(min + dropOldest, max);
  return { min: from, max: Math.max(max - dropNewest, from) };
}

/** The ledgers to search: version 1 narrows a range to what is held, version 2 refuses what is not held. */
function searchRange(context: RpcContext, request: JsonObject): Range {
  const { apiVersion, node } = context;
  const { from: first, to: last } = node.searchable;
  const min = bound(request, 'ledger_index_min');
  const max = bound(request, 'ledger_index_max');
  if (min !== undefined || max !== undefined) {
    const oneLedger = request.ledger_index !== undefined || request.ledger_hash !== undefined;
    if (apiVersion === 2 && oneLedger) throw new RpcError('invalidParams');
    const from = min === undefined || min === -1 ? first : min;
    const to = max === undefined || max === -1 ? last : max;
    if (apiVersion === 2) {
      if (from > last || to > last || from < first || to < first) throw new RpcError('lgrIdxMalformed');
      if (to < from) throw new RpcError('invalidLgrRange');
      return { min: from, max: to };
    }
    const clamped = { min: Math.max(from, first), max: Math.min(to, last) };
    if (clamped.max < clamped.min) throw new RpcError('lgrIdxsInvalid');
    return clamped;
  }
  if (request.ledger_index === undefined && request.ledger_hash === undefined) return { min: first, max: last };
  const { view } = selectLedger(context, request);
  return { min: view.ledgerIndex, max: view.ledgerIndex };
}

function readMarker({ node }: RpcContext, marker: Json | undefined): Place | undefined {
  if (marker === undefined) return undefined;
  if (isObject(marker) && typeof marker.ledger === 'number' && typeof marker.seq === 'number') {
    const place = { ledger: marker.ledger, seq: marker.seq };
    if (node.markers.isGood(place)) return place;
  }
  throw new RpcError('invalidParams', { message: BAD_MARKER });
}

const placeOf = (entry: ValidatedTransaction): Place => ({
  ledger: entry.ledger.ledgerIndex,
  seq: entry.meta.TransactionIndex,
});

/** First position at or after a place, in a list sorted by place. */
function lowerBound(list: readonly ValidatedTransaction[], { ledger, seq }: Place): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const entry = list[middle];
    const place = entry ? placeOf(entry) : { ledger: 0, seq: 0 };
    if (place.ledger < ledger || (place.ledger === ledger && place.seq < seq)) low = middle + 1;
    else high = middle;
  }
  return low;
}

type Page = { readonly entries: readonly ValidatedTransaction[]; readonly next: ValidatedTransaction | undefined };

/** One page of an account's history; `next` is the transaction the following page starts with. */
function page(
  list: readonly ValidatedTransaction[],
  range: Range,
  options: { marker: Place | undefined; forward: boolean; limit: number },
): Page {
  const { marker, forward, limit } = options;
  let start = lowerBound(list, { ledger: range.min, seq: 0 });
  let end = lowerBound(list, { ledger: range.max + 1, seq: 0 });
  if (forward) {
    if (marker) start = Math.max(start, lowerBound(list, marker));
    const stop = Math.min(start + limit, end);
    return { entries: list.slice(start, stop), next: stop < end ? list[stop] : undefined };
  }
  if (marker) end = Math.min(end, lowerBound(list, { ledger: marker.ledger, seq: marker.seq + 1 }));
  const stop = Math.max(end - limit, start);
  return { entries: list.slice(stop, end).reverse(), next: stop > start ? list[stop - 1] : undefined };
}

function shown(entry: ValidatedTransaction, { apiVersion, node }: RpcContext, binary: boolean): JsonObject {
  const { tx, meta, ledger } = entry;
  if (binary) {
    const metaField = apiVersion === 1 ? 'meta' : 'meta_blob';
    return { ledger_index: ledger.ledgerIndex, [metaField]: metaBlob(meta), tx_blob: tx.blob, validated: true };
  }
  const shownTx = shownTransaction(entry, apiVersion, node.rules.networkId);
  const shownMetadata = shownMeta(meta, tx.fields);
  return apiVersion === 1
    ? { meta: shownMetadata, tx: shownTx, validated: true }
    : { ...positionFields(ledger), hash: tx.hash, meta: shownMetadata, tx_json: shownTx, validated: true };
}

/** `account_tx`: what touched an account, newest first unless `forward`. */
export const accountTx: Handler = (context, request) => {
  const { apiVersion, chain, node } = context;
  if (apiVersion === 2) {
    for (const name of ['binary', 'forward'] as const) {
      const value = request[name];
      if (value !== undefined && typeof value !== 'boolean') {
        throw new RpcError('invalidParams', { message: `Invalid field '${name}'.` });
      }
    }
  }
  const limit = pageLimit(request, LIMITS);
  const address = selectAccount(request);
  const range = narrowed(context, searchRange(context, request));
  const marker = readMarker(context, request.marker);
  const binary = Boolean(request.binary);
  const { entries, next } = page(chain.history.ofAccount(address), range, {
    marker,
    forward: Boolean(request.forward),
    limit,
  });
  return {
    account: address,
    ledger_index_max: range.max,
    ledger_index_min: range.min,
    limit,
    ...(next ? { marker: node.markers.give(placeOf(next)) } : {}),
    transactions: entries.map((entry) => shown(entry, context, binary)),
    validated: true,
  };
};
