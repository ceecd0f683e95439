export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export type JsonObject = { readonly [key: string]: Json | undefined };
/** A JSON object under construction. */
export type JsonDraft = Record<string, Json | undefined>;

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Names of the numbers that a request spelled as doubles though they are whole: `1.0` is no integer to the server. */
const wholeDoubles = new WeakMap<object, Set<string>>();

/** Notes that a number of the object was spelled as a double. */
export function noteDouble(object: JsonObject, name: string): void {
  const names = wholeDoubles.get(object) ?? new Set();
  wholeDoubles.set(object, names.add(name));
}

/** Whether a field is a number that counts as an integer. */
export function isInteger(object: JsonObject, name: string): boolean {
  return Number.isInteger(object[name]) && !wholeDoubles.get(object)?.has(name);
}

/** Structural equality of two JSON values; objects are compared key by key. */
export function sameJson(a: Json | undefined, b: Json | undefined): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item: Json, i) => sameJson(item, b[i]));
  }
  if (!isObject(a) || !isObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => sameJson(a[key], b[key]));
}
