import type { Entry } from '../entries.ts';
import { uintHex } from '../hashing.ts';
import type { JsonObject } from '../json.ts';
import { ENTRY_TYPES } from './entryTypes.ts';
import { shownLedgerHeader } from './ledger.ts';
import { entryBlob, shownEntry } from './render.ts';
import { pageLimit, selectLedger } from './select.ts';
import { type Handler, type RpcContext, RpcError } from './types.ts';

const JSON_LIMITS = { least: 1, usual: 256, most: 256 };
const BINARY_LIMITS = { least: 1, usual: 2048, most: 2048 };
const HASH = /^[0-9A-F]{64}$/i;

function startOf({ node }: RpcContext, { marker }: JsonObject): string {
  if (marker === undefined) return '';
  if (typeof marker !== 'string' || !HASH.test(marker) || !node.markers.isGood(marker)) {
    throw new RpcError('invalidParams', { message: "Invalid field 'marker', not valid." });
  }
  return marker.toUpperCase();
}

/** The key one below: a marker names it, and the next page begins with the first key above. */
function below(key: string): string {
  return uintHex(BigInt(`0x${key}`) - 1n, 32);
}

/** `ledger_data`: a ledger's whole state in the order of its keys, page by page. */
export const ledgerData: Handler = (context, request) => {
  const { chain, node } = context;
  const binary = request.binary === true;
  const selected = selectLedger(context, request);
  const { type } = request;
  if (type !== undefined && (typeof type !== 'string' || !(type in ENTRY_TYPES))) {
    throw new RpcError('invalidParams', { message: "Invalid field 'type'." });
  }
  const wanted = typeof type === 'string' ? ENTRY_TYPES[type] : undefined;
  const limit = pageLimit(request, binary ? BINARY_LIMITS : JSON_LIMITS);
  const start = startOf(context, request);
  const state: JsonObject[] = [];
  let marker: string | undefined;
  // What only the open ledger has is in no index yet; a scan is asked of a closed ledger in practice.
  let seen = 0;
  for (const index of chain.state.keysAbove(start)) {
    const entry: Entry | undefined = selected.view.get(index);
    if (!entry) continue;
    if (seen === limit) {
      marker = node.markers.give(below(index));
      break;
    }
    seen += 1;
    if (type !== undefined && entry.LedgerEntryType !== wanted) continue;
    state.push(binary ? { data: entryBlob(entry), index } : shownEntry(entry, index));
  }
  return {
    ...(start === '' ? { ledger: shownLedgerHeader(context, selected, binary) } : {}),
    ...(marker === undefined ? {} : { marker }),
    state,
    ...selected.fields,
  };
};
