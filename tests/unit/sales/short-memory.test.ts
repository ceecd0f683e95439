import { expect, test } from 'vitest';
import { shortMemory } from '#lib/sales/projects/short-memory.ts';

test('a crowd that asks at once costs one reading a key', async () => {
  const remembered = shortMemory<string>(1_000);
  const readings: string[] = [];
  const ask = (key: string, nowMs: number) =>
    remembered(key, nowMs, async () => {
      readings.push(key);
      return key;
    });
  expect(await Promise.all([ask('a', 0), ask('a', 0), ask('b', 0), ask('a', 999)])).toEqual(['a', 'a', 'b', 'a']);
  expect(readings).toEqual(['a', 'b']);
  await ask('a', 1_000);
  expect(readings).toEqual(['a', 'b', 'a']);
});

test('a failure is told to all who waited, and kept for nobody', async () => {
  const remembered = shortMemory<string>(1_000);
  const fail = () => Promise.reject(new Error('away'));
  const answers = await Promise.allSettled([remembered('a', 0, fail), remembered('a', 0, fail)]);
  expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await remembered('a', 0, async () => 'back')).toBe('back');
});

test('keys beyond a thousand do not pile up', async () => {
  const remembered = shortMemory<number>(1_000);
  let readings = 0;
  const ask = (key: number) => remembered(String(key), 0, async () => ++readings);
  for (let key = 0; key <= 1_000; key++) await ask(key);
  expect(await ask(1_000)).toBe(1_001);
  expect(await ask(0)).toBe(1_002);
});

test('what was read before the clock was set back is read anew', async () => {
  const remembered = shortMemory<number>(1_000);
  let readings = 0;
  const ask = (nowMs: number) => remembered('a', nowMs, async () => ++readings);
  expect([await ask(600_000), await ask(0)]).toEqual([1, 2]);
});
