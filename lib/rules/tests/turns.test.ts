import { expect, it } from 'vitest';
import { turns } from '../turns.ts';

it('a third asks when one of two has its answer, also when that is an error', async () => {
  const inTurn = turns(2);
  const begun: number[] = [];
  const ends: ((how: 'well' | 'badly') => void)[] = [];
  const ask = (number: number) =>
    inTurn(() => {
      begun.push(number);
      return new Promise<number>((resolve, reject) =>
        ends.push((how) => (how === 'well' ? resolve(number) : reject(new Error('broken off')))),
      );
    });
  const asked = [ask(1), ask(2), ask(3)];
  expect(begun).toEqual([1, 2]);
  ends[1]?.('badly');
  await expect(asked[1]).rejects.toThrow('broken off');
  expect(begun).toEqual([1, 2, 3]);
  ends[0]?.('well');
  ends[2]?.('well');
  expect(await Promise.all([asked[0], asked[2]])).toEqual([1, 3]);
});
