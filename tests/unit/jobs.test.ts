import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { JOBS } from '#lib/jobs/process-payments.ts';

test('the budgets of the jobs of process-payments add up to a slice of 20 s', () => {
  expect(JOBS.reduce((sum, { budgetMs }) => sum + budgetMs, 0)).toBe(20_000);
});

test('docs/operations.md has each of them with its budget, in their order', () => {
  const guide = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
  const rows = [...guide.matchAll(/^\| `([a-z-]+)` \| .+ \| ([\d.]+) s \|$/gm)].map(([, name, seconds]) => [
    name,
    Number(seconds) * 1_000,
  ]);
  expect(rows).toEqual(JOBS.map(({ name, budgetMs }) => [name, budgetMs]));
});
