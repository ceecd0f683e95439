import { formatDecimal, multiply, normalize } from '../amount.ts';
import { offersOf } from '../engine/books.ts';
import { divideQuantities, nearestDrops, priceOf, qualityOfDirectory } from '../engine/paths/quality.ts';
import {
  amountOf,
  assetOf,
  isXrp,
  least,
  minus,
  order,
  PARITY,
  type Quantity,
  quantityOf,
  sameAsset,
  signOf,
  XRP,
  zeroOf,
} from '../engine/paths/quantity.ts';
import type { Book } from '../engine/paths/step.ts';
import { fundsOf, transferRate } from '../engine/paths/transfers.ts';
import { account } from '../engine/view.ts';
import { has, LSF, NO_ISSUER, ZERO_ADDRESS } from '../entries.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { isAddress, plainCurrency } from '../keylets.ts';
import type { NetworkRules } from '../rules.ts';
import type { ReadView } from '../state.ts';
import { shownEntry } from './render.ts';
import { pageLimit, selectLedger } from './select.ts';
import { type Handler, RpcError, type RpcErrorName } from './types.ts';

const LIMITS = { least: 0, usual: 60, most: 100 };
/** A currency as a request may spell it: three characters, 160 bits in hex, or nothing for XRP. */
const CURRENCY = /^(?:|[A-Za-z0-9?!@#$%^&*<>(){}[\]|]{3}|[0-9A-Fa-f]{40})$/;
const XRP_CODE = '0'.repeat(40);

type Side = 'taker_pays' | 'taker_gets';
const SIDE_ERRORS = {
  taker_pays: { currency: 'srcCurMalformed', issuer: 'srcIsrMalformed' },
  taker_gets: { currency: 'dstAmtMalformed', issuer: 'dstIsrMalformed' },
} as const satisfies Record<Side, Record<'currency' | 'issuer', RpcErrorName>>;

const invalid = (message: string): RpcError => new RpcError('invalidParams', { message });

function sideObject(request: JsonObject, side: Side): JsonObject {
  const value: Json | undefined = request[side];
  if (value === undefined) throw invalid(`Missing field '${side}'.`);
  if (value === null) return {};
  if (!isObject(value)) throw invalid(`Invalid field '${side}', not object.`);
  return value;
}

function currencyOf(asset: JsonObject, side: Side): string {
  const { currency } = asset;
  if (currency === undefined) throw invalid(`Missing field '${side}.currency'.`);
  if (typeof currency !== 'string') throw invalid(`Invalid field '${side}.currency', not string.`);
  return currency;
}

/** A currency in the ledger's spelling; throws where it is none. */
export function parseCurrency(text: string, error: RpcError): string {
  if (!CURRENCY.test(text)) throw error;
  if (text === '' || text === XRP_CODE) return XRP.currency;
  return text.length === 40 ? plainCurrency(text.toUpperCase()) : text;
}

function issuerOf(asset: JsonObject, side: Side, currency: string): string {
  const fails = (message: string): RpcError => new RpcError(SIDE_ERRORS[side].issuer, { message });
  const { issuer } = asset;
  if (issuer !== undefined) {
    if (typeof issuer !== 'string') throw invalid(`Invalid field '${side}.issuer', not string.`);
    if (!isAddress(issuer)) throw fails(`Invalid field '${side}.issuer', bad issuer.`);
    if (issuer === NO_ISSUER) throw fails(`Invalid field '${side}.issuer', bad issuer account one.`);
  }
  const account = issuer === undefined || issuer === ZERO_ADDRESS ? '' : issuer;
  if (currency === XRP.currency && account !== '') {
    throw fails(`Unneeded field '${side}.issuer' for XRP currency specification.`);
  }
  if (currency !== XRP.currency && account === '') {
    throw fails(`Invalid field '${side}.issuer', expected non-XRP issuer.`);
  }
  return account;
}

/** The `domain` of a request about an order book. */
export function domainOf({ domain }: JsonObject): string | undefined {
  if (domain === undefined) return undefined;
  if (typeof domain !== 'string' || !/^[0-9A-Fa-f]{64}$/.test(domain)) throw new RpcError('domainMalformed');
  return domain.toUpperCase();
}

/** The book a request asks for, with the server's checks in their order. */
function bookOf(request: JsonObject): Book & { readonly taker: string | undefined } {
  const pays = sideObject(request, 'taker_pays');
  const gets = sideObject(request, 'taker_gets');
  const [paysText, getsText] = [currencyOf(pays, 'taker_pays'), currencyOf(gets, 'taker_gets')];
  const parsed = (text: string, side: Side): string =>
    parseCurrency(
      text,
      new RpcError(SIDE_ERRORS[side].currency, { message: `Invalid field '${side}.currency', bad currency.` }),
    );
  const paysCurrency = parsed(paysText, 'taker_pays');
  const getsCurrency = parsed(getsText, 'taker_gets');
  const paysAsset = { currency: paysCurrency, issuer: issuerOf(pays, 'taker_pays', paysCurrency) };
  const getsAsset = { currency: getsCurrency, issuer: issuerOf(gets, 'taker_gets', getsCurrency) };
  const { taker } = request;
  if (taker !== undefined) {
    if (typeof taker !== 'string') throw invalid("Invalid field 'taker', not string.");
    if (!isAddress(taker)) throw invalid("Invalid field 'taker'.");
  }
  const domain = domainOf(request);
  if (sameAsset(paysAsset, getsAsset)) throw new RpcError('badMarket');
  return { in: paysAsset, out: getsAsset, ...(domain === undefined ? {} : { domain }), taker };
}

/** A quantity at a price, as the other side of an offer. */
function atPrice(quantity: Quantity, price: Quantity, like: Quantity): Quantity {
  const [a, b] = [quantity, price].map((each) => (typeof each === 'bigint' ? normalize(each, 0) : each));
  if (!a || !b) return like;
  return typeof like === 'bigint' ? nearestDrops(a.mantissa * b.mantissa, a.exponent + b.exponent) : multiply(a, b);
}

/** What an owner can give of what it has, once the issuer took its fee. */
function lessFee(funds: Quantity, rate: number): Quantity {
  if (rate === PARITY || signOf(funds) === 0) return funds;
  const left = divideQuantities(funds, normalize(BigInt(rate), -9));
  return typeof funds === 'bigint' ? nearestDrops(left.mantissa, left.exponent) : left;
}

/**
 * The offers of a book, the best first, with what their owners can give. The funds of an owner of several offers go to
 * the best of them first.
 */
export function bookPage(
  view: ReadView,
  rules: NetworkRules,
  book: Book,
  { taker, limit }: { taker: string | undefined; limit: number },
): JsonObject[] {
  const { in: pays, out: gets } = book;
  const isHalted = [pays, gets].some(
    (asset) => !isXrp(asset) && has(account(view, asset.issuer)?.Flags ?? 0, LSF.globalFreeze),
  );
  const rate = isXrp(gets) ? PARITY : transferRate(view, gets.issuer);
  const fundsLeft = new Map<string, Quantity>();
  const shown: JsonObject[] = [];
  const fundsInView = (owner: string, asked: Quantity): Quantity => {
    if (gets.issuer === owner) return asked;
    if (isHalted) return zeroOf(gets);
    const funds = fundsOf(view, rules, owner, gets, asked);
    return signOf(funds) < 0 ? zeroOf(gets) : funds;
  };
  for (const { directory, index, offer } of offersOf(view, book)) {
    if (shown.length >= limit) break;
    if (!offer) continue;
    const price = priceOf(qualityOfDirectory(directory));
    const [askedGets, askedPays] = [quantityOf(offer.TakerGets), quantityOf(offer.TakerPays)];
    const isIssuer = gets.issuer === offer.Account;
    const known = isIssuer || isHalted ? undefined : fundsLeft.get(offer.Account);
    const funds = known ?? fundsInView(offer.Account, askedGets);
    const ownerRate = taker === gets.issuer || isIssuer ? PARITY : rate;
    const most = lessFee(funds, ownerRate);
    const isFunded = order(most, askedGets) >= 0;
    const funded = isFunded ? askedGets : most;
    const paid =
      ownerRate === PARITY ? funded : least(funds, atPrice(funded, normalize(BigInt(ownerRate), -9), funded));
    fundsLeft.set(offer.Account, minus(funds, paid));
    shown.push({
      ...shownEntry(offer, index),
      ...(known === undefined ? { owner_funds: quantityText(funds) } : {}),
      quality: formatDecimal(price),
      ...(isFunded
        ? {}
        : {
            taker_gets_funded: amountOf(assetOf(offer.TakerGets), funded),
            taker_pays_funded: amountOf(
              assetOf(offer.TakerPays),
              signOf(funded) === 0 ? zeroOf(pays) : least(askedPays, atPrice(funded, price, askedPays)),
            ),
          }),
    });
  }
  return shown;
}

/** A quantity as answers spell it. */
export const quantityText = (quantity: Quantity): string =>
  typeof quantity === 'bigint' ? String(quantity) : formatDecimal(quantity);

/** `book_offers`: the offers of one book, the best first. */
export const bookOffers: Handler = (context, request) => {
  const selected = selectLedger(context, request);
  const book = bookOf(request);
  const limit = pageLimit(request, LIMITS);
  const offers = bookPage(selected.view, context.chain.rules, book, { taker: book.taker, limit });
  return { offers, ...selected.fields };
};
