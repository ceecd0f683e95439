import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { LIMITS_PER_MINUTE, stopsWithoutCache } from '#lib/api/rate-limit.ts';
import { ERROR_STATUS } from '#lib/base/errors.ts';

const read = (name: string): string => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
const page = read('api');
const errors = read('errors');

test('the page on errors has a section for every code, which names its status, and no other', () => {
  const sections = [...errors.matchAll(/^## (\w+)\n\nStatus (\d{3})\./gm)].map((row) => [row[1], Number(row[2])]);
  expect(Object.fromEntries(sections)).toEqual(ERROR_STATUS);
  expect(sections).toHaveLength(Object.keys(ERROR_STATUS).length);
});

test('the page on the API has every limit, and what becomes of it without a cache', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| .* \| (allowed|503) \|$/gm)].map((row) => [
    row[1],
    Number(row[2]),
    row[3],
  ]);
  const classes = Object.entries(LIMITS_PER_MINUTE).filter(([, limit]) => limit !== null);
  expect(rows).toEqual(
    classes.map(([name, limit]) => {
      const contract = CONTRACTS.find(({ rateLimit }) => rateLimit === name);
      return [name, limit, contract !== undefined && stopsWithoutCache(contract) ? '503' : 'allowed'];
    }),
  );
});
