import { ownedIndexes } from '../engine/directory.ts';
import { account } from '../engine/view.ts';
import type { JsonObject } from '../json.ts';
import { OWNED_TYPES } from './entryTypes.ts';
import { shownEntry } from './render.ts';
import { pageLimit, selectAccount, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const LIMITS = { least: 10, usual: 200, most: 400 };
const MARKER = /^([0-9A-F]{64}),([0-9A-F]{64})$/i;
/** Types that keep an account from being deleted. */
const BLOCKERS = new Set<string>([
  'Check',
  'Escrow',
  'MPToken',
  'MPTokenIssuance',
  'PayChannel',
  'PermissionedDomain',
  'RippleState',
]);

/** `account_objects`: what an account owns, in directory order, page by page. */
export const accountObjects: Handler = (context, request) => {
  const { type, marker } = request;
  if (type !== undefined && (typeof type !== 'string' || !(type in OWNED_TYPES))) {
    throw new RpcError('invalidParams', { message: "Invalid field 'type'." });
  }
  const wanted = typeof type === 'string' ? OWNED_TYPES[type] : undefined;
  const selected = selectLedger(context, request);
  const address = selectAccount(request, selected.fields);
  const { view } = selected;
  if (!account(view, address)) throw new RpcError('actNotFound', { fields: selected.fields });
  const limit = pageLimit(request, LIMITS);
  const parts = typeof marker === 'string' ? MARKER.exec(marker.toUpperCase()) : undefined;
  const [, startPage, start] = parts ?? [];
  if (marker !== undefined && (!start || !context.node.markers.isGood(marker))) {
    throw new RpcError('invalidParams', { message: "Invalid field 'marker'." });
  }
  const objects: JsonObject[] = [];
  let next: string | undefined;
  let skipping = start !== undefined;
  for (const { page, index } of ownedIndexes(view, address, startPage)) {
    if (skipping && index !== start) continue;
    skipping = false;
    const entry = view.get(index);
    if (!entry || (type !== undefined && entry.LedgerEntryType !== wanted)) continue;
    if (request.deletion_blockers_only === true && !BLOCKERS.has(entry.LedgerEntryType)) continue;
    if (objects.length === limit) {
      next = context.node.markers.give(`${page},${index}`);
      break;
    }
    objects.push(shownEntry(entry, index));
  }
  if (skipping) throw new RpcError('invalidParams', { message: "Invalid field 'marker'." });
  return {
    account: address,
    account_objects: objects,
    ...(next === undefined ? {} : { limit, marker: next }),
    ...selected.fields,
  };
};
