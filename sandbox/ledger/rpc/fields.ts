import { decodeAccountPublic } from 'ripple-address-codec';
import { deriveAddress } from 'ripple-keypairs';
import { isInteger, type Json, type JsonObject } from '../json.ts';
import { isAddress } from '../keylets.ts';
import { RpcError } from './types.ts';

/** How the server reads the fields of a request: what it takes for a number, a text or true, and what it says else. */

const MAX_UINT32 = 4_294_967_295;
const MAX_INT32 = 2_147_483_647;
const MIN_INT32 = -2_147_483_648;

/** The refusal of a request without a field that it needs. */
export const missingField = (name: string): RpcError =>
  new RpcError('invalidParams', { message: `Missing field '${name}'.` });

/** The refusal of a field with a value that it cannot have. */
export const invalidField = (name: string): RpcError =>
  new RpcError('invalidParams', { message: `Invalid field '${name}'.` });

/** The words for a field of another type or form than the one that is expected. */
export const expectedMessage = (name: string, type: string): string => `Invalid field '${name}', not ${type}.`;

/** The refusal of a field of another type or form than the one that is expected. */
export const expectedField = (name: string, type: string): RpcError =>
  new RpcError('invalidParams', { message: expectedMessage(name, type) });

/** Any value as the server takes it for true or false: nothing, zero and what is empty are false. */
export function asBool(value: Json | undefined): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0;
  return Boolean(value);
}

/** A value as text; lists and objects have none, which the server answers as an internal error. */
export function asText(value: Json | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value === 'object') throw new RpcError('internal');
  return String(value);
}

/** A whole number in text: digits behind an optional sign. */
function wholeNumber(text: string): number | undefined {
  return /^[-+]?[0-9]+$/.test(text) ? Number(text) : undefined;
}

/** The 32-bit number in a text; undefined when the text is none. */
export function uint32InText(text: string): number | undefined {
  const value = /^\+?[0-9]+$/.test(text) ? Number(text) : undefined;
  return value !== undefined && value <= MAX_UINT32 ? value : undefined;
}

function inRange(value: Json | undefined, least: number, most: number): number | undefined {
  if (value === undefined || value === null) return 0;
  if (typeof value === 'boolean') return value ? 1 : 0;
  const number = typeof value === 'number' ? value : typeof value === 'string' ? wholeNumber(value) : undefined;
  return number !== undefined && number >= least && number <= most ? Math.trunc(number) : undefined;
}

/** Any value as an unsigned number, as the server converts it; undefined when it cannot. */
export const toUint = (value: Json | undefined): number | undefined => inRange(value, 0, MAX_UINT32);

/** A value as an unsigned number; one that cannot be one is an internal error. */
export function asUint(value: Json | undefined): number {
  const number = toUint(value);
  if (number === undefined) throw new RpcError('internal');
  return number;
}

/** A value as a signed number; one that cannot be one is an internal error. */
export function asInt(value: Json | undefined): number {
  const number = inRange(value, MIN_INT32, MAX_INT32);
  if (number === undefined) throw new RpcError('internal');
  return number;
}

/** Whether a field holds an unsigned integer. */
export function isUint(object: JsonObject, name: string): boolean {
  const value = object[name];
  return isInteger(object, name) && typeof value === 'number' && value >= 0;
}

/** Refuses a field that is there and no boolean. */
export function requireBoolean(request: JsonObject, name: string): void {
  if (name in request && typeof request[name] !== 'boolean') throw invalidField(name);
}

/** A hash of so many bytes in hex, in upper case; `0` is the hash of zeros. Undefined when the value is none. */
export function hashIn(value: Json | undefined, bytes = 32): string | undefined {
  if (value === '0') return '0'.repeat(bytes * 2);
  if (typeof value !== 'string' || value.length !== bytes * 2) return undefined;
  return /^[0-9A-Fa-f]+$/.test(value) ? value.toUpperCase() : undefined;
}

/** The classic address in a value; undefined when it is none. */
export function addressIn(value: Json | undefined): string | undefined {
  return typeof value === 'string' && isAddress(value) ? value : undefined;
}

/** The account of a value that names it by its address or its public key in base58. */
export function accountIn(value: Json | undefined): string | undefined {
  const address = addressIn(value);
  if (address !== undefined || typeof value !== 'string') return address;
  try {
    return deriveAddress(Buffer.from(decodeAccountPublic(value)).toString('hex').toUpperCase());
  } catch {
    return undefined;
  }
}

/** A text field that must be there. */
export function requiredText(request: JsonObject, name: string): string {
  const value = request[name];
  if (value === undefined) throw missingField(name);
  if (typeof value !== 'string') throw invalidField(name);
  return value;
}

/** The account of a request, which old clients call `ident`. */
export function accountOrIdent(request: JsonObject): string {
  return requiredText(request, request.account === undefined && request.ident !== undefined ? 'ident' : 'account');
}
