import fc, { type Arbitrary } from 'fast-check';

const HUGE = 9_000;

/** Texts that have broken parsers, encoders, databases and pages. */
export const ODD_TEXTS = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\ufeffa',
  '\u202Egnp.exe',
  'é\u0301\u0323',
  '👩‍👩‍👧‍👦',
  'İıſK',
  '\r\nX-Injected: 1',
  "'; drop table webhooks; --",
  '%s%n%x',
  '{{7*7}}#{7*7}',
  '<img src=x onerror=alert(1)>',
  '../../../../etc/passwd',
  '__proto__',
  'constructor',
  'null',
  'NaN',
  '-0',
  '1e400',
  '0x10',
  '١٢٣',
  '99999999999999999999999999',
  '0.0000000000001',
  '2026-02-30T00:00:00Z',
  '+275760-09-13T00:00:00.001Z',
  'http://169.254.169.254/latest',
  'https://user:pw@example.com',
  'https://[::1]/',
  'x'.repeat(HUGE),
] as const;

/** Any value where another was wanted. */
export const oddValue: Arbitrary<unknown> = fc.oneof(
  fc.constantFrom<unknown>(...ODD_TEXTS),
  fc.constantFrom<unknown>(null, true, false, 0, -0, -1, 0.5, 2 ** 31, 2 ** 53, -(2 ** 63), 1e308, [], {}, [[]], {
    a: 1,
  }),
  fc.jsonValue({ maxDepth: 3 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.constant('x'), { minLength: 300, maxLength: 1_200 }),
);

/** What may be done to one place of a JSON value. */
type Change = { kind: 'drop' } | { kind: 'add'; name: string; value: unknown } | { kind: 'replace'; value: unknown };

const change: Arbitrary<Change> = fc.oneof(
  fc.constant<Change>({ kind: 'drop' }),
  fc.record({
    kind: fc.constant('add' as const),
    name: fc.constantFrom('unknown_field', '__proto__', 'constructor', 'toString', 'a.b', ' ', '\u0000', 'é'),
    value: oddValue,
  }),
  fc.record({ kind: fc.constant('replace' as const), value: oddValue }),
);

/** A copy in which one place is changed: `steps` choose the way down, as far as it goes. */
function changed(value: unknown, steps: readonly number[], how: Change): unknown {
  if (typeof value !== 'object' || value === null) return how.kind === 'replace' ? how.value : value;
  const [step = 0, ...rest] = steps;
  const entries = Object.entries(value);
  if (how.kind === 'add' && rest.length === 0) return fromEntries(value, [...entries, [how.name, how.value]]);
  const position = entries.length === 0 ? -1 : step % entries.length;
  return fromEntries(
    value,
    entries.flatMap(([name, part], at): [string, unknown][] => {
      if (at !== position) return [[name, part]];
      if (rest.length > 0 && typeof part === 'object') return [[name, changed(part, rest, how)]];
      return how.kind === 'drop' ? [] : [[name, how.kind === 'replace' ? how.value : part]];
    }),
  );
}

function fromEntries(like: object, entries: readonly [string, unknown][]): unknown {
  if (Array.isArray(like)) return entries.map(([, part]) => part);
  const copy: Record<string, unknown> = {};
  for (const [name, value] of entries) {
    Object.defineProperty(copy, name, { value, enumerable: true, configurable: true, writable: true });
  }
  return copy;
}

/** Values near to valid ones: one to three places are changed. */
export const mutated = (valid: Arbitrary<unknown>): Arbitrary<unknown> =>
  fc
    .tuple(valid, fc.array(fc.tuple(fc.array(fc.nat(20), { maxLength: 3 }), change), { minLength: 1, maxLength: 3 }))
    .map(([value, changes]) => changes.reduce<unknown>((now, [steps, how]) => changed(now, steps, how), value));
