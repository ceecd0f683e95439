import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { quickTest } from '../quick-test.ts';
import { isoTime, tokenAmount, xrpAmount } from '../wire.ts';

const row = z.lazy(() =>
  z
    .object({
      hash: z.string().regex(/^[0-9A-F]{4}$/),
      ledger: z.int(),
      at: isoTime,
      sender: z.string().meta({ description: 'Who paid' }),
      tag: z.int().nullable(),
      xrp: xrpAmount,
      tokens: tokenAmount.nullable(),
      outcome: z.enum(['invested', 'held']),
      validated: z.literal(true),
      meta: z.object({ nodes: z.array(z.unknown()), delivered: z.unknown().optional(), tag: z.int().optional() }),
      memos: z.array(z.object({ type: z.string().optional() })).optional(),
    })
    .meta({ id: 'Row' }),
);
const FITTING = {
  hash: '00FF',
  ledger: 101,
  at: '2026-11-21T12:00:00.000Z',
  sender: 'rSender',
  tag: null,
  xrp: '1.000000',
  tokens: '2.000000',
  outcome: 'held',
  validated: true,
  meta: { nodes: [{}], delivered: '1', tag: 7 },
  memos: [{ type: 'AB' }],
};

const paths = fc.constantFrom(
  ...Object.keys(FITTING).map((key) => [key]),
  ...['nodes', 'delivered', 'tag', 'other'].map((key) => ['meta', key]),
  ['memos', '0', 'type'],
  ['memos', '0', 'other'],
  ['other'],
  ['__proto__'],
);
const odd = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(
    Number.NaN,
    2 ** 53,
    1.5,
    -1,
    'held',
    '1.000000',
    '2026-11-31T12:00:00Z',
    '2026-02-30T12:00:00Z',
    '00FG',
    true,
  ),
);
type Change = { kind: 'put'; path: string[]; value: unknown } | { kind: 'drop' | 'last'; path: string[] };
const changes = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant('put' as const), path: paths, value: odd }),
    fc.record({ kind: fc.constantFrom('drop' as const, 'last' as const), path: paths }),
  ),
  { maxLength: 3 },
);

function changed(made: readonly Change[]): unknown {
  const value: unknown = structuredClone(FITTING);
  for (const change of made) {
    const key = change.path.at(-1) ?? '';
    let inside = value as Record<string, unknown> | null | undefined;
    for (const step of change.path.slice(0, -1)) inside = inside?.[step] as typeof inside;
    if (typeof inside !== 'object' || inside === null) continue;
    const put = (given: unknown) =>
      Object.defineProperty(inside, key, { value: given, enumerable: true, configurable: true, writable: true });
    const before = inside[key];
    if (change.kind === 'put') put(change.value);
    else delete inside[key];
    if (change.kind === 'last') put(before);
  }
  return value;
}

describe('a quick test', () => {
  test('is true of what fits', () => {
    expect(quickTest(row, { otherFields: 'refused' })(FITTING)).toBe(true);
    expect(quickTest(row, { otherFields: 'ignored' })({ ...FITTING, more: 1 })).toBe(true);
  });

  test('is never true of what its schema refuses or would change', () => {
    const isRow = quickTest(row, { otherFields: 'refused' });
    let fitting = 0;
    fc.assert(
      fc.property(changes, (made) => {
        const value = changed(made);
        if (!isRow(value)) return;
        fitting += 1;
        expect(JSON.stringify(row.parse(value))).toBe(JSON.stringify(value));
      }),
      { numRuns: 5_000 },
    );
    expect(fitting).toBeGreaterThan(100);
  });

  test('is never true of what its schema refuses, where further fields are ignored', () => {
    const isRow = quickTest(row, { otherFields: 'ignored' });
    fc.assert(
      fc.property(changes, (made) => {
        const value = changed(made);
        if (isRow(value)) expect(row.safeParse(value).success).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });

  test.each([
    ['a transformation', z.string().transform((text) => text), 'a'],
    ['a default', z.string().default('a'), 'a'],
    ['a coercion', z.coerce.string(), 'a'],
    ['a coerced number', z.coerce.number().int(), 1],
    ['a bound', z.int().min(1), 1],
    ['a number that may be no integer', z.number(), 1],
    ['two patterns', z.string().regex(/a/).regex(/b/), 'ab'],
    ['a pattern with a state', z.string().regex(/a/g), 'a'],
    ['a length', z.string().max(3), 'a'],
    ['a condition', z.object({ a: z.int() }).refine(() => true), { a: 1 }],
    ['a strict object', z.strictObject({ a: z.int() }), { a: 1 }],
    ['a loose object', z.looseObject({ a: z.int() }), { a: 1 }],
    ['a union', z.union([z.int(), z.string()]), 1],
    ['an exact optional', z.object({ a: z.string().exactOptional() }), { a: 'a' }],
  ])('leaves %s to the schema', (_, schema, value) => {
    expect(schema.safeParse(value).success).toBe(true);
    for (const otherFields of ['refused', 'ignored'] as const) {
      expect(quickTest<z.ZodType>(schema, { otherFields })(value)).toBe(false);
    }
  });
});
