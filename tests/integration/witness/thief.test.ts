import { expect, it } from 'vitest';
import { play } from '#tests/faults/custody/play.ts';

it('a thief with the platform’s key and one witness’s gets nothing beyond what is owed, and everything owed is paid once', async () => {
  const report = await play('everyday', { rounds: 9 });
  expect(report.violations).toEqual([]);
  expect(report.figure('answers', 'signed')).toBeGreaterThan(20);
  expect(report.figure('paid', 'obligations')).toBeGreaterThan(10);
});
