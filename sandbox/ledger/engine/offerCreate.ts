import { multiply, normalize } from '../amount.ts';
import { type Amount, has, isMpt, LINE, LSF, OFFER, ZERO_ADDRESS } from '../entries.ts';
import { offerIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import type { ReadView } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { isInDomain } from './domains.ts';
import { findLine, sideOf } from './lines.ts';
import { placeOffer, removeOffer } from './offers.ts';
import { flow } from './paths/flow.ts';
import { PaymentView } from './paths/paymentView.ts';
import {
  divideQuantities,
  divideRoundedTo,
  multiplyRounded,
  nearestDrops,
  priceOf,
  type Quality,
  qualityOf,
  roundToTick,
} from './paths/quality.ts';
import {
  type Asset,
  amountOf,
  assetOf,
  equal,
  isXrp,
  least,
  minus,
  PARITY,
  type Quantity,
  quantityOf,
  sameAsset,
  signOf,
  zeroLike,
} from './paths/quantity.ts';
import { fundsOf, transferRate } from './paths/transfers.ts';
import { BAD_CURRENCY } from './trustSet.ts';
import { type ApplyContext, hasFlag, type PreclaimContext, type TransactionType } from './types.ts';
import { account } from './view.ts';

const TF = {
  passive: 0x00010000,
  immediateOrCancel: 0x00020000,
  fillOrKill: 0x00040000,
  sell: 0x00080000,
  hybrid: 0x00100000,
} as const;
const ALL_FLAGS = Object.values(TF).reduce((mask, flag) => mask | flag, 0);
const NO_DOMAIN = '0'.repeat(64);
/** The most digits of a price; an issuer's tick size may ask for fewer. */
const MOST_TICK_DIGITS = 16;

function preflight(fields: TransactionFields): ResultName {
  const { TakerGets: gets, TakerPays: pays } = fields;
  if (gets === undefined || pays === undefined || isMpt(gets) || isMpt(pays)) return 'temDISABLED';
  if (hasFlag(fields, TF.hybrid) && fields.DomainID === undefined) return 'temINVALID_FLAG';
  if (fields.DomainID === NO_DOMAIN) return 'temMALFORMED';
  if (hasFlag(fields, TF.immediateOrCancel) && hasFlag(fields, TF.fillOrKill)) return 'temINVALID_FLAG';
  if (fields.Expiration === 0) return 'temBAD_EXPIRATION';
  if (fields.OfferSequence === 0) return 'temBAD_SEQUENCE';
  const assets = [assetOf(pays), assetOf(gets)] as const;
  if (assets.every(isXrp)) return 'temBAD_OFFER';
  if (signOf(quantityOf(pays)) <= 0 || signOf(quantityOf(gets)) <= 0) return 'temBAD_OFFER';
  if (sameAsset(...assets)) return 'temREDUNDANT';
  if (assets.some(({ currency }) => currency === BAD_CURRENCY)) return 'temBAD_CURRENCY';
  return assets.some(({ issuer }) => issuer === ZERO_ADDRESS) ? 'temBAD_ISSUER' : 'tesSUCCESS';
}

/** Whether `OfferSequence` names an offer that cannot be there yet. */
function namesTheFuture(view: ReadView, { Account: owner, OfferSequence: sequence }: TransactionFields): boolean {
  return sequence !== undefined && (account(view, owner)?.Sequence ?? 0) <= sequence;
}

const isPast = (view: ReadView, time: number | undefined): boolean =>
  time !== undefined && view.parentCloseTime >= time;

/** Whether the sender may hold what it wants to be paid. */
function checkAcceptable(view: ReadView, holder: string, { currency, issuer }: Asset): ResultName {
  const root = account(view, issuer);
  if (!root) return 'tecNO_ISSUER';
  if (issuer === holder) return 'tesSUCCESS';
  const line = findLine(view, holder, issuer, currency);
  if (has(root.Flags, LSF.requireAuth)) {
    if (!line) return 'tecNO_LINE';
    if (!has(line.Flags, LINE[sideOf(line, issuer)].auth)) return 'tecNO_AUTH';
  }
  // What is deeply frozen cannot be received, whichever side froze it.
  const isDeepFrozen = line !== undefined && has(line.Flags, LINE.low.deepFreeze | LINE.high.deepFreeze);
  return isDeepFrozen ? 'tecFROZEN' : 'tesSUCCESS';
}

function preclaim({ view, fields, rules }: PreclaimContext): ResultName {
  const { Account: owner, TakerGets: gets = '0', TakerPays: pays = '0', DomainID: domain } = fields;
  const [paysAsset, getsAsset] = [assetOf(pays), assetOf(gets)];
  const isHalted = ({ issuer }: Asset): boolean =>
    issuer !== '' && has(account(view, issuer)?.Flags ?? 0, LSF.globalFreeze);
  if (isHalted(paysAsset) || isHalted(getsAsset)) return 'tecFROZEN';
  if (signOf(fundsOf(view, rules, owner, getsAsset, quantityOf(gets))) <= 0) return 'tecUNFUNDED_OFFER';
  if (namesTheFuture(view, fields)) return 'temBAD_SEQUENCE';
  if (isPast(view, fields.Expiration)) return 'tecEXPIRED';
  const accepted = isXrp(paysAsset) ? 'tesSUCCESS' : checkAcceptable(view, owner, paysAsset);
  if (accepted !== 'tesSUCCESS') return accepted;
  return domain === undefined || isInDomain(view, domain, owner) ? 'tesSUCCESS' : 'tecNO_PERMISSION';
}

/** The two sides of an offer: what its owner gives, and what it wants for it. */
type Sides = { readonly gets: Quantity; readonly pays: Quantity };
type Trade = Sides & { readonly getsAsset: Asset; readonly paysAsset: Asset };

/** The fewest digits of a price that an issuer of either side asks for. */
function tickDigits(view: ReadView, { getsAsset, paysAsset }: Trade): number {
  const digits = [getsAsset, paysAsset].map(
    ({ issuer }) => (issuer && account(view, issuer)?.TickSize) || MOST_TICK_DIGITS,
  );
  return Math.min(...digits);
}

/** An offer with its price rounded to the tick size: the side that its owner does not insist on changes. */
function roundedToTick(trade: Trade, digits: number, sells: boolean): Trade {
  const price = priceOf(roundToTick(qualityOf(trade.pays, trade.gets), digits));
  if (sells) {
    const gets = typeof trade.gets === 'bigint' ? normalize(trade.gets, 0) : trade.gets;
    const pays = multiply(gets, price);
    const isDrops = typeof trade.pays === 'bigint';
    return {
      ...trade,
      pays: isDrops ? nearestDrops(gets.mantissa * price.mantissa, gets.exponent + price.exponent) : pays,
    };
  }
  const gets = divideQuantities(trade.pays, price);
  return { ...trade, gets: typeof trade.gets === 'bigint' ? nearestDrops(gets.mantissa, gets.exponent) : gets };
}

/** As much as a sell offer may bring: more than anybody has, with room for a transfer fee. */
const withoutEnd = (asset: Asset): Quantity =>
  isXrp(asset) ? 9_000_000_000_000_000_000n : normalize(4_999_999_999_999_999n, 80);

type Crossed = { readonly result: ResultName; readonly left: Sides; readonly removable: ReadonlySet<string> };

/** Meets the offers of the other side and says what is left to rest. */
function cross({ fields, rules, view }: ApplyContext, payments: PaymentView, trade: Trade): Crossed {
  const owner = fields.Account;
  const { gets, pays, getsAsset, paysAsset } = trade;
  const sells = hasFlag(fields, TF.sell);
  const funds = fundsOf(payments, rules, owner, getsAsset, gets);
  if (signOf(funds) <= 0) return { result: 'tecUNFUNDED_OFFER', left: trade, removable: new Set() };
  const feeRate = isXrp(getsAsset) || getsAsset.issuer === owner ? PARITY : transferRate(view, getsAsset.issuer);
  const fee = normalize(BigInt(feeRate), -9);
  const withFee = feeRate === PARITY ? gets : multiplyRounded(gets, fee, gets, { up: true, strict: false });
  // Qualities are compared with the fee in them.
  const threshold = qualityOf(withFee, pays) - (hasFlag(fields, TF.passive) ? 1n : 0n);
  const { result, paid, delivered, removable } = flow(payments, rules, {
    source: owner,
    destination: owner,
    deliver: paysAsset,
    spend: getsAsset,
    amount: sells ? withoutEnd(paysAsset) : pays,
    most: least(withFee, funds),
    paths: isXrp(getsAsset) || isXrp(paysAsset) ? [] : [[{ currency: 'XRP' }]],
    defaultPath: true,
    partial: !hasFlag(fields, TF.fillOrKill),
    ownerPaysFee: true,
    crossing: sells ? 'sell' : 'offer',
    limitQuality: threshold,
    domain: fields.DomainID,
  });
  for (const index of removable) removeOffer(payments, index);
  if (result !== 'tesSUCCESS') return { result: 'tesSUCCESS', left: trade, removable };
  const none = { gets: zeroLike(gets), pays: zeroLike(pays) };
  const hasFunds = signOf(fundsOf(payments, rules, owner, getsAsset, gets)) > 0;
  if (!hasFunds) return { result, left: none, removable };
  const price = priceOf(qualityOf(gets, pays));
  if (sells) {
    const given = feeRate === PARITY ? paid : divideRoundedTo(paid, fee, gets, { up: true, strict: false });
    const rest = minus(gets, given);
    const getsLeft = signOf(rest) < 0 ? none.gets : rest;
    return {
      result,
      left: { gets: getsLeft, pays: divideRoundedTo(getsLeft, price, pays, { up: false, strict: true }) },
      removable,
    };
  }
  const rest = minus(pays, delivered);
  const paysLeft = signOf(rest) < 0 ? none.pays : rest;
  return {
    result,
    left: { gets: multiplyRounded(paysLeft, price, gets, { up: true, strict: false }), pays: paysLeft },
    removable,
  };
}

/** An offer whose amounts are beyond what the ledger counts fails, but costs its fee. */
function crossWithin(context: ApplyContext, payments: PaymentView, trade: Trade): Crossed {
  try {
    return cross(context, payments, trade);
  } catch (error) {
    if (error instanceof RangeError) return { result: 'tecINTERNAL', left: trade, removable: new Set() };
    throw error;
  }
}

function restingFlags(fields: TransactionFields): number {
  return (
    (hasFlag(fields, TF.passive) ? OFFER.passive : 0) |
    (hasFlag(fields, TF.sell) ? OFFER.sell : 0) |
    (hasFlag(fields, TF.hybrid) ? OFFER.hybrid : 0)
  );
}

/** Lets what is left of an offer rest in its book, at the price it was made at. */
function rest(context: ApplyContext, trade: Trade, quality: Quality, hasCrossed: boolean): ResultName {
  const { view, fields, rules, priorBalanceDrops } = context;
  const owned = account(view, fields.Account)?.OwnerCount ?? 0;
  if (priorBalanceDrops < reserveDrops(rules, owned + 1)) return hasCrossed ? 'tesSUCCESS' : 'tecINSUF_RESERVE_OFFER';
  placeOffer(view, {
    owner: fields.Account,
    sequence: fields.TicketSequence ?? fields.Sequence,
    gets: amountOf(trade.getsAsset, trade.gets),
    pays: amountOf(trade.paysAsset, trade.pays),
    quality,
    flags: restingFlags(fields),
    expiration: fields.Expiration,
    domain: fields.DomainID,
    isHybrid: hasFlag(fields, TF.hybrid),
  });
  return 'tesSUCCESS';
}

const tradeOf = (gets: Amount, pays: Amount): Trade => ({
  gets: quantityOf(gets),
  pays: quantityOf(pays),
  getsAsset: assetOf(gets),
  paysAsset: assetOf(pays),
});

function apply(context: ApplyContext): ResultName {
  const { view, fields } = context;
  const { TakerGets: gets, TakerPays: pays, OfferSequence: replaced } = fields;
  if (gets === undefined || pays === undefined) return 'tecINTERNAL';
  if (replaced !== undefined) removeOffer(view, offerIndex(fields.Account, replaced));
  if (isPast(view, fields.Expiration)) return 'tecEXPIRED';
  let trade = tradeOf(gets, pays);
  let quality = qualityOf(trade.pays, trade.gets);
  const digits = tickDigits(view, trade);
  if (digits < MOST_TICK_DIGITS) {
    trade = roundedToTick(trade, digits, hasFlag(fields, TF.sell));
    if (signOf(trade.gets) === 0 || signOf(trade.pays) === 0) return 'tesSUCCESS';
    quality = qualityOf(trade.pays, trade.gets);
  }
  const payments = new PaymentView(view);
  const { result, left, removable } = crossWithin(context, payments, trade);
  context.removeThoughKilled(removable);
  if (result !== 'tesSUCCESS') return result;
  payments.applyTo(view);
  const hasCrossed = !equal(left.gets, trade.gets) || !equal(left.pays, trade.pays);
  if (signOf(left.gets) === 0 || signOf(left.pays) === 0) return 'tesSUCCESS';
  if (hasFlag(fields, TF.fillOrKill)) return 'tecKILLED';
  if (hasFlag(fields, TF.immediateOrCancel)) return hasCrossed ? 'tesSUCCESS' : 'tecKILLED';
  return rest(context, { ...trade, ...left }, quality, hasCrossed);
}

/** OfferCreate: meets what is there at its price or better, and lets the rest of it stand in its book. */
export const offerCreate: TransactionType = { flags: ALL_FLAGS, preflight, preclaim, apply };

/** OfferCancel: an offer that is not there is no failure. */
export const offerCancel: TransactionType = {
  flags: 0,
  preflight: ({ OfferSequence: sequence }) => (sequence ? 'tesSUCCESS' : 'temBAD_SEQUENCE'),
  preclaim: ({ view, fields }) => (namesTheFuture(view, fields) ? 'temBAD_SEQUENCE' : 'tesSUCCESS'),
  apply({ view, fields, account: root }) {
    removeOffer(view, offerIndex(root.Account, fields.OfferSequence ?? 0));
    return 'tesSUCCESS';
  },
};
