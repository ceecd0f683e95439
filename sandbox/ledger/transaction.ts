import { decode, encode } from 'ripple-binary-codec';
import { makeParser } from 'ripple-binary-codec/dist/binary.js';
import { formatDecimal, parseDecimal } from './amount.ts';
import type { Amount, CredentialItem, IssuedAmount, PermissionItem, PriceDataItem, SignerEntry } from './entries.ts';
import { formatProblem, TYPE_NUMBERS } from './formats.ts';
import { transactionHash } from './hashing.ts';
import { isObject, type Json, type JsonObject } from './json.ts';

/** Who lets a Batch hold transactions of theirs: one who signs alone, or by a list of signers. */
export type BatchSigner = {
  readonly BatchSigner: {
    readonly Account: string;
    readonly SigningPubKey?: string;
    readonly TxnSignature?: string;
    readonly Signers?: readonly Signer[];
  };
};
export type Signer = { Signer: { Account: string; SigningPubKey: string; TxnSignature: string } };

/** The fields of a decoded transaction that the engine reads; others are carried along untouched. */
export type TransactionFields = {
  readonly TransactionType: string;
  readonly Account: string;
  readonly Fee: Amount;
  readonly Sequence: number;
  readonly SigningPubKey: string;
  readonly AcceptedCredentials?: readonly CredentialItem[];
  readonly AccountTxnID?: string;
  readonly Amount?: Amount;
  readonly AssetClass?: string;
  readonly AssetScale?: number;
  readonly Authorize?: string;
  readonly AuthorizeCredentials?: readonly CredentialItem[];
  readonly Balance?: Amount;
  readonly BatchSigners?: readonly BatchSigner[];
  readonly BookDirectory?: string;
  readonly CancelAfter?: number;
  readonly Channel?: string;
  readonly CheckID?: string;
  readonly ClearFlag?: number;
  readonly CredentialIDs?: readonly string[];
  readonly CredentialType?: string;
  readonly Condition?: string;
  readonly Data?: string;
  readonly DIDDocument?: string;
  readonly Delegate?: string;
  readonly DeliverMin?: Amount;
  readonly Destination?: string;
  readonly DestinationTag?: number;
  readonly Domain?: string;
  readonly DomainID?: string;
  readonly EmailHash?: string;
  readonly Expiration?: number;
  readonly FinishAfter?: number;
  readonly Flags?: number;
  readonly InvoiceID?: string;
  readonly Fulfillment?: string;
  readonly Holder?: string;
  readonly Issuer?: string;
  /** As the codec calls it; the server of this release says MutableFlags. */
  readonly ImmutableFlags?: number;
  readonly LastLedgerSequence?: number;
  readonly LastUpdateTime?: number;
  readonly LedgerFixType?: number;
  readonly LimitAmount?: Amount;
  readonly MPTokenIssuanceID?: string;
  readonly MPTokenMetadata?: string;
  readonly MaximumAmount?: string;
  readonly MessageKey?: string;
  readonly NFTokenMinter?: string;
  readonly NetworkID?: number;
  readonly OfferSequence?: number;
  readonly OracleDocumentID?: number;
  readonly Owner?: string;
  readonly Paths?: Json;
  readonly Permissions?: readonly PermissionItem[];
  readonly PriceDataSeries?: readonly PriceDataItem[];
  readonly Provider?: string;
  readonly PublicKey?: string;
  readonly QualityIn?: number;
  readonly QualityOut?: number;
  readonly RawTransactions?: readonly { readonly RawTransaction: TransactionFields }[];
  readonly RegularKey?: string;
  readonly SendMax?: Amount;
  readonly SetFlag?: number;
  readonly SettleDelay?: number;
  readonly Signature?: string;
  readonly SignerEntries?: readonly SignerEntry[];
  readonly SignerQuorum?: number;
  readonly Signers?: readonly Signer[];
  readonly Subject?: string;
  readonly SourceTag?: number;
  readonly TakerGets?: Amount;
  readonly TakerPays?: Amount;
  readonly TicketCount?: number;
  readonly TicketSequence?: number;
  readonly TickSize?: number;
  readonly TransferFee?: number;
  readonly TransferRate?: number;
  readonly TxnSignature?: string;
  readonly URI?: string;
  readonly Unauthorize?: string;
  readonly UnauthorizeCredentials?: readonly CredentialItem[];
  readonly WalletLocator?: string;
};

/** A transaction as received: the signed blob (upper-case hex), its hash and its fields. */
export type Transaction = { readonly blob: string; readonly hash: string; readonly fields: TransactionFields };

const AMOUNT_FIELDS = ['Amount', 'SendMax', 'DeliverMin', 'LimitAmount', 'TakerGets', 'TakerPays'] as const;
const MIN_BLOB_BYTES = 32;
const MAX_BLOB_BYTES = 1024 * 1024;
/** Objects and arrays of a transaction nest at most so deep; in JSON an array's items count twice. */
const MAX_NESTING = 20;

/** The blob cannot be a transaction; the message is the server's `error_exception`. */
export class BlobError extends Error {}

function isFields(value: unknown): value is TransactionFields {
  return (
    isObject(value) &&
    typeof value.TransactionType === 'string' &&
    typeof value.Account === 'string' &&
    typeof value.Sequence === 'number' &&
    typeof value.SigningPubKey === 'string' &&
    value.Fee !== undefined
  );
}

