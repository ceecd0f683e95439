import { add, formatDecimal, isNegative, isPositive, isZero, negate, ZERO } from '../amount.ts';
import { addressOf, balanceFrom, otherSide, sideOf } from '../engine/lines.ts';
import { account } from '../engine/view.ts';
import { has, LINE } from '../entries.ts';
import type { Json, JsonDraft } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { linesOf } from './accountLines.ts';
import { selectAccount, selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

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
