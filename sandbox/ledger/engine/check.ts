import { compare, type Decimal, isPositive, parseDecimal, ZERO } from '../amount.ts';
import {
  type Amount,
  type Check,
  has,
  type IssuedAmount,
  isIssued,
  LINE,
  LSF,
  UNTHREADED,
  withFlag,
  ZERO_HASH,
} from '../entries.ts';
import { checkIndex, lineIndex } from '../keylets.ts';
import { isSuccess, type ResultName } from '../results.ts';
import { type NetworkRules, reserveDrops } from '../rules.ts';
import { type ReadView, read } from '../state.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import { balanceFrom, changeOwnerCount, createLine, findLine, setLimit, sideOf } from './lines.ts';
import { flow } from './paths/flow.ts';
import { PaymentView } from './paths/paymentView.ts';
import { amountOf, assetOf, order, type Quantity, quantityOf } from './paths/quantity.ts';
import { BAD_CURRENCY } from './trustSet.ts';
import type { ApplyContext, PreclaimContext, TransactionType } from './types.ts';
import { account, type TransactionView } from './view.ts';

/** The largest amount and limit of an issued currency; and a half of the first, which leaves room for transfer fees. */
const LARGEST = '9999999999999999e80';
const HALF_OF_LARGEST = '4999999999999999e80';

/** Whether a check's amount makes sense; MPTs in checks need MPTokensV2, which is off. */
function checkAmount(amount: Amount | undefined): ResultName {
  if (amount === undefined) return 'temBAD_AMOUNT';
  if (typeof amount === 'string') return BigInt(amount) > 0n ? 'tesSUCCESS' : 'temBAD_AMOUNT';
  if (!isIssued(amount)) return 'temDISABLED';
  if (!isPositive(parseDecimal(amount.value))) return 'temBAD_AMOUNT';
  return amount.currency === BAD_CURRENCY ? 'temBAD_CURRENCY' : 'tesSUCCESS';
}

const isExpired = (view: ReadView, expiration: number | undefined): boolean =>
  expiration !== undefined && view.parentCloseTime >= expiration;

/** Whether `holder` froze its side of a line, or is frozen by the other side. */
function hasFrozen(view: ReadView, freezer: string, peer: string, currency: string): boolean {
  const line = findLine(view, freezer, peer, currency);
  return line !== undefined && has(line.Flags, LINE[sideOf(line, freezer)].freeze);
}

const isGloballyFrozen = (view: ReadView, issuer: string): boolean =>
  has(account(view, issuer)?.Flags ?? 0, LSF.globalFreeze);

/** Whether an account cannot use what it holds of a currency. */
const isFrozen = (view: ReadView, holder: string, { currency, issuer }: IssuedAmount): boolean =>
  isGloballyFrozen(view, issuer) || hasFrozen(view, issuer, holder, currency);

/** Removes a check from the ledger and both directories, and frees its owner's reserve. */
function removeCheck(view: TransactionView, index: string, check: Check): void {
  removeFromDirectory(view, check.Destination, check.DestinationNode, index, true);
  removeFromDirectory(view, check.Account, check.OwnerNode, index, true);
  changeOwnerCount(view, check.Account, -1);
  view.erase(index);
}

