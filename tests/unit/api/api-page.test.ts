import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { CONTRACTS } from '#lib/api/contracts.ts';
import { LIMITS_PER_MINUTE, stopsWithoutCache } from '#lib/api/rate-limit.ts';
import { ERROR_STATUS } from '#lib/base/errors.ts';

const read = (name: string): string => readFileSync(new URL(`../../../docs/${name}.md`, import.meta.url), 'utf8');
const page = read('api');
const errors = read('errors');

test('the page on errors has every code under its status, a section for each, and no other', () => {
  const rows = [...errors.matchAll(/^\| (\d{3}) \| `(\w+)` \|/gm)].map((row) => [row[2], Number(row[1])]);
  expect(Object.fromEntries(rows)).toEqual(ERROR_STATUS);
  expect(rows).toHaveLength(Object.keys(ERROR_STATUS).length);
  const sections = [...errors.matchAll(/^## (\w+)\n\nStatus (\d{3})\./gm)].map((row) => [row[1], Number(row[2])]);
  expect(sections).toEqual(rows);
});

test('the page on the API has every limit, and what becomes of it without a cache', () => {
  const rows = [...page.matchAll(/^\| `(\w+)` \| (\d+) \| .* \| (goes on|503) \|$/gm)].map((row) => [
    row[1],
    Number(row[2]),
    row[3],
  ]);
  const classes = Object.entries(LIMITS_PER_MINUTE).filter(([, limit]) => limit !== null);
  expect(rows).toEqual(
    classes.map(([name, limit]) => {
      const contract = CONTRACTS.find(({ rateLimit }) => rateLimit === name);
      return [name, limit, contract !== undefined && stopsWithoutCache(contract) ? '503' : 'goes on'];
    }),
  );
});
