import {
  compare,
  type Decimal,
  divide,
  formatDecimal,
  isNegative,
  isPositive,
  isZero,
  min,
  multiply,
  parseDecimal,
  rateFactor,
  subtract,
  ZERO,
} from '../amount.ts';
import { type Amount, has, type IssuedAmount, isIssued, isMpt, LSF, type Offer } from '../entries.ts';
import { isSuccess, type ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import type { ReadView } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { checkCredentialIds, checkCredentials, verifyDeposit } from './depositAuth.ts';
import { isInDomain } from './domains.ts';
import { capacity, moveOnLine } from './lines.ts';
import { offersOf, priceOf, removeOffer } from './offers.ts';
import { legLine, payIssued } from './paymentIssued.ts';
import { payMpt } from './paymentMpt.ts';
import { creditXrp, payXrp } from './payXrp.ts';
import { BAD_CURRENCY } from './trustSet.ts';
import {
  type ApplyContext,
  hasFlag,
  type PreclaimContext,
  TF_LIMIT_QUALITY,
  TF_PARTIAL_PAYMENT,
  type TransactionType,
} from './types.ts';
import { account, type TransactionView } from './view.ts';

const TF_NO_RIPPLE_DIRECT = 0x00010000;

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

/** An MPT moves straight from one account to another: no paths, no exchange, and no flag but that for a partial payment. */
function preflightMpt(fields: TransactionFields, amount: Amount, sendMax: Amount = amount): ResultName {
  if (isMpt(amount) && hasFlag(fields, TF_NO_RIPPLE_DIRECT | TF_LIMIT_QUALITY)) return 'temINVALID_FLAG';
  if (isMpt(amount) && fields.Paths !== undefined) return 'temMALFORMED';
  return asset(sendMax) === asset(amount) ? 'tesSUCCESS' : 'temMALFORMED';
}

function preflight(fields: TransactionFields): ResultName {
  const { Amount: amount, SendMax: sendMax, DeliverMin: deliverMin, Destination: destination } = fields;
  if (amount === undefined) return 'temMALFORMED';
  if (isMpt(amount) || (sendMax !== undefined && isMpt(sendMax))) {
    const result = preflightMpt(fields, amount, sendMax);
    if (result !== 'tesSUCCESS') return result;
  }
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
  if (xrpDirect) {
    const direct = preflightDirect(fields);
    if (direct !== 'tesSUCCESS') return direct;
  }
  if (deliverMin === undefined) return checkCredentialIds(fields);
  const meaningful = partial && asset(deliverMin) === asset(amount) && isPositiveAmount(deliverMin);
  return meaningful && !exceeds(deliverMin, amount) ? checkCredentialIds(fields) : 'temBAD_AMOUNT';
}

const MOST_PATHS = 6;
const MOST_PATH_STEPS = 8;

function hasTooManyPaths({ Paths: paths }: TransactionFields): boolean {
  if (!Array.isArray(paths)) return false;
  return paths.length > MOST_PATHS || paths.some((path) => Array.isArray(path) && path.length > MOST_PATH_STEPS);
}

/** The credentials that are named are good, and in a domain both sides are members. */
function checkMembers(view: ReadView, fields: TransactionFields): ResultName {
  const credentials = checkCredentials(view, fields);
  const { Account: from, Destination: to = '', DomainID: domain } = fields;
  if (!isSuccess(credentials) || domain === undefined) return credentials;
  return isInDomain(view, domain, from) && isInDomain(view, domain, to) ? 'tesSUCCESS' : 'tecNO_PERMISSION';
}

function preclaim({ view, fields, rules, open }: PreclaimContext): ResultName {
  const { Amount: amount = '0', Destination: destination = '' } = fields;
  const root = account(view, destination);
  if (root) {
    const needsTag = has(root.Flags, LSF.requireDestTag) && fields.DestinationTag === undefined;
    if (needsTag) return 'tecDST_TAG_NEEDED';
    return open && hasTooManyPaths(fields) ? 'telBAD_PATH_COUNT' : checkMembers(view, fields);
  }
  if (typeof amount !== 'string') return 'tecNO_DST';
  if (open && hasFlag(fields, TF_PARTIAL_PAYMENT)) return 'telNO_DST_PARTIAL';
  return BigInt(amount) < reserveDrops(rules, 0) ? 'tecNO_DST_INSUF_XRP' : checkMembers(view, fields);
}

/** Payment of XRP, issued currency (over its issuer), MPT, or XRP bought with a currency. */
export const payment: TransactionType = {
  flags: TF_NO_RIPPLE_DIRECT | TF_PARTIAL_PAYMENT | TF_LIMIT_QUALITY,
  preflight,
  preclaim,
  apply(context) {
    const { Amount: amount = '0', SendMax: sendMax, Destination: destination = '' } = context.fields;
    if (hasFlag(context.fields, TF_NO_RIPPLE_DIRECT) && context.fields.Paths === undefined) return 'temRIPPLE_EMPTY';
    if (typeof amount === 'string') {
      if (sendMax === undefined || typeof sendMax === 'string') return payXrp(context, BigInt(amount));
      const allowed = verifyDeposit(context.view, context.fields, destination);
      if (!isSuccess(allowed)) return allowed;
      return isIssued(sendMax) ? payToXrp(context, BigInt(amount), sendMax) : 'tecPATH_DRY';
    }
    if (isMpt(amount)) return payMpt(context, amount);
    const allowed = verifyDeposit(context.view, context.fields, destination);
    return isSuccess(allowed) ? payIssued(context, amount) : allowed;
  },
};

/** Whole drops of a decimal, rounded down. */
function wholeDrops({ mantissa, exponent }: Decimal): bigint {
  return exponent >= 0 ? mantissa * 10n ** BigInt(exponent) : mantissa / 10n ** BigInt(-exponent);
}

const drops = (amount: bigint): Decimal => parseDecimal(String(amount));
const least = (...amounts: readonly bigint[]): bigint => amounts.reduce((a, b) => (a < b ? a : b));

/** Drops the owner of an offer can give up. */
function fundsOf({ view, rules }: ApplyContext, owner: string): bigint {
  const root = account(view, owner);
  const spare = root ? BigInt(root.Balance) - reserveDrops(rules, root.OwnerCount) : 0n;
  return spare > 0n ? spare : 0n;
}

function take(view: TransactionView, index: string, offer: Offer, taken: bigint, paid: Decimal): void {
  const owner = view.editAccount(offer.Account);
  if (owner) owner.Balance = String(BigInt(owner.Balance) - taken);
  const left = BigInt(offer.TakerGets) - taken;
  const resting = view.edit('Offer', index);
  if (!resting) return;
  resting.TakerGets = String(left);
  const unpaid = subtract(parseDecimal(offer.TakerPays.value), paid);
  resting.TakerPays = { ...offer.TakerPays, value: formatDecimal(unpaid) };
  if (left === 0n || !isPositive(unpaid)) removeOffer(view, index);
}

/** Pays an offer's owner over the issuer both trust. */
function payOwner(view: TransactionView, from: string, owner: string, sent: Decimal, paid: IssuedAmount): void {
  if (from !== paid.issuer) moveOnLine(view, from, paid.issuer, paid.currency, sent);
  if (owner !== paid.issuer) moveOnLine(view, paid.issuer, owner, paid.currency, parseDecimal(paid.value));
}

/** Buys XRP for the destination with an issued currency, offer by offer, the cheapest first. */
export function payToXrp(context: ApplyContext, requestedDrops: bigint, sendMax: IssuedAmount): ResultName {
  const { view, account: root, fields } = context;
  const { currency, issuer } = sendMax;
  const line = root.Account === issuer ? undefined : legLine(view, root.Account, issuer, currency, false);
  if (root.Account !== issuer && !line) return 'tecPATH_DRY';
  const rate = rateFactor(root.Account === issuer ? undefined : account(view, issuer)?.TransferRate);
  const most = parseDecimal(sendMax.value);
  let left = divide(line ? min(most, capacity(line, root.Account)) : most, rate);
  let bought = 0n;
  // A payment in a domain takes no offers from outside it.
  const offers = fields.DomainID === undefined ? [...offersOf(view, sendMax)] : [];
  for (const { index, offer } of offers) {
    if (bought === requestedDrops || !isPositive(left)) break;
    if (offer.Account === root.Account) continue;
    const price = priceOf(offer);
    const affordable = wholeDrops(divide(left, price));
    const taken = least(requestedDrops - bought, BigInt(offer.TakerGets), fundsOf(context, offer.Account), affordable);
    if (taken === 0n) continue;
    const paid = min(multiply(drops(taken), price), left);
    take(view, index, offer, taken, paid);
    payOwner(view, root.Account, offer.Account, multiply(paid, rate), { ...sendMax, value: formatDecimal(paid) });
    left = isPositive(subtract(left, paid)) ? subtract(left, paid) : ZERO;
    bought += taken;
  }
  if (bought === 0n) return 'tecPATH_DRY';
  if (bought < requestedDrops) {
    const { DeliverMin: deliverMin } = fields;
    const enough = typeof deliverMin !== 'string' || bought >= BigInt(deliverMin);
    if (!hasFlag(fields, TF_PARTIAL_PAYMENT) || !enough) return 'tecPATH_PARTIAL';
    context.deliver(String(bought));
  }
  creditXrp(view, fields.Destination ?? '', bought);
  return 'tesSUCCESS';
}
