import { LRUCache } from 'lru-cache';
import { decodeAccountID } from 'ripple-address-codec';
import { DEFAULT_DEFINITIONS, encodeForSigning } from 'ripple-binary-codec';
import type { Transaction } from 'xrpl';

/** Before the bytes that are signed with one key. */
export const SIGNING_PREFIX = '53545800';

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

/** The same accounts pay and issue all the time. */
const ids = new LRUCache<string, string>({ max: 1_000 });

function idOf(address: string): string {
  const known = ids.get(address);
  if (known !== undefined) return known;
  const id = hexOf(decodeAccountID(address));
  ids.set(address, id);
  return id;
}

interface FieldForm {
  ordinal: number;
  header: string;
  type: string;
  /** By the library's own type. */
  encode: (value: unknown) => string;
}

const forms = new Map<string, FieldForm | null>();

/** How a field is written; null where it is not signed. The library looks the same few up anew for each transaction. */
function formOf(name: string): FieldForm | null {
  const known = forms.get(name);
  if (known !== undefined) return known;
  const field = DEFAULT_DEFINITIONS.field.fromString(name);
  const { from } = field.associatedType as unknown as { from: (value: unknown) => { toBytes(): Uint8Array } };
  const form = {
    ordinal: field.ordinal,
    header: hexOf(field.header),
    type: field.type.name,
    encode: (value: unknown) => hexOf(from.call(field.associatedType, value).toBytes()),
  };
  const signed = field.isSerialized && field.isSigningField ? form : null;
  forms.set(name, signed);
  return signed;
}

const isUInt32 = (value: unknown): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff;

const MAX_DROPS = 100_000_000_000_000_000n;
/** "Positive", in an amount of drops. */
const DROPS_BITS = 1n << 62n;
/** "Not XRP" and "positive", in an issued amount. */
const ISSUED_BITS = 3n << 62n;
const MANTISSA_DIGITS = 16;
const MIN_EXPONENT = -96;
const MAX_EXPONENT = 80;
const EXPONENT_BIAS = 97;

/** Digits with or without a fraction, and neither sign nor exponent. */
const PLAIN_VALUE = /^(\d+)(?:\.(\d+))?$/;

interface IssuedAmount {
  currency: string;
  issuer: string;
  value: string;
}

const isIssuedAmount = (value: unknown): value is IssuedAmount =>
  typeof value === 'object' &&
  value !== null &&
  Object.keys(value).length === 3 &&
  'currency' in value &&
  typeof value.currency === 'string' &&
  'issuer' in value &&
  typeof value.issuer === 'string' &&
  'value' in value &&
  typeof value.value === 'string';

/** Eight bytes whose first one has its upper half in use. */
const eightBytes = (value: bigint): string => value.toString(16).toUpperCase();

/** The value of an issued amount; null for zero, and for what the ledger cannot hold. */
function issuedValue(value: string): string | null {
  const [, whole, fraction = ''] = PLAIN_VALUE.exec(value) ?? [];
  if (whole === undefined) return null;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const mantissa = digits.replace(/0+$/, '');
  if (mantissa === '' || mantissa.length > MANTISSA_DIGITS) return null;
  const exponent = digits.length - fraction.length - MANTISSA_DIGITS;
  if (exponent < MIN_EXPONENT || exponent > MAX_EXPONENT) return null;
  return eightBytes(
    ISSUED_BITS | (BigInt(exponent + EXPONENT_BIAS) << 54n) | BigInt(mantissa.padEnd(MANTISSA_DIGITS, '0')),
  );
}

/** Currency and issuer behind the value, by both: the same tokens are paid all the time. */
const tokens = new LRUCache<string, string>({ max: 1_000 });

function tokenOf({ currency, issuer }: IssuedAmount, encode: FieldForm['encode']): string {
  const name = `${currency} ${issuer}`;
  const known = tokens.get(name);
  if (known !== undefined) return known;
  const token = encode({ currency, issuer: idOf(issuer), value: '1' }).slice(16);
  tokens.set(name, token);
  return token;
}

function amountBytes(amount: unknown, encode: FieldForm['encode']): string {
  if (typeof amount === 'string' && /^\d{1,18}$/.test(amount)) {
    const drops = BigInt(amount);
    if (drops <= MAX_DROPS) return eightBytes(DROPS_BITS | drops);
  }
  if (!isIssuedAmount(amount)) return encode(amount);
  const value = issuedValue(amount.value);
  return value === null ? encode({ ...amount, issuer: idOf(amount.issuer) }) : value + tokenOf(amount, encode);
}

/** Longer ones have a length of more than one byte. */
const MAX_SHORT_BYTES = 192;
const isShortHex = (value: unknown): value is string =>
  typeof value === 'string' && /^(?:[0-9A-F]{2})*$/.test(value) && value.length / 2 <= MAX_SHORT_BYTES;
const oneByte = (value: number): string => value.toString(16).padStart(2, '0').toUpperCase();

/** The value of a field in hexadecimal; null where only the library's whole way is right. */
function valueBytes({ type, encode }: FieldForm, value: unknown): string | null {
  switch (type) {
    case 'UInt16':
      return encode(value);
    case 'UInt32':
      return isUInt32(value) ? value.toString(16).padStart(8, '0').toUpperCase() : encode(value);
    case 'Amount':
      return amountBytes(value, encode);
    case 'AccountID':
      return typeof value === 'string' ? `14${idOf(value)}` : null;
    case 'Blob':
      return isShortHex(value) ? `${oneByte(value.length / 2)}${value}` : null;
    default:
      return null;
  }
}

/**
 * The bytes that one key signs, in upper-case hexadecimal: those of the library's `encodeForSigning`, field by field: numbers, drops and
 * plain issued values by hand, all others with its own types. The library takes many times as long: it tries to read every value as an
 * X-address, decodes each address twice, and goes through arithmetic of any precision for each amount.
 * Throws what the library throws.
 */
export function signingBytes(transaction: Transaction): string {
  try {
    return plainBytes(transaction) ?? encodeForSigning(transaction);
  } catch {
    return encodeForSigning(transaction);
  }
}

function plainBytes(transaction: Transaction): string | null {
  const fields: { form: FieldForm; value: unknown }[] = [];
  for (const [name, value] of Object.entries(transaction)) {
    const form = formOf(name);
    if (form !== null) fields.push({ form, value });
  }
  fields.sort((a, b) => a.form.ordinal - b.form.ordinal);
  let message = SIGNING_PREFIX;
  for (const { form, value } of fields) {
    const bytes = valueBytes(form, value);
    if (bytes === null) return null;
    message += form.header + bytes;
  }
  return message;
}
