import { DEFAULT_DEFINITIONS, encode as encodeByCodec } from 'ripple-binary-codec';
import { parseDecimal } from '../amount.ts';
import type { Amount } from '../entries.ts';
import { uintHex } from '../hashing.ts';
import { isObject, type Json, type JsonObject } from '../json.ts';
import { accountIdHex, bookCurrencyHex, currencyHex } from '../keylets.ts';

/** How one field is written: its type, its place in the canonical order, and its header bytes in hex. */
export type FieldSpec = {
  readonly name: string;
  readonly type: string;
  readonly ordinal: number;
  readonly headerHex: string;
};

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex').toUpperCase();

const known = new Map<string, FieldSpec | undefined>();

/** The field of that name; undefined for names that are never serialized (`hash`, `index`, `delivered_amount` …). */
export function fieldSpec(name: string): FieldSpec | undefined {
  if (known.has(name)) return known.get(name);
  let spec: FieldSpec | undefined;
  if (name in DEFAULT_DEFINITIONS.field) {
    const { type, ordinal, header, isSerialized } = DEFAULT_DEFINITIONS.field.fromString(name);
    if (isSerialized) spec = { name, type: type.name, ordinal, headerHex: hexOf(header) };
  }
  known.set(name, spec);
  return spec;
}

/** The numbers of names that are written as numbers: transaction types, entry types and results. */
export function numberOfName(field: string, name: string): number {
  if (field === 'TransactionType') return DEFAULT_DEFINITIONS.transactionType.from(name).ordinal;
  if (field === 'PermissionValue') return DEFAULT_DEFINITIONS.delegatablePermissions.from(name).ordinal;
  if (field === 'LedgerEntryType') return DEFAULT_DEFINITIONS.ledgerEntryType.from(name).ordinal;
  return DEFAULT_DEFINITIONS.transactionResult.from(name).ordinal;
}

/**
 * Writes ledger objects in the ledger's binary form. The codec package does the same for every type there is; this
 * writer knows only the types that the sandbox stores and is some thirty times faster, which is what lets every
 * transaction's metadata be hashed as on the real ledger. Anything else is handed to the codec.
 */

class NotCovered extends Error {}

/** 64-bit fields that JSON spells in base 10; the others are hex. */
const BASE_10_FIELDS = new Set(['LockedAmount', 'MPTAmount', 'MaximumAmount', 'OutstandingAmount']);
const OBJECT_END = 'E1';
const ARRAY_END = 'F1';
const NOT_XRP = 1n << 63n;
const POSITIVE = 1n << 62n;
const EXPONENT_BIAS = 97;

function lengthPrefix(byteCount: number): string {
  if (byteCount <= 192) return uintHex(byteCount, 1);
  if (byteCount <= 12_480) return uintHex(193 * 256 + (byteCount - 193), 2);
  return uintHex(241 * 65_536 + (byteCount - 12_481), 3);
}

/** Bytes (hex) behind their length. */
export const prefixed = (hex: string): string => lengthPrefix(hex.length / 2) + hex;

/** An amount in binary: 8 bytes of XRP, 48 of issued currency or 33 of MPT. */
export function amountHex(amount: Amount): string {
  if (typeof amount === 'string') {
    const drops = BigInt(amount);
    return uintHex(drops < 0n ? -drops : drops | POSITIVE, 8);
  }
  if ('mpt_issuance_id' in amount) return `60${uintHex(BigInt(amount.value), 8)}${amount.mpt_issuance_id}`;
  const { mantissa, exponent } = parseDecimal(amount.value);
  const magnitude = mantissa < 0n ? -mantissa : mantissa;
  const sign = mantissa > 0n ? POSITIVE : 0n;
  const value = mantissa === 0n ? NOT_XRP : NOT_XRP | sign | (BigInt(exponent + EXPONENT_BIAS) << 54n) | magnitude;
  return uintHex(value, 8) + currencyHex(amount.currency) + accountIdHex(amount.issuer);
}