/** CheckCreate: promises a receiver up to SendMax, to be had when it cashes the check. */
export const checkCreate: TransactionType = {
  flags: 0,
  preflight({ Account: owner, Destination: destination, SendMax: sendMax, Expiration: expiration }) {
    if (typeof sendMax === 'object' && !isIssued(sendMax)) return 'temDISABLED';
    if (owner === destination) return 'temREDUNDANT';
    const amount = checkAmount(sendMax);
    if (!isSuccess(amount)) return amount;
    return expiration === 0 ? 'temBAD_EXPIRATION' : 'tesSUCCESS';
  },
  preclaim({ view, fields }) {
    const { Account: owner, Destination: destination = '', SendMax: sendMax, Expiration: expiration } = fields;
    const receiver = account(view, destination);
    if (!receiver) return 'tecNO_DST';
    if (has(receiver.Flags, LSF.disallowIncomingCheck)) return 'tecNO_PERMISSION';
    if (has(receiver.Flags, LSF.requireDestTag) && fields.DestinationTag === undefined) return 'tecDST_TAG_NEEDED';
    if (sendMax !== undefined && isIssued(sendMax)) {
      const { currency, issuer } = sendMax;
      // A line that does not exist yet is no obstacle, a frozen one is.
      const frozen =
        isGloballyFrozen(view, issuer) ||
        (issuer !== owner && hasFrozen(view, issuer, owner, currency)) ||
        (issuer !== destination && hasFrozen(view, destination, issuer, currency));
      if (frozen) return 'tecFROZEN';
    }
    return isExpired(view, expiration) ? 'tecEXPIRED' : 'tesSUCCESS';
  },
  apply({ view, fields, rules, account: root, priorBalanceDrops }) {
    if (priorBalanceDrops < reserveDrops(rules, root.OwnerCount + 1)) return 'tecINSUFFICIENT_RESERVE';
    const { Destination: destination = '', DestinationTag: destinationTag, SourceTag: sourceTag } = fields;
    const { Expiration: expiration, InvoiceID: invoiceId } = fields;
    const sequence = fields.TicketSequence ?? fields.Sequence;
    const index = checkIndex(root.Account, sequence);
    const destinationNode = addToDirectory(view, destination, index);
    view.create(index, {
      LedgerEntryType: 'Check',
      Account: root.Account,
      Destination: destination,
      DestinationNode: destinationNode,
      ...(destinationTag === undefined ? {} : { DestinationTag: destinationTag }),
      ...(expiration === undefined ? {} : { Expiration: expiration }),
      Flags: 0,
      ...(invoiceId === undefined ? {} : { InvoiceID: invoiceId }),
      OwnerNode: addToDirectory(view, root.Account, index),
      SendMax: fields.SendMax ?? '0',
      Sequence: sequence,
      ...(sourceTag === undefined ? {} : { SourceTag: sourceTag }),
      ...UNTHREADED,
    });
    root.OwnerCount += 1;
    return 'tesSUCCESS';
  },
};

/** Whether nothing can have that ID, where an amendment lets it be said so early. */
function isRefusedId(id: string | undefined, { amendments }: NetworkRules): boolean {
  return id === ZERO_HASH && amendments.has('fixCleanup3_3_0');
}

/** CheckCancel: by either side, and by anybody once the check has expired. */
export const checkCancel: TransactionType = {
  flags: 0,
  preflight: ({ CheckID: id }, rules) => (isRefusedId(id, rules) ? 'temMALFORMED' : 'tesSUCCESS'),
  preclaim({ view, fields }) {
    const check = read(view, 'Check', fields.CheckID ?? '');
    if (!check) return 'tecNO_ENTRY';
    const mayCancel = isExpired(view, check.Expiration) || [check.Account, check.Destination].includes(fields.Account);
    return mayCancel ? 'tesSUCCESS' : 'tecNO_PERMISSION';
  },
  apply({ view, fields }) {
    const { CheckID: index = '' } = fields;
    const check = read(view, 'Check', index);
    if (!check) return 'tecNO_ENTRY';
    removeCheck(view, index, check);
    return 'tesSUCCESS';
  },
};

function sameAsset(a: Amount, b: Amount): boolean {
  if (isIssued(a) && isIssued(b)) return a.currency === b.currency && a.issuer === b.issuer;
  return typeof a === 'string' && typeof b === 'string';
}

function exceeds(a: Amount, b: Amount): boolean {
  if (isIssued(a) && isIssued(b)) return compare(parseDecimal(a.value), parseDecimal(b.value)) > 0;
  return BigInt(String(a)) > BigInt(String(b));
}

