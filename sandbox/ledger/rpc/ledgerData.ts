import type { Entry } from '../entries.ts';
import { uintHex } from '../hashing.ts';
import { isInteger, type JsonObject } from '../json.ts';
import { wantedType } from './entryTypes.ts';
import { expectedField, hashIn } from './fields.ts';
import { shownLedgerHeader } from './ledger.ts';
import { entryBlob, shownEntry } from './render.ts';
import { selectLedger } from './select.ts';
import type { Handler, RpcContext } from './types.ts';

/** How many entries a page has unless a local caller asks for more. */
const JSON_PAGE = 256;
const BINARY_PAGE = 2048;

/** The key behind which the page begins. Any key will do, but a marker that was given serves only for a while. */
function startOf({ node }: RpcContext, request: JsonObject): string {
  if (!('marker' in request)) return '';
  const key = hashIn(request.marker);
  if (key === undefined || !node.markers.isUsable(key)) throw expectedField('marker', 'valid');
  return key;
}

function limitOf(request: JsonObject, usual: number): number {
  const { limit } = request;
  if (limit === undefined) return usual;
  if (typeof limit === 'boolean') return Number(limit);
  if (typeof limit !== 'number' || !isInteger(request, 'limit')) throw expectedField('limit', 'integer');
  return limit < 0 ? usual : limit;
}

/** The key one below: a marker names it, and the next page begins with the first key above. */
function below(key: string): string {
  return uintHex(BigInt(`0x${key}`) - 1n, 32);
}

/** `ledger_data`: a ledger's whole state in the order of its keys, page by page. */
export const ledgerData: Handler = (context, request) => {
  const { chain, node } = context;
  const selected = selectLedger(context, request);
  const start = startOf(context, request);
  const { binary = false } = request;
  if (typeof binary !== 'boolean') throw expectedField('binary', 'boolean');
  const limit = limitOf(request, binary ? BINARY_PAGE : JSON_PAGE);
  const wanted = wantedType(request);
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
    if (wanted !== undefined && entry.LedgerEntryType !== wanted) continue;
    state.push(binary ? { data: entryBlob(entry), index } : shownEntry(entry, index));
  }
  return {
    // An open ledger has its parent's hash until it closes.
    ledger_hash: (selected.closed ?? node.last).header.hash,
    ledger_index: selected.view.ledgerIndex,
    ...('marker' in request ? {} : { ledger: shownLedgerHeader(context, selected, binary) }),
    ...(marker === undefined ? {} : { marker }),
    state,
    ...selected.fields,
  };
};
