import { DEFAULT_DEFINITIONS } from 'ripple-binary-codec';
import { formatDecimal, parseDecimal } from '../amount.ts';
import { innerProblem } from '../formats.ts';
import { isInteger, isObject, type Json, type JsonDraft, type JsonObject } from '../json.ts';
import { addressOfId } from '../keylets.ts';
import { assetIn } from './entryKeys.ts';
import { accountIn, addressIn, hashIn } from './fields.ts';
import { RpcError } from './types.ts';

/**
 * Reads a transaction in JSON as the server does, field by field in the order of their names, and brings it into the
 * one spelling that can be serialized: numbers may stand as text, amounts as `value/currency/issuer`.
 */

const MAX_ITEMS = 512;
const HASH_BYTES: Readonly<Record<string, number>> = { Hash128: 16, Hash160: 20, Hash192: 24, Hash256: 32 };
const UINT_BYTES: Readonly<Record<string, number>> = { UInt8: 1, UInt16: 2, UInt32: 4 };
/** 64-bit fields that JSON spells in base 10; the others are hex. */
const BASE_10_FIELDS = new Set(['LockedAmount', 'MPTAmount', 'MaximumAmount', 'OutstandingAmount']);
const MAX_UINT64 = (1n << 64n) - 1n;

/** A field that cannot be read; the message names it by its path. */
class FieldError extends Error {}

const bad = (path: string, problem: string): FieldError => new FieldError(`Field '${path}' ${problem}.`);
const badType = (path: string): FieldError => bad(path, 'has bad type');
const badData = (path: string): FieldError => bad(path, 'has invalid data');

function typeOf(name: string): string | undefined {
  if (!Object.hasOwn(DEFAULT_DEFINITIONS.field, name)) return undefined;
  return DEFAULT_DEFINITIONS.field.fromString(name).type.name;
}

const NUMBERED = { TransactionType: 'transactionType', LedgerEntryType: 'ledgerEntryType' } as const;

/** Types by their name or number, which must be known; the codec wants the name. */
function typeName(field: string, given: string | number, path: string): Json {
  const table = field === 'TransactionType' || field === 'LedgerEntryType' ? NUMBERED[field] : undefined;
  if (table === undefined) {
    if (typeof given === 'number') return given;
    throw badData(path);
  }
  const known = DEFAULT_DEFINITIONS[table].from(given as string) as { readonly name: string } | undefined;
  if (known) return known.name;
  throw typeof given === 'number' ? new FieldError(`Invalid transaction type ${given}`) : badData(path);
}

function uint(object: JsonObject, field: string, type: string, path: string): Json {
  const value = object[field];
  const most = 2 ** ((UINT_BYTES[type] ?? 4) * 8) - 1;
  const outOfRange = type === 'UInt8' ? bad(path, 'is out of range') : badData(path);
  if (typeof value === 'string') {
    const startsWithDigit = value === '' || /^[0-9]/.test(value);
    if (!startsWithDigit && field === 'PermissionValue') return value;
    if (!startsWithDigit && type === 'UInt16') return typeName(field, value, path);
    if (!startsWithDigit && type === 'UInt8') throw badType(path);
    if (!/^\+?[0-9]+$/.test(value) || Number(value) > most) throw badData(path);
    return typeName(field, Number(value), path);
  }
  if (typeof value !== 'number' || !isInteger(object, field)) throw badType(path);
  if (value < 0 || value > most) throw outOfRange;
  return typeName(field, value, path);
}

function uint64(object: JsonObject, field: string, path: string): Json {
  const value = object[field];
  const isBase10 = BASE_10_FIELDS.has(field);
  let number: bigint;
  if (typeof value === 'string') {
    if (!(isBase10 ? /^[0-9]+$/ : /^[0-9A-Fa-f]+$/).test(value)) throw badData(path);
    number = BigInt(isBase10 ? value : `0x${value}`);
  } else {
    if (typeof value !== 'number' || !isInteger(object, field)) throw badType(path);
    if (value < 0) throw badData(path);
    number = BigInt(value);
  }
  if (number > MAX_UINT64) throw badData(path);
  return isBase10 ? String(number) : number.toString(16).toUpperCase();
}

const DECIMAL = /^[-+]?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][-+]?[0-9]+)?$/;

/** A whole number of drops or tokens in its one spelling; undefined when the text is none. */
function wholeAmount(text: string): string | undefined {
  if (!DECIMAL.test(text) || text.includes('.')) return undefined;
  const [digits = '0', exponent = '0'] = text.toLowerCase().split('e');
  if (Number(exponent) < 0 || Number(exponent) > 20) return undefined;
  return String(BigInt(digits) * 10n ** BigInt(exponent));
}

function amountOf(value: Json): Json | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? String(value) : undefined;
  if (isObject(value)) {
    const { value: given } = value;
    const text = typeof given === 'number' && Number.isInteger(given) ? String(given) : given;
    if (typeof text !== 'string') return undefined;
    if (value.mpt_issuance_id !== undefined) {
      const id = hashIn(value.mpt_issuance_id, 24);
      const whole = wholeAmount(text);
      return id === undefined || whole === undefined || value.currency !== undefined
        ? undefined
        : { mpt_issuance_id: id, value: whole };
    }
    return issued(text, value.currency, value.issuer);
  }
  const parts: readonly (Json | undefined)[] =
    typeof value === 'string' ? value.split(/[\t\n\r ,/]/, 3) : Array.isArray(value) ? value : [undefined];
  const [text, currency, issuer] = parts;
  const amount = typeof text === 'number' ? String(text) : text;
  if (typeof amount !== 'string') return undefined;
  if (typeof currency !== 'string' || currency === '' || currency === 'XRP') return wholeAmount(amount);
  return issued(amount, currency, issuer);
}

