import { CLOSE_TIME_RESOLUTION, type ClosedLedger, headerBlob, RIPPLE_EPOCH_OFFSET } from '../history.ts';
import type { Json, JsonDraft, JsonObject } from '../json.ts';
import type { Transaction } from '../transaction.ts';
import { ownerFunds } from './ownerFunds.ts';
import { shownQueued } from './queued.ts';
import {
  entryBlob,
  humanTime,
  isoTime,
  metaBlob,
  positionFields,
  shownEntry,
  shownFields,
  shownMeta,
} from './render.ts';
import { namesLedger, type Selected, selectLedger } from './select.ts';
import { type ApiVersion, type Handler, type RpcContext, RpcError } from './types.ts';

export const ledgerCurrent: Handler = ({ node }) => ({ ledger_current_index: node.openIndex });

export const ledgerClosed: Handler = ({ node }) => {
  const { hash, ledgerIndex } = node.last.header;
  return { ledger_hash: hash, ledger_index: ledgerIndex };
};

/** Closes the open ledger at once, as a standalone server does. */
export const ledgerAccept: Handler = ({ chain, node }) => {
  chain.close();
  return { ledger_current_index: node.openIndex };
};

/** The header of the selected ledger, as `ledger` and `ledger_data` show it. */
export function shownLedgerHeader(context: RpcContext, selected: Selected, binary: boolean): JsonDraft {
  return shownLedger(context, selected, { ...HEADER_ONLY, binary });
}

/** What of a ledger a request wants to see. */
type Wanted = Readonly<Record<(typeof OPTIONS)[number], boolean>>;
type Listing = Wanted & { readonly apiVersion: ApiVersion; readonly fundsOf: (tx: Transaction) => JsonObject };

const OPTIONS = ['full', 'transactions', 'accounts', 'expand', 'binary', 'owner_funds', 'queue'] as const;
const HEADER_ONLY = Object.fromEntries(OPTIONS.map((name) => [name, false])) as Wanted;

function wantedOf(request: JsonObject): Wanted {
  const isOption = (value: Json | undefined): boolean => value === undefined || typeof value === 'boolean';
  if (!OPTIONS.every((name) => isOption(request[name]))) throw new RpcError('invalidParams');
  const is = (name: string): boolean => request[name] === true;
  const full = is('full');
  const given = Object.fromEntries(OPTIONS.map((name) => [name, is(name)])) as Wanted;
  return full ? { ...given, transactions: true, accounts: true, expand: true } : given;
}

function byHash<T>(items: readonly T[], hashOf: (item: T) => string): T[] {
  return [...items].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
}

function openTransactions(transactions: Iterable<Transaction>, listing: Listing): Json[] {
  const { expand, binary, apiVersion, fundsOf } = listing;
  return byHash([...transactions], ({ hash }) => hash).map((tx): Json => {
    if (!expand) return tx.hash;
    const funds = fundsOf(tx);
    if (binary) return { ...(apiVersion === 1 ? {} : { hash: tx.hash }), tx_blob: tx.blob, ...funds };
    const fields = shownFields(tx.fields, apiVersion);
    return apiVersion === 1
      ? { ...fields, hash: tx.hash, ...funds }
      : { hash: tx.hash, tx_json: fields, validated: false, ...funds };
  });
}

function closedTransactions({ transactions }: ClosedLedger, listing: Listing): Json[] {
  const { expand, binary, apiVersion, fundsOf } = listing;
  return byHash(transactions, ({ tx }) => tx.hash).map(({ tx, meta, ledger }): Json => {
    if (!expand) return tx.hash;
    const funds = fundsOf(tx);
    if (binary) {
      return apiVersion === 1
        ? { tx_blob: tx.blob, meta: metaBlob(meta), ...funds }
        : { hash: tx.hash, tx_blob: tx.blob, meta_blob: metaBlob(meta), ...funds };
    }
    const fields = shownFields(tx.fields, apiVersion);
    const shown = shownMeta(meta, tx.fields);
    return apiVersion === 1
      ? { ...fields, hash: tx.hash, metaData: shown, ...funds }
      : { ...positionFields(ledger), hash: tx.hash, meta: shown, tx_json: fields, validated: true, ...funds };
  });
}

/** What waits in the transaction queue, best paying first. */
function queueData({ chain, apiVersion }: RpcContext, { expand, binary }: Wanted): Json[] {
  return chain.queue.byFee().map((queued): Json => {
    const { tx } = queued;
    const named = {
      preflight_result: 'tesSUCCESS',
      retries_remaining: queued.retriesLeft,
      ...(queued.lastResult === undefined ? {} : { last_result: queued.lastResult }),
    };
    const common = { ...shownQueued(queued), ...named, account: tx.fields.Account };
    if (!expand) return { ...common, tx: tx.hash };
    if (binary) return { ...common, hash: tx.hash, tx_blob: tx.blob };
    const fields = shownFields(tx.fields, apiVersion);
    return apiVersion === 1
      ? { ...common, tx: { ...fields, hash: tx.hash } }
      : { ...common, hash: tx.hash, tx_json: fields, validated: false };
  });
}

