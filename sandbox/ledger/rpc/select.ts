import { account } from '../engine/view.ts';
import type { ClosedLedger } from '../history.ts';
import { isInteger, type Json, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import type { ReadView } from '../state.ts';
import { expectedField, hashIn, invalidField, isUint, requiredText, uint32InText } from './fields.ts';
import { type RpcContext, RpcError } from './types.ts';

/** The ledger a request is about. */
export type Selected = {
  readonly view: ReadView;
  /** Absent for the open ledger. */
  readonly closed: ClosedLedger | undefined;
  /** How answers name it. */
  readonly fields: JsonObject;
};

function openLedger({ node }: RpcContext): Selected {
  const view = node.openView;
  return { view, closed: undefined, fields: { ledger_current_index: view.ledgerIndex, validated: false } };
}

function closedLedger({ chain }: RpcContext, ledger: ClosedLedger | undefined): Selected {
  if (!ledger) throw new RpcError('lgrNotFound');
  const { ledgerIndex, hash } = ledger.header;
  return {
    view: chain.state.view(ledger.header),
    closed: ledger,
    fields: { ledger_hash: hash, ledger_index: ledgerIndex, validated: true },
  };
}

/** A ledger by its index, which may be that of the open one. */
export function ledgerAt(context: RpcContext, index: number): Selected {
  const { node } = context;
  return index === node.openIndex ? openLedger(context) : closedLedger(context, node.ledger(index));
}

/** A ledger by its hash. */
export function ledgerOfHash(context: RpcContext, hash: string): Selected {
  return closedLedger(context, context.node.ledgerByHash(hash));
}

/** The ledger of a name: the open one or the last that closed; undefined for other names. */
export function ledgerOfName(context: RpcContext, name: string): Selected | undefined {
  if (name === 'current' || name === '') return openLedger(context);
  return name === 'validated' || name === 'closed' ? closedLedger(context, context.node.last) : undefined;
}

function byHash(context: RpcContext, value: Json | undefined, field: string): Selected {
  const hash = hashIn(value);
  if (hash === undefined) throw expectedField(field, 'hex string');
  return ledgerOfHash(context, hash);
}

function byIndex(context: RpcContext, request: JsonObject, field: string): Selected {
  const value = request[field];
  const isText = typeof value === 'string';
  const named = isText ? ledgerOfName(context, value) : undefined;
  if (named) return named;
  const index = isText || isInteger(request, field) ? uint32InText(String(value)) : undefined;
  if (index === undefined) throw expectedField(field, 'string or number');
  return ledgerAt(context, index);
}

const SELECTORS = ['ledger', 'ledger_hash', 'ledger_index'] as const;

/** Whether a request names a ledger at all. */
export const namesLedger = (request: JsonObject): boolean => SELECTORS.some((name) => name in request);

/** Finds the ledger by `ledger_hash`, `ledger_index` or the old `ledger`; the open one when none is given. */
export function selectLedger(context: RpcContext, request: JsonObject): Selected {
  const given = SELECTORS.filter((name) => name in request);
  if (given.length > 1) {
    const names = given.includes('ledger')
      ? "'ledger', 'ledger_hash', or 'ledger_index'"
      : "'ledger_hash' or 'ledger_index'";
    throw new RpcError('invalidParams', { message: `Exactly one of ${names} can be specified.` });
  }
  const [field] = given;
  if (field === undefined) return openLedger(context);
  const value = request[field];
  const isHash = field === 'ledger_hash' || (field === 'ledger' && typeof value === 'string' && value.length === 64);
  return isHash ? byHash(context, value, field) : byIndex(context, request, field);
}

/** The `account` of a request about one ledger: a classic address. */
export function selectAccount(request: JsonObject, fields: JsonObject = {}): string {
  const address = requiredText(request, 'account');
  if (!isAddress(address)) throw new RpcError('actMalformed', { fields });
  return address;
}

/** The ledger of a request and the account in it that the request is about, which must be there. */
export function selectAccountInLedger(context: RpcContext, request: JsonObject): Selected & { address: string } {
  requiredText(request, 'account');
  const selected = selectLedger(context, request);
  const address = selectAccount(request, selected.fields);
  if (!account(selected.view, address)) throw new RpcError('actNotFound');
  return { ...selected, address };
}

export type PageLimits = { readonly least: number; readonly usual: number; readonly most: number };

/** `limit` of a page: the usual one when it is absent or null. A local caller may ask for as few or many as it likes. */
export function pageLimit(request: JsonObject, { usual }: PageLimits): number {
  const { limit } = request;
  if (limit === undefined || limit === null) return usual;
  if (typeof limit !== 'number' || !isUint(request, 'limit')) throw expectedField('limit', 'unsigned integer');
  if (limit === 0) throw invalidField('limit');
  return limit;
}
