import { expect, test } from 'vitest';
import { saleCardPng } from '../../../app/(site)/_social/card.tsx';

const TEXT = { title: 'A sale', line: 'Live, tier 1 of 2', percent: 12.5, raised: '125 of 1,000 XRP raised' };

test('the card of a sale is drawn once for as long as it says the same, however many ask, and anew when it says something else', async () => {
  const [first, ...others] = await Promise.all(Array.from({ length: 20 }, () => saleCardPng({ ...TEXT })));
  expect(
    Buffer.from(first ?? [])
      .subarray(1, 4)
      .toString(),
  ).toBe('PNG');
  for (const other of [...others, await saleCardPng({ ...TEXT })]) expect(other).toBe(first);
  const later = await saleCardPng({ ...TEXT, percent: 50, raised: '500 of 1,000 XRP raised' });
  expect(Buffer.from(later)).not.toEqual(Buffer.from(first ?? []));
});
