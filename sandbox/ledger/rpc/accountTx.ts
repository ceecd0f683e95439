import type { ValidatedTransaction } from '../history.ts';
import { isObject, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { asBool, asInt, asText, asUint, hashIn, invalidField, requireBoolean, toUint } from './fields.ts';
import { metaBlob, positionFields, shownMeta, shownTransaction } from './render.ts';
import { ledgerAt, ledgerOfHash, ledgerOfName, pageLimit, type Selected, selectAccount } from './select.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const LIMITS = { least: 10, usual: 200, most: 400 };
const BAD_MARKER =
  'invalid marker. Provide ledger index via ledger field, and transaction sequence number via seq field';

type Range = { readonly min: number; readonly max: number };
type Place = { readonly ledger: number; readonly seq: number };

/** One end of a range; a negative one, as one that is absent, stands for the first or last ledger there is. */
function bound(request: JsonObject, name: 'ledger_index_min' | 'ledger_index_max'): number | undefined {
  if (!(name in request)) return undefined;
  const index = asInt(request[name]);
  return index < 0 ? undefined : index;
}

/** A range as a faulty server searches it: with less at either end than it should have. */
function narrowed({ node }: RpcContext, { min, max }: Range): Range {
  const { dropOldest, dropNewest } = node.faults.current.narrowAccountTx;
  const from = Math.min(min + dropOldest, max);
  return { min: from, max: Math.max(max - dropNewest, from) };
}

/** What a request says of the ledgers to search: a range, of which either end may be open, one ledger, or nothing. */
type Search =
  | { readonly min?: number | undefined; readonly max?: number | undefined }
  | { readonly one: () => Selected };

const hasRange = (request: JsonObject): boolean => 'ledger_index_min' in request || 'ledger_index_max' in request;

function searchOf(context: RpcContext, request: JsonObject): Search {
  const isOne = 'ledger_hash' in request || 'ledger_index' in request;
  if (context.apiVersion > 1 && hasRange(request) && isOne) {
    throw new RpcError('invalidParams', { message: 'invalidParams' });
  }
  if (hasRange(request)) return { min: bound(request, 'ledger_index_min'), max: bound(request, 'ledger_index_max') };
  if ('ledger_hash' in request) {
    const { ledger_hash: value } = request;
    if (typeof value !== 'string') throw new RpcError('invalidParams', { message: 'ledgerHashNotString' });
    const hash = hashIn(value);
    if (hash === undefined) throw new RpcError('invalidParams', { message: 'ledgerHashMalformed' });
    return { one: () => ledgerOfHash(context, hash) };
  }
  if (!('ledger_index' in request)) return {};
  const { ledger_index: index } = request;
  if (typeof index === 'number' || typeof index === 'boolean') {
    const asked = asUint(index);
    return { one: () => ledgerAt(context, asked) };
  }
  const named = ledgerOfName(context, asText(index));
  if (!named) throw new RpcError('invalidParams', { message: 'ledger_index string malformed' });
  return { one: () => named };
}

/** The ledgers to search: version 1 narrows a range to what is held, version 2 refuses what is not held. */
function searchRange(context: RpcContext, search: Search): Range {
  const { apiVersion, node } = context;
  const { from: first, to: last } = node.searchable;
  if ('one' in search) {
    const { view, closed } = search.one();
    const { ledgerIndex } = view;
    if (!closed || ledgerIndex < first || ledgerIndex > last) throw new RpcError('lgrNotValidated');
    return { min: ledgerIndex, max: ledgerIndex };
  }
  const { min = 0, max = Number.POSITIVE_INFINITY } = search;
  const isBeyond = (max > last && max !== Number.POSITIVE_INFINITY) || (min < first && min !== 0);
  if (apiVersion > 1 && isBeyond) throw new RpcError('lgrIdxMalformed');
  const range = { min: Math.max(min, first), max: Math.min(max, last) };
  if (range.max < range.min) throw new RpcError(apiVersion > 1 ? 'invalidLgrRange' : 'lgrIdxsInvalid');
  return range;
}

const MIXED_MARKERS =
  'Do not mix delegate and non-delegate pagination markers in account_tx; repeat the same `delegate` object when using a delegate marker.';

/** Of an account's transactions, those that a delegate sent: `actor` for the account, `authorizer` as the account. */
function delegateFilter(context: RpcContext, request: JsonObject, address: string) {
  if (!('delegate' in request) || !context.chain.rules.amendments.has('PermissionDelegationV1_1')) return undefined;
  const { delegate: asked } = request;
  if (!isObject(asked)) throw invalidField('delegate');
  const { delegate_filter: role, counter_party: other } = asked;
  if (role !== 'actor' && role !== 'authorizer') throw invalidField('delegate_filter');
  if (other !== undefined && typeof other !== 'string') throw invalidField('counter_party');
  if (other !== undefined && !isAddress(other)) throw new RpcError('actMalformed');
  return ({ tx: { fields } }: ValidatedTransaction): boolean => {
    const { Account: account, Delegate: delegate } = fields;
    const [own, another] = role === 'actor' ? [account, delegate] : [delegate, account];
    return delegate !== undefined && own === address && (other === undefined || other === another);
  };
}

function readMarker({ node }: RpcContext, request: JsonObject, ofDelegate: boolean): Place | undefined {
  const { marker } = request;
  if (!('marker' in request)) return undefined;
  if (isObject(marker) && 'ledger' in marker && 'seq' in marker) {
    const place = { ledger: toUint(marker.ledger), seq: toUint(marker.seq) };
    const { ledger, seq } = place;
    if (asBool(marker.delegate) !== ofDelegate) throw new RpcError('invalidParams', { message: MIXED_MARKERS });
    const given = { ...place, ...(ofDelegate ? { delegate: true } : {}) };
    if (ledger !== undefined && seq !== undefined && node.markers.isGood(given as JsonObject)) return { ledger, seq };
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
  if (apiVersion > 1) for (const name of ['binary', 'forward']) requireBoolean(request, name);
  const limit = pageLimit(request, LIMITS);
  const binary = asBool(request.binary);
  const address = selectAccount(request);
  const search = searchOf(context, request);
  const isAsked = delegateFilter(context, request, address);
  const marker = readMarker(context, request, isAsked !== undefined);
  const range = narrowed(context, searchRange(context, search));
  const history = chain.history.ofAccount(address);
  const { entries, next } = page(isAsked ? history.filter(isAsked) : history, range, {
    marker,
    forward: asBool(request.forward),
    limit,
  });
  return {
    account: address,
    ledger_index_max: range.max,
    ledger_index_min: range.min,
    limit,
    ...(next ? { marker: node.markers.give({ ...placeOf(next), ...(isAsked ? { delegate: true } : {}) }) } : {}),
    transactions: entries.map((entry) => shown(entry, context, binary)),
    validated: true,
  };
};
