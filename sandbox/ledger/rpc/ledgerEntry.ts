import { ENTRY_SELECTORS } from './entryKeys.ts';
import { asBool } from './fields.ts';
import { entryBlob, shownEntry } from './render.ts';
import { selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const NO_KEY = '0'.repeat(64);

/** `ledger_entry`: one entry by what identifies it, or by its index. */
export const ledgerEntry: Handler = (context, request) => {
  const names = [...ENTRY_SELECTORS.keys()].filter((name) => name in request);
  if (names.length > 1) throw new RpcError('invalidParams', { message: 'Too many fields provided.' });
  const selected = selectLedger(context, request);
  const [name] = names;
  const selector = name === undefined ? undefined : ENTRY_SELECTORS.get(name);
  if (name === undefined || !selector) {
    if (context.apiVersion === 1) throw new RpcError('unknownOption', { fields: selected.fields });
    throw new RpcError('invalidParams', { message: 'No ledger_entry params provided.' });
  }
  const index = keyOf(context.apiVersion, () => selector.key(request[name] ?? null, name, request));
  const entry = index === NO_KEY ? undefined : selected.view.get(index);
  const fields = { index, ...selected.fields };
  if (!entry) throw new RpcError('entryNotFound', { fields });
  if (selector.type !== undefined && entry.LedgerEntryType !== selector.type) {
    throw new RpcError('unexpectedLedgerType', { fields });
  }
  return {
    ...(asBool(request.binary) ? { node_binary: entryBlob(entry) } : { node: shownEntry(entry, index) }),
    ...fields,
  };
};

/** What the server cannot convert is an internal error in version 1 and a wrong parameter later. */
function keyOf(apiVersion: number, read: () => string): string {
  try {
    return read();
  } catch (error) {
    const isInternal = error instanceof RpcError && error.fields.error === 'internal';
    throw isInternal && apiVersion > 1 ? new RpcError('invalidParams') : error;
  }
}
