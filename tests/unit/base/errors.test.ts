import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { fieldPath } from '#lib/base/errors.ts';

const ROOT = path.resolve(import.meta.dirname, '../../..');

test.each([
  ['body', ['tiers', 0, 'price_per_token'], 'tiers[0].price_per_token'],
  ['body', [0, 'name'], '[0].name'],
  ['body', ['matrix', 1, 2], 'matrix[1][2]'],
  ['body', ['Not A Name'], '(unnamed)'],
  ['query', ['limit'], 'limit'],
  ['path', ['wallet_address'], 'wallet_address'],
  ['body', [], 'body'],
] as const)('a fault in the %s at %j is at %s, as the caller wrote it', (part, steps, shown) => {
  expect(fieldPath(part, steps)).toBe(shown);
});

test('no fault names a field by a part of the request, or an index by a dot', () => {
  const wrong = globSync('{lib,app}/**/*.{ts,tsx}', { cwd: ROOT }).flatMap((file) =>
    readFileSync(path.join(ROOT, file), 'utf8')
      .split('\n')
      .flatMap((line, index) =>
        /['"`](?:body|query|path|params)\.[a-z_$(]|field: `[^`]*\.(?:\d|\$\{(?:place|index)\})/.test(line)
          ? [`${file}:${index + 1}`]
          : [],
      ),
  );
  expect(wrong).toEqual([]);
});
