import { type Oracle, type PriceData, UNTHREADED } from '../entries.ts';
import { CLOSE_TIME_RESOLUTION, RIPPLE_EPOCH_OFFSET } from '../history.ts';
import { bookCurrencyHex, oracleIndex } from '../keylets.ts';
import type { ResultName } from '../results.ts';
import { reserveDrops } from '../rules.ts';
import { read } from '../state.ts';
import type { TransactionFields } from '../transaction.ts';
import { addToDirectory, removeFromDirectory } from './directory.ts';
import type { PreclaimContext, TransactionType } from './types.ts';
import { account } from './view.ts';

const MAX_PAIRS = 10;
const MAX_PROVIDER_BYTES = 256;
const MAX_URI_BYTES = 256;
const MAX_ASSET_CLASS_BYTES = 16;
const MAX_SCALE = 20;
/** LastUpdateTime may differ from the ledger's close time by so many seconds. */
const MAX_TIME_DELTA = 300;
/** An oracle with more pairs than this counts as two owned objects. */
const PAIRS_PER_OBJECT = 5;

/** How many objects an oracle with that many pairs counts as. */
const objectsOf = (pairCount: number): number => (pairCount > PAIRS_PER_OBJECT ? 2 : 1);

/** How many owned objects an oracle counts as. */
export const oracleOwnerCount = (oracle: Oracle): number => objectsOf(oracle.PriceDataSeries.length);

/** The items of a list of prices, without what wraps them. */
const pricesIn = ({ PriceDataSeries: series = [] }: Pick<TransactionFields, 'PriceDataSeries'>): readonly PriceData[] =>
  series.map(({ PriceData: price }) => price);

/** Identifies a pair; pairs are stored in the order of this text. */
const pairKey = ({ BaseAsset: base, QuoteAsset: quote }: PriceData): string =>
  bookCurrencyHex(base) + bookCurrencyHex(quote);

const isWrongLength = (hex: string | undefined, maxBytes: number): boolean =>
  hex !== undefined && (hex.length === 0 || hex.length > 2 * maxBytes);

/** Prices must be of about the time of the ledger, measured in seconds since 1970. */
function isTimely({ view, fields, open }: PreclaimContext): boolean {
  // The ledger that closes has a provisional close time: that of its parent and one step of the clock.
  const closeTime = open ? view.parentCloseTime : view.parentCloseTime + CLOSE_TIME_RESOLUTION;
  const updated = (fields.LastUpdateTime ?? 0) - RIPPLE_EPOCH_OFFSET;
  return updated >= 0 && Math.abs(updated - closeTime) <= MAX_TIME_DELTA;
}

/** The pairs that a transaction prices and those that it removes; undefined where the list makes no sense. */
function sortedPairs(
  fields: TransactionFields,
  oracle: Oracle | undefined,
): { priced: Set<string>; removed: Set<string> } | undefined {
  const priced = new Set<string>();
  const removed = new Set<string>();
  for (const price of pricesIn(fields)) {
    const key = pairKey(price);
    if (price.BaseAsset === price.QuoteAsset || priced.has(key) || removed.has(key)) return undefined;
    if ((price.Scale ?? 0) > MAX_SCALE) return undefined;
    if (price.AssetPrice !== undefined) priced.add(key);
    else if (oracle) removed.add(key);
    else return undefined;
  }
  return { priced, removed };
}

/** Provider and AssetClass cannot be changed. */
const keepsNature = (fields: TransactionFields, oracle: Oracle): boolean =>
  (fields.Provider ?? oracle.Provider) === oracle.Provider &&
  (fields.AssetClass ?? oracle.AssetClass) === oracle.AssetClass;

/** How many pairs the oracle has afterwards and how many owned objects come with them, or why it cannot be. */
function plannedPairs(
  fields: TransactionFields,
  oracle: Oracle | undefined,
): { pairCount: number; addedObjects: number } | ResultName {
  const sorted = sortedPairs(fields, oracle);
  if (!sorted) return 'temMALFORMED';
  const { priced, removed } = sorted;
  if (!oracle) {
    if (fields.Provider === undefined || fields.AssetClass === undefined) return 'temMALFORMED';
    return { pairCount: priced.size, addedObjects: objectsOf(priced.size) };
  }
  if ((fields.LastUpdateTime ?? 0) <= oracle.LastUpdateTime) return 'tecINVALID_UPDATE_TIME';
  if (!keepsNature(fields, oracle)) return 'temMALFORMED';
  for (const key of pricesIn(oracle).map(pairKey)) if (!removed.delete(key)) priced.add(key);
  if (removed.size > 0) return 'tecTOKEN_PAIR_NOT_FOUND';
  return { pairCount: priced.size, addedObjects: objectsOf(priced.size) - oracleOwnerCount(oracle) };
}

