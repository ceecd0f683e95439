import { type Amount, has, isIssued, isMpt, LSF, ZERO_ADDRESS, ZERO_HASH } from '../entries.ts';
import { isSuccess, isTer, type ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import type { ReadView } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { checkCredentialIds, checkCredentials, verifyDeposit } from './depositAuth.ts';
import { isInDomain } from './domains.ts';
import { type FlowOutcome, type FlowRequest, flow } from './paths/flow.ts';
import { PaymentView } from './paths/paymentView.ts';
import { qualityOf } from './paths/quality.ts';
import { amountOf, assetOf, equal, isXrp, order, quantityOf, signOf } from './paths/quantity.ts';
import { pathsOf } from './paths/strand.ts';
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
import { account } from './view.ts';

const TF_NO_RIPPLE_DIRECT = 0x00010000;

/** What an amount is of, as text that is equal for equal assets. */
function asset(amount: Amount): string {
  if (isIssued(amount)) return `${amount.currency}/${amount.issuer}`;
  return isMpt(amount) ? amount.mpt_issuance_id : 'XRP';
}

/** As text that is equal for equal tokens, whoever issues them. */
const token = (amount: Amount): string => (isIssued(amount) ? amount.currency : asset(amount));

const isPositiveAmount = (amount: Amount): boolean =>
  isMpt(amount) ? BigInt(amount.value) > 0n : signOf(quantityOf(amount)) > 0;

function exceeds(a: Amount, b: Amount): boolean {
  return isMpt(a) && isMpt(b) ? BigInt(a.value) > BigInt(b.value) : order(quantityOf(a), quantityOf(b)) > 0;
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
  if (fields.DomainID === ZERO_HASH) return 'temMALFORMED';
  if (!destination || destination === ZERO_ADDRESS) return 'temDST_NEEDED';
  if ((sendMax !== undefined && !isPositiveAmount(sendMax)) || !isPositiveAmount(amount)) return 'temBAD_AMOUNT';
  if ([amount, sendMax].some((each) => each !== undefined && isIssued(each) && each.currency === BAD_CURRENCY)) {
    return 'temBAD_CURRENCY';
  }
  if (destination === fields.Account && token(sendMax ?? amount) === token(amount) && fields.Paths === undefined) {
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

function checkDestination({ view, fields, rules, open }: PreclaimContext): ResultName {
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

function preclaim(context: PreclaimContext): ResultName {
  const { view, fields, open } = context;
  const reachable = checkDestination(context);
  if (!isSuccess(reachable)) return reachable;
  return open && hasTooManyPaths(fields) ? 'telBAD_PATH_COUNT' : checkMembers(view, fields);
}

/** A flow whose amounts are beyond what the ledger counts fails, but costs its fee. */
function flowWithin(
  payments: PaymentView,
  rules: ApplyContext['rules'],
  request: FlowRequest,
): Pick<FlowOutcome, 'result' | 'delivered'> {
  try {
    return flow(payments, rules, request);
  } catch (error) {
    if (error instanceof RangeError) return { result: 'tecINTERNAL', delivered: request.amount };
    throw error;
  }
}

/**
 * Pays over trust lines and order books. As on the server, a way that leads nowhere costs the fee: its `ter` becomes
 * tecPATH_DRY.
 */
function payByPaths({ view, fields, rules, deliver }: ApplyContext, amount: Amount): ResultName {
  const { Account: source, Destination: destination = '', SendMax: sendMax, DeliverMin: deliverMin } = fields;
  const allowed = verifyDeposit(view, fields, destination);
  if (!isSuccess(allowed)) return allowed;
  if (!account(view, destination)) creditXrp(view, destination, 0n);
  const asked = quantityOf(amount);
  const most = sendMax === undefined ? asked : quantityOf(sendMax);
  const deliverAsset = assetOf(amount);
  const payments = new PaymentView(view);
  const { result, delivered } = flowWithin(payments, rules, {
    source,
    destination,
    deliver: deliverAsset,
    // Without SendMax the source pays in the same currency, of any issuer.
    spend:
      sendMax === undefined && !isXrp(deliverAsset) ? { ...deliverAsset, issuer: source } : assetOf(sendMax ?? amount),
    amount: asked,
    most,
    paths: pathsOf(fields.Paths),
    defaultPath: !hasFlag(fields, TF_NO_RIPPLE_DIRECT),
    partial: hasFlag(fields, TF_PARTIAL_PAYMENT),
    ownerPaysFee: false,
    crossing: 'no',
    limitQuality: hasFlag(fields, TF_LIMIT_QUALITY) ? qualityOf(most, asked) : undefined,
    domain: fields.DomainID,
  });
  if (isTer(result)) return 'tecPATH_DRY';
  if (!isSuccess(result)) return result;
  if (!equal(delivered, asked)) {
    if (deliverMin !== undefined && order(delivered, quantityOf(deliverMin)) < 0) return 'tecPATH_PARTIAL';
    deliver(amountOf(deliverAsset, delivered));
  }
  payments.applyTo(view);
  return result;
}

/** Payment of XRP, of an issued currency or over order books, or of an MPT. */
export const payment: TransactionType = {
  flags: TF_NO_RIPPLE_DIRECT | TF_PARTIAL_PAYMENT | TF_LIMIT_QUALITY,
  preflight,
  preclaim,
  apply(context) {
    const { Amount: amount = '0', SendMax: sendMax } = context.fields;
    if (typeof amount === 'string' && sendMax === undefined) return payXrp(context, BigInt(amount));
    return isMpt(amount) ? payMpt(context, amount) : payByPaths(context, amount);
  },
};
