import { expect, test } from 'vitest';
import { z } from 'zod';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { foldOpenapi } from '#lib/api/openapi.ts';
import { applyEnv } from '#lib/base/env.ts';
import { EVENT_TYPES } from '#lib/events/catalogue.ts';
import { EVENT_ENVELOPES } from '#lib/events/envelope-schemas.ts';
import { testEnv } from '#tests/support/env.ts';

/** Flags that are lost where a pattern is written out; `u` is how JSON Schema reads every pattern. */
function flaggedPatterns(schema: z.ZodType, io: 'input' | 'output'): string[] {
  const found: string[] = [];
  z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema }) => {
      for (const check of zodSchema._zod.def.checks ?? []) {
        const pattern = 'pattern' in check._zod.def ? check._zod.def.pattern : null;
        if (pattern instanceof RegExp && pattern.flags.replace('u', '') !== '') found.push(String(pattern));
      }
    },
  });
  return found;
}

test('no pattern of the interface means something else in the document, which holds no flags', () => {
  const flagged = CONTRACTS.flatMap(({ id, params, query, body, responses }) => [
    ...[params, query, body]
      .flatMap((part) => (part === undefined ? [] : flaggedPatterns(part, 'input')))
      .map((one) => [id, one]),
    ...Object.values(responses)
      .flatMap((schema) => flaggedPatterns(schema, 'output'))
      .map((one) => [id, one]),
  ]);
  expect(flagged).toEqual([]);
  expect(EVENT_TYPES.flatMap((type) => flaggedPatterns(EVENT_ENVELOPES[type], 'output'))).toEqual([]);
  expect(flaggedPatterns(z.object({ a: z.string().regex(/^a/i) }), 'input')).toEqual(['/^a/i']);
});

/** Every pattern anywhere in a value. */
function patternsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(patternsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    key === 'pattern' && typeof child === 'string' ? [child] : patternsIn(child),
  );
}

test('every pattern of the document is one that the engines of Python, Java and Go read', () => {
  applyEnv(testEnv());
  const patterns = [...new Set(patternsIn(foldOpenapi(CONTRACTS)))];
  expect(patterns.length).toBeGreaterThan(20);
  // Character classes by property, look-around, back references and \u escapes are what one or the other lacks.
  expect(patterns.filter((pattern) => /\\[pPu]|\(\?[=!<]|\\[1-9]/.test(pattern))).toEqual([]);
});

test('a problem is one type for all operations and statuses', () => {
  const { paths } = foldOpenapi(CONTRACTS);
  const found = JSON.stringify(paths).match(/"application\/problem\+json":\{"schema":\{[^}]*\}/g) ?? [];
  expect(new Set(found)).toEqual(
    new Set(['"application/problem+json":{"schema":{"$ref":"#/components/schemas/Problem"}']),
  );
});
