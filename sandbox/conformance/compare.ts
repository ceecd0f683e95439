/** A JSON value as recorded. */
export type Value = null | boolean | number | string | Value[] | { [key: string]: Value };

/** Where a recording and an answer differ; a side that has no such key is undefined. */
export type Difference = { readonly path: string; readonly real: Value | undefined; readonly here: Value | undefined };

function isRecord(value: Value | undefined): value is { [key: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const STRING_FORMS: readonly [string, RegExp][] = [
  ['hash', /^[0-9A-F]{64}$/],
  ['hex', /^[0-9A-F]{21,}$/],
  ['address', /^r[1-9A-HJ-NP-Za-km-z]{24,34}$/],
  ['integer string', /^-?\d+$/],
  ['time', /^\d{4}-\d\d-\d\dT/],
];

/** What a value looks like where its exact value changes from run to run. */
export function form(value: Value): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  if (typeof value !== 'string') return typeof value;
  return STRING_FORMS.find(([, pattern]) => pattern.test(value))?.[0] ?? 'string';
}

/**
 * Every difference between a recorded answer and one seen here: keys, array lengths and values. At a volatile path,
 * whose value differs between runs of the real server itself, only the form must be the same.
 */
export function differences(real: Value, here: Value, volatile: ReadonlySet<string>, path = ''): Difference[] {
  const soft = volatile.has(path);
  if (Array.isArray(real) && Array.isArray(here)) {
    if (soft) return [];
    if (real.length !== here.length) return [{ path, real: `${real.length} items`, here: `${here.length} items` }];
    return real.flatMap((each, i) => differences(each, here[i] ?? null, volatile, `${path}[${i}]`));
  }
  if (isRecord(real) && isRecord(here)) {
    if (soft) return [];
    return [...new Set([...Object.keys(real), ...Object.keys(here)])].flatMap((key): Difference[] => {
      const at = `${path}.${key}`;
      const [realValue, hereValue] = [real[key], here[key]];
      if (realValue !== undefined && hereValue !== undefined) return differences(realValue, hereValue, volatile, at);
      return volatile.has(at) ? [] : [{ path: at, real: realValue, here: hereValue }];
    });
  }
  const same = soft ? form(real) === form(here) : real === here;
  return same ? [] : [{ path, real, here }];
}
