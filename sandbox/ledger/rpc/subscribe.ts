import { hostname } from 'node:os';
import type { ClosedLedger } from '../history.ts';
import { isObject, type Json, type JsonDraft, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import type { ServerNode } from '../node.ts';
import { addressIn, asBool } from './fields.ts';
import { loadLevels } from './load.ts';
import { NODE_KEY, randomBits } from './server.ts';
import { bookKeys, bookSnapshots, subscribedBooks } from './subscribedBooks.ts';
import { type Handler, type RpcContext, RpcError, type StreamWish, type Subscriber } from './types.ts';

/** Streams by their names; old clients call one of them differently. */
const STREAMS: ReadonlyMap<string, string> = new Map([
  ...[
    'book_changes',
    'consensus',
    'ledger',
    'manifests',
    'peer_status',
    'server',
    'transactions',
    'transactions_proposed',
    'validations',
  ].map((name) => [name, name] as const),
  ['rt_transactions', 'transactions_proposed'],
]);

const NOTHING: StreamWish = { streams: [], accounts: [], accountsProposed: [], books: [] };
const EXPERIMENTAL = 'account_history_tx_stream is an experimental feature and likely to be removed in the future';

/** The ledger stream's values: at subscription and, with `type` and `txn_count`, at every close. */
export function ledgerStreamFields({ rules, completeLedgers }: ServerNode, { header }: ClosedLedger): JsonObject {
  return {
    fee_base: Number(rules.baseFeeDrops),
    ledger_hash: header.hash,
    ledger_index: header.ledgerIndex,
    ledger_time: header.closeTime,
    network_id: rules.networkId,
    reserve_base: Number(rules.reserveBaseDrops),
    reserve_inc: Number(rules.reserveIncDrops),
    validated_ledgers: completeLedgers,
  };
}

/** The streams of a request one by one: those before a name that is none are taken all the same. */
function* streamsOf({ streams }: JsonObject): Generator<string> {
  if (streams === undefined) return;
  if (!Array.isArray(streams)) throw new RpcError('invalidParams');
  for (const name of streams) {
    const stream = typeof name === 'string' ? STREAMS.get(name) : undefined;
    if (stream === undefined) throw new RpcError('malformedStream');
    yield stream;
  }
}

function addresses(value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new RpcError('invalidParams');
  const wellFormed = value.length > 0 && value.every((each) => typeof each === 'string' && isAddress(each));
  if (!wellFormed) throw new RpcError('actMalformed');
  return value.map(String);
}

/** What a request names besides streams, in the order in which the server takes it. */
function* wishesOf(request: JsonObject): Generator<StreamWish> {
  const proposed = 'accounts_proposed' in request ? request.accounts_proposed : request.rt_accounts;
  yield { ...NOTHING, accountsProposed: addresses(proposed) };
  yield { ...NOTHING, accounts: addresses(request.accounts) };
}

/** The account whose history a request asks for. */
function followed(request: JsonObject): string | undefined {
  if (!('account_history_tx_stream' in request)) return undefined;
  const { account_history_tx_stream: wanted } = request;
  if (wanted !== null && !isObject(wanted)) throw new RpcError('internal');
  const address = addressIn(wanted?.account);
  if (address === undefined) throw new RpcError('invalidParams');
  return address;
}

/** Where answers to a subscription go: only to a WebSocket, for nothing is posted to a `url` here. */
function listenerOf({ subscriber }: RpcContext, request: JsonObject): Subscriber {
  if ('url' in request) throw new RpcError('notSupported');
  if (!subscriber) throw new RpcError('invalidParams');
  return subscriber;
}

function serverFields(context: RpcContext): JsonObject {
  const load = loadLevels(context);
  return {
    load_base: load.load_base,
    load_factor: load.load_factor,
    hostid: hostname(),
    pubkey_node: NODE_KEY,
    random: randomBits(),
    server_status: 'full',
    stand_alone: true,
  };
}

export const subscribe: Handler = (context, request) => {
  const { streams, apiVersion, node } = context;
  const listener = listenerOf(context, request);
  const result: JsonDraft = {};
  for (const stream of streamsOf(request)) {
    streams.subscribe(listener, { ...NOTHING, streams: [stream] }, apiVersion);
    if (stream === 'ledger') Object.assign(result, ledgerStreamFields(node, node.last));
    if (stream === 'server') Object.assign(result, serverFields(context));
  }
  for (const wish of wishesOf(request)) streams.subscribe(listener, wish, apiVersion);
  const address = followed(request);
  if (address !== undefined) {
    if (!streams.followAccount(listener, address, apiVersion)) throw new RpcError('invalidParams');
    result.warning = EXPERIMENTAL;
  }
  const books = subscribedBooks(request);
  streams.subscribe(listener, { ...NOTHING, books: bookKeys(books) }, apiVersion);
  return { ...result, ...bookSnapshots(context, books) };
};

export const unsubscribe: Handler = (context, request) => {
  const { streams } = context;
  const listener = listenerOf(context, request);
  for (const stream of streamsOf(request)) {
    // The server takes subscriptions to this one, but knows no way out of it.
    if (stream === 'book_changes') throw new RpcError('malformedStream');
    streams.unsubscribe(listener, { ...NOTHING, streams: [stream] });
  }
  for (const wish of wishesOf(request)) streams.unsubscribe(listener, wish);
  const address = followed(request);
  if (address !== undefined) {
    const wanted = request.account_history_tx_stream as JsonObject;
    streams.unfollowAccount(listener, address, asBool(wanted.stop_history_tx_only));
  }
  streams.unsubscribe(listener, { ...NOTHING, books: bookKeys(subscribedBooks(request)) });
  return {};
};