function closedHeader({ header }: ClosedLedger, apiVersion: ApiVersion): JsonDraft {
  return {
    account_hash: header.accountHash,
    close_flags: 0,
    close_time: header.closeTime,
    // Genesis closed at the epoch itself, which the server does not spell out.
    ...(header.closeTime === 0
      ? {}
      : {
          close_time_human: humanTime((header.closeTime + RIPPLE_EPOCH_OFFSET) * 1000),
          close_time_iso: isoTime(header.closeTime),
        }),
    close_time_resolution: CLOSE_TIME_RESOLUTION,
    closed: true,
    ledger_hash: header.hash,
    ledger_index: apiVersion === 1 ? String(header.ledgerIndex) : header.ledgerIndex,
    parent_close_time: header.parentCloseTime,
    parent_hash: header.parentHash,
    total_coins: String(header.totalDrops),
    transaction_hash: header.transactionHash,
  };
}

/** Every entry of a ledger in the order of the keys: the keys alone, or what is under them. */
function shownState({ chain }: RpcContext, { view }: Selected, { expand, binary }: Wanted): Json[] {
  const state: Json[] = [];
  for (const index of chain.state.keysAbove('')) {
    const entry = view.get(index);
    if (!entry) continue;
    if (binary) state.push({ hash: index, tx_blob: entryBlob(entry) });
    else state.push(expand ? shownEntry(entry, index) : index);
  }
  return state;
}

/** The header of the open ledger: of its own it has only its index, the rest is its parent's until it closes. */
function openHeader({ node, apiVersion }: RpcContext, { full, binary }: Wanted): JsonDraft {
  if (binary) return { closed: false };
  const ledgerIndex = apiVersion === 1 ? String(node.openIndex) : node.openIndex;
  const parent = node.last.header;
  if (!full) return { closed: false, ledger_index: ledgerIndex, parent_hash: parent.hash };
  const { closed: _open, ...copied } = closedHeader(node.last, apiVersion);
  return { ...copied, ledger_index: ledgerIndex, parent_hash: parent.hash, parent_close_time: parent.closeTime };
}

function shownLedger(context: RpcContext, selected: Selected, wanted: Wanted): JsonDraft {
  const { node, apiVersion } = context;
  const { closed } = selected;
  const fundsOf = ({ fields }: Transaction): JsonObject => {
    const funds = wanted.owner_funds ? ownerFunds(selected.view, node.rules, fields) : undefined;
    return funds === undefined ? {} : { owner_funds: funds };
  };
  const listing = { ...wanted, apiVersion, fundsOf };
  const header = !closed
    ? openHeader(context, wanted)
    : wanted.binary
      ? { closed: true, ledger_data: headerBlob(closed.header) }
      : closedHeader(closed, apiVersion);
  const listed = closed
    ? () => closedTransactions(closed, listing)
    : () => openTransactions(node.openTransactions, listing);
  return {
    ...header,
    ...(wanted.transactions ? { transactions: listed() } : {}),
    ...(wanted.accounts ? { accountState: shownState(context, selected, wanted) } : {}),
  };
}

const TYPE_DEPRECATED = {
  id: 2004,
  message:
    'Some fields from your request are deprecated. Please check the documentation at https://xrpl.org/docs/references/http-websocket-apis/ and update your request. Field `type` is deprecated.',
};

/** `ledger`: one ledger's header and, on request, its transactions (listed by hash), its state and the queue. */
export const ledger: Handler = (context, request) => {
  const warnings = 'type' in request ? { warnings: [TYPE_DEPRECATED] } : {};
  if (!namesLedger(request)) {
    const last = selectLedger(context, { ledger_index: 'closed' });
    const open = selectLedger(context, {});
    return {
      closed: { ledger: shownLedger(context, last, HEADER_ONLY) },
      open: { ledger: shownLedger(context, open, HEADER_ONLY) },
      ...warnings,
    };
  }
  const selected = selectLedger(context, request);
  const wanted = wantedOf(request);
  if (wanted.queue && selected.closed) throw new RpcError('invalidParams');
  const waiting = wanted.queue ? queueData(context, wanted) : [];
  const queue = waiting.length > 0 ? { queue_data: waiting } : {};
  return { ledger: shownLedger(context, selected, wanted), ...queue, ...selected.fields, ...warnings };
};

/** `ledger_header`, of version 1 only: the header in JSON and in binary. */
export const ledgerHeader: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const { node } = context;
  const parent = node.last.header;
  const header = selected.closed?.header ?? {
    ...parent,
    ledgerIndex: node.openIndex,
    parentHash: parent.hash,
    parentCloseTime: parent.closeTime,
  };
  return {
    ledger: shownLedger(context, selected, HEADER_ONLY),
    ledger_data: headerBlob(header),
    ...selected.fields,
  };
};
