import { CLOSE_TIME_RESOLUTION, type ClosedLedger, headerBlob, RIPPLE_EPOCH_OFFSET } from '../history.ts';
import type { Json, JsonDraft, JsonObject } from '../json.ts';
import type { Transaction } from '../transaction.ts';
import { shownQueued } from './queued.ts';
import { humanTime, isoTime, metaBlob, positionFields, shownFields, shownMeta } from './render.ts';
import { type Selected, selectLedger } from './select.ts';
import type { ApiVersion, Handler, RpcContext } from './types.ts';

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
  return shownLedger(context, selected, { binary });
}

type Listing = { readonly expand: boolean; readonly binary: boolean; readonly apiVersion: ApiVersion };

function byHash<T>(items: readonly T[], hashOf: (item: T) => string): T[] {
  return [...items].sort((a, b) => (hashOf(a) < hashOf(b) ? -1 : 1));
}

function openTransactions(transactions: Iterable<Transaction>, { expand, binary, apiVersion }: Listing): Json[] {
  return byHash([...transactions], ({ hash }) => hash).map((tx): Json => {
    if (!expand) return tx.hash;
    if (binary) return apiVersion === 1 ? { tx_blob: tx.blob } : { hash: tx.hash, tx_blob: tx.blob };
    const fields = shownFields(tx.fields, apiVersion);
    return apiVersion === 1 ? { ...fields, hash: tx.hash } : { hash: tx.hash, tx_json: fields, validated: false };
  });
}

function closedTransactions({ transactions }: ClosedLedger, { expand, binary, apiVersion }: Listing): Json[] {
  return byHash(transactions, ({ tx }) => tx.hash).map(({ tx, meta, ledger }): Json => {
    if (!expand) return tx.hash;
    if (binary) {
      return apiVersion === 1
        ? { tx_blob: tx.blob, meta: metaBlob(meta) }
        : { hash: tx.hash, tx_blob: tx.blob, meta_blob: metaBlob(meta) };
    }
    const fields = shownFields(tx.fields, apiVersion);
    const shown = shownMeta(meta, tx.fields);
    return apiVersion === 1
      ? { ...fields, hash: tx.hash, metaData: shown }
      : { ...positionFields(ledger), hash: tx.hash, meta: shown, tx_json: fields, validated: true };
  });
}

function listingOf({ apiVersion }: RpcContext, request: JsonObject): Listing {
  return { expand: request.expand === true, binary: request.binary === true, apiVersion };
}

/** What waits in the transaction queue, best paying first. */
function queueData({ chain }: RpcContext, { expand, binary, apiVersion }: Listing): Json[] {
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

function shownLedger(context: RpcContext, { closed }: Selected, request: JsonObject): JsonDraft {
  const { node, apiVersion } = context;
  const listing = listingOf(context, request);
  const { binary } = listing;
  const wantsTransactions = request.transactions === true;
  if (!closed) {
    const ledgerIndex = node.openIndex;
    return {
      closed: false,
      ledger_index: apiVersion === 1 ? String(ledgerIndex) : ledgerIndex,
      parent_hash: node.last.header.hash,
      ...(wantsTransactions ? { transactions: openTransactions(node.openTransactions, listing) } : {}),
    };
  }
  return {
    ...(binary ? { closed: true, ledger_data: headerBlob(closed.header) } : closedHeader(closed, apiVersion)),
    ...(wantsTransactions ? { transactions: closedTransactions(closed, listing) } : {}),
  };
}

/** `ledger`: one ledger's header and, on request, its transactions (listed by hash). */
export const ledger: Handler = (context, request) => {
  if (request.ledger_index === undefined && request.ledger_hash === undefined) {
    const last = selectLedger(context, { ledger_index: 'validated' });
    const open = selectLedger(context, {});
    return {
      closed: { ledger: shownLedger(context, last, request) },
      open: { ledger: shownLedger(context, open, request) },
    };
  }
  const selected = selectLedger(context, request);
  const waiting = request.queue === true && !selected.closed ? queueData(context, listingOf(context, request)) : [];
  const queue = waiting.length > 0 ? { queue_data: waiting } : {};
  return { ledger: shownLedger(context, selected, request), ...queue, ...selected.fields };
};
