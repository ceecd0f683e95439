import { add, compare, formatDecimal, isNegative, isPositive, isZero, negate, ZERO } from '../amount.ts';
import { ownedIndexes } from '../engine/directory.ts';
import { addressOf, balanceFrom, limitOf, otherSide, sideOf } from '../engine/lines.ts';
import { account } from '../engine/view.ts';
import { has, LINE, type RippleState } from '../entries.ts';
import type { Json, JsonDraft, JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { type ReadView, read } from '../state.ts';
import { pageLimit, selectAccount, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

const LIMITS = { least: 10, usual: 200, most: 400 };
const MARKER = /^([0-9A-F]{64}),(\d+)$/i;

/** Every line of an account in directory order. */
export function* linesOf(view: ReadView, address: string): Generator<{ index: string; line: RippleState }> {
  for (const { index } of ownedIndexes(view, address)) {
    const line = read(view, 'RippleState', index);
    if (line) yield { index, line };
  }
}

/** A line as the account sees it: the issuer's balances are negative, and flags appear only when set. */
function shownLine(line: RippleState, address: string): JsonObject {
  const side = sideOf(line, address);
  const peerSide = otherSide(side);
  const own = LINE[side];
  const peer = LINE[peerSide];
  const [qualityIn, qualityOut] =
    side === 'low' ? [line.LowQualityIn, line.LowQualityOut] : [line.HighQualityIn, line.HighQualityOut];
  const shown: JsonDraft = {
    account: addressOf(line, peerSide),
    balance: formatDecimal(balanceFrom(line, side)),
    currency: line.Balance.currency,
    limit: formatDecimal(limitOf(line, side)),
    limit_peer: formatDecimal(limitOf(line, peerSide)),
    quality_in: qualityIn ?? 0,
    quality_out: qualityOut ?? 0,
  };
  const flags: readonly [string, number][] = [
    ['authorized', own.auth],
    ['peer_authorized', peer.auth],
    ['no_ripple', own.noRipple],
    ['no_ripple_peer', peer.noRipple],
    ['freeze', own.freeze],
    ['freeze_peer', peer.freeze],
    ['deep_freeze', own.deepFreeze],
    ['deep_freeze_peer', peer.deepFreeze],
  ];
  for (const [name, bit] of flags) if (has(line.Flags, bit)) shown[name] = true;
  return shown;
}

/** Whether the account itself never asked for the line; `ignore_default` leaves it out. */
function isDefaultFor(line: RippleState, address: string): boolean {
  return !has(line.Flags, LINE[sideOf(line, address)].reserve);
}

export const accountLines: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const address = selectAccount(request, selected.fields);
  const { peer, marker } = request;
  const { view } = selected;
  if (!account(view, address)) throw new RpcError('actNotFound');
  if (peer !== undefined && (typeof peer !== 'string' || !isAddress(peer))) {
    throw new RpcError('actMalformed', { fields: selected.fields });
  }
  const limit = pageLimit(request, LIMITS);
  const after = typeof marker === 'string' ? MARKER.exec(marker)?.[1]?.toUpperCase() : undefined;
  if (marker !== undefined && after === undefined) throw new RpcError('invalidParams');
  const lines: JsonObject[] = [];
  let last: string | undefined;
  let more = false;
  let skipping = after !== undefined;
  for (const { index, line } of linesOf(view, address)) {
    if (skipping) {
      if (index === after) skipping = false;
      continue;
    }
    if (lines.length === limit) {
      more = true;
      break;
    }
    last = index;
    if (peer !== undefined && addressOf(line, otherSide(sideOf(line, address))) !== peer) continue;
    if (request.ignore_default === true && isDefaultFor(line, address)) continue;
    lines.push(shownLine(line, address));
  }
  if (skipping) throw new RpcError('invalidParams');
  return {
    account: address,
    ...(more ? { limit, marker: `${last},0` } : {}),
    lines,
    ...selected.fields,
  };
};

/** Currencies an account can receive (room under its limit) and send (something held, or trusted to owe). */
export const accountCurrencies: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const address = selectAccount(request, selected.fields);
  const { view } = selected;
  if (!account(view, address)) throw new RpcError('actNotFound', { fields: selected.fields });
  const receive = new Set<string>();
  const send = new Set<string>();
  for (const { line } of linesOf(view, address)) {
    const side = sideOf(line, address);
    const balance = balanceFrom(line, side);
    if (compare(balance, limitOf(line, side)) < 0) receive.add(line.Balance.currency);
    if (compare(negate(balance), limitOf(line, otherSide(side))) < 0) send.add(line.Balance.currency);
  }
  return { receive_currencies: [...receive], send_currencies: [...send], ...selected.fields };
};

function hotWallets(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined) return [];
  const list = Array.isArray(value) ? value : [value];
  return list.every((each): each is string => typeof each === 'string' && isAddress(each)) ? list : undefined;
}

type Holding = { readonly currency: string; readonly value: string };

function pushTo(groups: Map<string, Holding[]>, key: string, holding: Holding): void {
  const list = groups.get(key);
  if (list) list.push(holding);
  else groups.set(key, [holding]);
}

/** `gateway_balances`: what an issuer owes in all, what its hot wallets hold, and what it holds of others. */
export const gatewayBalances: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const address = selectAccount(request, selected.fields);
  const { view } = selected;
  if (!account(view, address)) throw new RpcError('actNotFound', { fields: selected.fields });
  const hot = hotWallets(request.hotwallet);
  if (!hot) {
    const name = context.apiVersion === 1 ? 'invalidHotWallet' : 'invalidParams';
    throw new RpcError(name, { fields: { account: address, ...selected.fields } });
  }
  const obligations = new Map<string, typeof ZERO>();
  const groups = {
    balances: new Map<string, Holding[]>(),
    assets: new Map<string, Holding[]>(),
    frozen: new Map<string, Holding[]>(),
  };
  for (const { line } of linesOf(view, address)) {
    const side = sideOf(line, address);
    const balance = balanceFrom(line, side);
    if (isZero(balance)) continue;
    const peer = addressOf(line, otherSide(side));
    const { currency } = line.Balance;
    const owed: Holding = { currency, value: formatDecimal(negate(balance)) };
    if (hot.includes(peer)) pushTo(groups.balances, peer, owed);
    else if (isPositive(balance)) pushTo(groups.assets, peer, { currency, value: formatDecimal(balance) });
    else if (has(line.Flags, LINE[side].freeze)) pushTo(groups.frozen, peer, owed);
    else if (isNegative(balance)) obligations.set(currency, add(obligations.get(currency) ?? ZERO, negate(balance)));
  }
  const result: JsonDraft = { account: address };
  if (groups.assets.size > 0) result.assets = Object.fromEntries(groups.assets);
  if (groups.balances.size > 0) result.balances = Object.fromEntries(groups.balances);
  if (groups.frozen.size > 0) result.frozen_balances = Object.fromEntries(groups.frozen);
  if (obligations.size > 0) {
    result.obligations = Object.fromEntries([...obligations].map(([currency, sum]) => [currency, formatDecimal(sum)]));
  }
  return { ...result, ...selected.fields };
};