function uint(spec: FieldSpec, value: Json, byteCount: number): string {
  if (typeof value === 'number') return uintHex(value, byteCount);
  if (typeof value === 'string') return uintHex(numberOfName(spec.name, value), byteCount);
  throw new NotCovered(spec.name);
}

function arrayHex(value: Json): string {
  if (!Array.isArray(value)) throw new NotCovered('an array');
  let hex = '';
  for (const wrapped of value) {
    const [entry] = Object.entries(isObject(wrapped) ? wrapped : {});
    const spec = entry && fieldSpec(entry[0]);
    if (!spec || !isObject(entry?.[1])) throw new NotCovered('an array item');
    hex += spec.headerHex + fieldsHex(entry[1]) + OBJECT_END;
  }
  return hex + ARRAY_END;
}

function valueHex(spec: FieldSpec, value: Json): string {
  switch (spec.type) {
    case 'UInt8':
      return uint(spec, value, 1);
    case 'UInt16':
      return uint(spec, value, 2);
    case 'UInt32':
      return uint(spec, value, 4);
    case 'UInt64':
      return BASE_10_FIELDS.has(spec.name) ? uintHex(BigInt(String(value)), 8) : String(value).padStart(16, '0');
    case 'Hash128':
    case 'Hash160':
    case 'Hash192':
    case 'Hash256':
      return String(value);
    case 'Amount':
      return amountHex(value as Amount);
    case 'Blob':
      return prefixed(String(value));
    case 'AccountID':
      return prefixed(accountIdHex(String(value)));
    case 'Currency':
      return bookCurrencyHex(String(value));
    case 'Vector256':
      return prefixed((value as readonly string[]).join(''));
    case 'STObject':
      if (!isObject(value)) throw new NotCovered(spec.name);
      return fieldsHex(value) + OBJECT_END;
    case 'STArray':
      return arrayHex(value);
    default:
      throw new NotCovered(spec.type);
  }
}

function fieldsHex(object: JsonObject): string {
  const fields: FieldSpec[] = [];
  for (const name of Object.keys(object)) {
    const spec = fieldSpec(name);
    if (spec && object[name] !== undefined) fields.push(spec);
  }
  fields.sort((a, b) => a.ordinal - b.ordinal);
  let hex = '';
  for (const spec of fields) hex += spec.headerHex + valueHex(spec, object[spec.name] ?? null);
  return hex;
}

/** A transaction, its metadata or a ledger entry in binary, upper-case hex. Throws on what cannot be serialized. */
export function encodeObject(object: JsonObject): string {
  try {
    return fieldsHex(object).toUpperCase();
  } catch (error) {
    if (error instanceof NotCovered) return encodeByCodec(object);
    throw error;
  }
}

/** `STX\0`: what a single signature covers begins with it. */
const SIGNING_PREFIX = '53545800';
const SIGNATURE_HEADER = fieldSpec('TxnSignature')?.headerHex ?? '';
const KEY_HEADER = fieldSpec('SigningPubKey')?.headerHex ?? '';

/**
 * The bytes (hex) that the only signature of a transaction covers: the blob without that signature. Undefined when the
 * signature is not found where canonical order puts it, right behind the key; then the codec has to rebuild them.
 */
export function signingHex(blob: string, publicKey: string, signature: string): string | undefined {
  if (signature.length === 0 || signature.length / 2 > 192) return undefined;
  const key = KEY_HEADER + (publicKey.length / 2).toString(16).toUpperCase().padStart(2, '0') + publicKey;
  const field = key + SIGNATURE_HEADER + (signature.length / 2).toString(16).toUpperCase().padStart(2, '0') + signature;
  const at = blob.indexOf(field);
  if (at < 0 || at % 2 !== 0 || blob.indexOf(field, at + 2) >= 0) return undefined;
  const cut = at + key.length;
  return SIGNING_PREFIX + blob.slice(0, cut) + blob.slice(at + field.length);
}
