import { parseDecimal } from '../amount.ts';
import { Pathfinder, type PathQuery, type PathRequest } from '../engine/paths/pathfinder.ts';
import { type Asset, amountOf, equal, isXrp, type Quantity, signOf, XRP } from '../engine/paths/quantity.ts';
import type { Path } from '../engine/paths/strand.ts';
import { BAD_CURRENCY } from '../engine/trustSet.ts';
import { account } from '../engine/view.ts';
import { has, LSF, NO_ISSUER } from '../entries.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { type NetworkRules, reserveDrops } from '../rules.ts';
import type { ReadView } from '../state.ts';
import { domainOf, parseCurrency } from './bookOffers.ts';
import { RpcError } from './types.ts';

const MOST_SOURCE_CURRENCIES = 18;
const MOST_FOUND_CURRENCIES = 88;
const XRP_ACCOUNT = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
/** What elements of a path are: the server adds it to each. */
const TYPE = { account: 1, currency: 16, issuer: 32 } as const;

type Parsed = { readonly asset: Asset; readonly quantity: Quantity };

/** An amount of a request; undefined when it is none. */
function parseAmount(value: Json | undefined): Parsed | undefined {
  try {
    if (typeof value === 'string' || typeof value === 'number') return { asset: XRP, quantity: BigInt(value) };
    if (!isObject(value) || typeof value.currency !== 'string' || typeof value.issuer !== 'string') return undefined;
    if (typeof value.value !== 'string' || !isAddress(value.issuer)) return undefined;
    const currency = parseCurrency(value.currency, new RpcError('invalidParams'));
    const asset = { currency, issuer: value.issuer };
    const isGood = currency !== BAD_CURRENCY && !isXrp(asset) && ![XRP_ACCOUNT, NO_ISSUER].includes(asset.issuer);
    return isGood ? { asset, quantity: parseDecimal(value.value) } : undefined;
  } catch {
    return undefined;
  }
}

const isMinusOne = ({ quantity }: Parsed): boolean =>
  equal(quantity, typeof quantity === 'bigint' ? -1n : parseDecimal('-1'));

function addressIn(request: JsonObject, name: string, missing: RpcError, malformed: RpcError): string {
  const value = request[name];
  if (value === undefined) throw missing;
  if (typeof value !== 'string' || !isAddress(value)) throw malformed;
  return value;
}

function sourceAssets(request: JsonObject, source: string, sendMax: Parsed | undefined): Asset[] {
  const { source_currencies: wanted } = request;
  if (wanted === undefined) return sendMax ? [sendMax.asset] : [];
  if (!Array.isArray(wanted) || wanted.length === 0 || wanted.length > MOST_SOURCE_CURRENCIES) {
    throw new RpcError('srcCurMalformed');
  }
  return wanted.flatMap((each: Json): Asset[] => {
    if (!isObject(each) || typeof each.currency !== 'string') throw new RpcError('srcCurMalformed');
    const currency = parseCurrency(each.currency, new RpcError('srcCurMalformed'));
    const { issuer } = each;
    const isGood = issuer === undefined || (typeof issuer === 'string' && isAddress(issuer));
    if (!isGood) throw new RpcError('srcIsrMalformed');
    if (currency === XRP.currency) {
      if (issuer !== undefined && issuer !== XRP_ACCOUNT) throw new RpcError('srcCurMalformed');
      return sendMax && !isXrp(sendMax.asset) ? [] : [XRP];
    }
    const asset = { currency, issuer: typeof issuer === 'string' ? issuer : source };
    if (!sendMax) return [asset];
    if (sendMax.asset.currency !== currency) return [];
    const others = [asset.issuer, sendMax.asset.issuer].filter((one) => one !== source);
    if (new Set(others).size > 1) throw new RpcError('srcIsrMalformed');
    return [...others.slice(0, 1).map((one) => ({ currency, issuer: one })), { currency, issuer: source }];
  });
}

