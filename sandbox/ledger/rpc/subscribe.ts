import { hostname } from 'node:os';
import type { ClosedLedger } from '../history.ts';
import type { Json, JsonDraft, JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import type { ServerNode } from '../node.ts';
import { loadLevels } from './load.ts';
import { NODE_KEY, randomBits } from './server.ts';
import { bookKeys, bookSnapshots, type SubscribedBook, subscribedBooks } from './subscribedBooks.ts';
import { type Handler, RpcError, type StreamWish } from './types.ts';

const STREAMS = new Set([
  'consensus',
  'ledger',
  'manifests',
  'peer_status',
  'server',
  'transactions',
  'transactions_proposed',
  'validations',
]);

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

function addresses(value: Json | undefined): readonly string[] {
  if (value === undefined) return [];
  if (!Array.isArray(value)) throw new RpcError('invalidParams');
  const wellFormed = value.length > 0 && value.every((each) => typeof each === 'string' && isAddress(each));
  if (!wellFormed) throw new RpcError('actMalformed');
  return value.map(String);
}

function wishOf(request: JsonObject): { wish: StreamWish; books: readonly SubscribedBook[] } {
  const { streams = [] } = request;
  if (!Array.isArray(streams)) throw new RpcError('invalidParams');
  for (const stream of streams) {
    if (typeof stream !== 'string' || !STREAMS.has(stream)) throw new RpcError('malformedStream');
  }
  const accountsProposed = addresses(request.accounts_proposed);
  const accounts = addresses(request.accounts);
  const books = subscribedBooks(request);
  return { wish: { streams: streams.map(String), accounts, accountsProposed, books: bookKeys(books) }, books };
}

export const subscribe: Handler = (context, request) => {
  if (!context.subscriber) throw new RpcError('invalidParams');
  const { wish, books } = wishOf(request);
  context.streams.subscribe(context.subscriber, wish, context.apiVersion);
  const result: JsonDraft = wish.streams.includes('ledger')
    ? { ...ledgerStreamFields(context.node, context.node.last) }
    : {};
  if (wish.streams.includes('server')) {
    const load = loadLevels(context);
    Object.assign(result, {
      load_base: load.load_base,
      load_factor: load.load_factor,
      hostid: hostname(),
      pubkey_node: NODE_KEY,
      random: randomBits(),
      server_status: 'full',
      stand_alone: true,
    });
  }
  Object.assign(result, bookSnapshots(context, books));
  return result;
};

export const unsubscribe: Handler = (context, request) => {
  if (!context.subscriber) throw new RpcError('invalidParams');
  context.streams.unsubscribe(context.subscriber, wishOf(request).wish);
  return {};
};
