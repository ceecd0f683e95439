import { compare, isNegative, isZero, parseDecimal } from '../amount.ts';
import { type Amount, has, isIssued, isMpt, LSF, UNTHREADED, withoutFlag } from '../entries.ts';
import { accountIndex, depositPreauthIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import type { ReadView } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { payIssued } from './paymentIssued.ts';
import { payMpt } from './paymentMpt.ts';
import { BAD_CURRENCY } from './trustSet.ts';
import { type ApplyContext, hasFlag, type PreclaimContext, TF_PARTIAL_PAYMENT, type TransactionType } from './types.ts';
import { account } from './view.ts';

const TF_NO_RIPPLE_DIRECT = 0x00010000;
const TF_LIMIT_QUALITY = 0x00040000;

/** What an amount is of, as text that is equal for equal assets. */
function asset(amount: Amount): string {
  if (isIssued(amount)) return `${amount.currency}/${amount.issuer}`;
  return isMpt(amount) ? amount.mpt_issuance_id : 'XRP';
}

function isPositiveAmount(amount: Amount): boolean {
  if (isIssued(amount)) {
    const value = parseDecimal(amount.value);
    return !isZero(value) && !isNegative(value);
  }
  return BigInt(isMpt(amount) ? amount.value : amount) > 0n;
}

function exceeds(a: Amount, b: Amount): boolean {
  if (isIssued(a) && isIssued(b)) {
    return compare(parseDecimal(a.value), parseDecimal(b.value)) > 0;
  }
  return BigInt(isMpt(a) ? a.value : String(a)) > BigInt(isMpt(b) ? b.value : String(b));
}

function preflightDirect(fields: TransactionFields): ResultName {
  if (fields.Paths !== undefined) return 'temBAD_SEND_XRP_PATHS';
  if (hasFlag(fields, TF_LIMIT_QUALITY)) return 'temBAD_SEND_XRP_LIMIT';
  return hasFlag(fields, TF_NO_RIPPLE_DIRECT) ? 'temBAD_SEND_XRP_NO_DIRECT' : 'tesSUCCESS';
}

function preflight(fields: TransactionFields): ResultName {
  const { Amount: amount, SendMax: sendMax, DeliverMin: deliverMin, Destination: destination } = fields;
  if (amount === undefined) return 'temMALFORMED';
  if (isMpt(amount) && sendMax !== undefined && asset(sendMax) !== asset(amount)) return 'temMALFORMED';
  if (!destination) return 'temDST_NEEDED';
  if ((sendMax !== undefined && !isPositiveAmount(sendMax)) || !isPositiveAmount(amount)) return 'temBAD_AMOUNT';
  if ([amount, sendMax].some((each) => each !== undefined && isIssued(each) && each.currency === BAD_CURRENCY)) {
    return 'temBAD_CURRENCY';
  }
  if (destination === fields.Account && asset(sendMax ?? amount) === asset(amount) && fields.Paths === undefined) {
    return 'temREDUNDANT';
  }
  const xrpDirect = typeof amount === 'string' && (sendMax === undefined || typeof sendMax === 'string');
  const partial = hasFlag(fields, TF_PARTIAL_PAYMENT);
  if (xrpDirect && sendMax !== undefined) return 'temBAD_SEND_XRP_MAX';
  if (xrpDirect && partial) return 'temBAD_SEND_XRP_PARTIAL';
  if (xrpDirect || isMpt(amount)) {
    const direct = preflightDirect(fields);
    if (direct !== 'tesSUCCESS') return direct;
  }
  if (deliverMin === undefined) return 'tesSUCCESS';
  const meaningful = partial && asset(deliverMin) === asset(amount) && isPositiveAmount(deliverMin);
  return meaningful && !exceeds(deliverMin, amount) ? 'tesSUCCESS' : 'temBAD_AMOUNT';
}

function preclaim({ view, fields, rules, open }: PreclaimContext): ResultName {
  const { Amount: amount = '0', Destination: destination = '' } = fields;
  const root = account(view, destination);
  if (root) {
    const needsTag = has(root.Flags, LSF.requireDestTag) && fields.DestinationTag === undefined;
    return needsTag ? 'tecDST_TAG_NEEDED' : 'tesSUCCESS';
  }
  if (typeof amount !== 'string') return 'tecNO_DST';
  if (open && hasFlag(fields, TF_PARTIAL_PAYMENT)) return 'telNO_DST_PARTIAL';
  return BigInt(amount) < reserveDrops(rules, 0) ? 'tecNO_DST_INSUF_XRP' : 'tesSUCCESS';
}

/** Whether deposit authorization lets `source` pay `destination`. */
export function mayDeposit(view: ReadView, source: string, destination: string): boolean {
  const root = account(view, destination);
  if (!root || source === destination || !has(root.Flags, LSF.depositAuth)) return true;
  return view.get(depositPreauthIndex(destination, source)) !== undefined;
}

function payXrp(context: ApplyContext, amountDrops: bigint): ResultName {
  const { view, fields, rules, account: root, priorBalanceDrops } = context;
  const destination = fields.Destination ?? '';
  const reserve = reserveDrops(rules, root.OwnerCount);
  const feeDrops = BigInt(String(fields.Fee));
  if (priorBalanceDrops < amountDrops + (reserve > feeDrops ? reserve : feeDrops)) return 'tecUNFUNDED_PAYMENT';
  const receiver = view.editAccount(destination);
  if (receiver) {
    const base = reserveDrops(rules, 0);
    // An account stuck below the reserve may be helped up to it, whatever it authorized.
    const helps = amountDrops <= base && BigInt(receiver.Balance) <= base;
    if (!helps && !mayDeposit(view, root.Account, destination)) return 'tecNO_PERMISSION';
    receiver.Balance = String(BigInt(receiver.Balance) + amountDrops);
    // Income restores the right to one free change of the regular key.
    receiver.Flags = withoutFlag(receiver.Flags, LSF.passwordSpent);
  } else {
    view.create(accountIndex(destination), {
      LedgerEntryType: 'AccountRoot',
      Account: destination,
      Balance: String(amountDrops),
      Flags: 0,
      OwnerCount: 0,
      Sequence: view.ledgerIndex,
      ...UNTHREADED,
    });
  }
  root.Balance = String(BigInt(root.Balance) - amountDrops);
  return 'tesSUCCESS';
}

/** Payment of XRP, issued currency (over its issuer, no order books) or MPT. */
export const payment: TransactionType = {
  flags: TF_NO_RIPPLE_DIRECT | TF_PARTIAL_PAYMENT | TF_LIMIT_QUALITY,
  preflight,
  preclaim,
  apply(context) {
    const { Amount: amount = '0', SendMax: sendMax, Destination: destination = '' } = context.fields;
    if (typeof amount === 'string') {
      // XRP bought with something else needs an order book, of which there is none.
      return sendMax === undefined || typeof sendMax === 'string' ? payXrp(context, BigInt(amount)) : 'tecPATH_DRY';
    }
    if (!mayDeposit(context.view, context.account.Account, destination)) return 'tecNO_PERMISSION';
    return isIssued(amount) ? payIssued(context, amount) : payMpt(context, amount);
  },
};
