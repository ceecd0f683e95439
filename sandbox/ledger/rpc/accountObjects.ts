import { ownedIndexes } from '../engine/directory.ts';
import { account } from '../engine/view.ts';
import type { EntryType } from '../entries.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import {
  accountIndex,
  depositPreauthIndex,
  isAddress,
  issuanceIndex,
  lineIndex,
  mptokenIndex,
  signerListIndex,
  ticketIndex,
} from '../keylets.ts';
import { entryBlob, shownEntry } from './render.ts';
import { pageLimit, selectAccount, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const LIMITS = { least: 10, usual: 200, most: 400 };
const MARKER = /^([0-9A-F]{64}),([0-9A-F]{64})$/i;
/** Short names of the entry types; null for types that exist on the ledger but never in the sandbox. */
const TYPE_NAMES: Readonly<Record<string, EntryType | null>> = {
  amm: null,
  bridge: null,
  check: null,
  credential: null,
  delegate: null,
  deposit_preauth: 'DepositPreauth',
  did: null,
  escrow: null,
  loan: null,
  loan_broker: null,
  mpt_issuance: 'MPTokenIssuance',
  mptoken: 'MPToken',
  nft_offer: null,
  nft_page: null,
  offer: null,
  oracle: null,
  payment_channel: null,
  permissioned_domain: null,
  signer_list: 'SignerList',
  state: 'RippleState',
  ticket: 'Ticket',
  vault: null,
};
/** Types that keep an account from being deleted. */
const BLOCKERS = new Set<string>(['RippleState', 'MPTokenIssuance', 'MPToken']);

/** `account_objects`: what an account owns, in directory order, page by page. */
export const accountObjects: Handler = (context, request) => {
  const { type, marker } = request;
  if (type !== undefined && (typeof type !== 'string' || !(type in TYPE_NAMES))) {
    throw new RpcError('invalidParams', { message: "Invalid field 'type'." });
  }
  const wanted = typeof type === 'string' ? TYPE_NAMES[type] : undefined;
  const selected = selectLedger(context, request);
  const address = selectAccount(request, selected.fields);
  const { view } = selected;
  if (!account(view, address)) throw new RpcError('actNotFound', { fields: selected.fields });
  const limit = pageLimit(request, LIMITS);
  const start = typeof marker === 'string' ? MARKER.exec(marker)?.[2]?.toUpperCase() : undefined;
  if (marker !== undefined && start === undefined) {
    throw new RpcError('invalidParams', { message: "Invalid field 'marker'." });
  }
  const objects: JsonObject[] = [];
  let next: string | undefined;
  let skipping = start !== undefined;
  for (const { page, index } of ownedIndexes(view, address)) {
    if (skipping && index !== start) continue;
    skipping = false;
    const entry = view.get(index);
    if (!entry || (type !== undefined && entry.LedgerEntryType !== wanted)) continue;
    if (request.deletion_blockers_only === true && !BLOCKERS.has(entry.LedgerEntryType)) continue;
    if (objects.length === limit) {
      next = `${page},${index}`;
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

function text(value: Json | undefined, pattern: RegExp): string | undefined {
  return typeof value === 'string' && pattern.test(value) ? value.toUpperCase() : undefined;
}

function address(value: Json | undefined): string {
  if (typeof value === 'string' && isAddress(value)) return value;
  throw new RpcError('malformedAddress');
}

function rippleStateIndex(value: Json): string {
  if (!isObject(value) || !Array.isArray(value.accounts) || value.accounts.length !== 2) {
    throw new RpcError('malformedRequest');
  }
  if (typeof value.currency !== 'string' || !/^(?:[\x21-\x7E]{3}|[0-9A-Fa-f]{40})$/.test(value.currency)) {
    throw new RpcError('malformedCurrency');
  }
  const [a, b] = value.accounts.map(address);
  if (a === undefined || b === undefined || a === b) throw new RpcError('malformedRequest');
  return lineIndex(a, b, value.currency);
}

function hashOf(value: Json, error: 'malformedRequest' | 'malformedMPTokenIssuance', digits: number): string {
  const hash = text(value, new RegExp(`^[0-9A-Fa-f]{${digits}}$`));
  if (hash === undefined) throw new RpcError(error);
  return hash;
}

const ENTRY_SELECTORS: Readonly<Record<string, (value: Json) => string>> = {
  account_root: (value) => accountIndex(address(value)),
  deposit_preauth: (value) =>
    isObject(value)
      ? depositPreauthIndex(address(value.owner), address(value.authorized))
      : hashOf(value, 'malformedRequest', 64),
  index: (value) => hashOf(value, 'malformedRequest', 64),
  mpt_issuance: (value) => issuanceIndex(hashOf(value, 'malformedMPTokenIssuance', 48)),
  mptoken: (value) =>
    isObject(value)
      ? mptokenIndex(hashOf(value.mpt_issuance_id ?? '', 'malformedRequest', 48), address(value.account))
      : hashOf(value, 'malformedRequest', 64),
  ripple_state: rippleStateIndex,
  signer_list: (value) => (isAddressText(value) ? signerListIndex(value) : hashOf(value, 'malformedRequest', 64)),
  ticket: (value) => {
    if (!isObject(value)) return hashOf(value, 'malformedRequest', 64);
    if (typeof value.ticket_seq !== 'number') throw new RpcError('malformedRequest');
    return ticketIndex(address(value.account), value.ticket_seq);
  },
};

function isAddressText(value: Json): value is string {
  return typeof value === 'string' && isAddress(value);
}

/** `ledger_entry`: one entry by what identifies it, or by its index. */
export const ledgerEntry: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const selector = Object.keys(ENTRY_SELECTORS).find((name) => request[name] !== undefined);
  const toIndex = selector === undefined ? undefined : ENTRY_SELECTORS[selector];
  if (selector === undefined || !toIndex) {
    throw new RpcError('invalidParams', { message: 'No ledger_entry params provided.' });
  }
  const index = toIndex(request[selector] ?? null);
  const entry = selected.view.get(index);
  if (!entry) throw new RpcError('entryNotFound', { fields: { index, ...selected.fields } });
  return {
    index,
    ...(request.binary === true ? { node_binary: entryBlob(entry) } : { node: shownEntry(entry, index) }),
    ...selected.fields,
  };
};