/** Drops an account can give up when it owns `released` objects fewer. */
function spareDrops(view: ReadView, rules: NetworkRules, address: string, released: number): bigint {
  const root = account(view, address);
  if (!root) return 0n;
  const spare = BigInt(root.Balance) - reserveDrops(rules, Math.max(0, root.OwnerCount - released));
  return spare > 0n ? spare : 0n;
}

/** What a check's owner holds of a currency and may use. */
function usable(view: ReadView, owner: string, { currency, issuer }: IssuedAmount): Decimal {
  const line = findLine(view, owner, issuer, currency);
  if (!line || isFrozen(view, owner, { currency, issuer, value: '0' })) return ZERO;
  if (has(line.Flags, LINE.low.deepFreeze | LINE.high.deepFreeze)) return ZERO;
  return balanceFrom(line, sideOf(line, owner));
}

function isCovered({ view, rules }: PreclaimContext, owner: string, amount: Amount): boolean {
  // Cashing removes the check, whose reserve the owner can then spend, too.
  if (typeof amount === 'string') {
    return spareDrops(view, rules, owner, 0) + rules.reserveIncDrops >= BigInt(amount);
  }
  if (!isIssued(amount)) return false;
  if (amount.issuer === owner) return true;
  return compare(parseDecimal(amount.value), usable(view, owner, amount)) <= 0;
}

/** Whether the casher may receive the currency, over the line it has or will get. */
function mayReceive(view: ReadView, receiver: string, amount: IssuedAmount): ResultName {
  const { currency, issuer } = amount;
  const root = account(view, issuer);
  if (!root) return 'tecNO_ISSUER';
  if (has(root.Flags, LSF.requireAuth)) {
    const line = findLine(view, receiver, issuer, currency);
    if (!line || !has(line.Flags, LINE[sideOf(line, issuer)].auth)) return 'tecNO_AUTH';
  }
  return isFrozen(view, receiver, amount) ? 'tecFROZEN' : 'tesSUCCESS';
}

function preclaimCash(context: PreclaimContext): ResultName {
  const { view, fields } = context;
  const check = read(view, 'Check', fields.CheckID ?? '');
  if (!check) return 'tecNO_ENTRY';
  if (fields.Account !== check.Destination) return 'tecNO_PERMISSION';
  const receiver = account(view, check.Destination);
  if (!account(view, check.Account) || !receiver) return 'tecNO_ENTRY';
  if (has(receiver.Flags, LSF.requireDestTag) && check.DestinationTag === undefined) return 'tecDST_TAG_NEEDED';
  if (isExpired(view, check.Expiration)) return 'tecEXPIRED';
  const amount = fields.Amount ?? fields.DeliverMin ?? '0';
  if (!sameAsset(amount, check.SendMax)) return 'temMALFORMED';
  if (exceeds(amount, check.SendMax) || !isCovered(context, check.Account, amount)) return 'tecPATH_PARTIAL';
  if (!isIssued(amount) || amount.issuer === check.Destination) return 'tesSUCCESS';
  return mayReceive(view, check.Destination, amount);
}

function cashXrp({ view, fields, rules, account: root, deliver }: ApplyContext, check: Check): ResultName {
  const spare = spareDrops(view, rules, check.Account, 1);
  const most = BigInt(String(check.SendMax));
  const least = fields.DeliverMin === undefined ? undefined : BigInt(String(fields.DeliverMin));
  const available = spare < most ? spare : most;
  const drops = least === undefined ? BigInt(String(fields.Amount)) : available > least ? available : least;
  if (spare < drops) return 'tecUNFUNDED_PAYMENT';
  if (least !== undefined) deliver(String(drops));
  const owner = view.editAccount(check.Account);
  if (!owner) return 'tecINTERNAL';
  owner.Balance = String(BigInt(owner.Balance) - drops);
  root.Balance = String(BigInt(root.Balance) + drops);
  return 'tesSUCCESS';
}

