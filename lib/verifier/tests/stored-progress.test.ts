import type { SaleState } from '@tranche/rules/types.ts';
import { expect, test } from 'vitest';
import { encodeProgress, newProgress, readProgress } from '../progress.ts';

const progress = newProgress(9, 1_000, { afterLedger: 3, through: 8 }, {} as SaleState);
const kept = encodeProgress('proj_a', progress);

test('a verification goes on where it stood', () => {
  expect(readProgress(kept, 'proj_a')).toEqual(progress);
});

test('what another version of the program has kept is begun anew', () => {
  expect(readProgress(kept.replace(/"format":\d+/, '"format":3'), 'proj_a')).toBeNull();
  expect(readProgress(JSON.stringify({ projectId: 'proj_a', progress: {} }), 'proj_a')).toBeNull();
});

test('what belongs to another sale is refused', () => {
  expect(() => readProgress(kept, 'proj_b')).toThrow('it belongs to proj_a');
});
