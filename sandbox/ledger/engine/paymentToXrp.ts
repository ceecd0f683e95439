import {
  type Decimal,
  divide,
  formatDecimal,
  isPositive,
  min,
  multiply,
  parseDecimal,
  rateFactor,
  subtract,
  ZERO,
} from '../amount.ts';
import type { IssuedAmount, Offer } from '../entries.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import { capacity, moveOnLine } from './lines.ts';
import { offersOf, priceOf, removeOffer } from './offers.ts';
import { legLine } from './paymentIssued.ts';
import { creditXrp } from './payXrp.ts';
import { type ApplyContext, hasFlag, TF_PARTIAL_PAYMENT } from './types.ts';
import { account, type TransactionView } from './view.ts';

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
export function payToXrp(context: ApplyContext, wantedDrops: bigint, sendMax: IssuedAmount): ResultName {
  const { view, account: root, fields } = context;
  const { currency, issuer } = sendMax;
  const line = root.Account === issuer ? undefined : legLine(view, root.Account, issuer, currency, false);
  if (root.Account !== issuer && !line) return 'tecPATH_DRY';
  const rate = rateFactor(root.Account === issuer ? undefined : account(view, issuer)?.TransferRate);
  const most = parseDecimal(sendMax.value);
  let left = divide(line ? min(most, capacity(line, root.Account)) : most, rate);
  let bought = 0n;
  for (const { index, offer } of [...offersOf(view, sendMax)]) {
    if (bought === wantedDrops || !isPositive(left)) break;
    if (offer.Account === root.Account) continue;
    const price = priceOf(offer);
    const affordable = wholeDrops(divide(left, price));
    const taken = least(wantedDrops - bought, BigInt(offer.TakerGets), fundsOf(context, offer.Account), affordable);
    if (taken === 0n) continue;
    const paid = min(multiply(drops(taken), price), left);
    take(view, index, offer, taken, paid);
    payOwner(view, root.Account, offer.Account, multiply(paid, rate), { ...sendMax, value: formatDecimal(paid) });
    left = isPositive(subtract(left, paid)) ? subtract(left, paid) : ZERO;
    bought += taken;
  }
  if (bought === 0n) return 'tecPATH_DRY';
  if (bought < wantedDrops) {
    const { DeliverMin: deliverMin } = fields;
    const enough = typeof deliverMin !== 'string' || bought >= BigInt(deliverMin);
    if (!hasFlag(fields, TF_PARTIAL_PAYMENT) || !enough) return 'tecPATH_PARTIAL';
    context.deliver(String(bought));
  }
  creditXrp(view, fields.Destination ?? '', bought);
  return 'tesSUCCESS';
}
