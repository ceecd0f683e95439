import { expect, test } from 'vitest';
import { mapBounded } from '#lib/base/bounded.ts';

test('keeps the order, and never has more calls under way than allowed', async () => {
  let underWay = 0;
  let most = 0;
  const results = await mapBounded([5, 1, 4, 2, 3], 2, async (item) => {
    underWay += 1;
    most = Math.max(most, underWay);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    underWay -= 1;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
});

test('begins nothing further after a failure', async () => {
  const begun: number[] = [];
  const work = mapBounded([1, 2, 3, 4], 1, async (item) => {
    begun.push(item);
    if (item === 2) throw new Error('second');
  });
  await expect(work).rejects.toThrow('second');
  expect(begun).toEqual([1, 2]);
});

test('nothing to do is done', async () => {
  expect(await mapBounded([], 4, () => Promise.reject(new Error('never')))).toEqual([]);
});
