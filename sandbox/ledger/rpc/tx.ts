import type { ValidatedTransaction } from '../history.ts';
import type { JsonObject } from '../json.ts';
import { asBool, asText, hashIn, toUint } from './fields.ts';
import { ctid, metaBlob, positionFields, shownFields, shownMeta, shownPending, shownTransaction } from './render.ts';
import { selectLedger } from './select.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const CTID = /^C[0-9A-Fa-f]{15}$/i;
/** The widest ledger range a search may name. */
const MAX_RANGE = 1000;

/** The network that a compact ID names must be the one of this server. */
function checkCtid({ node }: RpcContext, id: string): void {
  if (!CTID.test(id)) throw new RpcError('invalidParams');
  const networkId = Number.parseInt(id.slice(12), 16);
  if (networkId === node.rules.networkId) return;
  throw new RpcError('wrongNetwork', {
    message: `Wrong network. You should submit this request to a node running on NetworkID: ${networkId}`,
  });
}

function byCtid({ node }: RpcContext, id: string): ValidatedTransaction | undefined {
  const ledger = node.ledger(Number.parseInt(id.slice(1, 8), 16));
  return ledger?.transactions[Number.parseInt(id.slice(8, 12), 16)];
}

/**
 * Whether every ledger of the asked range is held, so that the transaction is certainly not in it. This is what the
 * field is documented to mean; a real server also says false when a ledger of the range held no transaction at all,
 * which on a busy network never happens and here would make the field useless.
 */
function searchedAll({ node }: RpcContext, range: Range | undefined): JsonObject {
  return range ? { searched_all: node.holdsAll(range.min, range.max) } : {};
}

type Range = { readonly min: number; readonly max: number };

/** The ledgers to search, when the request names both ends. */
function rangeOf(request: JsonObject): Range | undefined {
  if (!('min_ledger' in request) || !('max_ledger' in request)) return undefined;
  const [min, max] = [toUint(request.min_ledger), toUint(request.max_ledger)];
  if (min === undefined || max === undefined || max < min) throw new RpcError('invalidLgrRange');
  if (max - min > MAX_RANGE) throw new RpcError('excessiveLgrRange');
  return { min, max };
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
  const hasHash = 'transaction' in request;
  const hasCtid = 'ctid' in request;
  if (hasHash === hasCtid) throw new RpcError('invalidParams');
  const hash = hasHash ? hashIn(asText(request.transaction)) : undefined;
  if (hasHash && hash === undefined) throw new RpcError('notImpl');
  const id = asText(request.ctid);
  if (hasCtid) checkCtid(context, id);
  const binary = asBool(request.binary);
  const range = rangeOf(request);
  if (hash === undefined) {
    const entry = byCtid(context, id);
    if (!entry) throw new RpcError('txnNotFound');
    return shown(context, entry, binary);
  }
  const entry = context.node.transaction(hash);
  if (entry) return shown(context, entry, binary);
  const pending = context.node.pending(hash);
  if (!pending) throw new RpcError('txnNotFound', { fields: searchedAll(context, range) });
  if (!binary) return { ...shownPending(pending, context.apiVersion), validated: false };
  const blobField = context.apiVersion === 1 ? 'tx' : 'tx_blob';
  return { hash, [blobField]: pending.blob, validated: false };
};

/** `transaction_entry`: a transaction of one named ledger. */
export const transactionEntry: Handler = (context, request) => {
  const { apiVersion } = context;
  const selected = selectLedger(context, request);
  const { fields: where } = selected;
  if (!('tx_hash' in request)) throw new RpcError('fieldNotFoundTransaction', { fields: where });
  if (!selected.closed) throw new RpcError('notYetImplemented', { fields: where });
  const hash = hashIn(asText(request.tx_hash));
  if (hash === undefined) throw new RpcError('malformedRequest', { bare: true, fields: where });
  const entry = context.node.transaction(hash);
  if (!entry || entry.ledger !== selected.closed.header) throw new RpcError('transactionNotFound', { fields: where });
  const fields = shownFields(entry.tx.fields, apiVersion);
  if (apiVersion === 1) {
    return { ...selected.fields, metadata: entry.meta, tx_json: { ...fields, hash: entry.tx.hash } };
  }
  return { ...positionFields(entry.ledger), hash: entry.tx.hash, meta: entry.meta, tx_json: fields, validated: true };
};
