import { compare, isNegative, isZero, parseDecimal } from '../amount.ts';
import { type Amount, has, isIssued, isMpt, LSF } from '../entries.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import type { TransactionFields } from '../transaction.ts';
import { payIssued } from './paymentIssued.ts';
import { payMpt } from './paymentMpt.ts';
import { payToXrp } from './paymentToXrp.ts';
import { mayDeposit, payXrp } from './payXrp.ts';
import { BAD_CURRENCY } from './trustSet.ts';
import { hasFlag, type PreclaimContext, TF_PARTIAL_PAYMENT, type TransactionType } from './types.ts';
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

/** Payment of XRP, issued currency (over its issuer), MPT, or XRP bought with a currency. */
export const payment: TransactionType = {
  flags: TF_NO_RIPPLE_DIRECT | TF_PARTIAL_PAYMENT | TF_LIMIT_QUALITY,
  preflight,
  preclaim,
  apply(context) {
    const { Amount: amount = '0', SendMax: sendMax, Destination: destination = '' } = context.fields;
    if (typeof amount === 'string') {
      if (sendMax === undefined || typeof sendMax === 'string') return payXrp(context, BigInt(amount));
      if (!mayDeposit(context.view, context.account.Account, destination)) return 'tecNO_PERMISSION';
      return isIssued(sendMax) ? payToXrp(context, BigInt(amount), sendMax) : 'tecPATH_DRY';
    }
    if (!mayDeposit(context.view, context.account.Account, destination)) return 'tecNO_PERMISSION';
    return isIssued(amount) ? payIssued(context, amount) : payMpt(context, amount);
  },
};