/** The casher wants the money: it gets a line for it where it has none. */
function ensureLine(context: ApplyContext, { currency, issuer }: IssuedAmount): ResultName {
  const { view, rules, account: root, priorBalanceDrops } = context;
  if (issuer === root.Account || findLine(view, root.Account, issuer, currency)) return 'tesSUCCESS';
  if (priorBalanceDrops < reserveDrops(rules, root.OwnerCount + 1)) return 'tecNO_LINE_INSUF_RESERVE';
  const line = createLine(view, root.Account, { currency, issuer, value: '0' });
  if (!has(root.Flags, LSF.defaultRipple)) line.Flags = withFlag(line.Flags, LINE[sideOf(line, root.Account)].noRipple);
  return 'tesSUCCESS';
}

/** Runs the payment with the casher's limit out of the way: who cashes a check takes it, however much it is. */
function withoutLimit(context: ApplyContext, amount: IssuedAmount, pay: () => ResultName): ResultName {
  const { view, account: root } = context;
  const { currency, issuer } = amount;
  if (issuer === root.Account) return pay();
  const index = lineIndex(root.Account, issuer, currency);
  const line = view.edit('RippleState', index);
  if (!line) return 'tecNO_LINE';
  const side = sideOf(line, root.Account);
  const limit = side === 'low' ? line.LowLimit : line.HighLimit;
  setLimit(line, side, { ...limit, value: LARGEST });
  const result = pay();
  const left = view.edit('RippleState', index);
  if (left) setLimit(left, side, limit);
  return result;
}

function cashIssued(context: ApplyContext, check: Check): ResultName {
  const { view, fields, rules, account: root, deliver } = context;
  const { DeliverMin: least, Amount: exact } = fields;
  const amount = least ?? exact;
  if (amount === undefined || !isIssued(amount)) return 'tecINTERNAL';
  const ready = ensureLine(context, amount);
  if (!isSuccess(ready)) return ready;
  const wanted = least === undefined ? amount : { ...amount, value: HALF_OF_LARGEST };
  let delivered: Quantity = quantityOf(wanted);
  const result = withoutLimit(context, amount, () => {
    const payments = new PaymentView(view);
    const outcome = flow(payments, rules, {
      source: check.Account,
      destination: root.Account,
      deliver: assetOf(amount),
      spend: assetOf(check.SendMax),
      amount: delivered,
      most: quantityOf(check.SendMax),
      paths: [],
      defaultPath: true,
      partial: least !== undefined,
      ownerPaysFee: true,
      crossing: 'no',
      limitQuality: undefined,
      domain: undefined,
    });
    payments.applyTo(view);
    delivered = outcome.delivered;
    return outcome.result;
  });
  if (!isSuccess(result)) return result;
  if (least !== undefined && order(delivered, quantityOf(least)) < 0) return 'tecPATH_PARTIAL';
  deliver(amountOf(assetOf(amount), delivered));
  return 'tesSUCCESS';
}

/** CheckCash: the receiver takes an exact amount, or as much as there is but not less than DeliverMin. */
export const checkCash: TransactionType = {
  flags: 0,
  preflight({ CheckID: id, Amount: exact, DeliverMin: least }, rules) {
    const amount = exact ?? least;
    if (typeof amount === 'object' && !isIssued(amount)) return 'temDISABLED';
    if (isRefusedId(id, rules)) return 'temMALFORMED';
    if ((exact === undefined) === (least === undefined)) return 'temMALFORMED';
    return checkAmount(amount);
  },
  preclaim: preclaimCash,
  apply(context) {
    const { view, fields } = context;
    const { CheckID: index = '' } = fields;
    const check = read(view, 'Check', index);
    if (!check) return 'tecNO_ENTRY';
    const paid = typeof check.SendMax === 'string' ? cashXrp(context, check) : cashIssued(context, check);
    if (isSuccess(paid)) removeCheck(view, index, check);
    return paid;
  },
};