/** A price as the ledger stores it. */
const stored = ({ BaseAsset, QuoteAsset, AssetPrice, Scale }: PriceData): PriceData => ({
  BaseAsset,
  QuoteAsset,
  ...(AssetPrice === undefined ? {} : { AssetPrice }),
  ...(Scale === undefined ? {} : { Scale }),
});

/** The series after a transaction: pairs that it does not name stay, without a price. */
function merged(fields: TransactionFields, oracle: Oracle | undefined): Oracle['PriceDataSeries'] {
  const byPair = new Map<string, PriceData>();
  for (const { BaseAsset, QuoteAsset } of oracle ? pricesIn(oracle) : []) {
    const pair = { BaseAsset, QuoteAsset };
    byPair.set(pairKey(pair), pair);
  }
  for (const price of pricesIn(fields)) {
    if (price.AssetPrice === undefined) byPair.delete(pairKey(price));
    else byPair.set(pairKey(price), stored(price));
  }
  return [...byPair].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, price]) => ({ PriceData: price }));
}

/** OracleSet: a new price oracle, or prices for one of the sender's. */
export const oracleSet: TransactionType = {
  flags: 0,
  preflight(fields) {
    const { length } = fields.PriceDataSeries ?? [];
    if (length === 0) return 'temARRAY_EMPTY';
    if (length > MAX_PAIRS) return 'temARRAY_TOO_LARGE';
    const isWrong =
      isWrongLength(fields.Provider, MAX_PROVIDER_BYTES) ||
      isWrongLength(fields.URI, MAX_URI_BYTES) ||
      isWrongLength(fields.AssetClass, MAX_ASSET_CLASS_BYTES);
    return isWrong ? 'temMALFORMED' : 'tesSUCCESS';
  },
  preclaim(context) {
    const { view, fields, rules } = context;
    if (!isTimely(context)) return 'tecINVALID_UPDATE_TIME';
    const oracle = read(view, 'Oracle', oracleIndex(fields.Account, fields.OracleDocumentID ?? 0));
    const planned = plannedPairs(fields, oracle);
    if (typeof planned === 'string') return planned;
    if (planned.pairCount === 0) return 'tecARRAY_EMPTY';
    if (planned.pairCount > MAX_PAIRS) return 'tecARRAY_TOO_LARGE';
    const owner = account(view, fields.Account);
    if (!owner) return 'terNO_ACCOUNT';
    const reserve = reserveDrops(rules, owner.OwnerCount + planned.addedObjects);
    return BigInt(owner.Balance) < reserve ? 'tecINSUFFICIENT_RESERVE' : 'tesSUCCESS';
  },
  apply({ view, fields, account: owner }) {
    const { OracleDocumentID: documentId = 0, LastUpdateTime: updated = 0 } = fields;
    const index = oracleIndex(owner.Account, documentId);
    const own = view.edit('Oracle', index);
    const series = merged(fields, own);
    if (own) {
      owner.OwnerCount += objectsOf(series.length) - oracleOwnerCount(own);
      own.PriceDataSeries = series;
      if (fields.URI !== undefined) own.URI = fields.URI;
      own.LastUpdateTime = updated;
      own.OracleDocumentID = documentId;
      return 'tesSUCCESS';
    }
    view.create(index, {
      LedgerEntryType: 'Oracle',
      AssetClass: fields.AssetClass ?? '',
      Flags: 0,
      LastUpdateTime: updated,
      OracleDocumentID: documentId,
      Owner: owner.Account,
      OwnerNode: addToDirectory(view, owner.Account, index),
      PriceDataSeries: series,
      Provider: fields.Provider ?? '',
      ...(fields.URI === undefined ? {} : { URI: fields.URI }),
      ...UNTHREADED,
    });
    owner.OwnerCount += objectsOf(series.length);
    return 'tesSUCCESS';
  },
};

/** OracleDelete: takes one of the sender's price oracles away. */
export const oracleDelete: TransactionType = {
  flags: 0,
  preclaim: ({ view, fields }) =>
    read(view, 'Oracle', oracleIndex(fields.Account, fields.OracleDocumentID ?? 0)) ? 'tesSUCCESS' : 'tecNO_ENTRY',
  apply({ view, fields, account: owner }) {
    const index = oracleIndex(owner.Account, fields.OracleDocumentID ?? 0);
    const own = read(view, 'Oracle', index);
    if (!own) return 'tecNO_ENTRY';
    removeFromDirectory(view, owner.Account, own.OwnerNode, index, true);
    view.erase(index);
    owner.OwnerCount -= oracleOwnerCount(own);
    return 'tesSUCCESS';
  },
};
