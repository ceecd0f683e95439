import { expect, test } from 'vitest';
import { relevantSales } from '../../../app/(site)/wallets/[address]/relevant-sales.ts';

test('a sale that the wallet has invested in is shown however many newer ones sell', () => {
  const newer = Array.from({ length: 8 }, (_, n) => ({ id: `newer-${n}`, status: 'active' as const }));
  const projects = [
    ...newer,
    { id: 'ended', status: 'completed' as const },
    { id: 'own', status: 'completed' as const },
  ];
  expect(relevantSales(projects, new Set(['own']), 3).map(({ id }) => id)).toEqual(['own', 'newer-0', 'newer-1']);
});