function issued(text: string, currency: Json | undefined, issuer: Json | undefined): Json | undefined {
  if (typeof currency !== 'string' || currency === '' || currency === 'XRP' || !DECIMAL.test(text)) return undefined;
  const asset = assetIn({ currency, issuer: issuer ?? null });
  const address = addressIn(issuer);
  if (!asset || address === undefined) return undefined;
  try {
    return { currency, issuer: address, value: formatDecimal(parseDecimal(text)) };
  } catch {
    return undefined;
  }
}

function accountOf(value: Json, path: string): Json {
  if (typeof value !== 'string') throw badType(path);
  const id = hashIn(value, 20);
  const address = id === undefined || value === '0' ? addressIn(value) : addressOfId(id);
  if (address === undefined) throw badData(path);
  return address;
}

function hashes(value: Json, path: string): Json {
  if (value === null) return [];
  if (!Array.isArray(value)) throw bad(path, 'must be a JSON array');
  return value.map((item: Json) => {
    const hash = hashIn(item);
    if (hash === undefined) throw badData(path);
    return hash;
  });
}

function pathStep(step: Json, path: string): Json {
  if (!isObject(step)) throw bad(path, 'must be a JSON object');
  if (!['account', 'currency', 'issuer', 'mpt_issuance_id'].some((name) => name in step)) throw badData(path);
  for (const name of ['account', 'currency', 'issuer']) {
    if (!(name in step)) continue;
    if (typeof step[name] !== 'string') throw bad(`${path}.${name}`, 'must be a string');
    if (name !== 'currency' && accountIn(step[name]) === undefined) throw badData(`${path}.${name}`);
  }
  return step;
}

function paths(value: Json, path: string): Json {
  if (value === null) return [];
  if (!Array.isArray(value)) throw bad(path, 'must be a JSON array');
  return value.map((steps: Json, i: number) => {
    if (!Array.isArray(steps)) throw bad(`${path}[${i}]`, 'must be a JSON array');
    return steps.map((step: Json, j: number) => pathStep(step, `${path}[${i}][${j}]`));
  });
}

function items(value: Json, path: string): Json {
  if (value === null) return [];
  if (!Array.isArray(value)) throw bad(path, 'is not a JSON array');
  if (value.length > MAX_ITEMS) throw bad(path, `exceeds allowed JSON array size of ${MAX_ITEMS} elements per field`);
  return value.map((item: Json, i: number) => {
    const [entry, ...more] = isObject(item) ? Object.entries(item) : [];
    const [name, inner] = entry ?? [];
    if (name === undefined || more.length > 0 || (inner !== null && !isObject(inner))) {
      throw new FieldError(`Field '${path}[${i}]' must be an object with a single key/object value.`);
    }
    if (typeOf(name) === undefined) throw bad(`${path}.${name}`, 'is unknown');
    const itemPath = `${path}.[${i}].${name}`;
    try {
      const read = readObject(inner ?? {}, itemPath);
      if (typeOf(name) !== 'STObject') {
        throw new FieldError(`Item '${itemPath}' at index ${i} is not an object.  Arrays may only contain objects.`);
      }
      checkInner(name, read);
      return { [name]: read };
    } catch (error) {
      if (!(error instanceof FieldError) || error.message.startsWith('Item ')) throw error;
      throw new FieldError(`Error at '${itemPath}'. ${error.message}`);
    }
  });
}

function checkInner(name: string, object: JsonObject): void {
  if (innerProblem(name, object) === undefined) return;
  throw new FieldError(`Object '${name}' contents did not meet requirements for that type.`);
}

function readField(object: JsonObject, name: string, path: string): Json {
  const value = object[name] ?? null;
  const type = typeOf(name);
  switch (type) {
    case undefined:
      throw bad(path, 'is unknown');
    case 'UInt8':
    case 'UInt16':
    case 'UInt32':
      return uint(object, name, type, path);
    case 'UInt64':
      return uint64(object, name, path);
    case 'Hash128':
    case 'Hash160':
    case 'Hash192':
    case 'Hash256': {
      if (typeof value !== 'string') throw badType(path);
      const bytes = HASH_BYTES[type] ?? 32;
      const hash = value === '' ? '0'.repeat(bytes * 2) : hashIn(value, bytes);
      if (hash === undefined) throw badData(path);
      return hash;
    }
    case 'Blob':
      if (typeof value !== 'string') throw badType(path);
      if (!/^[0-9A-Fa-f]*$/.test(value)) throw badData(path);
      return (value.length % 2 === 0 ? value : `0${value}`).toUpperCase();
    case 'AccountID':
      return accountOf(value, path);
    case 'Amount': {
      const amount = amountOf(value);
      if (amount === undefined) throw badData(path);
      return amount;
    }
    case 'Vector256':
      return hashes(value, path);
    case 'PathSet':
      return paths(value, path);
    case 'STObject': {
      if (!isObject(value)) throw bad(path, 'is not a JSON object');
      const read = readObject(value, path);
      checkInner(name, read);
      return read;
    }
    case 'STArray':
      return items(value, path);
    case 'Issue':
      if (!assetIn(value)) throw badData(path);
      return value;
    default:
      return value;
  }
}

function readObject(object: JsonObject, path: string): JsonObject {
  const read: JsonDraft = {};
  for (const name of Object.keys(object).sort()) read[name] = readField(object, name, `${path}.${name}`);
  return read;
}

/** The fields of `tx_json` as they can be serialized. Throws the server's error for the first that cannot be read. */
export function readTransactionJson(json: JsonObject): JsonObject {
  try {
    return readObject(json, 'tx_json');
  } catch (error) {
    if (error instanceof FieldError) throw new RpcError('invalidParams', { message: error.message });
    throw error;
  }
}
