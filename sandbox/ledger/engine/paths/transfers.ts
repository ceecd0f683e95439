import { ZERO } from '../../amount.ts';
import { has, LINE, LSF, type RippleState, withFlag } from '../../entries.ts';
import type { ResultName } from '../../results.ts';
import { type NetworkRules, reserveDrops } from '../../rules.ts';
import type { ReadView } from '../../state.ts';
import { balanceFrom, createLine, findLine, limitOf, moveOnLine, setBalanceFrom, sideOf } from '../lines.ts';
import { account } from '../view.ts';
import { PaymentView } from './paymentView.ts';
import { type Asset, isXrp, PARITY, type Quantity, signOf, XRP } from './quantity.ts';

/** A strand cannot go on: it counts as dry. */
export class StrandFailure extends Error {}

/** How many times what arrives an issuer takes of a holder, in billionths. */
export function transferRate(view: ReadView, issuer: string): number {
  return account(view, issuer)?.TransferRate || PARITY;
}

/** Whether the issuer froze the holder's line, or everything. */
export function isFrozen(view: ReadView, holder: string, { currency, issuer }: Asset): boolean {
  if (issuer === '') return false;
  if (has(account(view, issuer)?.Flags ?? 0, LSF.globalFreeze)) return true;
  const line = holder === issuer ? undefined : findLine(view, holder, issuer, currency);
  return line !== undefined && has(line.Flags, LINE[sideOf(line, issuer)].freeze);
}

const isDeep = (line: RippleState | undefined): boolean =>
  has(line?.Flags ?? 0, LINE.low.deepFreeze | LINE.high.deepFreeze);

/** Whether the holder may neither send nor receive the currency; it does not matter which side says so. */
export function isDeepFrozen(view: ReadView, holder: string, { currency, issuer }: Asset): boolean {
  return issuer !== '' && holder !== issuer && isDeep(findLine(view, holder, issuer, currency));
}

/** Whether a step from one account to another is frozen. */
export function isStepFrozen(view: ReadView, from: string, to: string, currency: string): boolean {
  if (to !== '' && has(account(view, to)?.Flags ?? 0, LSF.globalFreeze)) return true;
  const line = from === '' || to === '' ? undefined : findLine(view, from, to, currency);
  return line !== undefined && (has(line.Flags, LINE[sideOf(line, to)].freeze) || isDeep(line));
}

/** Whether an account may hold the currency as far as its issuer has a say. */
export function requireAuth(view: ReadView, holder: string, { currency, issuer }: Asset): ResultName {
  if (issuer === '' || issuer === holder || !has(account(view, issuer)?.Flags ?? 0, LSF.requireAuth)) {
    return 'tesSUCCESS';
  }
  const line = findLine(view, holder, issuer, currency);
  if (!line) return 'tecNO_LINE';
  return has(line.Flags, LINE[sideOf(line, issuer)].auth) ? 'tesSUCCESS' : 'tecNO_AUTH';
}

/** Drops an account may spend, its reserve for `reduction` objects fewer left alone. */
export function liquidDrops(view: ReadView, rules: NetworkRules, address: string, reduction = 0): bigint {
  const root = account(view, address);
  if (!root) return 0n;
  const pays = view instanceof PaymentView;
  const owned = pays ? view.countedOwned(address, root.OwnerCount) : root.OwnerCount;
  const balance = BigInt(root.Balance);
  const spendable = pays ? (view.spendable(address, '', XRP.currency, balance) as bigint) : balance;
  const reserve = reserveDrops(rules, Math.max(0, owned - reduction));
  return spendable > reserve ? spendable - reserve : 0n;
}

/** What a holder has of a currency towards an account, frozen or not; negative when it owes. */
export function balanceTowards(view: ReadView, holder: string, issuer: string, currency: string): Quantity {
  const line = findLine(view, holder, issuer, currency);
  const balance = line ? balanceFrom(line, sideOf(line, holder)) : ZERO;
  return view instanceof PaymentView ? view.spendable(holder, issuer, currency, balance) : balance;
}

/** How far an account trusts another. */
export function limitTowards(view: ReadView, holder: string, issuer: string, currency: string): Quantity {
  const line = findLine(view, holder, issuer, currency);
  return line ? limitOf(line, sideOf(line, holder)) : ZERO;
}

/** What an account can give of an asset; nothing of what is frozen. An issuer has `asked` of its own currency. */
export function fundsOf(view: ReadView, rules: NetworkRules, address: string, asset: Asset, asked: Quantity): Quantity {
  if (isXrp(asset)) return liquidDrops(view, rules, address);
  if (address === asset.issuer) return asked;
  const { currency, issuer } = asset;
  const frozen = isFrozen(view, address, asset) || isDeepFrozen(view, address, asset);
  if (!frozen) return balanceTowards(view, address, issuer, currency);
  return view instanceof PaymentView ? view.spendable(address, issuer, currency, ZERO) : ZERO;
}

function sendXrp(view: PaymentView, from: string, to: string, drops: bigint): void {
  const sender = from === '' ? undefined : view.editAccount(from);
  const receiver = to === '' ? undefined : view.editAccount(to);
  if (sender) {
    const before = BigInt(sender.Balance);
    if (before < drops) throw new StrandFailure('not enough XRP');
    view.noteCredit(from, '', XRP.currency, drops, before);
    sender.Balance = String(before - drops);
  }
  if (receiver) {
    const before = BigInt(receiver.Balance);
    receiver.Balance = String(before + drops);
    view.noteCredit('', to, XRP.currency, drops, -before);
  }
}

/**
 * Moves an amount between an issuer and a holder, or drops between an account and nobody (the empty address). There is
 * no fee in it, and limits do not count; a line that is missing comes into being.
 */
export function send(view: PaymentView, from: string, to: string, currency: string, quantity: Quantity): void {
  if (from === to || signOf(quantity) === 0) return;
  if (typeof quantity === 'bigint') {
    sendXrp(view, from, to, quantity);
    return;
  }
  const line = findLine(view, from, to, currency);
  if (line) {
    view.noteCredit(from, to, currency, quantity, balanceFrom(line, sideOf(line, from)));
    moveOnLine(view, from, to, currency, quantity);
    return;
  }
  if (!account(view, to)) throw new StrandFailure('the receiver is gone');
  const created = createLine(view, to, { currency, issuer: from, value: '0' });
  const side = sideOf(created, to);
  if (!has(account(view, to)?.Flags ?? 0, LSF.defaultRipple)) {
    created.Flags = withFlag(created.Flags, LINE[side].noRipple);
  }
  setBalanceFrom(created, side, quantity);
  view.noteCredit(from, to, currency, quantity, ZERO);
}

/** Whether an account lets nothing pass from one of its lines to another: both have NoRipple set on its side. */
export function forbidsRippling(view: ReadView, from: string, over: string, to: string, currency: string): ResultName {
  const lineIn = findLine(view, from, over, currency);
  const lineOut = findLine(view, over, to, currency);
  if (!lineIn || !lineOut) return 'terNO_LINE';
  const noRipple = (line: RippleState): boolean => has(line.Flags, LINE[sideOf(line, over)].noRipple);
  return noRipple(lineIn) && noRipple(lineOut) ? 'terNO_RIPPLE' : 'tesSUCCESS';
}
