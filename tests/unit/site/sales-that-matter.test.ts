import { expect, test } from 'vitest';
import { salesThatMatter } from '../../../app/(site)/wallets/[address]/sales-that-matter.ts';

test('a sale that the wallet has invested in is shown however many newer ones sell', () => {
  const newer = Array.from({ length: 8 }, (_, n) => ({ id: `newer-${n}`, status: 'active' as const }));
  const projects = [
    ...newer,
    { id: 'ended', status: 'completed' as const },
    { id: 'own', status: 'completed' as const },
  ];
  expect(salesThatMatter(projects, new Set(['own']), 3).map(({ id }) => id)).toEqual(['own', 'newer-0', 'newer-1']);
});
