import type { ClosedLedger } from '../history.ts';
import type { Json, JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import type { ReadView } from '../state.ts';
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

function byIndex(context: RpcContext, selector: Json | undefined): Selected {
  const { node } = context;
  if (selector === undefined || selector === null || selector === 'current' || selector === '') {
    return openLedger(context);
  }
  if (selector === 'validated' || selector === 'closed') return closedLedger(context, node.last);
  const isIndex = typeof selector === 'number' || (typeof selector === 'string' && /^\d+$/.test(selector));
  if (!isIndex) {
    throw new RpcError('invalidParams', { message: "Invalid field 'ledger_index', not string or number." });
  }
  const index = Number(selector);
  return index === node.openIndex ? openLedger(context) : closedLedger(context, node.ledger(index));
}

/** Finds the ledger by `ledger_hash` or `ledger_index`; the open one when neither is given. */
export function selectLedger(context: RpcContext, request: JsonObject): Selected {
  const hash = request.ledger_hash;
  if (hash === undefined) return byIndex(context, request.ledger_index);
  if (typeof hash !== 'string' || !/^[0-9A-Fa-f]{64}$/.test(hash)) {
    throw new RpcError('invalidParams', { message: "Invalid field 'ledger_hash', not hex string." });
  }
  return closedLedger(context, context.node.ledgerByHash(hash.toUpperCase()));
}

/** A required text parameter. */
export function requiredText(request: JsonObject, name: string): string {
  const value = request[name];
  if (value === undefined) throw new RpcError('invalidParams', { message: `Missing field '${name}'.` });
  if (typeof value !== 'string') throw new RpcError('invalidParams', { message: `Invalid field '${name}'.` });
  return value;
}

/** The `account` of a request about one ledger: a classic address. */
export function selectAccount(request: JsonObject, fields: JsonObject = {}): string {
  const address = requiredText(request, 'account');
  if (!isAddress(address)) throw new RpcError('actMalformed', { fields });
  return address;
}

export type PageLimits = { readonly least: number; readonly usual: number; readonly most: number };

/** `limit` within its bounds; a local caller may go below the least a public server grants, but not to zero. */
export function pageLimit(request: JsonObject, { usual, most }: PageLimits): number {
  const { limit } = request;
  if (limit === undefined) return usual;
  if (typeof limit !== 'number' || !Number.isInteger(limit) || limit < 0) {
    throw new RpcError('invalidParams', { message: "Invalid field 'limit', not unsigned integer." });
  }
  if (limit === 0) throw new RpcError('invalidParams', { message: "Invalid field 'limit'." });
  return Math.min(limit, most);
}
