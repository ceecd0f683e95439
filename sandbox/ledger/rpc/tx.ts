import type { ValidatedTransaction } from '../history.ts';
import type { JsonObject } from '../json.ts';
import { ctid, metaBlob, positionFields, shownFields, shownMeta, shownPending, shownTransaction } from './render.ts';
import { selectLedger } from './select.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const HASH = /^[0-9A-Fa-f]{64}$/;
const CTID = /^C[0-9A-Fa-f]{15}$/i;
/** The widest ledger range a search may name. */
const MAX_RANGE = 1000;

function byCtid({ node }: RpcContext, id: string): ValidatedTransaction | undefined {
  if (Number.parseInt(id.slice(12), 16) !== node.rules.networkId) throw new RpcError('invalidParams');
  const ledger = node.ledger(Number.parseInt(id.slice(1, 8), 16));
  return ledger?.transactions[Number.parseInt(id.slice(8, 12), 16)];
}

/**
 * Whether every ledger of the asked range is held, so that the transaction is certainly not in it. This is what the
 * field is documented to mean; a real server also says false when a ledger of the range held no transaction at all,
 * which on a busy network never happens and here would make the field useless.
 */
function searchedAll({ node }: RpcContext, request: JsonObject): JsonObject {
  const { min_ledger: min, max_ledger: max } = request;
  if (typeof min !== 'number' || typeof max !== 'number') return {};
  return { searched_all: node.holdsAll(min, max) };
}

function checkRange(request: JsonObject): void {
  const { min_ledger: min, max_ledger: max } = request;
  if (min === undefined && max === undefined) return;
  const wellFormed = typeof min === 'number' && typeof max === 'number' && min >= 0 && max >= min;
  if (!wellFormed) throw new RpcError('invalidLgrRange');
  if (max - min > MAX_RANGE) throw new RpcError('excessiveLgrRange');
}

function shown(context: RpcContext, entry: ValidatedTransaction, binary: boolean): JsonObject {
  const { apiVersion, node } = context;
  const { networkId } = node.rules;
  const { tx, meta, ledger } = entry;
  const id = ctid(entry, networkId);
  if (apiVersion === 2) {
    return {
      ...positionFields(ledger),
      ctid: id,
      hash: tx.hash,
      ...(binary
        ? { meta_blob: metaBlob(meta), tx_blob: tx.blob }
        : { meta: shownMeta(meta, tx.fields), tx_json: shownTransaction(entry, 2, networkId) }),
      validated: true,
    };
  }
  if (!binary) {
    return { ...shownTransaction(entry, 1, networkId), meta: shownMeta(meta, tx.fields), validated: true };
  }
  return {
    ctid: id,
    date: ledger.closeTime,
    hash: tx.hash,
    inLedger: ledger.ledgerIndex,
    ledger_index: ledger.ledgerIndex,
    meta: metaBlob(meta),
    tx: tx.blob,
    validated: true,
  };
}

/** `tx`: by hash or ctid, validated or only known. */
export const tx: Handler = (context, request) => {
  const { transaction, ctid: id } = request;
  if (transaction === undefined && id === undefined) throw new RpcError('invalidParams');
  checkRange(request);
  const binary = request.binary === true;
  if (typeof id === 'string' && CTID.test(id)) {
    const entry = byCtid(context, id);
    if (!entry) throw new RpcError('txnNotFound', { fields: searchedAll(context, request) });
    return shown(context, entry, binary);
  }
  if (typeof transaction !== 'string' || !HASH.test(transaction)) throw new RpcError('notImpl');
  const hash = transaction.toUpperCase();
  const entry = context.node.transaction(hash);
  if (entry) return shown(context, entry, binary);
  const pending = context.node.pending(hash);
  if (!pending) throw new RpcError('txnNotFound', { fields: searchedAll(context, request) });
  if (!binary) return { ...shownPending(pending, context.apiVersion), validated: false };
  const blobField = context.apiVersion === 1 ? 'tx' : 'tx_blob';
  return { hash, [blobField]: pending.blob, validated: false };
};

/** `transaction_entry`: a transaction of one named ledger. */
export const transactionEntry: Handler = (context, request) => {
  const { apiVersion } = context;
  const hash = request.tx_hash;
  if (typeof hash !== 'string') throw new RpcError('fieldNotFoundTransaction');
  const selected = selectLedger(context, request);
  if (!selected.closed) throw new RpcError('notYetImplemented');
  const entry = context.node.transaction(hash.toUpperCase());
  if (!entry || entry.ledger !== selected.closed.header) {
    throw new RpcError('transactionNotFound', { fields: selected.fields });
  }
  const fields = shownFields(entry.tx.fields, apiVersion);
  if (apiVersion === 1) {
    return { ...selected.fields, metadata: entry.meta, tx_json: { ...fields, hash: entry.tx.hash } };
  }
  return { ...positionFields(entry.ledger), hash: entry.tx.hash, meta: entry.meta, tx_json: fields, validated: true };
};