function respellAmounts(decoded: TransactionFields): void {
  const fields: Record<string, unknown> = decoded;
  for (const name of AMOUNT_FIELDS) {
    const amount = decoded[name];
    if (typeof amount === 'object' && 'currency' in amount) fields[name] = respelled(amount);
  }
  if (decoded.PriceDataSeries) fields.PriceDataSeries = decoded.PriceDataSeries.map(respelledPrice);
}

function respelled(amount: IssuedAmount): IssuedAmount {
  return { ...amount, value: formatDecimal(parseDecimal(amount.value)) };
}

/** The server spells 64-bit numbers in hex without leading zeros; the codec writes all sixteen digits. */
function respelledPrice(item: PriceDataItem): PriceDataItem {
  const { AssetPrice: price } = item.PriceData;
  if (price === undefined) return item;
  return { PriceData: { ...item.PriceData, AssetPrice: BigInt(`0x${price}`).toString(16) } };
}

/** Whether arrays and objects nest in one another by more than so many levels. */
function nestsDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels < 0) return true;
  for (const inner of Object.values(value)) {
    if (typeof inner === 'object' && nestsDeeper(inner, levels - 1)) return true;
  }
  return false;
}

/** A blob begins with its type, which the codec refuses without a word when it knows none of that number. */
function unknownType(blob: string): string | undefined {
  const number = blob.startsWith('12') ? Number.parseInt(blob.slice(2, 6), 16) : Number.NaN;
  return Number.isNaN(number) || TYPE_NUMBERS.has(number) ? undefined : `Invalid transaction type ${number}`;
}

const TOO_DEEP = 'Maximum nesting depth of STVar exceeded';

/**
 * Whether objects and arrays of a blob nest too deep, as far as it can be read. The codec reads each level once for every level above
 * it: five thousand take minutes.
 */
function isBlobTooDeep(blob: string): boolean {
  const parser = makeParser(blob);
  let depth = 0;
  try {
    while (!parser.end()) {
      const field = parser.readField();
      if (field.name === 'ObjectEndMarker' || field.name === 'ArrayEndMarker') depth -= 1;
      else if (field.type.name === 'STObject' || field.type.name === 'STArray') depth += 1;
      else parser.readFieldValue(field);
      if (depth > MAX_NESTING) return true;
    }
  } catch {
    // What is wrong with it, the codec says.
  }
  return false;
}

/** Decodes a signed transaction. Throws BlobError when the bytes are not one. */
export function parseTransaction(blobHex: string): Transaction {
  const blob = blobHex.toUpperCase();
  if (blob.length / 2 < MIN_BLOB_BYTES || blob.length / 2 > MAX_BLOB_BYTES) {
    throw new BlobError('Transaction length invalid');
  }
  if (isBlobTooDeep(blob)) throw new BlobError(TOO_DEEP);
  let decoded: unknown;
  try {
    decoded = decode(blob);
  } catch (error) {
    // The codec's words differ from the server's, which reports how its byte reader ran dry.
    throw new BlobError(unknownType(blob) ?? 'invalid SerialIter get8', { cause: error });
  }
  if (nestsDeeper(decoded, MAX_NESTING)) throw new BlobError(TOO_DEEP);
  const problem = isObject(decoded) ? formatProblem(decoded) : undefined;
  if (problem !== undefined) throw new BlobError(problem);
  if (!isFields(decoded)) throw new BlobError('Field not found');
  respellAmounts(decoded);
  if (decoded.TransactionType === 'Batch') checkInner(decoded);
  return { blob, hash: transactionHash(blob), fields: decoded };
}

const MAX_INNER = 8;

/** A Batch holds whole transactions, each of its own type's format. */
function checkInner(batch: TransactionFields): void {
  const { RawTransactions: wrapped = [] } = batch;
  if (wrapped.length > MAX_INNER) throw new BlobError('Batch has too many inner transactions.');
  for (const { RawTransaction: inner } of wrapped) {
    if (inner.TransactionType === 'Batch') throw new BlobError('Batch inner transaction cannot be a Batch.');
    const problem = formatProblem(inner as JsonObject);
    if (problem !== undefined) throw new BlobError(problem);
    respellAmounts(inner);
  }
  try {
    innerTransactions(batch);
  } catch (error) {
    // An amount that no transaction can have.
    throw new BlobError('invalid SerialIter get8', { cause: error });
  }
}

const innerByBatch = new WeakMap<TransactionFields, readonly Transaction[]>();

/** The transactions inside a Batch, in their order; none of any other type. */
export function innerTransactions(batch: TransactionFields): readonly Transaction[] {
  let inner = innerByBatch.get(batch);
  if (!inner) {
    inner = (batch.RawTransactions ?? []).map(({ RawTransaction: fields }) => {
      const blob = encode(fields);
      return { blob, hash: transactionHash(blob), fields };
    });
    innerByBatch.set(batch, inner);
  }
  return inner;
}

/** The sequence or ticket number that orders the transaction within its account. */
export function sequenceKey(fields: TransactionFields): { isTicket: boolean; value: number } {
  return fields.TicketSequence === undefined || fields.Sequence !== 0
    ? { isTicket: false, value: fields.Sequence }
    : { isTicket: true, value: fields.TicketSequence };
}