/** Reads a request for paths, with the server's checks in their order. */
export function parsePathRequest(request: JsonObject): PathRequest {
  for (const [name, error] of [
    ['source_account', 'srcActMissing'],
    ['destination_account', 'dstActMissing'],
    ['destination_amount', 'dstAmtMissing'],
  ] as const) {
    if (request[name] === undefined) throw new RpcError(error);
  }
  const source = addressIn(request, 'source_account', new RpcError('srcActMissing'), new RpcError('srcActMalformed'));
  const destination = addressIn(
    request,
    'destination_account',
    new RpcError('dstActMissing'),
    new RpcError('dstActMalformed'),
  );
  const { destination_amount: asked = null, send_max: sendMaxAsked, id } = request;
  const deliver = parseAmount(asked);
  if (!deliver) throw new RpcError('dstAmtMalformed');
  const isAll = isMinusOne(deliver);
  if (!isAll && signOf(deliver.quantity) <= 0) throw new RpcError('dstAmtMalformed');
  if (sendMaxAsked !== undefined && !isAll) throw new RpcError('dstAmtMalformed');
  const sendMax = sendMaxAsked === undefined ? undefined : parseAmount(sendMaxAsked);
  const isBadMax = sendMax && signOf(sendMax.quantity) <= 0 && !isMinusOne(sendMax);
  if (sendMaxAsked !== undefined && (!sendMax || isBadMax)) throw new RpcError('sendMaxMalformed');
  const spend = sourceAssets(request, source, sendMax);
  return {
    query: {
      source,
      destination,
      deliver: deliver.asset,
      amount: isAll ? undefined : deliver.quantity,
      most: sendMax && !isMinusOne(sendMax) ? sendMax.quantity : undefined,
      domain: domainOf(request),
    },
    asked,
    spend,
    id,
  };
}

/** Whether source and destination can be in such a payment in that ledger; throws what the server answers if not. */
function checkAccounts(view: ReadView, rules: NetworkRules, { source, destination, deliver, amount }: PathQuery): void {
  if (!account(view, source)) throw new RpcError('srcActNotFound');
  if (account(view, destination)) return;
  if (!isXrp(deliver)) throw new RpcError('actNotFound');
  if (typeof amount === 'bigint' && amount < reserveDrops(rules, 0)) throw new RpcError('dstAmtMalformed');
}

const shownPath = (path: Path): Json =>
  path.map((element) => ({
    ...element,
    type:
      (element.account === undefined ? 0 : TYPE.account) +
      (element.currency === undefined ? 0 : TYPE.currency) +
      (element.issuer === undefined ? 0 : TYPE.issuer),
  }));

function destinationCurrencies(view: ReadView, finder: Pathfinder, destination: string): string[] {
  const takesXrp = !has(account(view, destination)?.Flags ?? 0, LSF.disallowXrp);
  return [...(takesXrp ? [XRP.currency] : []), ...finder.receivable(destination)];
}

/**
 * What the ledger offers for a request. `legacy` is the form of `ripple_path_find`; `isFull` says that no deeper search
 * follows.
 */
export function pathAnswer(
  view: ReadView,
  rules: NetworkRules,
  { query, asked, spend, id }: PathRequest,
  { legacy, isFull }: { legacy: boolean; isFull: boolean },
): JsonObject {
  checkAccounts(view, rules, query);
  const { source, destination, deliver } = query;
  const finder = new Pathfinder(view, rules, query);
  const sameAccount = source === destination;
  const automatic = [XRP, ...finder.sendable(source).map((currency) => ({ currency, issuer: source }))].filter(
    ({ currency }) => !sameAccount || currency !== deliver.currency,
  );
  if (spend.length === 0 && automatic.length > MOST_FOUND_CURRENCIES) throw new RpcError('internal');
  const alternatives = (spend.length > 0 ? spend : automatic).flatMap((asset): JsonObject[] => {
    const found = finder.find(asset);
    if (!found) return [];
    return [
      {
        ...(query.amount === undefined ? { destination_amount: amountOf(deliver, found.delivered) } : {}),
        ...(legacy ? { paths_canonical: [] } : {}),
        paths_computed: found.paths.map(shownPath),
        source_amount: amountOf(asset, found.paid),
      },
    ];
  });
  return {
    alternatives,
    destination_account: destination,
    destination_amount: asked,
    ...(legacy ? { destination_currencies: destinationCurrencies(view, finder, destination) } : {}),
    full_reply: isFull,
    ...(id === undefined ? {} : { id }),
    source_account: source,
  };
}
