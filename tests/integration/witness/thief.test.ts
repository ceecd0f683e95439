import { expect, it } from 'vitest';
import { PLANTED, type Planted, placesOf } from '#tests/faults/custody/plant.ts';
import { play } from '#tests/faults/custody/play.ts';
import { Stage } from '#tests/faults/custody/stage.ts';

it('a thief with the platform’s key and one witness’s gets nothing beyond what is owed, and everything owed is paid once', async () => {
  const stage = await Stage.open();
  try {
    const report = await play(stage, 'everyday', { rounds: 9 });
    expect(report.violations).toEqual([]);
    expect(report.figure('answers', 'signed')).toBeGreaterThan(20);
    expect(report.figure('paid', 'obligations')).toBeGreaterThan(10);
  } finally {
    await stage.close();
  }
});

it('each fault that the campaign plants has its place in the witness', () => {
  for (const planted of Object.keys(PLANTED) as Planted[]) expect(placesOf(planted).size).toBeGreaterThan(0);
});
