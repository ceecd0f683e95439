import {
  add,
  type Decimal,
  formatDecimal,
  isNegative,
  isPositive,
  isZero,
  negate,
  parseDecimal,
  ZERO,
} from '../amount.ts';
import { ownedIndexes } from '../engine/directory.ts';
import { addressOf, balanceFrom, otherSide, sideOf } from '../engine/lines.ts';
import { account } from '../engine/view.ts';
import { has, isIssued, LINE } from '../entries.ts';
import type { Json, JsonDraft } from '../json.ts';
import { type ReadView, read } from '../state.ts';
import { linesOf } from './accountLines.ts';
import { accountIn, addressIn, asText, missingField } from './fields.ts';
import { selectLedger } from './select.ts';
import { type Handler, RpcError } from './types.ts';

/** The hot wallets of a request, each by address or public key; undefined when one is neither. */
function hotWallets(value: Json | undefined): readonly string[] | undefined {
  if (value === undefined || value === null) return [];
  const accounts = (Array.isArray(value) ? value : [value]).map(accountIn);
  return accounts.every((each) => each !== undefined) ? accounts : undefined;
}

type Holding = { readonly currency: string; readonly value: string };

function pushTo(groups: Map<string, Holding[]>, key: string, holding: Holding): void {
  const list = groups.get(key);
  if (list) list.push(holding);
  else groups.set(key, [holding]);
}

/** What is in escrow by currency: an issuer's of its currency, anybody's own, and what is to come to an account. */
function lockedAmounts(view: ReadView, address: string): Map<string, string> {
  const drops = { sum: 0n };
  const sums = new Map<string, Decimal>();
  for (const { index } of ownedIndexes(view, address)) {
    const amount = read(view, 'Escrow', index)?.Amount;
    if (typeof amount === 'string') drops.sum += BigInt(amount);
    else if (amount && isIssued(amount)) {
      sums.set(amount.currency, add(sums.get(amount.currency) ?? ZERO, parseDecimal(amount.value)));
    }
  }
  const xrp = drops.sum > 0n ? [['XRP', String(drops.sum)] as const] : [];
  return new Map([...xrp, ...[...sums].map(([currency, sum]) => [currency, formatDecimal(sum)] as const)]);
}

/** `gateway_balances`: what an issuer owes in all, what its hot wallets hold, and what it holds of others. */
export const gatewayBalances: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const { view } = selected;
  if (!('account' in request) && !('ident' in request)) throw missingField('account');
  const address = addressIn(asText('account' in request ? request.account : request.ident));
  if (address === undefined) throw new RpcError('actMalformed');
  const fields = { account: address, ...selected.fields };
  if (context.apiVersion > 1 && !account(view, address)) throw new RpcError('actNotFound', { fields });
  const hot = hotWallets(request.hotwallet);
  if (!hot) throw new RpcError(context.apiVersion > 1 ? 'invalidParams' : 'invalidHotWallet', { fields });
  const obligations = new Map<string, typeof ZERO>();
  const groups = {
    balances: new Map<string, Holding[]>(),
    assets: new Map<string, Holding[]>(),
    frozen: new Map<string, Holding[]>(),
  };
  const locked = lockedAmounts(view, address);
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
  const result: JsonDraft = {};
  if (groups.assets.size > 0) result.assets = Object.fromEntries(groups.assets);
  if (groups.balances.size > 0) result.balances = Object.fromEntries(groups.balances);
  if (groups.frozen.size > 0) result.frozen_balances = Object.fromEntries(groups.frozen);
  if (obligations.size > 0) {
    result.obligations = Object.fromEntries([...obligations].map(([currency, sum]) => [currency, formatDecimal(sum)]));
  }
  if (locked.size > 0) result.locked = Object.fromEntries(locked);
  return { ...result, ...fields };
};
