import { CLOSE_TIME_RESOLUTION, type ClosedLedger, headerBlob, RIPPLE_EPOCH_OFFSET } from '../history.ts';
import type { Json, JsonDraft, JsonObject } from '../json.ts';
import type { Transaction } from '../transaction.ts';
import { humanTime, isoTime, metaBlob, placeFields, shownFields, shownMeta } from './render.ts';
import { type Selected, selectLedger } from './select.ts';
import type { ApiVersion, Handler, RpcContext } from './types.ts';

export const ledgerCurrent: Handler = ({ chain }) => ({ ledger_current_index: chain.open.ledgerIndex });

export const ledgerClosed: Handler = ({ chain }) => {
  const { hash, ledgerIndex } = chain.history.last.header;
  return { ledger_hash: hash, ledger_index: ledgerIndex };
};

/** Closes the open ledger at once, as a standalone server does. */
export const ledgerAccept: Handler = ({ chain }) => {
  chain.close();
  return { ledger_current_index: chain.open.ledgerIndex };
};

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
      : { ...placeFields(ledger), hash: tx.hash, meta: shown, tx_json: fields, validated: true };
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

function shownLedger({ chain, apiVersion }: RpcContext, { closed }: Selected, request: JsonObject): JsonDraft {
  const binary = request.binary === true;
  const listing: Listing = { expand: request.expand === true, binary, apiVersion };
  const wantsTransactions = request.transactions === true;
  if (!closed) {
    const { ledgerIndex } = chain.open;
    return {
      closed: false,
      ledger_index: apiVersion === 1 ? String(ledgerIndex) : ledgerIndex,
      parent_hash: chain.history.last.header.hash,
      ...(wantsTransactions ? { transactions: openTransactions(chain.openTransactions.values(), listing) } : {}),
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
  return { ledger: shownLedger(context, selected, request), ...selected.fields };
};
